//! The engine and its slow twin, compared action by action on a million placements, or with debug assertions, which make
//! the twin slower still, on a tenth of that.

use crate::rng;
use host_tests::agreement::compare;
use host_tests::boards::{self, below};
use host_tests::twin::{self, Placement};
use ipse::tetris::{Column, Piece, Rule};
use rand_core::Rng;

/// Each of the four tests compares at least this many.
const PLACEMENTS: usize = if cfg!(debug_assertions) {
    25_000
} else {
    250_000
};
/// At least this many of each kind must have been among them.
const OF_EACH_KIND: usize = PLACEMENTS / 2_500;

#[test]
fn ten_rows_agree_with_the_twin_if_pieces_must_fit_after_removal() {
    let seen = agree::<10, u16>(Rule::AfterRemoval);
    assert!(seen.rescued > 10 * OF_EACH_KIND, "{seen:?}");
}

#[test]
fn ten_rows_agree_with_the_twin_if_pieces_must_fit_before_removal() {
    let seen = agree::<10, u16>(Rule::BeforeRemoval);
    assert_eq!(seen.rescued, 0, "{seen:?}");
}

#[test]
fn twenty_rows_agree_with_the_twin_if_pieces_must_fit_after_removal() {
    let seen = agree::<20, u32>(Rule::AfterRemoval);
    assert!(seen.rescued > 10 * OF_EACH_KIND, "{seen:?}");
}

#[test]
fn twenty_rows_agree_with_the_twin_if_pieces_must_fit_before_removal() {
    let seen = agree::<20, u32>(Rule::BeforeRemoval);
    assert_eq!(seen.rescued, 0, "{seen:?}");
}

/// What the boards of one test had to offer.
#[derive(Debug, Default)]
struct Seen {
    placements: usize,
    /// Placements by the number of rows removed.
    removing: [usize; 5],
    /// Placements that stuck out above the board until rows were removed.
    rescued: usize,
    /// Boards with a piece that has no legal placement.
    terminal: usize,
}

impl Seen {
    fn count(&mut self, height: usize, placements: &[Placement]) {
        self.placements += placements.len();
        self.terminal += usize::from(placements.is_empty());
        for placement in placements {
            if let Some(removing) = self.removing.get_mut(placement.rows_removed) {
                *removing += 1;
            }
            self.rescued += usize::from(placement.cells.iter().any(|&(_, y)| y >= height));
        }
    }
}

/// Compares on strange boards and, in turn, on boards that games by players of all strengths
/// come by.
fn agree<const H: usize, C: Column>(rule: Rule) -> Seen {
    let mut rng = rng(H as u64);
    let mut seen = Seen::default();
    let mut board = twin::Board::empty(H);
    let mut slips = 0;
    while seen.placements < PLACEMENTS {
        let strange = boards::any(H, &mut rng);
        for piece in Piece::ALL {
            seen.count(H, &compare::<H, C>(&strange, piece, rule));

            let placements = compare::<H, C>(&board, Piece::draw(&mut rng), rule);
            seen.count(H, &placements);
            if let Some(next) = pick(placements, slips, &mut rng) {
                board = next.board;
            } else {
                board = twin::Board::empty(H);
                slips = 10 * below(11, &mut rng);
            }
        }
    }
    assert!(seen.removing.iter().all(|&n| n > OF_EACH_KIND), "{seen:?}");
    assert!(seen.terminal > OF_EACH_KIND, "{seen:?}");
    seen
}

/// The placement that equal weights like best or, in `slips` cases of a hundred, any.
fn pick(mut placements: Vec<Placement>, slips: usize, rng: &mut impl Rng) -> Option<Placement> {
    if placements.is_empty() {
        return None;
    }
    if below(100, rng) < slips {
        return Some(placements.swap_remove(below(placements.len(), rng)));
    }
    placements.into_iter().min_by_key(|placement| {
        let [landing_doubled, eroded, rest @ ..] = placement.features;
        landing_doubled + 2 * (rest.iter().sum::<i32>() - eroded)
    })
}
