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

use crate::paper::tetris::Places;
use afterstate::Afterstate;
use decisions::Decisions;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::diverse::Diverse10x10;
use ipse::tetris::{Piece, State, Tetris10x10};
use pool::Pool;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use rollouts::{Estimate, Rollouts};
use search::Search;
use value::{Regression, Value};

/// A game on the paper's board, with `F` features.
pub trait Game<const F: usize>:
    Environment<State = State, Features = [i16; F]> + Places<10, u16> + Copy
{
}

impl<G, const F: usize> Game<F> for G where
    G: Environment<State = State, Features = [i16; F]> + Places<10, u16> + Copy
{
}

/// With the eight features of the paper.
pub type WithEight = Cbmpi<Tetris10x10, 8, 14>;
/// With pattern diversity as well, as its authors had it.
pub type WithNine = Cbmpi<Diverse10x10, 9, 15>;

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
pub struct Cbmpi<G, const F: usize, const T: usize> {
    config: Config,
    task: G,
    rng: XorShiftRng,
    pool: Pool<F>,
    value: Value<T>,
    weights: [f32; F],
}

/// What an iteration did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration<const F: usize> {
    /// How often it called the generative model: once for every placement in every rollout, those
    /// for the value function included.
    ///
    /// The placements of BCTS from which the pool was made, [`Config::pool`] of them before
    /// the first iteration, are in no iteration's count: the pool is given to the algorithm, as
    /// it was in the publications.
    pub calls: u64,
    /// The weights of the policy that it found.
    pub weights: [f32; F],
}

/// What the rollouts of an iteration found.
struct Sample<const F: usize> {
    /// v̂ of boards.
    values: Vec<(Afterstate<F>, f64)>,
    /// Q̂ of the placements of a piece on the same boards.
    decisions: Vec<Vec<Estimate<F>>>,
    calls: u64,
}

impl<G: Game<F>, const F: usize, const T: usize> Cbmpi<G, F, T> {
    /// Plays the games from which the states come. The first iteration is next.
    pub fn new(config: Config, task: G, seed: u64) -> Self {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        Cbmpi {
            config,
            task,
            pool: Pool::new(&task, config.pool, &mut rng),
            rng,
            value: Value::ZERO,
            weights: [0.; F],
        }
    }

    pub fn iterate(&mut self) -> Iteration<F> {
        let sample = self.sample();
        let mut regression = Regression::default();
        for (start, value) in &sample.values {
            regression.add(start, *value);
        }
        self.value = regression.solve();
        let decisions = Decisions::new(sample.decisions);
        let loss = |beta: &_| decisions.loss(beta);
        let seed = self.rng.next_u64();
        self.weights = self.config.search.run(&self.weights, loss, seed);
        Iteration {
            calls: sample.calls,
            weights: self.weights,
        }
    }

