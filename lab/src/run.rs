//! A learner under way, whichever it is.
//!
//! In the core the learner is a part of an agent's type. The lab chooses it at run time, so everything that a
//! command asks of a learner goes through [`Run`].

use crate::cached::Cached;
use crate::task::Task;
use ipse::Agent;
use ipse::checkpoint::{self, LoadError, max_size};
use ipse::direction::Direction;
use ipse::driver::{Driver, Progress, ResumableDriver, Step};
use ipse::environment::{Environment, PerFeature};
use ipse::learner::lfd::Votes;
use ipse::learner::{Checked, ResumableLearner};
use ipse::policy::Policy;
use ipse::search::{DirectionLearner, Search, Searcher};
use ipse_device::Record;
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// A learner of the task `E` and its random generator.
pub trait Run<E: Environment> {
    /// Does one iteration.
    fn step(&mut self) -> Step<E::Features>;

    /// What has been learned so far, as weights.
    fn weights(&self) -> PerFeature<E, f32>;

    /// What has been learned so far, as a policy.
    fn policy(&self) -> Policy<E::Features>;

    /// The directions that are known, learned or drawn.
    fn directions(&self) -> PerFeature<E, Direction>;

    /// The votes on directions, if these are learned.
    fn votes(&self) -> Option<&Votes<E::Features>>;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// Everything as bytes, with its record.
    fn save(&mut self, record: Record<E::Features>) -> Vec<u8>;

    /// Becomes what was saved, and returns the record.
    fn restore(&mut self, bytes: &[u8]) -> Result<Record<E::Features>, LoadError>;

    /// Returns whether it has used up its calls.
    ///
    /// Nothing else ends it. LFD is finished when every direction is decided, but its learning curve goes on, as long as
    /// those that it is compared with.
    fn is_over(&self) -> bool;
}

/// Begins a run in a task, from a seed.
pub type Recipe<E> = Box<dyn Fn(E, u64) -> Box<dyn Run<E>> + Send + Sync>;

/// The votes that a driver of type `D` has counted, if it counts any.
type VotesOf<D> = fn(&D) -> Option<&Votes<<<D as Driver>::Task as Environment>::Features>>;

/// Runs of an agent with this learner, which end after so many calls if there is a limit.
pub fn agent<E, L>(
    learner: Checked<L>,
    calls: Option<u32>,
    votes: VotesOf<Agent<Cached<E>, L>>,
) -> Recipe<E>
where
    E: Task,
    L: ResumableLearner<Cached<E>> + Send + Sync + 'static,
{
    Box::new(move |task, seed| {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        let driver = Agent::new(Cached::new(task), learner, &mut rng);
        Box::new(Driven {
            driver,
            rng,
            calls,
            votes,
        })
    })
}

/// Runs of a search.
pub fn search<E, L, const N: usize>(
    search: Checked<Search<L, N>>,
    votes: VotesOf<Searcher<Cached<E>, L, N>>,
) -> Recipe<E>
where
    E: Task,
    L: ResumableLearner<Cached<E>> + DirectionLearner<Cached<E>> + Send + Sync + 'static,
{
    Box::new(move |task, seed| {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        let driver = Searcher::new(Cached::new(task), search, &mut rng);
        Box::new(Driven {
            driver,
            rng,
            calls: None,
            votes,
        })
    })
}

/// A driver of the core, and its random generator.
struct Driven<D: Driver> {
    driver: D,
    rng: XorShiftRng,
    /// The calls after which an agent ends. A search plans with its own.
    calls: Option<u32>,
    votes: VotesOf<D>,
}

impl<E, D> Run<E> for Driven<D>
where
    E: Environment,
    D: ResumableDriver,
    D::Task: Environment<Features = E::Features>,
{
    fn step(&mut self) -> Step<E::Features> {
        self.driver.step(&mut self.rng)
    }

    fn weights(&self) -> PerFeature<E, f32> {
        self.driver.weights()
    }

    fn policy(&self) -> Policy<E::Features> {
        self.driver.policy()
    }

    fn directions(&self) -> PerFeature<E, Direction> {
        self.driver.directions()
    }

    fn votes(&self) -> Option<&Votes<E::Features>> {
        (self.votes)(&self.driver)
    }

    fn progress(&self) -> Progress {
        self.driver.progress()
    }

    fn is_over(&self) -> bool {
        let progress = self.driver.progress();
        match progress.budget {
            Some(_) => progress.is_finished,
            None => self.calls.is_some_and(|calls| progress.calls >= calls),
        }
    }

    fn save(&mut self, record: Record<E::Features>) -> Vec<u8> {
        let mut buffer = vec![0; max_size::<D, Record<E::Features>>()];
        let saved = checkpoint::save(&mut self.driver, &self.rng, record, &mut buffer);
        saved.expect("no iteration is under way").to_vec()
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<Record<E::Features>, LoadError> {
        checkpoint::restore(&mut self.driver, &mut self.rng, bytes)
    }
}
