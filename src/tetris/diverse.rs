//! Tetris with a ninth feature: pattern diversity, the number of distinct values from −2 to 2 among
//! the differences in height of neighbouring columns.
//!
//! The larger it is, the more kinds of pieces find a place where they leave no hole. The paper does
//! without it; the best published linear controllers on this board do not.

use super::board::{Board, Rule};
use super::featured::{FeatureSet, Featured, sealed};
use super::piece::Piece;
use super::placement::{self, Sketches};
use super::skyline::Differences;
use super::{Column, Tetris};
use crate::array::{Array, Element};
use crate::direction::Direction;
use crate::environment::{Environment, Feature, Outcome};

/// The nine features, as integers.
type Nine = [i16; 9];
type OfEight<T> = <super::Eight as Array>::Of<T>;
type OfNine<T> = <Nine as Array>::Of<T>;

/// The directions of the features.
pub const DIRECTIONS: OfNine<Direction> = and(super::DIRECTIONS, Direction::Pro);

/// The weights of DT-10, which Gabillon, Ghavamzadeh and Scherrer found by classification-based
/// policy iteration. Their hole depth and wells are defined a little differently.
pub const DT10: OfNine<f32> = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];

/// The game on the paper's board.
pub type Diverse10x10 = Diverse<10, 10, u16>;
/// The game on the board of the classic benchmark.
pub type Diverse10x20 = Diverse<10, 20, u32>;

/// [`Tetris`] with nine features.
///
/// ```
/// use ipse::environment::Environment;
/// use ipse::tetris::diverse::Diverse10x10;
/// use ipse::tetris::{Board, Piece, State};
///
/// let board = Board::from_columns([0b1, 0b1, 0b11, 0, 0, 0, 0, 0, 0, 0]).unwrap();
/// let state = State { board, piece: Piece::O };
/// let outcomes = Diverse10x10::default().list(&state);
/// // The last two columns go up by two: heights differ by −2, 0, 1 and 2.
/// assert_eq!(outcomes.last().map(|outcome| outcome.features[8]), Some(4));
/// ```
pub type Diverse<const W: usize = 10, const H: usize = 10, C = u16> = Featured<Diversity, W, H, C>;

/// The paper's eight features and pattern diversity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Diversity;

impl sealed::Sealed for Diversity {}

/// Eight things and a ninth.
const fn and<T: Element>(eight: OfEight<T>, ninth: T) -> OfNine<T> {
    let [a, b, c, d, e, f, g, h] = eight;
    [a, b, c, d, e, f, g, h, ninth]
}

impl<const W: usize, const H: usize, C: Column> FeatureSet<W, H, C> for Diversity {
    type Features = Nine;

    const NAME: &'static str = "tetris-diverse";
    const SET: &'static str = "diverse";

    /// There are W − 1 differences in height, and five values.
    const FEATURES: OfNine<Feature> = and(
        Tetris::<W, H, C>::FEATURES,
        Feature::new("pattern diversity", if W < 6 { W as i16 - 1 } else { 5 }),
    );

    #[inline(always)]
    fn outcomes(
        board: &Board<W, H, C>,
        piece: Piece,
        rule: Rule,
        mut visit: impl FnMut(Outcome<Nine>),
    ) {
        let mut sketches = Sketches::new();
        placement::sketch::<Differences, W, H, C>(board, piece, rule, &mut sketches);
        for sketch in &sketches {
            let eight = sketch.outcome();
            visit(Outcome {
                action: eight.action,
                promise: eight.promise,
                features: and(eight.features, sketch.diversity()),
            });
        }
    }
}
