//! Learners of every kind, seen as something that takes steps and has a policy.

use crate::cbmpi::{self, Cbmpi};
use crate::training::{Checked, Training};
use ipse::Phase;
use ipse::policy::Policy;
use ipse::tetris::{FEATURES, Rule, Tetris10x10};

/// A learner under way.
pub enum Contender {
    /// One of the learners of the core.
    Core {
        training: Box<Training<Tetris10x10>>,
        /// The last iteration that was spent on directions, if weights were next.
        switch: Option<u32>,
    },
    Cbmpi {
        learner: Box<Cbmpi>,
        /// What its last iteration found; all zero before the first.
        weights: [f32; FEATURES],
        calls: u64,
    },
}

impl Contender {
    pub fn core(config: Checked<FEATURES>, rule: Rule, seed: u64) -> Self {
        let training = Training::new(Tetris10x10::new(rule), config, seed);
        Contender::Core {
            training: Box::new(training),
            switch: None,
        }
    }

    /// CBMPI with so many calls an iteration.
    pub fn cbmpi(budget: u32, seed: u64) -> Self {
        let config = cbmpi::Config {
            budget,
            ..cbmpi::Config::default()
        };
        Contender::Cbmpi {
            learner: Box::new(Cbmpi::new(config, seed)),
            weights: [0.; FEATURES],
            calls: 0,
        }
    }

    /// Does one iteration.
    pub fn step(&mut self) {
        match self {
            Contender::Core { training, switch } => {
                let step = training.step();
                let is_over = training.agent.phase() != Phase::Directions;
                if step.phase == Phase::Directions && is_over {
                    *switch = Some(step.iteration);
                }
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

    /// Whether it does not learn any more.
    pub fn is_finished(&self) -> bool {
        match self {
            Contender::Core { training, .. } => training.agent.is_finished(),
            Contender::Cbmpi { .. } => false,
        }
    }

    /// The calls of the generative model so far.
    pub fn calls(&self) -> u64 {
        match self {
            Contender::Core { training, .. } => training.calls,
            Contender::Cbmpi { calls, .. } => *calls,
        }
    }

    /// What it has learned so far.
    pub fn policy(&self) -> Policy<FEATURES> {
        match self {
            Contender::Core { training, .. } => training.agent.policy(),
            Contender::Cbmpi { weights, .. } => {
                Policy::new::<Tetris10x10, _>(weights).expect("weights are finite")
            }
        }
    }

    /// The iteration after which it went on to weights.
    pub fn switch(&self) -> Option<u32> {
        match self {
            Contender::Core { switch, .. } => *switch,
            Contender::Cbmpi { .. } => None,
        }
    }
}
