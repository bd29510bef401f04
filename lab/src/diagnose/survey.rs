//! A first look at a task, by random play: whether its episodes end, and how much there is to choose.

use super::play::{Episode, Purpose, Seeds, policy, zeros};
use super::watched::{Panic, Watched, caught};
use ipse::environment::Environment;
use serde::Serialize;

/// What random play tells.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Survey {
    /// The number of random actions.
    pub actions: u32,
    /// The number of episodes that ended in that time.
    pub ended: u32,
    /// The mean number of legal actions.
    pub choices: f64,
}

/// The number of random actions.
const ACTIONS: u32 = 2_000;

/// The fewest episodes that have to end for a task to be one of episodes. A task whose episodes are longer than that is
/// measured as if it went on for ever, since too few of its episodes could be played.
const FEWEST: u32 = 3;

impl Survey {
    pub fn of<E: Environment>(task: &E, seeds: Seeds) -> Result<Self, Panic> {
        caught(|| {
            let task = Watched::new(task);
            let seed = seeds.get(Purpose::Survey, 0);
            let mut episode = Episode::new(&task, policy::<E>(&zeros::<E>()), seed);
            let mut survey = Survey::default();
            let mut legal = 0u32;
            for _ in 0..ACTIONS {
                task.outcomes(&episode.state, |_| legal += 1);
                survey.ended += u32::from(episode.act_or_restart().is_none());
            }
            survey.actions = episode.actions;
            survey.choices = f64::from(legal) / f64::from(episode.actions.max(1));
            survey
        })
    }

    /// Returns whether episodes end, so that what they earn can be compared.
    pub fn is_episodic(&self) -> bool {
        self.ended >= FEWEST
    }
}
