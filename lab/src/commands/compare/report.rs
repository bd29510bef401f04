//! What all runs come to.

use super::variant::Variant;
use super::{Args, Run};
use crate::learner::{Algorithm, LearnerArgs};
use crate::summary::Estimate;
use crate::task::{Setup, Task};
use serde::Serialize;
use serde_json::{Map, Value};

/// What `--json` prints.
#[derive(Serialize)]
pub struct Report<'a> {
    task: &'a str,
    pub unit: &'a str,
    #[serde(skip)]
    pub title: String,
    pub seeds: u64,
    pub first_seed: u64,
    pub iterations: u32,
    pub games: u64,
    #[serde(flatten)]
    facts: &'a Map<String, Value>,
    pub results: Vec<Outcome<'a>>,
}

/// Something that was compared, and how it stood at each of the points.
#[derive(Serialize)]
pub struct Outcome<'a> {
    pub name: &'a str,
    /// The mean of all runs at the end, and its standard error.
    mean: f64,
    se: Option<f64>,
    /// The calls of the generative model until then, on average.
    calls: f64,
    /// If it learned.
    algorithm: Option<Algorithm>,
    learner: Option<&'a LearnerArgs>,
    pub points: Vec<Point>,
    /// What it has more than the last of them at its end, paired by seed; the last has none.
    pub difference: Option<Estimate>,
}

#[derive(Serialize)]
pub struct Point {
    /// If it is not just the end.
    pub iteration: Option<u32>,
    /// The calls of the generative model so far, on average.
    pub calls: f64,
    #[serde(flatten)]
    pub score: Estimate,
    /// The mean score of each run.
    runs: Vec<f64>,
    #[serde(flatten)]
    pub directions: Option<Directions>,
    #[serde(flatten)]
    pub switch: Option<Switch>,
}

/// What is known about directions, on average over runs.
#[derive(Serialize)]
pub struct Directions {
    pub decided: f64,
    /// The share of those decided, if any is, and if it is known.
    pub right: Option<f64>,
}

/// How many runs have gone on to weights, and when, on average.
#[derive(Serialize)]
pub struct Switch {
    pub switched: usize,
    pub mean_switch_iteration: Option<f64>,
}

impl<'a> Report<'a> {
    /// From all runs, those of the first seed first.
    pub fn new<E: Task>(
        setup: &'a Setup<E>,
        args: &'a Args,
        variants: &'a [Variant<'a, E>],
        runs: &[Run],
    ) -> Self {
        let outcome = |(i, variant): (usize, &'a Variant<E>)| {
            let runs = runs.iter().skip(i).step_by(variants.len());
            Outcome::new(variant, &runs.collect::<Vec<_>>())
        };
        let mut results: Vec<_> = variants.iter().enumerate().map(outcome).collect();
        if let Some((last, others)) = results.split_last_mut() {
            for other in others {
                other.difference = Some(other.less(last));
            }
        }
        Report {
            task: E::NAME,
            unit: setup.measure.unit,
            title: setup.title(),
            seeds: args.seeds,
            first_seed: args.first_seed,
            iterations: args.iterations,
            games: args.series.games,
            facts: &setup.facts,
            results,
        }
    }
}

impl<'a> Outcome<'a> {
    fn new<E: Task>(variant: &'a Variant<E>, runs: &[&Run]) -> Self {
        let learner = variant.learner();
        let directs = learner.filter(|learner| learner.learns_directions());
        let switches = directs.filter(|learner| learner.algorithm.switches());
        let points = runs.first().map_or(0, |run| run.scores.len());
        let point = |i: usize| {
            let at = || runs.iter().map(|run| &run.scores[i]);
            let scores: Vec<f64> = at().map(|score| score.score).collect();
            let calls: Vec<f64> = at().map(|score| score.calls as f64).collect();
            let iteration = at().next().and_then(|score| score.iteration);
            Point {
                iteration,
                calls: Estimate::of(&calls).mean,
                score: Estimate::of(&scores),
                runs: scores,
                directions: directs.map(|_| Directions::of(runs, i)),
                switch: switches.map(|_| Switch::by(iteration, runs)),
            }
        };
        let points: Vec<Point> = (0..points).map(point).collect();
        let last = points.last();
        Outcome {
            name: &variant.name,
            mean: last.map_or(0., |point| point.score.mean),
            se: last.and_then(|point| point.score.standard_error),
            calls: last.map_or(0., |point| point.calls),
            algorithm: learner.map(|learner| learner.algorithm),
            learner: learner.map(|learner| &learner.options),
            points,
            difference: None,
        }
    }

    fn less(&self, other: &Outcome) -> Estimate {
        let at_the_end = |outcome: &Outcome| {
            let last = outcome.points.last();
            last.map_or(Vec::new(), |point| point.runs.clone())
        };
        let (ours, theirs) = (at_the_end(self), at_the_end(other));
        let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
        Estimate::of(&differences)
    }
}

impl Directions {
    fn of(runs: &[&Run], point: usize) -> Self {
        let scores = || runs.iter().map(|run| &run.scores[point]);
        let decided: usize = scores().map(|score| score.decided).sum();
        let right: Option<usize> = scores().map(|score| score.right).sum();
        let right = right.filter(|_| decided > 0);
        Directions {
            decided: decided as f64 / runs.len() as f64,
            right: right.map(|right| right as f64 / decided as f64),
        }
    }
}

impl Switch {
    fn by(iteration: Option<u32>, runs: &[&Run]) -> Self {
        let switches = runs.iter().filter_map(|run| run.switched);
        let switches: Vec<f64> = switches
            .filter(|&switched| iteration.is_none_or(|iteration| switched <= iteration))
            .map(f64::from)
            .collect();
        Switch {
            switched: switches.len(),
            mean_switch_iteration: (!switches.is_empty()).then(|| Estimate::of(&switches).mean),
        }
    }
}
