//! The board as it plays, with the pieces in their colours.
//!
//! Frames tell what a board looks like and which piece comes next, but not where it goes. That is
//! found by trying every placement of it.

use crate::draw::Picture;
use ipse::environment::Environment;
use ipse::tetris::{Board, Piece, State, Tetris10x10};

const HEIGHT: usize = 10;

pub struct Game {
    state: Option<State>,
    picture: Picture,
}

impl Default for Game {
    fn default() -> Self {
        Game {
            state: None,
            picture: Picture::new([0; 10], HEIGHT),
        }
    }
}

impl Game {
    /// Goes on to a state. The piece that led to it is shown where it fell, full rows included.
    pub fn show(&mut self, state: &State) {
        self.picture.settle();
        let before = self.state.replace(*state);
        if let Some((piece, cells)) = before.and_then(|before| placement(&before, &state.board)) {
            self.picture.put(piece, cells);
        } else if let Some((piece, cells)) = opening(&state.board) {
            self.picture = Picture::new([0; 10], HEIGHT);
            self.picture.put(piece, cells);
        } else {
            self.picture = Picture::new(state.board.columns(), HEIGHT);
        }
    }

    /// The piece to place next.
    pub fn next(&self) -> Option<Piece> {
        self.state.map(|state| state.piece)
    }

    pub fn lines(&self) -> Vec<String> {
        self.picture.lines(HEIGHT)
    }
}

/// How the piece of a state must be placed to lead to `board`.
fn placement(state: &State, board: &Board) -> Option<(Piece, [(u8, u8); 4])> {
    let task = Tetris10x10::default();
    let mut found = None;
    task.outcomes(state, |outcome| {
        let placed = task.place(state, outcome.action);
        if let Some(placed) = placed.filter(|placed| placed.board == *board) {
            found = Some((state.piece, placed.cells));
        }
    });
    found
}

/// How a game must have begun to come to `board` with one piece.
fn opening(board: &Board) -> Option<(Piece, [(u8, u8); 4])> {
    Piece::ALL.into_iter().find_map(|piece| {
        let start = State {
            board: Board::empty(),
            piece,
        };
        placement(&start, board)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse::policy::Policy;
    use ipse::tetris::BCTS;
    use rand_core::SeedableRng;
    use rand_xorshift::XorShiftRng;

    fn fresh_cells(game: &Game) -> usize {
        game.lines().concat().matches("██").count()
    }

    #[test]
    fn every_piece_of_a_game_is_found_where_it_fell_even_if_rows_went() {
        let task = Tetris10x10::default();
        let policy = Policy::new::<Tetris10x10>(&BCTS).unwrap();
        let mut rng = XorShiftRng::seed_from_u64(1);
        let mut state = task.reset(&mut rng);
        let (mut game, mut rows) = (Game::default(), 0);
        for _ in 0..100 {
            let action = policy.choose(&task, &state, &mut rng).unwrap();
            let (next, reward) = task.step(&state, action, &mut rng);
            (state, rows) = (next, rows + reward);
            game.show(&state);
            assert_eq!(fresh_cells(&game), 4);
        }
        assert!(rows > 10);
    }

    #[test]
    fn a_board_that_no_piece_leads_to_is_shown_as_it_is() {
        let mut game = Game::default();
        let state = State {
            board: Board::from_columns([0, 0, 0, 0, 0, 0, 0, 0, 5, 1]).unwrap(),
            piece: Piece::T,
        };
        game.show(&state);
        assert_eq!(fresh_cells(&game), 0);
        assert_eq!(game.lines().concat().matches("▒▒").count(), 3);
    }
}
