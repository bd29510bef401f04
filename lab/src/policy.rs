//! Policies by name, or from a file of weights.

use crate::feature_set::{EIGHT, FeatureSet};
use crate::json;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::{FEATURES, PLACEMENTS};
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
pub struct Weights<const P: usize = FEATURES> {
    pub name: String,
    pub values: [f32; P],
}

#[derive(Deserialize)]
struct File {
    weights: Vec<f32>,
}

impl<const P: usize> Weights<P> {
    /// The policy of that name, or in that file.
    pub fn named(name: &str, features: &FeatureSet<P>) -> Result<Self, String> {
        let published = features.published.iter().find(|(known, _)| *known == name);
        let values = match (name, published) {
            (_, Some((_, weights))) => *weights,
            ("equal", _) => features.equal(),
            ("random", _) => [0.; P],
            ("dt10", _) => return Err("it has nine weights; see compare --features nine".into()),
            (file, _) => read(file, features)?,
        };
        Ok(Weights {
            name: name.into(),
            values,
        })
    }

    /// The policy that acts on these weights in `_task`.
    pub fn policy_for<E: Environment<P, PLACEMENTS>>(&self, _task: &E) -> Policy<P> {
        Policy::new::<E, PLACEMENTS>(&self.values).expect("finite weights make a policy")
    }
}

impl FromStr for Weights {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Weights::named(name, &EIGHT)
    }
}

fn read<const P: usize>(file: &str, features: &FeatureSet<P>) -> Result<[f32; P], String> {
    let text = std::fs::read(file).map_err(|error| {
        let published: Vec<&str> = features.published.iter().map(|(name, _)| *name).collect();
        let published = published.join(", ");
        format!(
            "cannot read it as a file ({error}); give {published}, equal, random or a JSON file"
        )
    })?;
    parse(&text, features)
}

/// Reads the contents of a file of weights.
pub fn parse<const P: usize>(text: &[u8], features: &FeatureSet<P>) -> Result<[f32; P], String> {
    let expected = format!(r#"{{"weights":[{P} numbers]}}"#);
    let File { weights } = json::object(text, &expected)?;
    let weights: [f32; P] = weights
        .try_into()
        .map_err(|weights: Vec<f32>| format!("{} weights; expected {expected}", weights.len()))?;
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(i) => Err(format!(
            "the weight of {} is too large for 32 bits",
            features.names[i]
        )),
        None => Ok(weights),
    }
}
