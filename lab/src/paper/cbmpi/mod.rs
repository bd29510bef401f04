//! Classification-based modified policy iteration, the comparator of the paper's section 5
//! (Gabillon, Ghavamzadeh and Scherrer 2013; Scherrer and others 2015).
//!
//! An iteration draws boards from a [`pool`], tries every placement of a random piece on each of
//! them by [`rollouts`] that end in the present [`value`] function, fits the next value function to
//! other rollouts from the same boards, and has a [`search`] look for the policy that loses least
//! against the best placements found. With πₖ the policy and vₖ₋₁ the value function so far:
//!
//! - v̂(x) = the rows of m placements by πₖ from x on, plus vₖ₋₁ of where they lead;
//! - Q̂(s, a) = the mean over M rollouts of the rows of a, plus the same as v̂ after a;
//! - vₖ = the least squares fit to v̂; πₖ₊₁ = argmin over β of mean(max Q̂(s, ·) − Q̂(s, π_β(s))).
//!
//! Nothing is discounted, and nothing comes after the end of a game. The first policy is the
//! random one and the first value function is zero.

mod afterstate;
pub mod command;
mod decisions;
mod pool;
mod rollouts;
mod search;
mod value;

use crate::paper::tetris::FEATURES;
use decisions::Decisions;
use ipse::policy::Policy;
use ipse::tetris::{Piece, State, Tetris10x10};
use pool::Pool;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use rollouts::Rollouts;
use search::Search;
use value::{Regression, Value};

/// What can be chosen about CBMPI.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// B, the calls of the generative model for an iteration. It is good for
    /// N = B / (32 M (m + 1)) states, as if each had 32 actions; since a piece has 23 placements on
    /// average, not all of it is used.
    pub budget: u32,
    /// M, the rollouts of each action, at least one.
    pub rollouts: u32,
    /// m, the placements of a rollout after its first action.
    pub length: u32,
    /// How many placements of BCTS the pool is made from.
    pub pool: u32,
    /// How the next policy is looked for.
    pub search: Search,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            budget: 170_000,
            rollouts: 1,
            length: 5,
            pool: 400_000,
            search: Search::default(),
        }
    }
}

impl Config {
    /// N, the states of an iteration.
    fn states(&self) -> u64 {
        let placements = u64::from(self.length) + 1;
        let calls = placements.saturating_mul(32 * u64::from(self.rollouts.max(1)));
        (u64::from(self.budget) / calls).max(1)
    }
}

/// One replication of the algorithm. All that happens follows from its seed.
pub struct Cbmpi {
    config: Config,
    rng: XorShiftRng,
    pool: Pool,
    value: Value,
    weights: [f32; FEATURES],
}

/// What an iteration did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// How often it called the generative model: once for every placement in every rollout, those
    /// for the value function included.
    ///
    /// The placements of BCTS from which the pool was made, [`Config::pool`] of them before
    /// the first iteration, are in no iteration's count: the pool is given to the algorithm, as
    /// it was in the publications.
    pub calls: u64,
    /// The weights of the policy that it found.
    pub weights: [f32; FEATURES],
}

impl Cbmpi {
    /// Plays the games from which the states come. The first iteration is next.
    pub fn new(config: Config, seed: u64) -> Cbmpi {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        Cbmpi {
            config,
            pool: Pool::new(config.pool, &mut rng),
            rng,
            value: Value::ZERO,
            weights: [0.; FEATURES],
        }
    }

    pub fn iterate(&mut self) -> Iteration {
        let Config {
            rollouts, length, ..
        } = self.config;
        let rng = &mut self.rng;
        let policy = Policy::new::<Tetris10x10>(&self.weights).expect("weights are finite");
        let mut model = Rollouts::new(policy, &self.value, length);
        let mut regression = Regression::default();
        let mut decisions = Vec::new();
        for _ in 0..self.config.states() {
            let start = self.pool.draw(rng);
            regression.add(start, model.follow(*start, rng));
            let state = State {
                board: start.board,
                piece: Piece::draw(rng),
            };
            decisions.push(model.estimates(&state, rollouts, rng));
        }
        let calls = model.calls;
        self.value = regression.solve();
        let decisions = Decisions::new(decisions);
        let loss = |beta: &_| decisions.loss(beta);
        self.weights = self.config.search.run(&self.weights, loss, rng.next_u64());
        Iteration {
            calls,
            weights: self.weights,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Mind, Series};
    use crate::paper::lockstep::InLockstep;
    use crate::paper::tetris::LimitArgs;
    use crate::paper::tetris::eight;

    fn small() -> Config {
        let mut config = Config {
            budget: 32 * 6 * 200,
            pool: 5_000,
            ..Config::default()
        };
        config.search.generations = 10;
        config
    }

    #[test]
    fn the_budget_of_the_paper_is_good_for_885_states() {
        assert_eq!(Config::default().states(), 885);
        assert_eq!(small().states(), 200);
    }

    #[test]
    fn the_same_seed_learns_the_same_to_the_bit() {
        let learn = |seed| {
            let mut cbmpi = Cbmpi::new(small(), seed);
            [cbmpi.iterate(), cbmpi.iterate()]
        };
        assert_eq!(learn(1), learn(1));
        assert_ne!(learn(1), learn(2));
    }

    #[test]
    fn an_iteration_takes_no_more_calls_than_there_are_placements() {
        let config = small();
        let calls = Cbmpi::new(config, 1).iterate().calls;
        let states = config.states();
        assert!(
            (states * 9..=states * (34 * 6 + 5)).contains(&calls),
            "{calls}"
        );
    }

    #[test]
    fn a_few_small_iterations_beat_chance_by_far() {
        let mut cbmpi = Cbmpi::new(small(), 1);
        let mut weights = [0.; FEATURES];
        for _ in 0..4 {
            weights = cbmpi.iterate().weights;
        }
        let policy = Policy::new::<Tetris10x10>(&weights).unwrap();
        let series = Series {
            games: 20,
            seed: 99,
            threads: 1,
        };
        let limit = LimitArgs {
            max_rows: Some(1_000),
        };
        let mind = Mind::Policy(&policy);
        let score = series.score(
            &eight(Tetris10x10::default()).in_lockstep(),
            mind,
            &limit.measure(),
        );
        let rows = (score.mean * series.games as f64) as u64;
        // By chance it is 0.2 rows a game.
        assert!(rows > 20 * 5, "{rows}");
    }
}
