//! When directions have been learned for long enough, and what a search starts from.

use super::guard::Attempts;
use super::parameters::{DirectionLearner, Search};
use crate::agent::Agent;
use crate::array::Array;
use crate::direction::equal_weights;
use crate::driver::Progress;
use crate::environment::{Environment, PerFeature};
use crate::math::normalise;

/// What was learned before the search.
pub struct Outset<'a, E: Environment, L: DirectionLearner<E>, const N: usize> {
    pub agent: &'a Agent<E, L>,
    pub search: &'a Search<L, N>,
    pub attempts: &'a Attempts,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Learning goes on.
    Learning,
    /// The directions are put to the test.
    Test,
    Search,
}

impl<E: Environment, L: DirectionLearner<E>, const N: usize> Outset<'_, E, L, N> {
    pub fn next(&self) -> Next {
        match (self.is_over(), self.is_to_be_tested()) {
            (false, _) => Next::Learning,
            (true, true) => Next::Test,
            (true, false) => Next::Search,
        }
    }

    /// Returns whether it is time to go on: when all directions are decided, at the cap, or when the calls would not last
    /// for another choice.
    pub fn is_over(&self) -> bool {
        let Progress {
            iterations,
            is_finished,
            ..
        } = self.agent.progress();
        let is_affordable = self.left() >= self.most_calls_of_a_choice();
        !is_affordable || is_finished || iterations >= self.search.cap
    }

    /// Returns whether the directions are to be tested: if there are calls for a test, and to learn them again after it.
    pub fn is_to_be_tested(&self) -> bool {
        let learner = self.agent.learner();
        let can_learn = !learner.is_finished(&learner.blank());
        match self.search.guard {
            Some(guard) => {
                let is_last = self.attempts.failed >= guard.repeats;
                let needed = u32::from(guard.actions).saturating_add(self.most_calls_of_a_choice());
                can_learn && !is_last && self.left() >= needed
            }
            None => false,
        }
    }

    /// The calls that learning directions has left.
    pub fn left(&self) -> u32 {
        let used = self.agent.progress().calls;
        let used = used.saturating_add(self.attempts.calls);
        self.search.calls.saturating_sub(used)
    }

    /// Equal weights in the directions that most votes are for, at length one.
    pub fn start(&self) -> PerFeature<E, f32> {
        let leanings = self.agent.learner().leanings(self.agent.memory());
        let mut weights = equal_weights::<E::Features>(&leanings);
        normalise(weights.as_mut());
        weights
    }

    fn most_calls_of_a_choice(&self) -> u32 {
        let rollouts = self.agent.learner().rollouts(self.agent.memory());
        rollouts.most_calls(E::Actions::LEN)
    }
}
