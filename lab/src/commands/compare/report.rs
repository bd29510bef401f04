//! What all runs come to.

use super::variant::{Kind, Variant};
use super::{Args, Run};
use crate::args::Features;
use crate::learner::{Algorithm, LearnerArgs};
use crate::summary::Estimate;
use crate::task::Task;
use serde::Serialize;

/// What `--json` prints.
#[derive(Serialize)]
pub struct Report<'a> {
    pub seeds: u64,
    pub first_seed: u64,
    pub iterations: u32,
    pub games: u64,
    pub max_rows: Option<u64>,
    pub height: usize,
    pub rule: &'a str,
    pub features: Features,
    pub results: Vec<Outcome<'a>>,
}

/// Something that was compared, and how it stood at each of the points.
#[derive(Serialize)]
pub struct Outcome<'a> {
    pub name: &'a str,
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
    pub rows: Estimate,
    /// The mean rows of each run.
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
    /// The share of those decided, if any is.
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
    pub fn new<E: Task>(args: &'a Args, variants: &'a [Variant<E>], runs: &[Run]) -> Self {
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
            seeds: args.seeds,
            first_seed: args.first_seed,
            iterations: args.iterations,
            games: args.series.games,
            max_rows: args.series.max_rows,
            height: args.game.height.rows(),
            rule: args.game.rule.name(),
            features: args.features,
            results,
        }
    }
}

impl<'a> Outcome<'a> {
    fn new<E: Task>(variant: &'a Variant<E>, runs: &[&Run]) -> Self {
        let algorithm = variant.algorithm();
        let points = runs.first().map_or(0, |run| run.scores.len());
        let point = |i: usize| {
            let scores = || runs.iter().map(|run| &run.scores[i]);
            let rows: Vec<f64> = scores().map(|score| score.rows).collect();
            let calls: Vec<f64> = scores().map(|score| score.calls as f64).collect();
            let iteration = scores().next().and_then(|score| score.iteration);
            Point {
                iteration,
                calls: Estimate::of(&calls).mean,
                rows: Estimate::of(&rows),
                runs: rows,
                directions: algorithm
                    .filter(|algorithm| algorithm.learns_directions())
                    .map(|_| Directions::of(runs, i)),
                switch: algorithm
                    .filter(|algorithm| algorithm.learns_directions())
                    .filter(|algorithm| *algorithm != Algorithm::Lfd)
                    .map(|_| Switch::by(iteration, runs)),
            }
        };
        Outcome {
            name: &variant.name,
            algorithm,
            learner: match &variant.kind {
                Kind::Learner { options, .. } => Some(options),
                Kind::Policy(_) => None,
            },
            points: (0..points).map(point).collect(),
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
        let right: usize = scores().map(|score| score.right).sum();
        Directions {
            decided: decided as f64 / runs.len() as f64,
            right: (decided > 0).then(|| right as f64 / decided as f64),
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
