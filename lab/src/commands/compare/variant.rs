//! What is compared: a learner with options of its own, or a policy that learns nothing.

use crate::error::Result;
use crate::learner::{Algorithm, LearnerArgs};
use crate::policy::Weights;
use clap::{Parser, ValueEnum};
use ipse::Config;
use ipse::tetris::FEATURES;
use std::str::FromStr;

/// One of those that are compared.
#[derive(Clone)]
pub struct Variant {
    /// As the user wrote it.
    pub name: String,
    pub kind: Kind,
}

#[derive(Clone)]
pub enum Kind {
    Learner(Algorithm, LearnerArgs),
    Policy(Weights),
}

/// The options of one learner.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Options {
    #[command(flatten)]
    learner: LearnerArgs,
}

impl Variant {
    pub fn of(algorithm: Algorithm, learner: &LearnerArgs) -> Self {
        Variant {
            name: algorithm.name(),
            kind: Kind::Learner(algorithm, *learner),
        }
    }

    pub fn algorithm(&self) -> Option<Algorithm> {
        match &self.kind {
            Kind::Learner(algorithm, _) => Some(*algorithm),
            Kind::Policy(_) => None,
        }
    }

    /// What a learner is to do, if it is one.
    pub fn config(&self) -> Result<Option<Config<FEATURES>>> {
        match &self.kind {
            Kind::Learner(algorithm, options) => options.config(*algorithm).map(Some),
            Kind::Policy(_) => Ok(None),
        }
    }

    /// After which of these iterations it is scored; after none but its last if it ends by itself.
    pub fn points<'a>(&self, points: &'a [u32]) -> &'a [u32] {
        match self.algorithm() {
            Some(Algorithm::IpseSurvival) | None => &[],
            Some(_) => points,
        }
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let kind = match Algorithm::from_str(first, false) {
            Ok(algorithm) => {
                let options = Options::try_parse_from(words).map_err(|error| {
                    let text = error.to_string();
                    let line = text.lines().next().unwrap_or_default();
                    line.trim_start_matches("error: ").to_owned()
                })?;
                Kind::Learner(algorithm, options.learner)
            }
            Err(_) if words.next().is_none() => Kind::Policy(
                first
                    .parse()
                    .map_err(|error| format!("neither an algorithm nor a policy: {error}"))?,
            ),
            Err(_) => return Err(format!("{first} is no algorithm; only those have options")),
        };
        Ok(Variant {
            name: text.into(),
            kind,
        })
    }
}
