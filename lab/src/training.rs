//! A learner in training, and how well it plays so far.

use crate::games::Series;
use crate::summary::Estimate;
use ipse::checkpoint::{self, LoadError, max_size};
use ipse::direction::Direction;
use ipse::environment::{Environment, Resumable};
use ipse::tetris::{FEATURES, PLACEMENTS};
use ipse::{Agent, Phase, Step};
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

/// A configuration for agents with room for soft labels, as all are here, whether they use it or not.
pub type Checked<const P: usize> = ipse::Checked<P, PLACEMENTS>;

/// An agent, its random numbers, and what it has used so far.
pub struct Training<E: Environment<P, PLACEMENTS>, const P: usize = FEATURES> {
    pub agent: Agent<E, P, PLACEMENTS, MEMORY, PLACEMENTS>,
    rng: XorShiftRng,
    /// Calls of the generative model.
    pub calls: u64,
    /// Rows removed.
    pub rows: u64,
}

impl<E: Environment<P, PLACEMENTS> + Sync, const P: usize> Training<E, P> {
    pub fn new(task: E, config: Checked<P>, seed: u64) -> Self {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        Training {
            agent: Agent::new(task, config, &mut rng),
            rng,
            calls: 0,
            rows: 0,
        }
    }

    pub fn step(&mut self) -> Step<P> {
        let step = self.agent.step(&mut self.rng);
        self.calls = self.calls.saturating_add(step.calls.into());
        self.rows = self.rows.saturating_add(step.reward.unsigned_abs().into());
        step
    }

    /// The mean rows of the present policy over a series of games.
    pub fn score(&self, series: &Series) -> Estimate {
        series.score(self.agent.task(), &self.agent.policy())
    }
}

/// The seed, the calls and the rows.
type Note = [u64; 3];

impl<E: Resumable<FEATURES, PLACEMENTS>> Training<E> {
    /// All of it, and the seed that it began with.
    pub fn save(&self, seed: u64) -> Vec<u8> {
        let mut buffer = vec![0; max_size::<E, Note, FEATURES, PLACEMENTS, MEMORY, PLACEMENTS>()];
        let note = [seed, self.calls, self.rows];
        let saved = checkpoint::save(&self.agent, &self.rng, &note, &mut buffer);
        saved.expect("no iteration is under way").to_vec()
    }

    /// What was saved, and the seed that it began with.
    pub fn load(
        task: E,
        config: Checked<FEATURES>,
        bytes: &[u8],
    ) -> std::result::Result<(Self, u64), LoadError> {
        let (agent, rng, note) = checkpoint::load(task, config, bytes)?;
        let [seed, calls, rows] = note;
        let training = Training {
            agent,
            rng,
            calls,
            rows,
        };
        Ok((training, seed))
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
pub fn decided<const P: usize>(directions: &[Direction; P]) -> usize {
    let decided = directions.iter().filter(|d| **d != Direction::Undecided);
    decided.count()
}
