//! Tetris with a ninth feature: pattern diversity, the number of distinct values from −2 to 2 among
//! the differences in height of neighbouring columns.
//!
//! The larger it is, the more kinds of pieces find a place where they leave no hole. The paper does
//! without it; the best published linear controllers on this board do not.

use super::placement::{self, Sketches};
use super::skyline::Differences;
use super::{Column, PLACEMENTS, Placed, Rule, State, Tetris};
use crate::array::{Array, Element};
use crate::codec::Codec;
use crate::direction::Direction;
use crate::environment::{Action, Canvas, Environment, Feature, Outcome, PerFeature, Resumable};
use crate::invalid::Invalid;
use core::fmt;
use rand_core::Rng;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Diverse<const W: usize = 10, const H: usize = 10, C: Column = u16>(Tetris<W, H, C>);

/// Eight things and a ninth.
const fn and<T: Element>(eight: OfEight<T>, ninth: T) -> OfNine<T> {
    let [a, b, c, d, e, f, g, h] = eight;
    [a, b, c, d, e, f, g, h, ninth]
}

impl<const W: usize, const H: usize, C: Column> Diverse<W, H, C> {
    /// The game under `rule`.
    pub const fn new(rule: Rule) -> Self {
        Diverse(Tetris::new(rule))
    }

    /// Places the piece of `state`, or `None` if `action` is not legal.
    pub fn place(&self, state: &State<W, H, C>, action: Action) -> Option<Placed<W, H, C>> {
        self.0.place(state, action)
    }
}

impl<const W: usize, const H: usize, C: Column> From<Tetris<W, H, C>> for Diverse<W, H, C> {
    fn from(tetris: Tetris<W, H, C>) -> Self {
        Diverse(tetris)
    }
}

impl<const W: usize, const H: usize, C: Column> Environment for Diverse<W, H, C> {
    type State = State<W, H, C>;
    type Features = Nine;
    type Actions = [Action; PLACEMENTS];

    const NAME: &'static str = "tetris-diverse";

    /// There are W − 1 differences in height, and five values.
    const FEATURES: PerFeature<Self, Feature> = and(
        Tetris::<W, H, C>::FEATURES,
        Feature::new("pattern diversity", if W < 6 { W as i16 - 1 } else { 5 }),
    );

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        self.0.reset(rng)
    }

    #[inline(always)]
    fn outcomes(&self, state: &Self::State, mut visit: impl FnMut(Outcome<Nine>)) {
        let mut sketches = Sketches::new();
        placement::sketch::<Differences, W, H, C>(
            &state.board,
            state.piece,
            self.0.rule,
            &mut sketches,
        );
        for sketch in &sketches {
            let eight = sketch.outcome();
            visit(Outcome {
                action: eight.action,
                promise: eight.promise,
                features: and(eight.features, sketch.diversity()),
            });
        }
    }

    /// An action that is not legal leaves the state as it is.
    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16) {
        self.0.step(state, action, rng)
    }

    fn is_terminal(&self, state: &Self::State) -> bool {
        self.0.is_terminal(state)
    }

    fn is_safe(&self, state: &Self::State) -> bool {
        self.0.is_safe(state)
    }

    const PICTURE: (u16, u16) = Tetris::<W, H, C>::PICTURE;

    fn draw(&self, state: &Self::State, canvas: &mut impl Canvas) {
        self.0.draw(state, canvas);
    }

    fn describe(
        &self,
        state: &Self::State,
        action: Action,
        out: &mut impl fmt::Write,
    ) -> fmt::Result {
        self.0.describe(state, action, out)
    }
}

impl<const W: usize, const H: usize, C: Column> Resumable for Diverse<W, H, C> {
    const STATE_BITS: usize = Tetris::<W, H, C>::STATE_BITS;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text("diverse");
        self.0.identify(codec);
    }

    fn code_state(&self, state: &mut Self::State, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.0.code_state(state, codec)
    }
}
