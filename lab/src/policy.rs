//! Policies by name, or from a file of weights.

use crate::error::Error;
use crate::games::Mind;
use crate::task::{Player, Setup, Task};
use crate::{input, json};
use ipse::array::Array;
use ipse::direction::equal_weights;
use ipse::environment::{Environment, PerFeature};
use ipse::policy::Policy;
use serde::Deserialize;

/// What `--help` says about `--policy`.
pub const HELP: &str = "\
A policy of the task by its name, equal, random, or a JSON file with weights

equal   the same weight for every feature, in its known direction
random  any legal action
FILE    {\"weights\":[w1, w2, …]}, one for each feature, as `train --out` writes it

`tasks` lists the policies of each task, and the features in their order. Only
the ratio of weights matters. A file that names another task or other features
is refused.";

/// The largest file of weights that is read, in bytes.
const LARGEST: usize = 1 << 20;

/// Someone who plays, and what the user calls it.
pub struct Named<'a, E: Task> {
    pub name: String,
    kind: Kind<'a, E>,
}

enum Kind<'a, E: Task> {
    /// Finite weights.
    Weights(PerFeature<E, f32>),
    Player(&'a Player<E>),
}

#[derive(Deserialize)]
struct File {
    task: Option<String>,
    features: Option<Vec<String>>,
    weights: Vec<f32>,
}

impl<'a, E: Task> Named<'a, E> {
    /// The player of that name, or in that file. Without a name, the first that the task has, or a random one.
    pub fn of(setup: &'a Setup<E>, name: Option<&str>) -> Result<Self, String> {
        let first = setup.players.first().map_or("random", |(name, _)| name);
        let name = name.unwrap_or(first);
        let known = setup.players.iter().find(|(known, _)| *known == name);
        let kind = match (name, known) {
            (_, Some((_, player))) => Kind::Player(player),
            ("random", _) => Kind::Weights(E::Features::filled(0.)),
            ("equal", _) => match &setup.directions {
                Some(directions) => Kind::Weights(equal_weights::<E::Features>(directions)),
                None => return Err(format!("the directions of {} are not known", E::NAME)),
            },
            (file, _) => Kind::Weights(read(setup, file)?),
        };
        Ok(Named {
            name: name.into(),
            kind,
        })
    }

    /// Its weights, if it has any.
    pub fn weights(&self) -> Option<Vec<f32>> {
        self.per_feature().map(|weights| weights.as_ref().to_vec())
    }

    /// The same, one for each feature.
    pub fn per_feature(&self) -> Option<PerFeature<E, f32>> {
        match &self.kind {
            Kind::Weights(weights) | Kind::Player(Player::Weights(weights)) => Some(*weights),
            Kind::Player(Player::Rule(_)) => None,
        }
    }

    /// What it plays with.
    pub fn player(&self) -> Ready<'_, E> {
        match &self.kind {
            Kind::Player(Player::Rule(rule)) => Ready::Rule(&**rule),
            Kind::Weights(weights) | Kind::Player(Player::Weights(weights)) => {
                Ready::Policy(policy::<E>(weights))
            }
        }
    }
}

/// A player that is ready to play.
pub enum Ready<'a, E: Task> {
    Policy(Policy<E::Features>),
    Rule(&'a crate::task::Rule<E>),
}

impl<E: Task> Ready<'_, E> {
    pub fn mind(&self) -> Mind<'_, E> {
        match self {
            Ready::Policy(policy) => Mind::Policy(policy),
            Ready::Rule(rule) => Mind::Rule(*rule),
        }
    }
}

/// The policy that acts on finite weights.
pub fn policy<E: Environment>(weights: &PerFeature<E, f32>) -> Policy<E::Features> {
    Policy::new::<E>(weights).expect("finite weights make a policy")
}

/// Says which option a policy was refused for.
pub fn refused(option: &str, name: Option<&str>, problem: &str) -> Error {
    match name {
        Some(name) => Error::Usage(format!(
            "invalid value '{name}' for '{option} <POLICY>': {problem}"
        )),
        None => Error::Usage(problem.into()),
    }
}

fn read<E: Task>(setup: &Setup<E>, file: &str) -> Result<PerFeature<E, f32>, String> {
    let text = input::read_file(file.as_ref(), LARGEST).map_err(|error| {
        let known: String = setup
            .players
            .iter()
            .map(|(name, _)| format!("{name}, "))
            .collect();
        format!("cannot read it as a file ({error}); give {known}equal, random or a JSON file")
    })?;
    parse::<E>(&text)
}

/// Reads the contents of a file of weights.
pub fn parse<E: Environment>(text: &[u8]) -> Result<PerFeature<E, f32>, String> {
    let length = E::Features::LEN;
    let expected = format!(r#"{{"weights":[{length} numbers]}}"#);
    let File {
        task,
        features,
        weights,
    } = json::object(text, &expected)?;
    let known = E::FEATURES;
    let names: Vec<&str> = known.as_ref().iter().map(|feature| feature.name).collect();
    if let Some(task) = task.filter(|task| task != E::NAME) {
        return Err(format!(
            "it is a policy for the task {task}, not for {}",
            E::NAME
        ));
    }
    if let Some(features) = features.filter(|features| *features != names) {
        return Err(format!(
            "its features are {}; those of {} are {}",
            features.join(", "),
            E::NAME,
            names.join(", ")
        ));
    }
    if weights.len() != length {
        return Err(format!("{} weights; expected {expected}", weights.len()));
    }
    match weights
        .iter()
        .zip(names)
        .find(|(weight, _)| !weight.is_finite())
    {
        Some((_, name)) => Err(format!("the weight of {name} is too large for 32 bits")),
        None => Ok(E::Features::from_fn(|i| weights[i])),
    }
}
