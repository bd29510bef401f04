//! What is compared: a learner with options of its own, or a policy that learns nothing.

use crate::error::{Error, Result};
use crate::learner::{Algorithm, LearnerArgs};
use crate::policy::Weights;
use crate::run::Recipe;
use crate::task::Task;
use clap::{Parser, ValueEnum};

/// One of those that are compared.
pub struct Variant<E: Task> {
    /// As the user wrote it.
    pub name: String,
    pub kind: Kind<E>,
}

pub enum Kind<E: Task> {
    Learner {
        algorithm: Algorithm,
        options: LearnerArgs,
        recipe: Recipe<E>,
    },
    Policy(Weights<E::Features>),
}

/// The options of one learner.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Options {
    #[command(flatten)]
    learner: LearnerArgs,
}

impl<E: Task> Variant<E> {
    pub fn of(algorithm: Algorithm, options: &LearnerArgs) -> Result<Self> {
        Ok(Variant {
            name: algorithm.name(),
            kind: Kind::learner(algorithm, *options)?,
        })
    }

    pub fn algorithm(&self) -> Option<Algorithm> {
        match &self.kind {
            Kind::Learner { algorithm, .. } => Some(*algorithm),
            Kind::Policy(_) => None,
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
    pub fn parse(text: &str) -> Result<Self> {
        let kind = Kind::parse(text)
            .map_err(|error| Error::Option(format!("--variant '{text}': {error}")))?;
        Ok(Variant {
            name: text.into(),
            kind,
        })
    }
}

impl<E: Task> Kind<E> {
    fn learner(algorithm: Algorithm, options: LearnerArgs) -> Result<Self> {
        Ok(Kind::Learner {
            algorithm,
            options,
            recipe: options.recipe(algorithm)?,
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        match Algorithm::from_str(first, false) {
            Ok(algorithm) => {
                let options = Options::try_parse_from(words).map_err(|error| {
                    let text = error.to_string();
                    let line = text.lines().next().unwrap_or_default();
                    line.trim_start_matches("error: ").to_owned()
                })?;
                Kind::learner(algorithm, options.learner).map_err(|error| error.to_string())
            }
            Err(_) if words.next().is_none() => Weights::named::<E>(first)
                .map(Kind::Policy)
                .map_err(|error| format!("neither an algorithm nor a policy: {error}")),
            Err(_) => Err(format!("{first} is no algorithm; only those have options")),
        }
    }
}
