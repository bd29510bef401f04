//! Policies by name, or from a file of weights.

use crate::json;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::{BCTS, FEATURE_NAMES, FEATURES, PLACEMENTS};
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

const EQUAL: [f32; FEATURES] = [-1., 1., -1., -1., -1., -1., -1., -1.];
const EXPECTED: &str = r#"{"weights":[8 numbers]}"#;

/// Eight finite weights, and what the user calls them.
#[derive(Clone, Debug)]
pub struct Weights {
    pub name: String,
    pub values: [f32; FEATURES],
}

#[derive(Deserialize)]
struct File {
    weights: Vec<f32>,
}

impl Weights {
    /// The policy that acts on these weights in `_task`.
    pub fn policy_for<E: Environment<FEATURES, PLACEMENTS>>(&self, _task: &E) -> Policy<FEATURES> {
        Policy::new::<E, PLACEMENTS>(&self.values).expect("finite weights make a policy")
    }
}

impl FromStr for Weights {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let values = match name {
            "bcts" => BCTS,
            "equal" => EQUAL,
            "random" => [0.; FEATURES],
            file => read(file)?,
        };
        Ok(Weights {
            name: name.into(),
            values,
        })
    }
}

fn read(file: &str) -> Result<[f32; FEATURES], String> {
    let text = std::fs::read(file).map_err(|error| {
        format!("cannot read it as a file ({error}); give bcts, equal, random or a JSON file")
    })?;
    parse(&text)
}

/// Reads the contents of a file of weights.
pub fn parse(text: &[u8]) -> Result<[f32; FEATURES], String> {
    let File { weights } = json::object(text, EXPECTED)?;
    let weights: [f32; FEATURES] = weights
        .try_into()
        .map_err(|weights: Vec<f32>| format!("{} weights; expected {EXPECTED}", weights.len()))?;
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(i) => Err(format!(
            "the weight of {} is too large for 32 bits",
            FEATURE_NAMES[i]
        )),
        None => Ok(weights),
    }
}
