//! One run of one learner, and the scores of its policies.

use super::experiment::{Arm, Experiment, Length};
use crate::games::Series;
use crate::paper::lockstep::InLockstep;
use crate::paper::tetris::{ROWS, eight};
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
        let mut learner = (arm.begin)(seed);
        let (mut policies, mut stages) = (Vec::new(), Vec::new());
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
            policies.push(learner.policy());
            stages.push((iteration, learner.calls()));
        }
        let setup = eight(Tetris10x10::new(arm.rule)).in_lockstep();
        let scores = series.scores(&setup, &policies, &ROWS);
        let points = stages.into_iter().zip(scores);
        let points = points.map(|((iteration, calls), score)| Point {
            iteration,
            calls,
            rows: score.mean,
            standard_error: score.standard_error,
        });
        Replication {
            points: points.collect(),
            switch: learner.switch(),
        }
    }
}
