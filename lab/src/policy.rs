//! Policies by name, or from a file of weights.

use crate::json;
use crate::task::{Eight, Task};
use ipse::array::Array;
use ipse::direction::equal_weights;
use ipse::environment::{Environment, PerFeature};
use ipse::policy::Policy;
use ipse::tetris::Tetris10x10;
use serde::Deserialize;
use std::str::FromStr;

/// What `--help` says about `--policy`.
pub const HELP: &str = "\
bcts, equal, random, or a JSON file with eight weights

bcts    the BCTS controller of Thiery and Scherrer
equal   the same weight for every feature, in its known direction
random  any legal placement
FILE    {\"weights\":[w1, w2, w3, w4, w5, w6, w7, w8]}

The weights are those of landing height, eroded piece cells, row
transitions, column transitions, holes, board wells, hole depth and
rows with holes. Only their ratio matters. Other fields are ignored.";

/// Finite weights, and what the user calls them.
#[derive(Clone, Debug)]
pub struct Weights<F: Array = Eight> {
    pub name: String,
    pub values: F::Of<f32>,
}

#[derive(Deserialize)]
struct File {
    weights: Vec<f32>,
}

impl<F: Array<Item = i16>> Weights<F> {
    /// The policy of that name, or in that file.
    pub fn named<E: Task<Features = F>>(name: &str) -> Result<Self, String> {
        let published = E::PUBLISHED.iter().find(|(known, _)| *known == name);
        let values = match (name, published) {
            (_, Some((_, weights))) => *weights,
            ("equal", _) => equal_weights::<F>(&E::DIRECTIONS),
            ("random", _) => F::filled(0.),
            ("dt10", _) => return Err("it has nine weights; see compare --features nine".into()),
            (file, _) => read::<E>(file)?,
        };
        Ok(Weights {
            name: name.into(),
            values,
        })
    }

    /// The policy that acts on these weights in `_task`.
    pub fn policy_for<E: Environment<Features = F>>(&self, _task: &E) -> Policy<F> {
        Policy::new::<E>(&self.values).expect("finite weights make a policy")
    }
}

impl FromStr for Weights {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Weights::named::<Tetris10x10>(name)
    }
}

fn read<E: Task>(file: &str) -> Result<PerFeature<E, f32>, String> {
    let text = std::fs::read(file).map_err(|error| {
        let published: Vec<&str> = E::PUBLISHED.iter().map(|(name, _)| *name).collect();
        let published = published.join(", ");
        format!(
            "cannot read it as a file ({error}); give {published}, equal, random or a JSON file"
        )
    })?;
    parse::<E>(&text)
}

/// Reads the contents of a file of weights.
pub fn parse<E: Environment>(text: &[u8]) -> Result<PerFeature<E, f32>, String> {
    let length = E::Features::LEN;
    let expected = format!(r#"{{"weights":[{length} numbers]}}"#);
    let File { weights } = json::object(text, &expected)?;
    if weights.len() != length {
        return Err(format!("{} weights; expected {expected}", weights.len()));
    }
    let features = E::FEATURES;
    let mut named = weights.iter().zip(features.as_ref());
    match named.find(|(weight, _)| !weight.is_finite()) {
        Some((_, feature)) => Err(format!(
            "the weight of {} is too large for 32 bits",
            feature.name
        )),
        None => Ok(E::Features::from_fn(|i| weights[i])),
    }
}
