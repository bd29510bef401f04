//! Twenty-four problems that an independent optimiser has solved.

use super::{Problem, largest};
use ipse::learner::stew::{Fit, Objective};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use serde_json::Value;

const FEATURES: usize = <Tetris10x10 as Environment>::Features::LEN;

struct Golden {
    problem: Problem<FEATURES>,
    beta: [f64; FEATURES],
    objective: f64,
}

fn problems() -> Vec<Golden> {
    include_str!("../../../golden/stew.jsonl")
        .lines()
        .map(golden)
        .collect()
}

fn golden(line: &str) -> Golden {
    let json: Value = serde_json::from_str(line).unwrap();
    let numbers =
        |value: &Value| -> [f64; FEATURES] { serde_json::from_value(value.clone()).unwrap() };
    let directions = numbers(&json["directions"]);
    let units = Tetris10x10::FEATURES.map(|feature| feature.unit);
    let bounds = Tetris10x10::FEATURES.map(|feature| feature.bound.unsigned_abs());
    let outcome = |(action, row): (usize, &Value)| {
        let features = numbers(row);
        Outcome {
            action: action as u8,
            promise: 0,
            features: std::array::from_fn(|i| (features[i] / f64::from(units[i])) as i16),
        }
    };
    let sets = json["choices"].as_array().unwrap().iter().map(|choice| {
        let rows = choice["features"].as_array().unwrap();
        let chosen = choice["chosen"].as_u64().unwrap();
        (rows.iter().enumerate().map(outcome).collect(), chosen as u8)
    });
    Golden {
        problem: Problem {
            objective: Objective {
                units: std::array::from_fn(|i| directions[i] as f32 * units[i]),
                free: [false; FEATURES],
                reach: 1 + bounds.map(u32::from).iter().sum::<u32>(),
                lambda: json["lam"].as_f64().unwrap() as f32,
            },
            sets: sets.collect(),
        },
        beta: numbers(&json["beta"]),
        objective: json["objective"].as_f64().unwrap(),
    }
}

const STARTS: [[f32; FEATURES]; 5] = [
    [0.; FEATURES],
    [1.; FEATURES],
    [-1.; FEATURES],
    [5., -5., 5., -5., 5., -5., 5., -5.],
    [100., 0., 0., 0., -30., 0., 0., 10.],
];

#[test]
fn the_golden_problems_are_all_there() {
    assert_eq!(problems().len(), 24);
}

#[test]
fn wherever_a_fit_starts_it_ends_at_the_golden_weights() {
    for (number, golden) in (1..).zip(problems()) {
        // The independent optimiser had no ridge.
        let mut reference = golden.problem.reference();
        reference.ridge = 0.;
        for start in STARTS {
            let fit = golden.problem.fit(start);
            let beta = fit.beta().map(f64::from);
            let off: [f64; FEATURES] = std::array::from_fn(|i| beta[i] - golden.beta[i]);
            let error = largest(&off) / largest(&golden.beta);
            assert!(
                error < 1e-3,
                "problem {number} from {start:?}: weights are off by {error:e}"
            );
            let error = (reference.value(&beta) / golden.objective - 1.).abs();
            assert!(
                error < 1e-5,
                "problem {number} from {start:?}: the objective is off by {error:e}"
            );
        }
    }
}

#[test]
fn a_fit_knows_its_objective() {
    for (number, golden) in (1..).zip(problems()) {
        let fit = golden.problem.fit([0.; FEATURES]);
        let value = golden.problem.reference().value(&fit.beta().map(f64::from));
        let error = (f64::from(fit.value()) / value - 1.).abs();
        assert!(error < 1e-5, "problem {number} is off by {error:e}");
    }
}

#[test]
fn a_fit_in_slices_is_the_same_to_the_bit() {
    for Golden { problem, .. } in problems() {
        let whole = problem.fit(STARTS[3]);
        for count in [1, 2, 7, 1000] {
            let mut sliced = Fit::new(&STARTS[3]);
            while !sliced.slice(&problem.objective, &problem, count) {}
            assert_eq!(sliced, whole, "in slices of {count}");
        }
    }
}
