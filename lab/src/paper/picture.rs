//! Boards drawn with characters, so that they can be told apart without colours too.

use crate::draw::{dim, paint};
use anstyle::{Ansi256Color, AnsiColor, Style};
use ipse::tetris::Piece;

const COLUMNS: usize = 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    /// Filled by a piece that is no longer known.
    Stone,
    /// Filled by a piece that was placed before.
    Locked(Piece),
    /// The piece that is being placed.
    Fresh(Piece),
}

/// A board and what reaches above it, the bottom row first.
#[derive(Clone)]
pub struct Picture {
    height: usize,
    rows: Vec<[Cell; COLUMNS]>,
}

impl Picture {
    /// The picture of a board with these columns.
    pub fn new(columns: [u32; COLUMNS], height: usize) -> Self {
        let cell = |column: u32, row| match column >> row & 1 {
            0 => Cell::Empty,
            _ => Cell::Stone,
        };
        let rows = (0..height)
            .map(|row| columns.map(|column| cell(column, row)))
            .collect();
        Picture { height, rows }
    }

    /// Puts a piece on these cells, given as column and row.
    pub fn put(&mut self, piece: Piece, cells: [(u8, u8); 4]) {
        for (column, row) in cells {
            let (column, row) = (usize::from(column), usize::from(row));
            self.rows.resize(self.rows.len().max(row + 1), EMPTY);
            self.rows[row][column] = Cell::Fresh(piece);
        }
    }

    /// Makes the fresh piece one of those placed before, and removes full rows.
    pub fn settle(&mut self) {
        self.rows.retain(|row| !is_full(row));
        for cell in self.rows.iter_mut().flatten() {
            if let Cell::Fresh(piece) = *cell {
                *cell = Cell::Locked(piece);
            }
        }
        self.rows.resize(self.height, EMPTY);
    }

    /// The rows that the picture reaches up to: those of the board, or more.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The drawing of so many rows, the topmost first, and of the floor. Full rows have a notch at
    /// either end. All lines are equally wide.
    pub fn lines(&self, rows: usize) -> Vec<String> {
        let line = |y| {
            let row = self.rows.get(y).unwrap_or(&EMPTY);
            let (left, right) = match is_full(row) {
                _ if y >= self.height => (" ", " "),
                true => ("├", "┤"),
                false => ("│", "│"),
            };
            let empty = if y < self.height {
                dim(" ·")
            } else {
                "  ".into()
            };
            let cells: String = row.iter().map(|&cell| draw(cell, &empty)).collect();
            dim(left) + &cells + &dim(right)
        };
        let floor = dim(&format!("└{}┘", "─".repeat(2 * COLUMNS)));
        (0..rows).rev().map(line).chain([floor]).collect()
    }
}

const EMPTY: [Cell; COLUMNS] = [Cell::Empty; COLUMNS];

fn is_full(row: &[Cell; COLUMNS]) -> bool {
    !row.contains(&Cell::Empty)
}

fn draw(cell: Cell, empty: &str) -> String {
    match cell {
        Cell::Empty => empty.into(),
        Cell::Stone => "▒▒".into(),
        Cell::Locked(piece) => paint("▒▒", colour(piece)),
        Cell::Fresh(piece) => paint("██", colour(piece)),
    }
}

/// The usual colours of the pieces.
pub fn colour(piece: Piece) -> Style {
    let colour = match piece {
        Piece::I => AnsiColor::Cyan,
        Piece::O => AnsiColor::Yellow,
        Piece::S => AnsiColor::Green,
        Piece::Z => AnsiColor::Red,
        Piece::T => AnsiColor::Magenta,
        Piece::J => AnsiColor::Blue,
        Piece::L => return Style::new().fg_color(Some(Ansi256Color(208).into())),
    };
    Style::new().fg_color(Some(colour.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse::environment::Environment;
    use ipse::policy::Policy;
    use ipse::tetris::Tetris10x10;
    use rand_core::SeedableRng;
    use rand_xorshift::XorShiftRng;

    #[test]
    fn a_picture_that_follows_a_game_shows_its_board() {
        let task = Tetris10x10::default();
        let equal = [-1., 1., -1., -1., -1., -1., -1., -1.];
        let policy = Policy::new::<Tetris10x10>(&equal).unwrap();
        let mut rng = XorShiftRng::seed_from_u64(1);
        let mut state = task.reset(&mut rng);
        let mut picture = Picture::new(state.board.columns(), 10);
        for _ in 0..200 {
            let action = policy.choose(&task, &state, &mut rng).unwrap();
            picture.put(state.piece, task.place(&state, action).unwrap().cells);
            picture.settle();
            (state, _) = task.step(&state, action, &mut rng);
            let board = Picture::new(state.board.columns(), 10);
            let filled = |picture: &Picture| -> Vec<bool> {
                picture
                    .rows
                    .iter()
                    .flatten()
                    .map(|&cell| cell != Cell::Empty)
                    .collect()
            };
            assert_eq!(filled(&picture), filled(&board));
        }
    }
}
