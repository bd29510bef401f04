//! A problem from outside, in the integers of the core.

use crate::json;
use crate::paper::tetris::{Eight, FEATURES};
use ipse::environment::{Action, Outcome};
use ipse::learner::stew::{ChoiceSets, Objective, Visit};
use serde::Deserialize;
use std::array;
use std::ops::Range;

pub const EXPECTED: &str = r#"{"directions":[8 of -1, 0, 1],"lam":0.5,"choices":[{"chosen":0,"features":[[8 numbers], …]}, …]}"#;

/// The longest line, in bytes: some thirty thousand choices in Tetris.
pub const LONGEST: usize = 1 << 24;

/// Actions are numbered in a byte.
const ACTIONS: usize = 255;
/// The smallest step of a feature is one part in so many.
const PARTS: u32 = 1024;

#[derive(Deserialize)]
struct Input {
    directions: Vec<f64>,
    lam: f64,
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    chosen: usize,
    features: Vec<Vec<f64>>,
}

pub struct Problem {
    pub objective: Objective<Eight>,
    pub sets: Sets,
}

/// Each choice set with what was chosen. An action's number is that of its row.
pub struct Sets(Vec<(Vec<Outcome<Eight>>, Action)>);

impl ChoiceSets<Eight> for Sets {
    type Label = Action;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn each(&self, range: Range<usize>, visit: &mut Visit<Eight, Action>) {
        for (outcomes, label) in &self.0[range] {
            visit(outcomes, label);
        }
    }
}

pub fn parse(line: &[u8]) -> Result<Problem, String> {
    let input: Input = json::object(line, EXPECTED)?;
    let directions = directions(&input.directions)?;
    if input.lam < 0. {
        return Err(format!("lam is {}; it must not be below zero", input.lam));
    }
    if input.choices.is_empty() {
        return Err("no choices; a fit needs at least one".into());
    }
    for (number, choice) in (1..).zip(&input.choices) {
        choice
            .check()
            .map_err(|problem| format!("choice {number}: {problem}"))?;
    }
    let parts = parts(&input.choices)?;
    let sets = Sets(input.choices.iter().map(|c| c.in_parts(&parts)).collect());
    let objective = Objective {
        units: array::from_fn(|i| directions[i] / parts[i] as f32),
        free: [false; FEATURES],
        reach: sets.reach(),
        lambda: input.lam as f32,
    };
    Ok(Problem { objective, sets })
}

fn directions(given: &[f64]) -> Result<[f32; FEATURES], String> {
    if let Some(unknown) = given.iter().find(|d| ![-1., 0., 1.].contains(*d)) {
        return Err(format!("unknown direction {unknown}; give 1, -1 or 0"));
    }
    let directions: [f64; FEATURES] = given
        .try_into()
        .map_err(|_| format!("{} directions; there are {FEATURES} features", given.len()))?;
    Ok(directions.map(|direction| direction as f32))
}

impl Choice {
    fn check(&self) -> Result<(), String> {
        let actions = self.features.len();
        if actions > ACTIONS {
            return Err(format!("{actions} actions; {ACTIONS} is the most"));
        }
        if self.chosen >= actions {
            return Err(format!(
                "row {} was chosen, but there are {actions} rows, counted from 0",
                self.chosen
            ));
        }
        for (row, features) in self.features.iter().enumerate() {
            if features.len() != FEATURES {
                let count = features.len();
                return Err(format!("row {row} has {count} features, not {FEATURES}"));
            }
        }
        Ok(())
    }

    fn in_parts(&self, parts: &[u32; FEATURES]) -> (Vec<Outcome<Eight>>, Action) {
        let outcome = |(action, features): (Action, &Vec<f64>)| Outcome {
            action,
            promise: 0,
            features: array::from_fn(|i| (features[i] * f64::from(parts[i])) as i16),
        };
        let outcomes = (0..).zip(&self.features).map(outcome).collect();
        (outcomes, self.chosen as Action)
    }
}

/// How many parts of each feature make one: the fewest of which all its values are multiples.
fn parts(choices: &[Choice]) -> Result<[u32; FEATURES], String> {
    let mut parts = [1; FEATURES];
    let whole = |value: f64, parts: u32| (value * f64::from(parts)).fract() == 0.;
    for_each(choices, |i, value| {
        while !whole(value, parts[i]) && parts[i] < PARTS {
            parts[i] *= 2;
        }
        match whole(value, parts[i]) {
            true => Ok(()),
            false => Err(format!("which is no multiple of 1/{PARTS}")),
        }
    })?;
    for_each(choices, |i, value| {
        let most = f64::from(i16::MAX) / f64::from(parts[i]);
        match value.abs() <= most {
            true => Ok(()),
            false => Err(format!(
                "beyond {most}, the most in steps of 1/{}",
                parts[i]
            )),
        }
    })?;
    Ok(parts)
}

/// Looks at every value of every feature. The message of an error says which it was.
fn for_each(
    choices: &[Choice],
    mut look: impl FnMut(usize, f64) -> Result<(), String>,
) -> Result<(), String> {
    for (number, choice) in (1..).zip(choices) {
        for (i, &value) in choice
            .features
            .iter()
            .flat_map(|row| row.iter().enumerate())
        {
            look(i, value).map_err(|problem: String| {
                let feature = i + 1;
                format!("choice {number}: feature {feature} is {value}, {problem}")
            })?;
        }
    }
    Ok(())
}

impl Sets {
    /// One more than the sum of the largest absolute values of all features.
    fn reach(&self) -> u32 {
        let mut bounds = [0; FEATURES];
        for outcome in self.0.iter().flat_map(|(outcomes, _)| outcomes) {
            for (bound, value) in bounds.iter_mut().zip(outcome.features) {
                *bound = value.unsigned_abs().max(*bound);
            }
        }
        1 + bounds.map(u32::from).iter().sum::<u32>()
    }
}
