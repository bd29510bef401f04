//! A learner in training, and how well it plays so far.

use crate::error::Result;
use crate::games::Series;
use crate::summary::Estimate;
use ipse::direction::Direction;
use ipse::environment::Environment;
use ipse::tetris::{FEATURES, PLACEMENTS};
use ipse::{Agent, Config, Phase, Step};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// So many choices are remembered.
const MEMORY: usize = 100;

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

/// An agent, its random numbers, and what it has used so far.
pub struct Training<E: Environment<FEATURES, PLACEMENTS>> {
    pub agent: Agent<E, FEATURES, PLACEMENTS, MEMORY>,
    rng: XorShiftRng,
    /// Calls of the generative model.
    pub calls: u64,
    /// Rows removed.
    pub rows: u64,
}

impl<E: Environment<FEATURES, PLACEMENTS> + Sync> Training<E> {
    pub fn new(task: E, config: Config<FEATURES>, seed: u64) -> Result<Self> {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        Ok(Training {
            agent: Agent::new(task, config, &mut rng)?,
            rng,
            calls: 0,
            rows: 0,
        })
    }

    pub fn step(&mut self) -> Step<FEATURES> {
        let step = self.agent.step(&mut self.rng);
        self.calls += u64::from(step.calls);
        self.rows += u64::from(step.reward.unsigned_abs());
        step
    }

    /// The mean rows of the present policy over a series of games.
    pub fn score(&self, series: &Series) -> Estimate {
        series.score(self.agent.task(), &self.agent.policy())
    }
}

pub fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Directions => "directions",
        Phase::Weights => "weights",
        Phase::Survival => "survival",
    }
}

/// How many directions are decided.
pub fn decided(directions: &[Direction; FEATURES]) -> usize {
    let decided = directions.iter().filter(|d| **d != Direction::Undecided);
    decided.count()
}
