//! A task whose episodes end by chance, so that a search that has spoiled its own episode gets another.
//!
//! A task that goes on may have states that nothing leads back from: a stock that is fished out, a queue that is full. A
//! search that goes there while it knows nothing has nothing else to learn from.

use super::watched::Watched;
use ipse::environment::{Action, Environment, Feature, Outcome, PerFeature};
use rand_core::Rng;

/// The task, with an end after every action with a probability of one in `mean_length`.
pub struct Restarting<'a, E: Environment> {
    task: Watched<'a, E>,
    mean_length: u32,
}

/// A state, and whether the episode has ended there by chance.
#[derive(Clone, Copy, PartialEq)]
pub struct Ending<S> {
    state: S,
    is_over: bool,
}

impl<'a, E: Environment> Restarting<'a, E> {
    pub fn new(task: Watched<'a, E>, mean_length: u32) -> Self {
        Restarting {
            task,
            mean_length: mean_length.max(1),
        }
    }
}

impl<E: Environment> Environment for Restarting<'_, E> {
    type State = Ending<E::State>;
    type Features = E::Features;
    type Actions = E::Actions;

    const NAME: &'static str = E::NAME;
    const FEATURES: PerFeature<Self, Feature> = E::FEATURES;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        Ending {
            state: self.task.reset(rng),
            is_over: false,
        }
    }

    fn outcomes(&self, ending: &Self::State, visit: impl FnMut(Outcome<E::Features>)) {
        if !ending.is_over {
            self.task.outcomes(&ending.state, visit);
        }
    }

    fn step<R: Rng + ?Sized>(
        &self,
        ending: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16) {
        let is_over = rng.next_u32().is_multiple_of(self.mean_length);
        let (state, reward) = self.task.step(&ending.state, action, rng);
        (Ending { state, is_over }, reward)
    }
}
