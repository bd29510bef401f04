//! One run of one learner, scored along the way.

use super::experiment::{Arm, Experiment, Length};
use crate::games::{Mind, Series};
use crate::paper::tetris::ROWS;
use crate::training::evaluation_seed;
use ipse::tetris::Tetris10x10;

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub struct Replication {
    pub points: Vec<Point>,
    /// The iteration after which it went on from directions to weights.
    pub switch: Option<u32>,
}

/// How a run stood when it was scored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub iteration: u32,
    /// Of the generative model so far.
    pub calls: u64,
    /// The mean of all games.
    pub rows: f64,
    pub standard_error: Option<f64>,
}

impl Replication {
    /// Makes the run. `tell` hears by how much it has advanced.
    pub fn run(experiment: &Experiment, arm: &Arm, number: u64, tell: impl Fn(u64)) -> Self {
        let seed = experiment.seed(number);
        let series = Series {
            games: experiment.settings.games,
            seed: evaluation_seed(seed),
            threads: 1,
        };
        let task = Tetris10x10::new(arm.rule);
        let mut learner = (arm.begin)(seed);
        let mut points = Vec::new();
        let (mut iteration, mut position) = (0, 0);
        for mark in arm.marks() {
            while position < mark && !learner.is_over() {
                learner.step();
                iteration += 1;
                let now = match arm.length {
                    Length::Iterations(_) => iteration.into(),
                    Length::Calls(_) => learner.calls(),
                };
                tell(now - position);
                position = now;
            }
            let score = series.score(&task, Mind::Policy(&learner.policy()), &ROWS);
            points.push(Point {
                iteration,
                calls: learner.calls(),
                rows: score.mean,
                standard_error: score.standard_error,
            });
        }
        Replication {
            points,
            switch: learner.switch(),
        }
    }
}
