//! No feature ever exceeds its bound, and no bound is much larger than it has to be.
//!
//! A board that a caller hands in may have rows that are full already. They go with the first
//! placement, and that is how landing height and eroded piece cells become largest. After it no
//! row is full, and the piece rests on something: that is why three features fall a little short of
//! what the columns one by one could add up to.

use crate::{RULES, outcomes, state, strange_states};
use host_tests::twin::{Board, WIDTH};
use ipse::environment::Environment;
use ipse::tetris::{Column, Piece, Tetris};

#[test]
fn no_feature_exceeds_its_bound() {
    check::<10, u16>();
    check::<20, u32>();

    fn check<const H: usize, C: Column>() {
        let strange = strange_states(1000);
        let worst =
            worst_cases::<H>().flat_map(|worst| Piece::ALL.map(|piece| state(&worst.board, piece)));
        for state in strange.chain(worst) {
            for rule in RULES {
                let game = Tetris::<10, H, C>::new(rule);
                for outcome in outcomes(&game, &state) {
                    for (feature, bound) in outcome.features.iter().zip(bounds::<H, C>()) {
                        assert!(feature.abs() <= bound, "{outcome:?} of {state:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_worst_that_can_happen_does_happen_and_is_near_the_bound() {
    check::<10, u16>();
    check::<20, u32>();

    fn check<const H: usize, C: Column>() {
        let game = Tetris::<10, H, C>::default();
        for Worst {
            feature,
            board,
            value,
        } in worst_cases::<H>()
        {
            let outcomes = outcomes(&game, &state(&board, Piece::I));
            let largest = outcomes
                .iter()
                .map(|outcome| outcome.features[feature])
                .max();
            let name = Tetris::<10, H, C>::FEATURES[feature].name;
            assert_eq!(largest, Some(value), "{name} of the I on\n{board:?}");
            let bound = bounds::<H, C>()[feature];
            assert!(
                bound - value <= bound / 10,
                "{name} reaches {value}, its bound is {bound}"
            );
        }
    }
}

fn bounds<const H: usize, C: Column>() -> [i16; 8] {
    Tetris::<10, H, C>::FEATURES.map(|feature| feature.bound)
}

/// A board on which some placement of the I takes a feature as far as it goes.
struct Worst {
    feature: usize,
    board: Board,
    value: i16,
}

/// The I stands in the first or the last column, or lies on the first four.
fn worst_cases<const H: usize>() -> impl Iterator<Item = Worst> {
    let (top, below_top, half) = (H - 1, H - 2, H / 2);
    let full = board::<H>(|_, _| true);
    let shaft = board::<H>(|x, y| x > 0 || y < H - 4);
    let stripes = board::<H>(|x, y| x % 2 == 1 && (x < 9 || y < H - 4));
    let lattice = board::<H>(|x, y| match x {
        0 => y % 2 == 0,
        _ => y % 2 == 1 && (y < top || (4..9).contains(&x)),
    });
    let ceiling = board::<H>(|x, y| match x {
        0 | 9 => y == below_top,
        _ => y == top && x >= 4,
    });
    // Every row of the upper half lacks one cell, each in another column.
    let slab = board::<H>(|x, y| y >= half && x != y - half && (y < top || x >= 4));
    let worst = |feature, board: &Board, value: usize| Worst {
        feature,
        board: board.clone(),
        value: value as i16,
    };
    [
        worst(0, &full, 2 * H + 3),
        worst(1, &shaft, H * 4),
        worst(2, &stripes, H * WIDTH),
        worst(3, &lattice, (H + 1) * WIDTH - 4),
        worst(4, &ceiling, top * WIDTH - 2),
        worst(5, &stripes, H * (H + 1) / 2 * WIDTH / 2),
        worst(6, &slab, half * half * WIDTH - half * (half + 1) / 2),
        worst(7, &ceiling, top),
    ]
    .into_iter()
}

fn board<const H: usize>(is_full: impl Fn(usize, usize) -> bool) -> Board {
    let row = |y| std::array::from_fn(|x| is_full(x, y));
    Board {
        rows: (0..H).map(row).collect(),
    }
}
