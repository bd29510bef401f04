//! What all runs come to.

use super::{Args, Run};
use crate::learner::{Algorithm, LearnerArgs};
use crate::summary::Estimate;
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
    learner: &'a LearnerArgs,
    pub results: Vec<Outcome>,
    /// If there are two algorithms: what the first has more than the second.
    pub difference: Option<Vec<Difference>>,
}

/// An algorithm, and how it stood at each of the points.
#[derive(Serialize)]
pub struct Outcome {
    pub algorithm: Algorithm,
    pub points: Vec<Point>,
}

#[derive(Serialize)]
pub struct Point {
    pub iteration: u32,
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

/// The difference at a point, paired by seed.
#[derive(Serialize)]
pub struct Difference {
    pub iteration: u32,
    #[serde(flatten)]
    pub rows: Estimate,
}

impl<'a> Report<'a> {
    /// From all runs, those of the first seed first.
    pub fn new(args: &'a Args, points: &[u32], runs: &[Run]) -> Self {
        let outcome = |(i, &algorithm): (usize, &Algorithm)| {
            let runs = runs.iter().skip(i).step_by(args.algorithms.len());
            Outcome::new(algorithm, points, &runs.collect::<Vec<_>>())
        };
        let results: Vec<_> = args.algorithms.iter().enumerate().map(outcome).collect();
        let difference = match &*results {
            [one, other] => Some(one.less(other)),
            _ => None,
        };
        Report {
            seeds: args.seeds,
            first_seed: args.first_seed,
            iterations: args.iterations,
            games: args.series.games,
            max_rows: args.series.max_rows,
            height: args.game.height.rows(),
            rule: args.game.rule.name(),
            learner: &args.learner,
            results,
            difference,
        }
    }
}

impl Outcome {
    fn new(algorithm: Algorithm, points: &[u32], runs: &[&Run]) -> Self {
        let point = |(i, &iteration): (usize, &u32)| {
            let rows: Vec<f64> = runs.iter().map(|run| run.scores[i].rows).collect();
            Point {
                iteration,
                rows: Estimate::of(&rows),
                runs: rows,
                directions: algorithm
                    .learns_directions()
                    .then(|| Directions::of(runs, i)),
                switch: (algorithm == Algorithm::Ipse).then(|| Switch::by(iteration, runs)),
            }
        };
        Outcome {
            algorithm,
            points: points.iter().enumerate().map(point).collect(),
        }
    }

    fn less(&self, other: &Outcome) -> Vec<Difference> {
        let difference = |(one, other): (&Point, &Point)| {
            let pairs = one.runs.iter().zip(&other.runs);
            let differences: Vec<f64> = pairs.map(|(one, other)| one - other).collect();
            Difference {
                iteration: one.iteration,
                rows: Estimate::of(&differences),
            }
        };
        let points = self.points.iter().zip(&other.points);
        points.map(difference).collect()
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
    fn by(iteration: u32, runs: &[&Run]) -> Self {
        let switches = runs.iter().filter_map(|run| run.switched);
        let switches: Vec<f64> = switches
            .filter(|&switched| switched <= iteration)
            .map(f64::from)
            .collect();
        Switch {
            switched: switches.len(),
            mean_switch_iteration: (!switches.is_empty()).then(|| Estimate::of(&switches).mean),
        }
    }
}
