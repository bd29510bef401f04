//! A diagnosis of a task, before anyone waits for a learner: does it keep its promises, what can its features tell, what
//! could be learned with them, and by which learner?
//!
//! | file | content |
//! |---|---|
//! | `contract` | the promises of a task, tested |
//! | `features` | how features vary among the actions of a state |
//! | `votes` | the votes on directions, as they develop |
//! | `ceiling` | what a long search reaches, and IPSE beside it |
//! | `horizon` | how far one has to look ahead |
//! | `advice` | a sentence for each finding, and the learner to use |
//! | `quick` | the learner to use, within a second |
//! | `text` | all of it for a terminal |
//!
//! The others serve these: `watched` catches the panics of a task, `play` plays under frozen policies, `survey` takes a
//! first look, `method` learns, `restarting` gives a learner fresh starts, `meter` tells the progress and `picture` shows a
//! state.
//!
//! Everything follows from the seed, whatever the number of threads.

mod advice;
mod ceiling;
mod contract;
mod features;
mod horizon;
mod meter;
mod method;
mod picture;
mod play;
mod quick;
mod restarting;
mod survey;
#[cfg(test)]
mod tests;
mod text;
mod votes;
mod watched;

pub use advice::{Finding, Kind, Recommendation, Severity, recommend};
pub use ceiling::{Ceiling, Contender, Measure, Score};
pub use contract::{Breach, Promise};
pub use features::{Features, Measured};
pub use horizon::{Horizon, Sight};
pub use meter::{Listener, Progress, Stage};
pub use method::Method;
pub use quick::quick_recommendation;
pub use survey::Survey;
pub use votes::{Ballot, Count, Votes};

use crate::parallel;
use contract::Inspection;
use ipse::array::Array;
use ipse::environment::{Environment, Resumable};
use meter::Meter;
use play::{Player, Seeds, zeros};
use serde::Serialize;
use watched::Panic;

/// How thorough a diagnosis is. The default takes some ten seconds on two cores.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    pub seed: u64,
    pub threads: u64,
    /// The number of states in which promises are tested and features measured.
    pub states: u32,
    /// The number of iterations of LFD.
    pub votes: u32,
    /// The number of iterations of IPSE.
    pub iterations: u32,
    /// The number of runs of LFD and IPSE, from different seeds.
    pub runs: u32,
    /// The calls of each search.
    pub calls: u32,
    /// The largest number of actions after which consequences are looked for, and the horizon of the return search.
    pub horizon: u16,
    /// The number of states in which one looks ahead.
    pub horizon_states: u32,
    /// The number of futures of each action there, in each of two halves.
    pub horizon_rollouts: u32,
    /// The least number of episodes, or runs of a task that goes on, that score a policy.
    pub episodes: u32,
    /// The number of actions after which such an episode is cut, and the most of a run.
    pub cut_after: u32,
    /// Is told what is being done.
    pub progress: Option<Listener<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            seed: 1,
            threads: parallel::cores(),
            states: 2_000,
            votes: 200,
            iterations: 400,
            runs: 8,
            calls: 3_000_000,
            horizon: 144,
            horizon_states: 400,
            horizon_rollouts: 4,
            episodes: 60,
            cut_after: 20_000,
            progress: None,
        }
    }
}

/// What was found out about a task.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    pub task: String,
    pub seed: u64,
    pub feature_count: usize,
    /// The number of actions that there is room for.
    pub action_capacity: usize,
    /// The number of states in which promises were tested.
    pub inspected: u32,
    /// The promises that are broken.
    pub breaches: Vec<Breach>,
    /// A part is missing if the task panics in it.
    pub survey: Option<Survey>,
    pub features: Option<Features>,
    pub votes: Option<Votes>,
    pub ceiling: Option<Ceiling>,
    pub horizon: Option<Horizon>,
    /// What follows, the most serious first.
    pub findings: Vec<Finding>,
    pub recommendation: Recommendation,
}

impl Diagnosis {
    /// Returns whether the task keeps all promises that were tested.
    pub fn keeps_promises(&self) -> bool {
        self.breaches.is_empty()
    }

    /// The diagnosis as text of at most eighty columns, with styles.
    pub fn text(&self) -> String {
        text::write(self)
    }
}

/// Finds out about a task.
pub fn diagnose<E: Resumable + Sync>(task: &E, options: &Options) -> Diagnosis {
    let seeds = Seeds(options.seed);
    let states = options.states.max(2) as usize;
    let mut panics = Panics::default();

    let meter = Meter::new(Stage::Promises, 1, options.progress);
    let mut inspection = Inspection::new(task, seeds);
    inspection.explore(states / 2);
    meter.add(1);

    let survey = panics.keep("playing at random", Survey::of(task, seeds));
    let known = survey.clone().unwrap_or_default();
    let mut trained = ceiling::train(task, &known, options);
    panics.0.append(&mut trained.panics);
    let votes = trained.votes.take();
    let ceiling = ceiling::score(task, &known, &trained, options);
    let ceiling = panics.keep("scoring policies", ceiling);
    let [random, best] = players::<E>(ceiling.as_ref());

    let meter = Meter::new(Stage::Features, 2, options.progress);
    inspection.follow(&best, states / 2);
    meter.add(1);
    let features = features::measure(task, [&random, &best], states, seeds);
    let features = panics.keep("measuring features", features);
    meter.add(1);
    let horizon = horizon::measure(task, &best.weights, options);
    let horizon = panics.keep("looking ahead", horizon).flatten();

    let mut diagnosis = Diagnosis {
        task: E::NAME.into(),
        seed: options.seed,
        feature_count: E::Features::LEN,
        action_capacity: E::Actions::LEN,
        inspected: inspection.states,
        breaches: panics.add_to(inspection.finish()),
        survey,
        features,
        votes,
        ceiling,
        horizon,
        findings: Vec::new(),
        recommendation: Recommendation::default(),
    };
    diagnosis.findings = advice::findings(&diagnosis);
    diagnosis.recommendation = recommend(&diagnosis);
    diagnosis
}

/// Random play, and the best policy that was found.
fn players<E: Environment>(ceiling: Option<&Ceiling>) -> [Player; 2] {
    let weights = ceiling.map(|ceiling| ceiling.weights.clone());
    let random = Player {
        name: "random play".into(),
        weights: zeros::<E>(),
    };
    let best = Player {
        name: "the best policy that was found".into(),
        weights: weights.unwrap_or_else(zeros::<E>),
    };
    [random, best]
}

/// The panics outside of the inspection, and what was being done.
#[derive(Default)]
struct Panics(Vec<(String, Panic)>);

impl Panics {
    fn keep<T>(&mut self, doing: &str, result: Result<T, Panic>) -> Option<T> {
        let keep = |panic| self.0.push((doing.into(), panic));
        result.map_err(keep).ok()
    }

    /// Adds them to what the inspection has found, unless it has found a panic in the same method.
    fn add_to(self, mut breaches: Vec<Breach>) -> Vec<Breach> {
        for (doing, panic) in self.0 {
            let breach = Breach::panic(&panic, &doing);
            let mut known = breaches.iter().map(|known| (known.promise, &known.about));
            if !known.any(|known| known == (breach.promise, &breach.about)) {
                breaches.insert(0, breach);
            }
        }
        breaches
    }
}
