//! The boundary between a learner and its task.
//!
//! A task says which actions a state allows and what is known of each of them before it is taken
//! (its features and its reward), and it can be asked to take one: it is the generative model of
//! the paper's section 2. Everything else in this crate is written against [`Environment`].

use crate::bytes::{Flaw, Sink, Source};
use rand_core::Rng;

/// The number of an action. What it stands for is the task's own business.
pub type Action = u8;

/// One legal action, and what taking it would bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome<const P: usize> {
    /// The action.
    pub action: Action,
    /// The reward for taking it.
    pub reward: i16,
    /// Its features, in the units of [`Environment::UNITS`].
    pub features: [i16; P],
}

/// The legal actions of a state with at most `A` of them.
pub type Outcomes<const P: usize, const A: usize> = heapless::Vec<Outcome<P>, A>;

/// A task with `P` features and at most `A` legal actions in any state.
pub trait Environment<const P: usize, const A: usize> {
    /// All that decides what can happen next. A choice buffer keeps a hundred of them, so it
    /// should be small.
    type State: Copy;

    /// How much one step of each integer feature is worth. A feature that comes in halves is
    /// stored doubled, and its unit is `0.5`.
    const UNITS: [f32; P];

    /// The largest absolute value of each integer feature. Policies take their integer weights as
    /// large as these bounds allow without overflow; a feature that exceeds its bound does no harm but
    /// to the order of the actions.
    const BOUNDS: [i16; P];

    /// Draws a state to start an episode from.
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State;

    /// Visits the legal actions of `state`, each once, always in the same order, at most `A` of
    /// them. A state in which there is nothing to visit is terminal.
    fn outcomes(&self, state: &Self::State, visit: impl FnMut(Outcome<P>));

    /// Takes `action` in `state`: the next state and the reward.
    ///
    /// `action` is one that [`outcomes`](Self::outcomes) visits. Any other must not panic; what it
    /// leads to is up to the task.
    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16);

    /// The legal actions of `state` as a list.
    fn list(&self, state: &Self::State) -> Outcomes<P, A> {
        let mut outcomes = Outcomes::new();
        self.fill(state, &mut outcomes);
        outcomes
    }

    /// Makes a list of the legal actions of `state` out of an old one, where memory is short.
    #[inline(never)]
    fn fill(&self, state: &Self::State, outcomes: &mut Outcomes<P, A>) {
        outcomes.clear();
        self.outcomes(state, |outcome| {
            // There is room, or the task has broken its promise of at most `A` actions.
            let _ = outcomes.push(outcome);
        });
    }

    /// Whether no action is legal in `state`.
    fn is_terminal(&self, state: &Self::State) -> bool {
        self.list(state).is_empty()
    }

    /// Whether who has come to `state` from a worse one has survived. A search for weights that
    /// survive does not play on from there.
    fn is_safe(&self, _state: &Self::State) -> bool {
        false
    }
}

/// A task whose agents can be kept in a [`checkpoint`](crate::checkpoint).
pub trait Resumable<const P: usize, const A: usize>: Environment<P, A> {
    /// The most bytes of a state.
    const STATE_BYTES: usize;

    /// Writes all that tells this task from others with the same features: an agent goes on only in
    /// the task in which it began.
    fn identify(&self, to: &mut impl Sink);

    /// Writes a state.
    fn write_state(&self, state: &Self::State, to: &mut impl Sink);

    /// Reads a state, and refuses one that cannot be.
    fn read_state(&self, from: &mut Source<'_>) -> Result<Self::State, Flaw>;
}
