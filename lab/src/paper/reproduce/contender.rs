//! Learners of every kind, seen as something that takes steps and has a policy.

use crate::paper::cbmpi::{self, WithEight};
use crate::paper::tetris::{Eight, FEATURES};
use crate::run::Recipe;
use crate::training::Training;
use ipse::policy::Policy;
use ipse::tetris::{Rule, Tetris10x10};

/// A learner under way.
pub enum Contender {
    /// One of the learners of the core.
    Core(Training<Tetris10x10>),
    Cbmpi {
        learner: Box<WithEight>,
        /// What its last iteration found; all zero before the first.
        weights: [f32; FEATURES],
        calls: u64,
    },
}

impl Contender {
    pub fn core(recipe: &Recipe<Tetris10x10>, rule: Rule, seed: u64) -> Self {
        Contender::Core(Training::new(recipe, Tetris10x10::new(rule), seed))
    }

    /// CBMPI with so many calls an iteration.
    pub fn cbmpi(budget: u32, seed: u64) -> Self {
        let config = cbmpi::Config {
            budget,
            ..cbmpi::Config::default()
        };
        Contender::Cbmpi {
            learner: Box::new(WithEight::new(config, Tetris10x10::default(), seed)),
            weights: [0.; FEATURES],
            calls: 0,
        }
    }

    /// Does one iteration.
    pub fn step(&mut self) {
        match self {
            Contender::Core(training) => {
                training.step();
            }
            Contender::Cbmpi {
                learner,
                weights,
                calls,
            } => {
                let iteration = learner.iterate();
                *weights = iteration.weights;
                *calls += iteration.calls;
            }
        }
    }

    /// Whether it has ended by itself.
    pub fn is_over(&self) -> bool {
        match self {
            Contender::Core(training) => training.run.is_over(),
            Contender::Cbmpi { .. } => false,
        }
    }

    /// The calls of the generative model so far.
    pub fn calls(&self) -> u64 {
        match self {
            Contender::Core(training) => training.calls(),
            Contender::Cbmpi { calls, .. } => *calls,
        }
    }

    /// What it has learned so far.
    pub fn policy(&self) -> Policy<Eight> {
        match self {
            Contender::Core(training) => training.run.policy(),
            Contender::Cbmpi { weights, .. } => {
                Policy::new::<Tetris10x10>(weights).expect("weights are finite")
            }
        }
    }

    /// The iteration after which it went on to weights.
    pub fn switch(&self) -> Option<u32> {
        match self {
            Contender::Core(training) => training.switch,
            Contender::Cbmpi { .. } => None,
        }
    }
}
