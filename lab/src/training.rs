//! A learner in training, and how well it plays so far.

use crate::games::{Mind, Series};
use crate::run::{Recipe, Run};
use crate::summary::Estimate;
use crate::task::{Setup, Task};
use ipse::array::Array;
use ipse::checkpoint::LoadError;
use ipse::direction::Direction;
use ipse::environment::Environment;
use ipse::learner::lfd::Tally;
use ipse::{Phase, Step};

/// What `--help` says about the games that score a policy.
pub const FRESH_GAMES: &str = "\
A policy is scored with its weights frozen, always on the same games. From seed S, a learner draws its random numbers; \
the games are those of `play --seed X` with X = S + 9223372036854775808, which is S with the topmost of its 64 bits \
flipped. So a learner never saw the games that it is scored on. A game is an episode of the task, or a number of actions \
if the task goes on.";

/// The seed of the games that score what was learned from `seed`.
pub fn evaluation_seed(seed: u64) -> u64 {
    seed ^ 1 << 63
}

/// A run, and what it has used so far.
pub struct Training<E: Environment> {
    pub run: Box<dyn Run<E>>,
    /// Calls of the generative model.
    pub calls: u64,
    /// The sum of all rewards.
    pub reward: i64,
    /// For each feature, the votes when its direction was decided, if that was since the run was begun or resumed.
    pub decisions: Vec<Option<Tally>>,
    /// The last iteration that was spent on directions, if weights were next. It is not saved with the rest.
    pub switch: Option<u32>,
}

impl<E: Task> Training<E> {
    pub fn new(recipe: &Recipe<E>, task: E, seed: u64) -> Self {
        Training {
            run: recipe(task, seed),
            calls: 0,
            reward: 0,
            decisions: vec![None; E::Features::LEN],
            switch: None,
        }
    }

    pub fn step(&mut self) -> Step<E::Features> {
        let before = self.run.directions();
        let step = self.run.step();
        self.note_decisions(before.as_ref());
        self.calls = self.calls.saturating_add(step.calls.into());
        self.reward = self.reward.saturating_add(step.reward.into());
        let goes_on_to_weights = self.run.progress().phase != Phase::Directions;
        if step.phase == Phase::Directions && goes_on_to_weights {
            self.switch = Some(step.iteration);
        }
        step
    }

    /// Notes the votes on what was decided since the directions were these.
    fn note_decisions(&mut self, before: &[Direction]) {
        let Some(votes) = self.run.votes() else {
            return;
        };
        let (now, tallies) = (self.run.directions(), votes.tallies());
        for (i, (before, now)) in before.iter().zip(now.as_ref()).enumerate() {
            if before != now && now.is_decided() {
                self.decisions[i] = Some(tallies.as_ref()[i]);
            }
        }
    }

    /// The mean score of the present policy over a series of games.
    pub fn score(&self, series: &Series, setup: &Setup<E>) -> Estimate {
        let policy = self.run.policy();
        series.score(setup, Mind::Policy(&policy), &setup.measure)
    }

    /// All of it, and the seed that it began with.
    pub fn save(&mut self, seed: u64) -> Vec<u8> {
        self.run
            .save([seed, self.calls, self.reward.cast_unsigned()])
    }

    /// What was saved, and the seed that it began with.
    pub fn load(recipe: &Recipe<E>, task: E, bytes: &[u8]) -> Result<(Self, u64), LoadError> {
        let mut training = Training::new(recipe, task, 0);
        let [seed, calls, reward] = training.run.restore(bytes)?;
        (training.calls, training.reward) = (calls, reward.cast_signed());
        Ok((training, seed))
    }
}

/// The name of a phase.
pub fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Directions => "directions",
        Phase::Weights => "weights",
        _ => "search",
    }
}

/// How many directions are decided.
pub fn decided(directions: &[Direction]) -> usize {
    let decided = directions.iter().filter(|d| d.is_decided());
    decided.count()
}