    /// Rollouts of the present policy that end in the present value function.
    fn sample(&mut self) -> Sample<F> {
        let Config {
            rollouts, length, ..
        } = self.config;
        let rng = &mut self.rng;
        let policy = Policy::new::<G>(&self.weights).expect("weights are finite");
        let mut model = Rollouts::new(self.task, policy, &self.value, length);
        let (mut values, mut decisions) = (Vec::new(), Vec::new());
        for _ in 0..self.config.states() {
            let start = self.pool.draw(rng);
            values.push((*start, model.follow(*start, rng)));
            let state = State {
                board: start.board,
                piece: Piece::draw(rng),
            };
            decisions.push(model.estimates(&state, rollouts, rng));
        }
        Sample {
            values,
            decisions,
            calls: model.calls,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Mind, Series};
    use crate::paper::lockstep::InLockstep;
    use crate::paper::tetris::{FEATURES, LimitArgs, eight};

    fn small() -> Config {
        let mut config = Config {
            budget: 32 * 6 * 200,
            pool: 5_000,
            ..Config::default()
        };
        config.search.generations = 10;
        config
    }

    fn begin(seed: u64) -> WithEight {
        Cbmpi::new(small(), Tetris10x10::default(), seed)
    }

    #[test]
    fn the_budget_of_the_paper_is_good_for_885_states() {
        assert_eq!(Config::default().states(), 885);
        assert_eq!(small().states(), 200);
    }

    #[test]
    fn the_same_seed_learns_the_same_to_the_bit() {
        let learn = |seed| {
            let mut cbmpi = begin(seed);
            [cbmpi.iterate(), cbmpi.iterate()]
        };
        assert_eq!(learn(1), learn(1));
        assert_ne!(learn(1), learn(2));
    }

    #[test]
    fn an_iteration_takes_no_more_calls_than_there_are_placements() {
        let config = small();
        let calls = begin(1).iterate().calls;
        let states = config.states();
        assert!(
            (states * 9..=states * (34 * 6 + 5)).contains(&calls),
            "{calls}"
        );
    }

    #[test]
    fn a_few_small_iterations_beat_chance_by_far() {
        let mut cbmpi = begin(1);
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

    /// Which values boards have, and which the function that was fitted to them gives them.
    fn fitted(cbmpi: &mut WithEight) -> Vec<(f64, f64)> {
        let mut twin = Cbmpi {
            config: cbmpi.config,
            task: cbmpi.task,
            rng: cbmpi.rng.clone(),
            pool: Pool::new(
                &cbmpi.task,
                cbmpi.config.pool,
                &mut XorShiftRng::seed_from_u64(1),
            ),
            value: cbmpi.value.clone(),
            weights: cbmpi.weights,
        };
        let found = twin.sample().values;
        cbmpi.iterate();
        let pair = |(start, value): &(Afterstate<8>, f64)| (*value, cbmpi.value.of(start));
        found.iter().map(pair).collect()
    }

    #[test]
    fn the_value_function_is_fitted_to_what_rollouts_collect() {
        let mut cbmpi = begin(1);
        for iteration in 0..3 {
            let pairs = fitted(&mut cbmpi);
            let number = pairs.len() as f64;
            let mean = pairs.iter().map(|(found, _)| found).sum::<f64>() / number;
            let squares = |of: &dyn Fn(&(f64, f64)) -> f64| -> f64 {
                pairs.iter().map(|pair| of(pair).powi(2)).sum()
            };
            let (total, left) = (squares(&|p| p.0 - mean), squares(&|p| p.0 - p.1));
            let bias = pairs
                .iter()
                .map(|(found, fitted)| found - fitted)
                .sum::<f64>()
                / number;
            assert!(bias.abs() < 1e-6, "{bias} in iteration {iteration}");
            assert!(
                total > 0. && left < 0.9 * total,
                "{left} of {total} is left"
            );
        }
    }

    #[test]
    fn rollouts_end_in_the_value_function_of_the_iteration_before() {
        let (mut with, mut without) = (begin(1), begin(1));
        with.iterate();
        without.iterate();
        assert_ne!(with.value, Value::ZERO);
        without.value = Value::ZERO;
        let (with, without) = (with.sample(), without.sample());
        let more = |(one, other): (&(Afterstate<8>, f64), &(Afterstate<8>, f64))| one.1 - other.1;
        let values: Vec<f64> = with.values.iter().zip(&without.values).map(more).collect();
        assert!(values.iter().filter(|more| **more != 0.).count() > values.len() / 2);
        let chosen = |decisions: &[Vec<Estimate<8>>]| -> Vec<Option<usize>> {
            let best = |actions: &Vec<Estimate<8>>| {
                (0..actions.len()).max_by(|&a, &b| actions[a].value.total_cmp(&actions[b].value))
            };
            decisions.iter().map(best).collect()
        };
        assert_ne!(chosen(&with.decisions), chosen(&without.decisions));
    }

    #[test]
    fn nine_features_are_learned_with_as_eight_are() {
        let mut cbmpi: WithNine = Cbmpi::new(small(), Diverse10x10::default(), 1);
        let (first, second) = (cbmpi.iterate(), cbmpi.iterate());
        assert_ne!(first.weights, second.weights);
        assert!(second.weights[8] != 0., "{second:?}");
    }
}
