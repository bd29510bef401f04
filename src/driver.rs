//! The common interface of agents and searches, for whatever runs them: a board, the lab, a page.

use crate::array::Array;
use crate::codec::Codec;
use crate::direction::Direction;
use crate::environment::{Action, Environment, PerFeature, Resumable};
use crate::invalid::Invalid;
use crate::learner::Phase;
use crate::learner::lfd::Tally;
use crate::policy::Policy;
use rand_core::Rng;

/// What happened in one iteration. In a search, that is a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Step<F: Array> {
    /// The number of the iteration, counted from 1.
    pub iteration: u32,
    /// What was learned: directions or weights.
    pub phase: Phase,
    /// The last action that was taken. `None` if an episode began in a terminal state, and in a search, where
    /// there are many in each iteration.
    pub action: Option<Action>,
    /// The sum of the rewards of all actions that were taken.
    pub reward: i32,
    /// Whether the episode ended. Then nothing was learned from the last action, and a new episode begins.
    pub episode_ended: bool,
    /// The number of calls of the generative model in this iteration. An agent's own actions are not counted, as in
    /// the paper; those of a search are.
    pub calls: u32,
    /// The directions after this iteration. Those of undecided features are [`Direction::Undecided`].
    pub directions: F::Of<Direction>,
    /// The votes on each feature, and how often it has varied among the actions at all. A feature that hardly ever
    /// varies cannot be decided. All counts are 0 if the learner does not count votes.
    pub tallies: F::Of<Tally>,
    /// The weights after this iteration.
    pub weights: F::Of<f32>,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Progress {
    /// What is being learned.
    pub phase: Phase,
    /// The number of complete iterations.
    pub iterations: u32,
    /// The number of calls of the generative model in them.
    pub calls: u32,
    /// The number of calls after which the run ends, if it does.
    pub budget: Option<u32>,
    /// Whether everything has been learned, or the budget is used up.
    pub is_finished: bool,
}

/// Something that learns a task in slices: an [`Agent`](crate::Agent) or a
/// [`Searcher`](crate::search::Searcher).
pub trait Driver {
    /// The task.
    type Task: Environment;

    /// Does a bounded part of an iteration. Returns what happened when the iteration is complete.
    fn slice<R: Rng + ?Sized>(
        &mut self,
        rng: &mut R,
    ) -> Option<Step<<Self::Task as Environment>::Features>>;

    /// Does one iteration.
    fn step<R: Rng + ?Sized>(
        &mut self,
        rng: &mut R,
    ) -> Step<<Self::Task as Environment>::Features> {
        loop {
            if let Some(step) = self.slice(rng) {
                return step;
            }
        }
    }

    /// The name of the learner, as screens show it.
    fn name(&self) -> &'static str;

    /// What has been learned so far, as weights.
    fn weights(&self) -> PerFeature<Self::Task, f32>;

    /// The directions that are known or learned.
    fn directions(&self) -> PerFeature<Self::Task, Direction>;

    /// What has been learned so far, as a policy.
    fn policy(&self) -> Policy<<Self::Task as Environment>::Features> {
        Policy::of::<Self::Task>(&self.weights())
    }

    /// The progress of the run.
    fn progress(&self) -> Progress;

    /// Returns whether no iteration is under way.
    fn is_between_iterations(&self) -> bool;

    /// The task.
    fn task(&self) -> &Self::Task;

    /// The current state of its own episode.
    fn state(&self) -> &<Self::Task as Environment>::State;
}

/// A driver that can be saved in a [`checkpoint`](crate::checkpoint) between two iterations.
pub trait ResumableDriver: Driver<Task: Resumable> {
    /// The maximum size in bits.
    const BITS: usize;

    /// Writes all parameters.
    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid>;

    /// Writes or reads everything else.
    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid>;

    /// Returns an error if no run can reach this state.
    fn plausible(&self) -> Result<(), Invalid>;

    /// Resets to the state of a new driver.
    fn forget<R: Rng + ?Sized>(&mut self, rng: &mut R);
}
