//! The learners that can be recommended.

use super::meter::Meter;
use super::play::{Purpose, rng};
use super::restarting::Restarting;
use super::watched::{Panic, Watched, caught};
use ipse::driver::Driver;
use ipse::environment::Environment;
use ipse::search::{Search, Searcher};
use ipse::{Agent, Ipse, Parameters};
use rand_xorshift::XorShiftRng;
use serde::Serialize;
use std::fmt;

/// A learner, with what has to be chosen about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "learner")]
pub enum Method {
    /// [`Ipse::new`], for choices that show their worth within a rollout.
    Ipse,
    /// [`Search::returns`], for consequences that come later.
    Returns {
        /// The largest number of actions of a trial.
        horizon: u16,
        /// The number of trials of each candidate in a generation.
        trials: u16,
    },
    /// [`Search::survival`], for games that are lost, in which what matters is to last.
    Survival,
}

/// The number of trials with which a return search finds out what candidates earn on average.
///
/// With a single one, candidates are ranked by which of them does better most of the time. Where much is lost at a small
/// risk, that is one that takes the risk for a small gain: foraging ends at 16 seeds a night instead of 20. Where nothing
/// of that kind can happen, a single trial is faster. Thirty is the number of the survival search.
pub const MANY: u16 = 30;

impl Method {
    /// The return searches to try in a task.
    pub(super) fn returns(horizon: u16, is_episodic: bool) -> Vec<Self> {
        let horizon = horizon.max(1);
        let trials: &[u16] = if is_episodic { &[MANY] } else { &[1, MANY] };
        let search = |trials: &u16| Method::Returns {
            horizon,
            trials: *trials,
        };
        trials.iter().map(search).collect()
    }
}

impl Method {
    /// What its random numbers are drawn for.
    pub(super) fn purpose(self) -> Purpose {
        match self {
            Method::Ipse => Purpose::Ipse,
            Method::Returns { .. } => Purpose::Returns,
            Method::Survival => Purpose::Survival,
        }
    }

    /// The parameters, as one would write them in code.
    pub fn code(&self) -> String {
        match self {
            Method::Ipse => "Ipse::new()".into(),
            Method::Returns { horizon, trials: 1 } => format!("Search::returns({horizon})"),
            Method::Returns { horizon, trials } => {
                format!("Search::returns({horizon}).trials({trials})")
            }
            Method::Survival => "Search::survival()".into(),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Ipse => f.write_str("IPSE"),
            Method::Returns { trials: 1, .. } => f.write_str("return search"),
            Method::Returns { trials, .. } => write!(f, "return search of {trials} trials"),
            Method::Survival => f.write_str("survival search"),
        }
    }
}

/// How a learner learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most iterations; a search has its calls instead.
    pub iterations: u32,
    pub calls: u32,
    /// The mean number of actions after which a return search begins anew, if it does.
    pub restarts: Option<u32>,
}

/// What a learner has learned.
#[derive(Clone, Debug)]
pub struct Learned {
    pub weights: Vec<f32>,
    pub calls: u64,
}

/// Learns a task.
pub fn learn<E: Environment>(
    task: &E,
    method: Method,
    budget: Budget,
    seed: u64,
    meter: &Meter,
) -> Result<Learned, Panic> {
    let calls = budget.calls.max(1);
    let task = Watched::new(task);
    caught(|| {
        let mut rng = rng(seed);
        match method {
            Method::Ipse => {
                let ipse = Ipse::new().check().expect("the default is valid");
                run(Agent::new(task, ipse, &mut rng), budget, rng, meter)
            }
            Method::Returns { horizon, trials } => {
                let search = Search::returns(horizon).trials(trials).calls(calls);
                let search = search.check().expect("nothing is 0");
                match budget.restarts {
                    None => run(Searcher::new(task, search, &mut rng), budget, rng, meter),
                    Some(length) => {
                        let task = Restarting::new(task, length);
                        run(Searcher::new(task, search, &mut rng), budget, rng, meter)
                    }
                }
            }
            Method::Survival => {
                let search = Search::survival().suited_to::<E>().calls(calls);
                let search = search.check().expect("calls are not 0");
                run(Searcher::new(task, search, &mut rng), budget, rng, meter)
            }
        }
    })
}

fn run<D: Driver>(mut driver: D, budget: Budget, mut rng: XorShiftRng, meter: &Meter) -> Learned {
    let is_search = driver.progress().budget.is_some();
    let mut calls = 0;
    loop {
        let progress = driver.progress();
        let is_over = match is_search {
            true => progress.is_finished,
            false => progress.iterations >= budget.iterations || calls >= u64::from(budget.calls),
        };
        if is_over {
            break;
        }
        let step = driver.step(&mut rng);
        calls += u64::from(step.calls);
        meter.add(step.calls.into());
    }
    Learned {
        weights: driver.weights().as_ref().to_vec(),
        calls,
    }
}
