//! A learner in training, and how well it plays so far.

use crate::games::Series;
use crate::run::{Recipe, Run};
use crate::summary::Estimate;
use crate::task::Task;
use ipse::checkpoint::LoadError;
use ipse::direction::Direction;
use ipse::environment::Environment;
use ipse::{Phase, Step};

/// What `--help` says about the games that score a policy.
pub const FRESH_GAMES: &str = "\
A policy is scored with its weights frozen, always on the same games. From seed
S, a learner draws its random numbers; the games are those of `play --seed X`
with X = S + 9223372036854775808, which is S with the topmost of its 64 bits
flipped. So a learner never saw the pieces that it is scored on.";

/// The seed of the games that score what was learned from `seed`.
pub fn evaluation_seed(seed: u64) -> u64 {
    seed ^ 1 << 63
}

/// A run, and what it has used so far.
pub struct Training<E: Environment> {
    pub run: Box<dyn Run<E>>,
    /// Calls of the generative model.
    pub calls: u64,
    /// Rows removed.
    pub rows: u64,
    /// The last iteration that was spent on directions, if weights were next. It is not saved with the rest.
    pub switch: Option<u32>,
}

impl<E: Task> Training<E> {
    pub fn new(recipe: &Recipe<E>, task: E, seed: u64) -> Self {
        Training {
            run: recipe(task, seed),
            calls: 0,
            rows: 0,
            switch: None,
        }
    }

    pub fn step(&mut self) -> Step<E::Features> {
        let step = self.run.step();
        self.calls = self.calls.saturating_add(step.calls.into());
        self.rows = self.rows.saturating_add(step.reward.unsigned_abs().into());
        let goes_on_to_weights = self.run.progress().phase != Phase::Directions;
        if step.phase == Phase::Directions && goes_on_to_weights {
            self.switch = Some(step.iteration);
        }
        step
    }

    /// The mean rows of the present policy over a series of games.
    pub fn score(&self, series: &Series) -> Estimate {
        series.score(self.run.task(), &self.run.policy())
    }

    /// All of it, and the seed that it began with.
    pub fn save(&mut self, seed: u64) -> Vec<u8> {
        self.run.save([seed, self.calls, self.rows])
    }

    /// What was saved, and the seed that it began with.
    pub fn load(recipe: &Recipe<E>, task: E, bytes: &[u8]) -> Result<(Self, u64), LoadError> {
        let mut training = Training::new(recipe, task, 0);
        let [seed, calls, rows] = training.run.restore(bytes)?;
        (training.calls, training.rows) = (calls, rows);
        Ok((training, seed))
    }
}

/// The name of a phase. The search of the lab is the one for survival.
pub fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Directions => "directions",
        Phase::Weights => "weights",
        _ => "survival",
    }
}

/// How many directions are decided.
pub fn decided(directions: &[Direction]) -> usize {
    let decided = directions.iter().filter(|d| d.is_decided());
    decided.count()
}
