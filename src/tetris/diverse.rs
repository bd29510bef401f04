//! Tetris with a ninth feature: pattern diversity, the number of distinct values from −2 to 2 among
//! the differences in height of neighbouring columns.
//!
//! The larger it is, the more kinds of pieces find a place where they leave no hole. The paper does
//! without it; the best published linear controllers on this board do not.

use super::placement::{self, Sketches};
use super::skyline::Differences;
use super::{Column, PLACEMENTS, Placed, Rule, State, Tetris};
use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::direction::Direction;
use crate::environment::{Action, Environment, Outcome, Resumable};
use rand_core::Rng;

/// The number of features.
pub const FEATURES: usize = super::FEATURES + 1;

/// The names of the features, in their order.
pub const FEATURE_NAMES: [&str; FEATURES] = and(super::FEATURE_NAMES, "pattern diversity");

/// The directions of the features.
pub const DIRECTIONS: [Direction; FEATURES] = and(super::DIRECTIONS, Direction::Pro);

/// The weights of DT-10, which Gabillon, Ghavamzadeh and Scherrer found by classification-based
/// policy iteration. Their hole depth and wells are defined a little differently.
pub const DT10: [f32; FEATURES] = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];

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
const fn and<T: Copy>(eight: [T; super::FEATURES], ninth: T) -> [T; FEATURES] {
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

impl<const W: usize, const H: usize, C: Column> Environment<FEATURES, PLACEMENTS>
    for Diverse<W, H, C>
{
    type State = State<W, H, C>;

    const UNITS: [f32; FEATURES] = and(Tetris::<W, H, C>::UNITS, 1.0);

    /// There are W − 1 differences, and five values.
    const BOUNDS: [i16; FEATURES] = and(
        Tetris::<W, H, C>::BOUNDS,
        if W < 6 { W as i16 - 1 } else { 5 },
    );

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        self.0.reset(rng)
    }

    #[inline(always)]
    fn outcomes(&self, state: &Self::State, mut visit: impl FnMut(Outcome<FEATURES>)) {
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
                reward: eight.reward,
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

    fn is_safe(&self, state: &Self::State) -> bool {
        self.0.is_safe(state)
    }
}

impl<const W: usize, const H: usize, C: Column> Resumable<FEATURES, PLACEMENTS>
    for Diverse<W, H, C>
{
    const STATE_BYTES: usize = Tetris::<W, H, C>::STATE_BYTES;

    fn identify(&self, to: &mut impl Sink) {
        b"diverse ".write(to);
        self.0.identify(to);
    }

    fn write_state(&self, state: &Self::State, to: &mut impl Sink) {
        self.0.write_state(state, to);
    }

    fn read_state(&self, from: &mut Source<'_>) -> Result<Self::State, Flaw> {
        self.0.read_state(from)
    }
}
