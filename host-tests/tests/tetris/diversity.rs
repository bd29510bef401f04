//! The ninth feature is what the twin says, and the others are what they are without it.

use crate::{RULES, outcomes, rng, strange_states};
use host_tests::twin::{self, features::pattern_diversity};
use ipse::prelude::*;
use ipse::tetris::diverse::{DT10, Diverse, Diverse10x10};
use ipse::tetris::{BCTS, Column, State, Tetris};

#[test]
fn diversity_agrees_with_the_twin_on_strange_boards() {
    check::<10, u16>();
    check::<20, u32>();

    fn check<const H: usize, C: Column>() {
        let mut seen = [0; 6];
        for state in strange_states::<H, C>(1000) {
            for rule in RULES {
                agree(Tetris::new(rule), &state, &mut seen);
            }
        }
        assert!(seen[1..].iter().all(|&n| n > 10), "{seen:?}");
    }
}

#[test]
fn diversity_agrees_with_the_twin_throughout_a_game() {
    let game = Diverse10x10::default();
    let policy = Policy::new::<Diverse10x10>(&DT10).unwrap();
    let mut rng = rng(12);
    let mut seen = [0; 6];
    let mut state = game.reset(&mut rng);
    for _ in 0..2000 {
        agree(Tetris::default(), &state, &mut seen);
        state = match policy.choose(&game, &state, &mut rng) {
            Some(action) => game.step(&state, action, &mut rng).0,
            None => game.reset(&mut rng),
        };
    }
    assert!(seen[1..].iter().all(|&n| n > 10), "{seen:?}");
}

/// Compares every placement, and counts them by their diversity.
fn agree<const H: usize, C: Column>(
    eight: Tetris<10, H, C>,
    state: &State<10, H, C>,
    seen: &mut [usize; 6],
) {
    let game = Diverse::from(eight);
    let expected = outcomes(&eight, state);
    let found = game.list(state);
    assert_eq!(found.len(), expected.len(), "{state:?}");
    let bound = Diverse::<10, H, C>::FEATURES[8].bound;
    for (nine, eight) in found.iter().zip(expected) {
        assert_eq!((nine.action, nine.promise), (eight.action, eight.promise));
        assert_eq!(nine.features[..8], eight.features, "{state:?}");
        let placed = game.place(state, nine.action);
        let board = placed.expect("it is legal").board;
        let rows = twin::Board::from_columns(H, board.columns()).rows;
        let diversity = nine.features[8];
        assert_eq!(
            i32::from(diversity),
            pattern_diversity(&rows),
            "{nine:?} of {state:?}"
        );
        assert!(diversity <= bound, "{nine:?} of {state:?}");
        seen[usize::try_from(diversity).unwrap()] += 1;
    }
}

#[test]
fn policies_that_ignore_diversity_play_as_with_eight_features() {
    let mut bcts = [0.; 9];
    bcts[..8].copy_from_slice(&BCTS);
    let nine = Policy::new::<Diverse10x10>(&bcts).unwrap();
    let eight = Policy::new::<Tetris<10, 10, u16>>(&BCTS).unwrap();
    for state in strange_states::<10, u16>(300) {
        let choice = nine.choose(&Diverse10x10::default(), &state, &mut rng(1));
        let expected = eight.choose(&Tetris::default(), &state, &mut rng(1));
        assert_eq!(choice, expected, "{state:?}");
    }
}

#[test]
fn a_learner_with_nine_features_learns_from_scratch() {
    let search = Search::survival().calls(150_000).check().unwrap();
    let mut rng = rng(3);
    let game = Diverse10x10::default();
    let mut searcher = Searcher::new(game, search, &mut rng);
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
    }
    let policy = searcher.policy();
    let mut rows = 0;
    for _ in 0..20 {
        let mut state = game.reset(&mut rng);
        while let Some(action) = policy.choose(&game, &state, &mut rng) {
            let (next, reward) = game.step(&state, action, &mut rng);
            state = next;
            rows += i32::from(reward);
        }
    }
    // A random policy removes a row in five games.
    assert!(rows / 20 > 300, "{} rows a game", rows / 20);
}
