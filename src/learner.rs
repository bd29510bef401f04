//! LEARN, the parameter of Algorithm 3: how a policy is learned from choices.
//!
//! The paper's learners are [`Lfd`], which learns directions, [`MLearning`] in four versions, which learns
//! weights, and [`Ipse`], which is the one and [then](Then) the other. A learner is a set of parameters; what it
//! has learned is its [`Memory`](Learner::Memory), which an [agent](crate::Agent) keeps for it.
//!
//! A learner of your own implements [`Parameters`] and [`Learner`]. It can be combined with others by
//! [`then`](Parameters::then), and saved and resumed if it says how its memory is [coded](ResumableLearner::code).

pub mod average;
pub mod binomial;
pub mod choices;
pub mod ipse;
pub mod known;
pub mod labels;
pub mod lfd;
pub mod m_learning;
pub mod stew;
pub mod unknown;

pub use ipse::{Ipse, Then, Undecided};
pub use known::Known;
pub use lfd::{Lfd, Tally};
pub use m_learning::MLearning;
pub use unknown::Unknown;

use crate::array::Array;
use crate::codec::Codec;
use crate::direction::Direction;
use crate::environment::{Action, Environment, PerFeature, Resumable};
use crate::invalid::Invalid;
use crate::policy::Policy;
use crate::rollout::{RolloutPolicy, Rollouts, Valuation};
use core::ops::Deref;
use rand_core::Rng;

/// Parameters that can be checked.
pub trait Parameters: Copy {
    /// Refuses the first parameter that is out of range.
    fn validate(&self) -> Result<(), Invalid>;

    /// Writes every parameter. An agent is resumed only with the parameters with which it was saved.
    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid>;

    /// Checks the parameters. An agent takes no others.
    // In line, like all of `validate`, so that the compiler checks what it knows and leaves no error to be reported.
    #[must_use = "only checked parameters make an agent"]
    #[inline(always)]
    fn check(self) -> Result<Checked<Self>, Invalid> {
        self.validate().map(|()| Checked(self))
    }

    /// This learner first, and then another that goes on from the directions that it has learned.
    fn then<S>(self, second: S) -> Then<Self, S> {
        Then::of(self, second)
    }
}

/// Parameters that have been checked.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Checked<P>(P);

impl<P> Checked<P> {
    /// Parameters that are a part of checked ones.
    pub(crate) const fn assume(parameters: P) -> Self {
        Checked(parameters)
    }
}

impl<P> Deref for Checked<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.0
    }
}

/// A choice: the action that rollouts found to be the best in a state.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Choice<'a, S, V> {
    /// The state.
    pub state: &'a S,
    /// The action.
    pub action: Action,
    /// The values of all actions, as far as the learner asks for them.
    pub values: &'a V,
}

/// The subject that is being learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Phase {
    /// The directions of features.
    Directions,
    /// Their weights, from choices.
    Weights,
    /// Their weights, by a search.
    Search,
}

/// What is known about directions before a learner begins.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Prior<F: Array> {
    /// The directions.
    pub directions: F::Of<Direction>,
    /// What becomes of those that are undecided.
    pub undecided: Undecided,
}

/// The number of iterations that a learner has been through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Past {
    /// Those in which it was in charge.
    pub in_charge: u32,
    /// Those in which it [observed](Learner::observe) another learner.
    pub observed: u32,
}

impl Past {
    /// All of them.
    pub fn all(&self) -> u32 {
        self.in_charge.saturating_add(self.observed)
    }

    /// Refuses a counter of some of them that is wrong. Once the agent has made as many iterations as can be
    /// counted, it cannot be told any more.
    pub(crate) fn demand(count: u32, field: &'static str, value: u32) -> Result<(), Invalid> {
        match count {
            u32::MAX => Ok(()),
            _ => Invalid::outside(field, value, count, count),
        }
    }
}

/// A learning procedure for the task `E`.
///
/// An agent calls these methods in this order: [`start`](Self::start) once, and then in each iteration
/// [`begin`](Self::begin), [`rollouts`](Self::rollouts) and [`rollout_policy`](Self::rollout_policy), if the choice
/// did not end the episode [`learn`](Self::learn) and then [`slice`](Self::slice) until it returns true, and
/// [`end`](Self::end).
///
/// ```
/// use ipse::prelude::*;
///
/// /// Prefers whatever the last choice had more of than the average alternative.
/// #[derive(Clone, Copy)]
/// struct Imitate;
///
/// impl Parameters for Imitate {
///     fn validate(&self) -> Result<(), Invalid> {
///         Ok(())
///     }
///     fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
///         codec.text("imitate");
///         Ok(())
///     }
/// }
///
/// impl<E: Environment> Learner<E> for Imitate {
///     type Memory = PerFeature<E, f32>;
///     type Values = ();
///
///     fn blank(&self) -> Self::Memory {
///         E::Features::filled(0.0)
///     }
///     fn weights(&self, memory: &Self::Memory) -> PerFeature<E, f32> {
///         *memory
///     }
///     fn learn(&self, memory: &mut Self::Memory, task: &E, choice: Choice<E::State, ()>) {
///         task.outcomes(choice.state, |outcome| {
///             let sign = if outcome.action == choice.action { 1.0 } else { -0.1 };
///             for (weight, x) in memory.as_mut().iter_mut().zip(outcome.features.as_ref()) {
///                 *weight += sign * f32::from(*x);
///             }
///         });
///     }
/// }
///
/// // Only if it is to be saved in checkpoints.
/// impl<E: Resumable> ResumableLearner<E> for Imitate {
///     const BITS: usize = 32 * E::Features::LEN;
///
///     fn code(&self, memory: &mut Self::Memory, _: &E, codec: &mut impl Codec) -> Result<(), Invalid> {
///         let mut weights = memory.as_mut().iter_mut();
///         weights.try_for_each(|weight| codec.f32("weight", weight))
///     }
/// }
/// ```
pub trait Learner<E: Environment>: Parameters {
    /// The name of the learner, as screens show it.
    const NAME: &'static str = "a learner of its own";

