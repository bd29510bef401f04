//! Tetris by its surface: features of heights, and of holes by where they are.
//!
//! Four features are the paper's: landing height, eroded piece cells, row and column transitions. Instead of the others
//! there are, on the board after full rows were removed:
//!
//! - *weighted holes*: each hole counts 6 in the first and last column, 5 in the two next to them, and 4 elsewhere;
//! - *top column*: in the highest row that has a hole, the greatest height among the columns with a hole in that row; 0
//!   without holes;
//! - *open wells*: with d the depth of a column below its lower neighbour, walls being infinitely high, 2 Σd² − max d²;
//! - *fit*: for each piece but the I, 0, 2 or 3 points if there is no place, one, or several where it would leave no new
//!   hole.
//!
//! [`SurfaceNine`] has *rows with holes* as well. All of it is hand-made knowledge, as is every set of features, and so is
//! what a hole counts: the definitions go back to public controllers that were tuned by hand. What is learned from nothing
//! is the weights, and under a survival search these are worth twice as many rows as those of the paper's features.
//!
//! | file | content |
//! |---|---|
//! | `fit` | which pieces find a place |
//! | `survey` | every placement on a board, and its features |

mod fit;
mod survey;

use super::board::{Board, Rule};
use super::featured::{FeatureSet, Featured, sealed};
use super::piece::Piece;
use super::{Column, Tetris};
use crate::array::{Array, Element};
use crate::direction::Direction;
use crate::environment::{Environment, Feature, Outcome, Survival};

/// The eight features, as integers.
type Eight = [i16; 8];
/// The same, and rows with holes.
type Nine = [i16; 9];
type OfEight<T> = <Eight as Array>::Of<T>;
type OfNine<T> = <Nine as Array>::Of<T>;

/// The directions of the eight features.
pub const DIRECTIONS: OfEight<Direction> = {
    use Direction::{Con, Pro};
    [Con, Pro, Con, Con, Con, Con, Con, Pro]
};

/// The directions of the nine features.
pub const DIRECTIONS_OF_NINE: OfNine<Direction> = and(DIRECTIONS, Direction::Con);

/// The game with eight features on the paper's board.
pub type Surface10x10 = Surface<10, 10, u16>;
/// The game with nine features on the paper's board.
pub type SurfaceNine10x10 = SurfaceNine<10, 10, u16>;

/// [`Tetris`] with the eight surface features.
///
/// ```
/// use ipse::environment::Environment;
/// use ipse::tetris::surface::Surface10x10;
/// use ipse::tetris::{Board, Piece, State};
///
/// let board = Board::from_columns([0b1, 0b1, 0b11, 0, 0, 0, 0, 0, 0, 0]).unwrap();
/// let state = State { board, piece: Piece::O };
/// let outcomes = Surface10x10::default().list(&state);
/// // In columns 2 and 3 it leaves a hole in column 2, under a column of height 4, and one in the first row.
/// let [.., holes, top, _wells, _fit] = outcomes[1].features;
/// assert_eq!((holes, top), (5, 4));
/// ```
pub type Surface<const W: usize = 10, const H: usize = 10, C = u16> = Featured<Holes, W, H, C>;

/// [`Tetris`] with the nine surface features.
pub type SurfaceNine<const W: usize = 10, const H: usize = 10, C = u16> =
    Featured<HolesAndRows, W, H, C>;

/// The eight surface features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Holes;

/// The eight surface features and rows with holes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HolesAndRows;

impl sealed::Sealed for Holes {}
impl sealed::Sealed for HolesAndRows {}

/// With the right directions a game lasts for thousands of placements, and equal weights are a good guess.
const fn guarded(shrinkage: f32) -> Survival {
    Survival {
        is_guarded: true,
        shrinkage,
    }
}

/// Eight things and a ninth.
const fn and<T: Element>(eight: OfEight<T>, ninth: T) -> OfNine<T> {
    let [a, b, c, d, e, f, g, h] = eight;
    [a, b, c, d, e, f, g, h, ninth]
}

/// What a hole in column `x` of `width` counts: the nearer to a wall, the harder it is to clear.
const fn weight(x: usize, width: usize) -> u32 {
    let from_right = width - 1 - x;
    let distance = if x < from_right { x } else { from_right };
    match distance {
        0 => 6,
        1 | 2 => 5,
        _ => 4,
    }
}

/// The weights of all columns.
const fn weights<const W: usize>() -> [u32; W] {
    let mut weights = [0; W];
    let mut x = 0;
    while x < W {
        weights[x] = weight(x, W);
        x += 1;
    }
    weights
}

/// A hole in every column of a row.
const fn row_of_holes<const W: usize>() -> u32 {
    let weights = weights::<W>();
    let (mut sum, mut x) = (0, 0);
    while x < W {
        sum += weights[x];
        x += 1;
    }
    sum
}

impl<const W: usize, const H: usize, C: Column> FeatureSet<W, H, C> for Holes {
    type Features = Eight;

    const NAME: &'static str = "tetris-surface";
    const SET: &'static str = "surface";
    const SURVIVAL: Survival = guarded(0.7);

    /// Beside the bounds of the paper's features:
    /// - no hole is in the highest row, and no column is higher than the board;
    /// - no two wells are neighbours, so that there is one in every other column, and the deepest counts once;
    /// - there are six pieces with 3 points each.
    const FEATURES: OfEight<Feature> = {
        let [landing_height, eroded, rows, columns, ..] = Tetris::<W, H, C>::FEATURES;
        let wells = 2 * W.div_ceil(2) - 1;
        [
            landing_height,
            eroded,
            rows,
            columns,
            Feature::new(
                "weighted holes",
                row_of_holes::<W>() as i16 * (H - 1) as i16,
            ),
            Feature::new("top column", H as i16),
            Feature::new("open wells", (wells * H * H) as i16),
            Feature::new("fit", fit::MOST as i16),
        ]
    };

    #[inline(always)]
    fn outcomes(
        board: &Board<W, H, C>,
        piece: Piece,
        rule: Rule,
        mut visit: impl FnMut(Outcome<Eight>),
    ) {
        let mut sketches = survey::Sketches::new();
        survey::sketch::<false, W, H, C>(board, piece, rule, &mut sketches);
        for sketch in &sketches {
            visit(sketch.outcome());
        }
    }
}

impl<const W: usize, const H: usize, C: Column> FeatureSet<W, H, C> for HolesAndRows {
    type Features = Nine;

    const NAME: &'static str = "tetris-surface-nine";
    const SET: &'static str = "surface-nine";
    const SURVIVAL: Survival = guarded(0.3);

    const FEATURES: OfNine<Feature> = {
        let [.., rows_with_holes] = Tetris::<W, H, C>::FEATURES;
        and(<Holes as FeatureSet<W, H, C>>::FEATURES, rows_with_holes)
    };

    #[inline(always)]
    fn outcomes(
        board: &Board<W, H, C>,
        piece: Piece,
        rule: Rule,
        mut visit: impl FnMut(Outcome<Nine>),
    ) {
        let mut sketches = survey::Sketches::new();
        survey::sketch::<true, W, H, C>(board, piece, rule, &mut sketches);
        for sketch in &sketches {
            let eight = sketch.outcome();
            visit(Outcome {
                action: eight.action,
                promise: eight.promise,
                features: and(eight.features, sketch.rows_with_holes()),
            });
        }
    }
}
