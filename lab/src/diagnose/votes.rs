//! The votes on directions, as they develop: what LFD would learn of each feature, and when.

use super::meter::Meter;
use super::play::rng;
use super::watched::{Panic, Watched, caught};
use ipse::array::Array;
use ipse::environment::{Environment, Feature};
use ipse::learner::Tally;
use ipse::{Agent, Lfd, Parameters};
use serde::Serialize;

/// The iterations after which votes are shown.
const MARKS: [u32; 5] = [10, 20, 50, 100, 200];

/// What LFD has learned in several runs.
#[derive(Clone, Debug, Serialize)]
pub struct Votes {
    /// The number of iterations of each run.
    pub iterations: u32,
    pub runs: u32,
    pub features: Vec<Ballot>,
}

/// The votes on a feature.
#[derive(Clone, Debug, Serialize)]
pub struct Ballot {
    pub name: String,
    /// As they developed in the first run.
    pub counts: Vec<Count>,
    /// What each run has decided.
    pub verdicts: Vec<Verdict>,
}

/// What a run has decided on a feature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The iteration in which it was decided for the first time, if it was.
    pub iteration: Option<u32>,
    /// The direction at the end: −1, 0 or 1.
    pub direction: i8,
    /// The p-value at the end.
    pub p: f32,
}

/// The votes on a feature after some iterations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Count {
    pub iteration: u32,
    pub pro: u16,
    pub con: u16,
    /// The number of choices in which the feature was not the same for all actions.
    pub varied: u16,
    /// The p-value of the exact two-sided binomial test that pro and con are equally likely.
    pub p: f32,
}

/// The votes of one run, on each feature.
pub struct Run(Vec<(Vec<Count>, Verdict)>);

/// Learns directions for some iterations.
pub fn run<E: Environment>(
    task: &E,
    iterations: u32,
    seed: u64,
    meter: &Meter,
) -> Result<Run, Panic> {
    caught(|| {
        let mut rng = rng(seed);
        let lfd = Lfd::new().check().expect("the default is valid");
        let mut agent = Agent::new(Watched::new(task), lfd, &mut rng);
        let mut features = vec![(Vec::new(), Verdict::NONE); E::Features::LEN];
        for iteration in 1..=iterations {
            let step = agent.step(&mut rng);
            meter.add(step.calls.into());
            let is_shown = MARKS.contains(&iteration) || iteration == iterations;
            let votes = step.tallies.as_ref().iter().zip(step.directions.as_ref());
            for ((tally, direction), (counts, verdict)) in votes.zip(&mut features) {
                verdict.direction = direction.sign();
                if direction.is_decided() {
                    verdict.iteration.get_or_insert(iteration);
                }
                if is_shown {
                    let count = Count::of(iteration, tally);
                    verdict.p = count.p;
                    counts.push(count);
                }
            }
        }
        Run(features)
    })
}

impl Verdict {
    const NONE: Self = Verdict {
        iteration: None,
        direction: 0,
        p: 1.,
    };
}

impl Count {
    fn of(iteration: u32, tally: &Tally) -> Self {
        Count {
            iteration,
            pro: tally.pro,
            con: tally.con,
            varied: tally.varied,
            p: tally.p_value(),
        }
    }
}

impl Votes {
    /// All runs together.
    pub fn of<E: Environment>(iterations: u32, runs: Vec<Run>) -> Option<Self> {
        let features = E::FEATURES;
        let first = runs.first()?;
        let ballot = |(index, Feature { name, .. }): (usize, &Feature)| Ballot {
            name: (*name).into(),
            counts: first.0[index].0.clone(),
            verdicts: runs.iter().map(|run| run.0[index].1).collect(),
        };
        Some(Votes {
            iterations,
            runs: runs.len() as u32,
            features: features.as_ref().iter().enumerate().map(ballot).collect(),
        })
    }
}

impl Ballot {
    /// The number of runs that ended with a direction pro, and con, at a p-value of at most `p`.
    pub fn directions(&self, p: f32) -> (usize, usize) {
        let count = |sign| {
            let verdicts = self.verdicts.iter();
            verdicts
                .filter(|verdict| verdict.direction == sign && verdict.p <= p)
                .count()
        };
        (count(1), count(-1))
    }

    /// The last votes of the first run.
    pub fn last(&self) -> Option<&Count> {
        self.counts.last()
    }
}