    /// The name of this learner followed by another, if the pair has one.
    const THEN: Option<&'static str> = None;

    /// Everything that it has learned.
    type Memory;

    /// The values of actions that it asks for: `()`, or [`Values`](crate::rollout::Values) for all of them.
    type Values: Valuation<E::Actions>;

    /// The memory of a learner that knows nothing.
    fn blank(&self) -> Self::Memory;

    /// What has been learned so far, as weights.
    fn weights(&self, memory: &Self::Memory) -> PerFeature<E, f32>;

    /// Learns from a choice. What takes long is done in [slices](Self::slice).
    fn learn(&self, memory: &mut Self::Memory, task: &E, choice: Choice<E::State, Self::Values>);

    /// The memory of the first learner of a run.
    fn start<R: Rng + ?Sized>(&self, _rng: &mut R) -> Self::Memory {
        self.blank()
    }

    /// Takes in the directions that another learner has learned: before it is in charge for the first time, and
    /// whenever they change.
    fn inform(&self, _memory: &mut Self::Memory, _prior: &Prior<E::Features>) {}

    /// Begins an iteration. A learner that is not in charge only [observes](Self::observe).
    fn begin(&self, _memory: &mut Self::Memory, _in_charge: bool) {}

    /// How actions are evaluated.
    fn rollouts(&self, _memory: &Self::Memory) -> Rollouts {
        Rollouts::default()
    }

    /// The policy that rollouts follow: by default, the weights.
    fn rollout_policy(&self, memory: &Self::Memory) -> RolloutPolicy<E::Features> {
        Policy::of::<E>(&self.weights(memory)).into()
    }

    /// Sees a choice that was made while another learner is in charge.
    fn observe(
        &self,
        _memory: &mut Self::Memory,
        _task: &E,
        _choice: Choice<E::State, Self::Values>,
    ) {
    }

    /// Does a bounded part of the work that a choice gives. Returns whether there is none left.
    fn slice(&self, _memory: &mut Self::Memory, _task: &E) -> bool {
        true
    }

    /// Ends an iteration.
    fn end(&self, _memory: &mut Self::Memory) {}

    /// The subject that is being learned.
    fn phase(&self, _memory: &Self::Memory) -> Phase {
        Phase::Weights
    }

    /// Returns whether everything has been learned.
    fn is_finished(&self, _memory: &Self::Memory) -> bool {
        false
    }

    /// The directions that are known or learned.
    fn directions(&self, _memory: &Self::Memory) -> PerFeature<E, Direction> {
        E::Features::filled(Direction::Undecided)
    }

    /// The directions; for undecided features, the majority of the votes.
    fn leanings(&self, memory: &Self::Memory) -> PerFeature<E, Direction> {
        self.directions(memory)
    }

    /// The votes on each feature, if they are counted.
    fn tallies(&self, _memory: &Self::Memory) -> PerFeature<E, Tally> {
        E::Features::filled(Tally::default())
    }
}

/// A learner whose memory can be saved in a [`checkpoint`](crate::checkpoint).
pub trait ResumableLearner<E: Resumable>: Learner<E> {
    /// The maximum size of the memory, in bits.
    const BITS: usize;

    /// Writes or reads the memory between two iterations, field by field; one function for both.
    fn code(
        &self,
        memory: &mut Self::Memory,
        task: &E,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid>;

    /// Takes in the directions of the learner before this one, after the memory was read from a checkpoint. Unlike
    /// [`inform`](Learner::inform), it must change nothing that was read. Returns an error if the memory contradicts
    /// the directions.
    fn rejoin(
        &self,
        _memory: &mut Self::Memory,
        _prior: &Prior<E::Features>,
    ) -> Result<(), Invalid> {
        Ok(())
    }

    /// Returns an error if no run can lead to this memory, which may come from a forged checkpoint. Must take a bounded
    /// time.
    fn plausible(&self, _memory: &Self::Memory, _task: &E, _past: Past) -> Result<(), Invalid> {
        Ok(())
    }
}
