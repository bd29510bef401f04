//! Learners of every kind, seen as something that takes steps and has a policy.

use crate::training::Training;
use ipse::policy::Policy;
use ipse::tetris::{FEATURES, Rule, Tetris10x10};
use ipse::{Config, Phase};

/// A learner under way.
pub enum Contender {
    /// One of the learners of the core.
    Core {
        training: Box<Training<Tetris10x10>>,
        /// The last iteration that was spent on directions, if weights were next.
        switch: Option<u32>,
    },
}

impl Contender {
    pub fn core(config: Config<FEATURES>, rule: Rule, seed: u64) -> Self {
        let training = Training::new(Tetris10x10::new(rule), config, seed);
        Contender::Core {
            training: Box::new(training.expect("the configuration was checked")),
            switch: None,
        }
    }

    /// Does one iteration.
    pub fn step(&mut self) {
        match self {
            Contender::Core { training, switch } => {
                let step = training.step();
                let is_over = training.agent.phase() == Phase::Weights;
                if step.phase == Phase::Directions && is_over {
                    *switch = Some(step.iteration);
                }
            }
        }
    }

    /// The calls of the generative model so far.
    pub fn calls(&self) -> u64 {
        match self {
            Contender::Core { training, .. } => training.calls,
        }
    }

    /// What it has learned so far.
    pub fn policy(&self) -> Policy<FEATURES> {
        match self {
            Contender::Core { training, .. } => training.agent.policy(),
        }
    }

    /// The iteration after which it went on to weights.
    pub fn switch(&self) -> Option<u32> {
        match self {
            Contender::Core { switch, .. } => *switch,
        }
    }
}
