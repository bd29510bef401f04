//! What a learner may rely on: the contract of `Environment`, on strange boards.

use crate::{RULES, outcomes, rng, strange_states};
use ipse::array::Array;
use ipse::environment::{Action, Environment};
use ipse::tetris::{Column, Piece, State, Tetris, Tetris10x10, Tetris10x20};
use std::cell::Cell;

const BOARDS: usize = 200;

/// Every piece on some hundred boards, on both heights, under both rules.
fn in_every_case(
    low: impl Fn(&Tetris10x10, &State<10, 10, u16>),
    high: impl Fn(&Tetris10x20, &State<10, 20, u32>),
) {
    for rule in RULES {
        strange_states(BOARDS).for_each(|state| low(&Tetris::new(rule), &state));
        strange_states(BOARDS).for_each(|state| high(&Tetris::new(rule), &state));
    }
}

#[test]
fn the_empty_board_takes_a_piece_in_every_orientation_and_column() {
    on_the_empty_board::<10, u16>();
    on_the_empty_board::<20, u32>();

    fn on_the_empty_board<const H: usize, C: Column>() {
        let mut rng = rng(1);
        for rule in RULES {
            let game = Tetris::<10, H, C>::new(rule);
            let counts = Piece::ALL.map(|piece| {
                let state = State {
                    piece,
                    ..game.reset(&mut rng)
                };
                (piece.letter(), outcomes(&game, &state).len())
            });
            let expected = [
                ('I', 17),
                ('O', 9),
                ('S', 17),
                ('Z', 17),
                ('T', 34),
                ('L', 34),
                ('J', 34),
            ];
            assert_eq!(counts, expected);
        }
    }
}

#[test]
fn an_action_is_visited_once_and_has_a_number_below_34() {
    in_every_case(check::<10, u16>, check::<20, u32>);

    fn check<const H: usize, C: Column>(game: &Tetris<10, H, C>, state: &State<10, H, C>) {
        let mut actions: Vec<_> = outcomes(game, state).iter().map(|o| o.action).collect();
        let visited = actions.len();
        actions.sort();
        actions.dedup();
        assert_eq!(actions.len(), visited, "{state:?}");
        assert!(
            actions
                .iter()
                .all(|&action| usize::from(action) < <Tetris10x10 as Environment>::Actions::LEN),
            "{state:?}"
        );
    }
}

#[test]
fn a_step_brings_the_reward_and_the_board_that_were_promised() {
    in_every_case(check::<10, u16>, check::<20, u32>);

    fn check<const H: usize, C: Column>(game: &Tetris<10, H, C>, state: &State<10, H, C>) {
        for outcome in outcomes(game, state) {
            let (next, reward) = game.step(state, outcome.action, &mut rng(2));
            let placed = game
                .place(state, outcome.action)
                .expect("a visited action is legal");
            assert_eq!(next.board, placed.board, "{state:?}, {outcome:?}");
            assert_eq!(reward, outcome.promise, "{state:?}, {outcome:?}");
        }
    }
}

#[test]
fn a_state_is_terminal_if_and_only_if_nothing_is_visited() {
    let terminal = Cell::new(0);
    let alive = Cell::new(0);
    in_every_case(
        |game, state| check(game, state, &terminal, &alive),
        |game, state| check(game, state, &terminal, &alive),
    );
    assert!(terminal.get() > 100 && alive.get() > 100);

    fn check<const H: usize, C: Column>(
        game: &Tetris<10, H, C>,
        state: &State<10, H, C>,
        terminal: &Cell<u32>,
        alive: &Cell<u32>,
    ) {
        let is_terminal = game.is_terminal(state);
        assert_eq!(is_terminal, outcomes(game, state).is_empty(), "{state:?}");
        let seen = if is_terminal { terminal } else { alive };
        seen.set(seen.get() + 1);
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    in_every_case(check::<10, u16>, check::<20, u32>);

    fn check<const H: usize, C: Column>(game: &Tetris<10, H, C>, state: &State<10, H, C>) {
        let legal = outcomes(game, state);
        for action in 0..=Action::MAX {
            if legal.iter().all(|outcome| outcome.action != action) {
                assert_eq!(
                    game.step(state, action, &mut rng(3)),
                    (*state, 0),
                    "{state:?}, action {action}"
                );
                assert_eq!(
                    game.place(state, action),
                    None,
                    "{state:?}, action {action}"
                );
            }
        }
    }
}
