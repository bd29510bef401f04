//! `ipse cbmpi`, from outside.

mod common;

use common::{answer, run};

const SMALL: &str = "cbmpi --budget 2000 --pool 500 --generations 2 --games 2 --max-rows 20";

fn text(args: &str) -> String {
    let args = format!("{SMALL} {args}");
    answer(&args.split_whitespace().collect::<Vec<_>>(), "")
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let args = "--seeds 3 --iterations 3 --evaluate-every 2";
    let one = text(&format!("{args} --threads 1"));
    assert_eq!(one, text(&format!("{args} --threads 3")));
}

#[test]
fn every_kth_iteration_and_the_last_are_scored() {
    let table = text("--seeds 2 --iterations 5 --evaluate-every 2");
    let rows = table.lines().skip(3);
    let iterations: Vec<_> = rows
        .filter_map(|row| row.split_whitespace().next())
        .collect();
    assert_eq!(iterations, ["2", "4", "5"]);
}

#[test]
fn a_run_can_be_made_again_alone() {
    // The lowest of a single run is its score.
    let scores = |args: &str| -> Vec<String> {
        let table = text(&format!("{args} --iterations 2 --evaluate-every 2"));
        let row = table.lines().last().unwrap();
        row.split_whitespace()
            .rev()
            .take(2)
            .map(String::from)
            .collect()
    };
    let alone: Vec<f64> = ["5", "6"]
        .map(|seed| {
            scores(&format!("--seeds 1 --first-seed {seed}"))[0]
                .parse()
                .unwrap()
        })
        .to_vec();
    let [highest, lowest] = &scores("--seeds 2 --first-seed 5")[..] else {
        panic!("two columns");
    };
    assert_eq!(highest.parse::<f64>().unwrap(), alone[0].max(alone[1]));
    assert_eq!(lowest.parse::<f64>().unwrap(), alone[0].min(alone[1]));
}

#[test]
fn what_cannot_be_is_refused_in_a_line() {
    for option in [
        "budget",
        "rollouts",
        "length",
        "pool",
        "generations",
        "seeds",
    ] {
        let ran = run(&["cbmpi", &format!("--{option}"), "0"], "");
        assert!(!ran.ok && ran.out.is_empty());
        assert!(ran.err.contains("from 1 to"), "{}", ran.err);
    }
}
