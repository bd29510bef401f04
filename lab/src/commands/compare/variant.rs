//! What is compared: a learner with options of its own, or a policy that learns nothing.

use crate::error::{Error, Result};
use crate::learner::{Algorithm, Extent, LearnerArgs, Preset};
use crate::policy::Named;
use crate::run::Recipe;
use crate::task::{Setup, Task};
use clap::{Parser, ValueEnum};

/// One of those that are compared.
pub struct Variant<'a, E: Task> {
    /// As the user wrote it.
    pub name: String,
    pub kind: Kind<'a, E>,
}

pub enum Kind<'a, E: Task> {
    Learner(Learner<E>),
    Policy(Named<'a, E>),
}

pub struct Learner<E: Task> {
    pub algorithm: Algorithm,
    pub options: LearnerArgs,
    pub extent: Extent,
    pub recipe: Recipe<E>,
}

/// The options of one learner.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Options {
    #[command(flatten)]
    learner: LearnerArgs,
}

impl<'a, E: Task> Variant<'a, E> {
    /// An algorithm, for at most so many iterations unless its calls end it.
    pub fn of(
        setup: &'a Setup<E>,
        algorithm: Algorithm,
        options: &LearnerArgs,
        iterations: u32,
    ) -> Result<Self> {
        Ok(Variant {
            name: algorithm.name(),
            kind: Kind::learner(setup, algorithm, *options, iterations)?,
        })
    }

    /// A learner with its presets, and with these options as far as they are its own.
    pub fn by(
        setup: &'a Setup<E>,
        preset: Preset,
        options: &LearnerArgs,
        iterations: u32,
    ) -> Result<Self> {
        let mut options = match preset {
            Preset::Ipse | Preset::Paper => options.without_search(),
            Preset::Survival | Preset::Returns => *options,
        };
        let algorithm = options.algorithm(preset);
        Ok(Variant {
            name: preset.command().into(),
            kind: Kind::learner(setup, algorithm, options, iterations)?,
        })
    }

    pub fn learner(&self) -> Option<&Learner<E>> {
        match &self.kind {
            Kind::Learner(learner) => Some(learner),
            Kind::Policy(_) => None,
        }
    }

    /// What the user wrote.
    pub fn parse(setup: &'a Setup<E>, text: &str, iterations: u32) -> Result<Self> {
        let kind = Kind::parse(setup, text, iterations)
            .map_err(|error| Error::Usage(format!("--variant '{text}': {error}")))?;
        Ok(Variant {
            name: text.into(),
            kind,
        })
    }
}

impl<E: Task> Learner<E> {
    /// After which of these iterations it is scored; after none but its last if its calls end it.
    pub fn points<'p>(&self, points: &'p [u32]) -> &'p [u32] {
        match self.extent.calls {
            Some(_) => &[],
            None => points,
        }
    }

    /// Whether it finds out about directions.
    pub fn learns_directions(&self) -> bool {
        self.options.learns_directions(self.algorithm)
    }
}

impl<'a, E: Task> Kind<'a, E> {
    fn learner(
        setup: &Setup<E>,
        algorithm: Algorithm,
        options: LearnerArgs,
        iterations: u32,
    ) -> Result<Self> {
        let extent = options.extent(algorithm, None);
        let iterations = extent.calls.map_or(iterations, |_| u32::MAX);
        Ok(Kind::Learner(Learner {
            algorithm,
            options,
            extent: Extent {
                iterations,
                ..extent
            },
            recipe: options.recipe(algorithm, setup)?,
        }))
    }

    fn parse(setup: &'a Setup<E>, text: &str, iterations: u32) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        match Algorithm::from_str(first, false) {
            Ok(algorithm) => {
                let options = Options::try_parse_from(words).map_err(|error| {
                    let text = error.to_string();
                    let line = text.lines().next().unwrap_or_default();
                    line.trim_start_matches("error: ").to_owned()
                })?;
                Kind::learner(setup, algorithm, options.learner, iterations)
                    .and_then(|kind| {
                        options.learner.check_effects(&[algorithm])?;
                        Ok(kind)
                    })
                    .map_err(|error| error.to_string())
            }
            Err(_) if words.next().is_none() => Named::of(setup, Some(first))
                .map(Kind::Policy)
                .map_err(|error| format!("neither an algorithm nor a policy: {error}")),
            Err(_) => Err(format!("{first} is no algorithm; only those have options")),
        }
    }
}
