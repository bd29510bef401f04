//! The same game with another set of features.
//!
//! A set of features is a type, and [`Featured`] is the game that is described by it. States, rules and rewards are those
//! of [`Tetris`], so that a policy over one set can be compared with a policy over another.

use super::board::{Board, Rule};
use super::piece::Piece;
use super::{Column, PLACEMENTS, Placed, State, Tetris};
use crate::array::Array;
use crate::codec::Codec;
use crate::environment::{
    Action, Canvas, Environment, Feature, Outcome, PerFeature, Resumable, Survival,
};
use crate::invalid::Invalid;
use core::fmt;
use core::marker::PhantomData;
use rand_core::Rng;

/// A set of features of placements on a board of `W` columns and `H` rows. Implemented for the sets of this crate.
pub trait FeatureSet<const W: usize, const H: usize, C: Column>: Copy + sealed::Sealed {
    /// The values of all features.
    type Features: Array<Item = i16>;

    /// The name of the game with these features.
    const NAME: &'static str;
    /// The name of the set.
    const SET: &'static str;
    /// The features.
    const FEATURES: <Self::Features as Array>::Of<Feature>;

    /// What a search should know about them.
    const SURVIVAL: Survival = Survival::PLAIN;

    /// Visits the legal placements of a piece, in the order of their actions.
    fn outcomes(
        board: &Board<W, H, C>,
        piece: Piece,
        rule: Rule,
        visit: impl FnMut(Outcome<Self::Features>),
    );
}

/// [`Tetris`] with the features `F`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Featured<F, const W: usize = 10, const H: usize = 10, C: Column = u16> {
    tetris: Tetris<W, H, C>,
    features: PhantomData<F>,
}

impl<F, const W: usize, const H: usize, C: Column> Featured<F, W, H, C> {
    /// The game under `rule`.
    pub const fn new(rule: Rule) -> Self {
        Featured {
            tetris: Tetris::new(rule),
            features: PhantomData,
        }
    }

    /// Places the piece of `state`, or `None` if `action` is not legal.
    pub fn place(&self, state: &State<W, H, C>, action: Action) -> Option<Placed<W, H, C>> {
        self.tetris.place(state, action)
    }
}

impl<F, const W: usize, const H: usize, C: Column> From<Tetris<W, H, C>> for Featured<F, W, H, C> {
    fn from(tetris: Tetris<W, H, C>) -> Self {
        Featured {
            tetris,
            features: PhantomData,
        }
    }
}

impl<F, const W: usize, const H: usize, C: Column> Environment for Featured<F, W, H, C>
where
    F: FeatureSet<W, H, C>,
{
    type State = State<W, H, C>;
    type Features = F::Features;
    type Actions = [Action; PLACEMENTS];

    const NAME: &'static str = F::NAME;
    const FEATURES: PerFeature<Self, Feature> = F::FEATURES;
    const SURVIVAL: Survival = F::SURVIVAL;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        self.tetris.reset(rng)
    }

    #[inline(always)]
    fn outcomes(&self, state: &Self::State, visit: impl FnMut(Outcome<F::Features>)) {
        F::outcomes(&state.board, state.piece, self.tetris.rule, visit);
    }

    /// An action that is not legal leaves the state as it is.
    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16) {
        self.tetris.step(state, action, rng)
    }

    fn is_terminal(&self, state: &Self::State) -> bool {
        self.tetris.is_terminal(state)
    }

    fn is_safe(&self, state: &Self::State) -> bool {
        self.tetris.is_safe(state)
    }

    const PICTURE: (u16, u16) = Tetris::<W, H, C>::PICTURE;

    fn draw(&self, state: &Self::State, canvas: &mut impl Canvas) {
        self.tetris.draw(state, canvas);
    }

    fn describe(
        &self,
        state: &Self::State,
        action: Action,
        out: &mut impl fmt::Write,
    ) -> fmt::Result {
        self.tetris.describe(state, action, out)
    }
}

impl<F, const W: usize, const H: usize, C: Column> Resumable for Featured<F, W, H, C>
where
    F: FeatureSet<W, H, C>,
{
    const STATE_BITS: usize = Tetris::<W, H, C>::STATE_BITS;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text(F::SET);
        self.tetris.identify(codec);
    }

    fn code_state(&self, state: &mut Self::State, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.tetris.code_state(state, codec)
    }
}

pub(super) mod sealed {
    pub trait Sealed {}
}
