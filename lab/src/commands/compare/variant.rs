//! What is compared: a learner with options of its own, or a policy that learns nothing.

use crate::error::{Error, Result};
use crate::feature_set::FeatureSet;
use crate::learner::{Algorithm, LearnerArgs};
use crate::policy::Weights;
use crate::training::Checked;
use clap::{Parser, ValueEnum};
use ipse::direction::Direction;

/// One of those that are compared.
pub struct Variant<const P: usize> {
    /// As the user wrote it.
    pub name: String,
    pub kind: Kind<P>,
}

pub enum Kind<const P: usize> {
    Learner(Algorithm, LearnerArgs),
    Policy(Weights<P>),
}

/// The options of one learner.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Options {
    #[command(flatten)]
    learner: LearnerArgs,
}

impl<const P: usize> Variant<P> {
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
    pub fn config(&self, known: [Direction; P]) -> Result<Option<Checked<P>>> {
        match &self.kind {
            Kind::Learner(algorithm, options) => options.config(*algorithm, known).map(Some),
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

    /// What the user wrote.
    pub fn parse(text: &str, features: &FeatureSet<P>) -> Result<Self> {
        Self::understand(text, features)
            .map_err(|error| Error::Option(format!("--variant '{text}': {error}")))
    }

    fn understand(text: &str, features: &FeatureSet<P>) -> Result<Self, String> {
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
                Weights::named(first, features)
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
