//! A run as JSON: what happened in each iteration, and what came of it.

use super::Job;
use crate::learner::{Algorithm, LearnerArgs};
use crate::summary::Estimate;
use crate::task::Task;
use crate::training::{Training, phase_name};
use ipse::Step;
use ipse::direction::Direction;
use ipse::environment::Action;
use serde::Serialize;
use serde_json::{Map, Value};

/// A line of `--json`.
#[derive(Serialize)]
pub struct Record {
    iteration: u32,
    phase: &'static str,
    action: Option<Action>,
    reward: i32,
    episode_ended: bool,
    calls: u32,
    total_calls: u64,
    total_reward: i64,
    directions: Vec<i8>,
    weights: Vec<f32>,
    #[serde(flatten)]
    score: Option<Estimate>,
}

impl Record {
    /// After `step`, the latest of `training`.
    pub fn new<E: Task>(
        training: &Training<E>,
        step: &Step<E::Features>,
        score: Option<Estimate>,
    ) -> Self {
        Record {
            iteration: step.iteration,
            phase: phase_name(step.phase),
            action: step.action,
            reward: step.reward,
            episode_ended: step.episode_ended,
            calls: step.calls,
            total_calls: training.calls(),
            total_reward: training.reward(),
            directions: signs(step.directions.as_ref()),
            weights: step.weights.as_ref().to_vec(),
            score,
        }
    }

    pub fn line(&self) -> String {
        line(self)
    }
}

/// What `--out` writes.
#[derive(Serialize)]
pub struct File<'a> {
    task: &'static str,
    features: Vec<&'static str>,
    weights: Vec<f32>,
    directions: Vec<i8>,
    algorithm: Algorithm,
    seed: u64,
    iterations: u32,
    learner: &'a LearnerArgs,
    #[serde(flatten)]
    facts: &'a Map<String, Value>,
    calls: u64,
    fingerprint: String,
    games: Option<u64>,
    unit: &'a str,
    #[serde(flatten)]
    score: Option<Estimate>,
}

impl<'a> File<'a> {
    pub fn new<E: Task>(job: &'a Job<E>, training: &Training<E>, score: Option<Estimate>) -> Self {
        File {
            task: E::NAME,
            features: job.setup.feature_names(),
            weights: training.run.weights().as_ref().to_vec(),
            directions: signs(training.run.directions().as_ref()),
            algorithm: job.algorithm,
            seed: job.args.seed,
            iterations: training.run.progress().iterations,
            learner: &job.learner,
            facts: &job.setup.facts,
            calls: training.calls(),
            fingerprint: training.fingerprint().to_string(),
            games: score.map(|_| job.args.series.games),
            unit: job.setup.measure.unit,
            score,
        }
    }

    pub fn line(&self) -> String {
        line(self)
    }
}

fn signs(directions: &[Direction]) -> Vec<i8> {
    directions
        .iter()
        .map(|direction| direction.sign())
        .collect()
}

fn line(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("a record is JSON") + "\n"
}
