//! `ipse fit`, from outside.

mod common;

use common::{answer, golden, json_lines};
use serde_json::{Value, json};

const DIRECTIONS: [i8; 8] = [-1, -1, 1, 1, 1, 1, 1, 1];

/// Some choices between three actions that differ in the first three features. No weights explain
/// all of them.
fn problem(lam: f64, measure: impl Fn(f64) -> f64) -> Value {
    let choice = |chosen: usize, rows: [[i32; 3]; 3]| {
        let features = rows.map(|[a, b, c]| [a, b, c, 1, 0, 2, 2, 5].map(|x| measure(x.into())));
        json!({"chosen": chosen, "features": features})
    };
    json!({"directions": DIRECTIONS, "lam": lam, "choices": [
        choice(0, [[1, 2, 0], [3, 1, 1], [2, 4, 0]]),
        choice(2, [[1, 2, 0], [3, 1, 1], [2, 4, 0]]),
        choice(2, [[5, 2, 2], [3, 3, 0], [1, 1, 1]]),
        choice(1, [[0, 0, 0], [1, 2, 3], [4, 1, 1]]),
    ]})
}

fn fit(problem: &Value) -> Value {
    json_lines(&answer(&["fit"], &problem.to_string())).remove(0)
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn every_golden_problem_is_solved() {
    let problems = json_lines(&golden("stew.jsonl"));
    let answers = json_lines(&answer(&["fit"], &golden("stew.jsonl")));
    assert_eq!((problems.len(), answers.len()), (24, 24));
    for (number, (problem, answer)) in (1..).zip(problems.iter().zip(&answers)) {
        let (optimum, beta) = (numbers(&problem["beta"]), numbers(&answer["beta"]));
        let largest = optimum.iter().fold(0f64, |most, b| most.max(b.abs()));
        for (optimum, beta) in optimum.iter().zip(&beta) {
            let error = (optimum - beta).abs() / largest;
            assert!(error < 1e-3, "problem {number}: {beta} for {optimum}");
        }
        let optimum = problem["objective"].as_f64().unwrap();
        let objective = answer["objective"].as_f64().unwrap();
        let error = (objective - optimum).abs() / optimum;
        assert!(error < 1e-5, "problem {number}: {objective} for {optimum}");
        assert!(answer["steps"].as_u64().unwrap() > 0);
    }
}

#[test]
fn the_answer_does_not_depend_on_what_else_a_problem_says() {
    let mut padded = problem(0.5, |x| x);
    let plain = fit(&padded);
    padded["beta"] = json!("unknown");
    padded["objective"] = json!(null);
    assert_eq!(fit(&padded), plain);
}

#[test]
fn a_strong_penalty_makes_weights_equal_and_a_weak_one_does_not() {
    let spread = |lam| {
        let beta = numbers(&fit(&problem(lam, |x| x))["beta"]);
        (beta[0] - beta[1]).abs()
    };
    assert!(spread(1e5) < 1e-4);
    assert!(spread(0.01) > 0.1);
}

#[test]
fn smaller_features_get_larger_weights() {
    // β·φ is the same, and so is the penalty, on the square of β.
    let whole = fit(&problem(16., |x| x));
    let small = fit(&problem(1., |x| x / 4.));
    for (whole, small) in numbers(&whole["beta"]).iter().zip(numbers(&small["beta"])) {
        assert!(
            (small / 4. / whole - 1.).abs() < 1e-3,
            "{whole} and {small}"
        );
    }
}

#[test]
fn what_all_actions_have_in_common_makes_no_difference() {
    let plain = fit(&problem(1., |x| x));
    for shift in [-20., 0.25, 1. / 1024.] {
        let shifted = fit(&problem(1., |x| x + shift));
        for (plain, shifted) in numbers(&plain["beta"])
            .iter()
            .zip(numbers(&shifted["beta"]))
        {
            assert!((shifted / plain - 1.).abs() < 1e-3, "{plain} and {shifted}");
        }
    }
}

#[test]
fn a_choice_may_be_among_255_actions() {
    let rows: Vec<Value> = (0..255)
        .map(|i| json!([i % 9, i % 7, i % 5, i % 4, i % 3, i % 2, 1, i]))
        .collect();
    let problem = json!({"directions": [1, 1, 1, 1, 1, 1, 1, 1], "lam": 1,
        "choices": [{"chosen": 254, "features": rows}]});
    let answer = fit(&problem);
    let objective = answer["objective"].as_f64().unwrap();
    assert!(objective > 0. && objective < 255f64.ln());
}
