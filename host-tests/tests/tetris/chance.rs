//! Chance is fair: pieces are drawn independently and uniformly, and so are actions that tie.
//!
//! Seeds are fixed, so these tests always come out the same. A fair source would fail a new seed
//! once in a thousand.

use crate::{outcomes, rng};
use host_tests::chance::assert_uniform;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::{Board, Piece, State, Tetris10x10};

#[test]
fn a_game_starts_with_any_piece() {
    let mut rng = rng(4);
    let mut counts = [0; 7];
    for _ in 0..70_000 {
        counts[Tetris10x10::default().reset(&mut rng).piece as usize] += 1;
    }
    assert_uniform(&counts);
}

#[test]
fn the_next_piece_does_not_depend_on_the_last() {
    let mut rng = rng(5);
    let mut piece = Piece::I;
    let mut pairs = [0; 49];
    for _ in 0..98_000 {
        let state = State {
            board: Board::empty(),
            piece,
        };
        let (next, _) = Tetris10x10::default().step(&state, 0, &mut rng);
        pairs[7 * piece as usize + next.piece as usize] += 1;
        piece = next.piece;
    }
    assert_uniform(&pairs);
}

#[test]
fn without_weights_every_action_is_as_likely() {
    let choices = choices_on_the_empty_board(&Policy::random(), Piece::T);
    assert_eq!(choices.len(), 34);
    assert_uniform(&choices);
}

#[test]
fn actions_that_tie_for_the_best_are_as_likely_and_no_other_is_taken() {
    let low = Policy::new::<Tetris10x10>(&[-1., 0., 0., 0., 0., 0., 0., 0.]).unwrap();
    let choices = choices_on_the_empty_board(&low, Piece::T);
    let taken: Vec<u32> = choices.into_iter().filter(|&count| count > 0).collect();
    assert_eq!(
        taken.len(),
        16,
        "the T lies or stands on its head in eight columns"
    );
    assert_uniform(&taken);
}

/// How often each legal action is taken.
fn choices_on_the_empty_board(policy: &Policy<[i16; 8]>, piece: Piece) -> Vec<u32> {
    let game = Tetris10x10::default();
    let state = State {
        board: Board::empty(),
        piece,
    };
    let mut rng = rng(6);
    let mut counts = [0; 34];
    for _ in 0..20_000 {
        let action = policy
            .choose(&game, &state, &mut rng)
            .expect("the board is empty");
        counts[usize::from(action)] += 1;
    }
    outcomes(&game, &state)
        .iter()
        .map(|outcome| counts[usize::from(outcome.action)])
        .collect()
}
