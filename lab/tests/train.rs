//! `ipse train`, from outside.

mod common;

use common::{answer, json, json_lines, run, scratch};
use serde_json::{Value, json};
use std::fs;

/// Small enough to be fast without optimisation.
const SMALL: [&str; 4] = ["--rollouts 2", "--length 3", "--games 3", "--max-rows 20"];
const ALGORITHMS: [&str; 7] = [
    "lfd",
    "ipse",
    "ipse-paper",
    "m-none",
    "m-cv",
    "m-schedule",
    "m-known",
];
const NAMES: [&str; 8] = [
    "landing height",
    "eroded piece cells",
    "row transitions",
    "column transitions",
    "holes",
    "board wells",
    "hole depth",
    "rows with holes",
];

/// With small values for what `args` do not say.
fn train(args: &str) -> String {
    let said = |option: &str| args.contains(option.split(' ').next().unwrap());
    let small: Vec<&str> = SMALL.into_iter().filter(|option| !said(option)).collect();
    let args = format!("train {} {args}", small.join(" "));
    answer(&args.split_whitespace().collect::<Vec<_>>(), "")
}

fn records(args: &str) -> Vec<Value> {
    json_lines(&train(&format!("--json {args}")))
}

/// What was learned, without how it was scored.
fn learned(args: &str) -> Vec<Value> {
    records(&format!("--evaluate-every 0 {args}"))
}

#[test]
fn every_algorithm_gives_one_record_per_iteration() {
    for algorithm in ALGORITHMS {
        let records = records(&format!("--algorithm {algorithm} --iterations 12"));
        assert_eq!(records.len(), 12, "{algorithm}");
        let (mut calls, mut rows) = (0, 0);
        for (iteration, record) in (1..).zip(&records) {
            assert_eq!(record["iteration"], iteration);
            calls += record["calls"].as_u64().unwrap();
            rows += record["reward"].as_u64().unwrap();
            assert_eq!(record["total_calls"], calls);
            assert_eq!(record["total_reward"], rows);
            assert!(record["action"].as_u64().unwrap() < 34);
            assert!(record["episode_ended"].is_boolean());
            assert_eq!(record["directions"].as_array().unwrap().len(), 8);
            assert_eq!(record["weights"].as_array().unwrap().len(), 8);
            let phase = match algorithm {
                "lfd" | "ipse" | "ipse-paper" => "directions",
                _ => "weights",
            };
            assert_eq!(record["phase"], phase);
        }
        assert!(calls > 0);
    }
}

#[test]
fn the_known_directions_are_those_of_tetris() {
    let records = learned("--algorithm m-known --iterations 1");
    assert_eq!(
        records[0]["directions"],
        json!([-1, 1, -1, -1, -1, -1, -1, -1])
    );
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let run = |seed: u32| records(&format!("--iterations 15 --lfd-cap 5 --seed {seed}"));
    assert_eq!(run(4), run(4));
    assert_ne!(run(4), run(5));
}

#[test]
fn directions_that_are_all_decided_end_nothing() {
    let records = learned("--algorithm lfd --alpha 0.9 --iterations 60");
    let is_complete = |record: &Value| {
        let mut directions = record["directions"].as_array().unwrap().iter();
        directions.all(|direction| *direction != 0)
    };
    assert!(is_complete(&records[49]), "they were meant to be decided");
    assert_eq!(records.len(), 60);
}

#[test]
fn with_the_defaults_of_the_library_undecided_features_are_free_after_fifty_iterations() {
    let phases = |records: &[Value], range: std::ops::Range<usize>| -> Vec<Value> {
        let records = records[range].iter();
        records.map(|record| record["phase"].clone()).collect()
    };
    let undecided_but_weighed = |records: &[Value]| {
        let last = records.last().unwrap();
        let directions = last["directions"].as_array().unwrap().iter();
        let mut pairs = directions.zip(last["weights"].as_array().unwrap());
        pairs.any(|(direction, weight)| *direction == 0 && weight.as_f64() != Some(0.))
    };
    let default = learned("--algorithm ipse --iterations 54");
    assert_eq!(phases(&default, 49..51), ["directions", "weights"]);
    assert!(undecided_but_weighed(&default));
    let paper = learned("--algorithm ipse-paper --lfd-cap 50 --iterations 54");
    assert_eq!(phases(&paper, 49..51), ["directions", "weights"]);
    assert!(!undecided_but_weighed(&paper));
    let earlier = learned("--algorithm ipse --lfd-cap 7 --iterations 9");
    assert_eq!(phases(&earlier, 6..8), ["directions", "weights"]);
}

#[test]
fn scoring_is_done_where_it_was_asked_for_and_changes_nothing() {
    let args = "--algorithm m-known --iterations 10";
    let mut scored = records(&format!("{args} --evaluate-every 4"));
    for record in &mut scored {
        let record = record.as_object_mut().unwrap();
        let is_point = [4, 8, 10].contains(&record["iteration"].as_u64().unwrap());
        assert_eq!(record.remove("mean").is_some(), is_point);
        assert_eq!(record.remove("standard_error").is_some(), is_point);
    }
    assert_eq!(scored, learned(args));
}

#[test]
fn a_tenth_of_the_iterations_lies_between_scores_unless_told() {
    let points = records("--algorithm m-known --iterations 25")
        .into_iter()
        .filter(|record| record.get("mean").is_some());
    let points: Vec<_> = points.map(|record| record["iteration"].clone()).collect();
    assert_eq!(points, [3, 6, 9, 12, 15, 18, 21, 24, 25]);
}

#[test]
fn the_scores_are_those_of_the_written_weights_on_the_games_that_help_tells() {
    for height in [10, 20] {
        let file = scratch(&format!("scored-{height}.json"));
        let args = format!("--algorithm lfd --alpha 0.4 --iterations 12 --height {height}");
        let last = records(&format!("{args} --seed 6 --out {file}"))
            .pop()
            .unwrap();
        let seed = 6 + (1u64 << 63);
        let games = format!("--seed {seed} --games 3 --max-rows 20 --height {height}");
        let play = format!("play --json --policy {file} {games}");
        let played = json(&answer(&play.split(' ').collect::<Vec<_>>(), ""));
        assert_eq!(played["mean"], last["mean"]);
        assert_eq!(played["standard_error"], last["standard_error"]);
        assert!(last["mean"].as_f64().unwrap() > 0.);
    }
}

#[test]
fn the_file_holds_the_last_weights_and_how_they_came_about() {
    let file = scratch("written.json");
    fs::write(&file, "something else").unwrap();
    let args = format!("--iterations 9 --seed 2 --lfd-cap 3 --alpha 0.2 --out {file}");
    let last = records(&args).pop().unwrap();
    let written = json(&fs::read_to_string(&file).unwrap());
    for field in ["weights", "directions", "mean", "standard_error"] {
        assert_eq!(written[field], last[field], "{field}");
    }
    assert_eq!(written["calls"], last["total_calls"]);
    assert_eq!(
        (&written["algorithm"], &written["seed"]),
        (&json!("ipse-paper"), &json!(2))
    );
    assert_eq!(written["iterations"], 9);
    assert_eq!(written["learner"]["lfd_cap"], 3);
    assert_eq!(written["learner"]["rollouts"], 2);
    let folder = fs::read_dir(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!names.any(|name| name.contains("written.json.")));
}

#[test]
fn every_option_of_a_learner_makes_a_difference() {
    let lfd = "--algorithm lfd --iterations 16 --seed 3";
    // Long enough for a piece to stick out above the board.
    let long = "--algorithm lfd --iterations 60 --seed 3";
    let ipse = "--algorithm ipse-paper --iterations 24 --seed 3";
    let capped = "--algorithm ipse-paper --iterations 24 --seed 3 --lfd-cap 8 --alpha 0.4";
    let known = "--algorithm m-known --iterations 16 --seed 3";
    for (usual, option) in [
        (lfd, "--rollouts 3"),
        (lfd, "--length 4"),
        (known, "--discount 0"),
        (lfd, "--common-random-numbers"),
        (known, "--dominance-filter"),
        (lfd, "--alpha 0.5"),
        (ipse, "--lfd-cap 8"),
        (known, "--schedule-start 0.1"),
        (known, "--schedule-exponent 3"),
        (known, "--scaling total"),
        (capped, "--reuse-choices"),
        (known, "--average"),
        (known, "--soft-labels 0.3"),
        (long, "--rule before"),
        (lfd, "--height 20"),
    ] {
        let changed = learned(&format!("{usual} {option}"));
        assert!(changed != learned(usual), "{option}");
    }
}

#[test]
fn the_text_is_a_curve_and_a_table_of_weights() {
    let args = "--algorithm ipse --lfd-cap 6 --iterations 12 --evaluate-every 3";
    let text = train(args);
    assert!(!text.contains('\x1b'));
    let (curve, table) = text.split_once("The weights").unwrap();
    let rows: Vec<&str> = curve.lines().filter(|line| line.contains('±')).collect();
    let scored = records(args)
        .into_iter()
        .filter(|r| r.get("mean").is_some());
    for (row, record) in rows.iter().zip(scored) {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words[0], record["iteration"].to_string());
        assert_eq!(words[1], record["phase"]);
        let mean = record["mean"].as_f64().unwrap();
        let places = if mean < 10. { 2 } else { 1 };
        assert!(row.contains(&format!(" {mean:.places$} ± ")), "{row}");
    }
    assert_eq!(rows.len(), 4);
    for name in NAMES {
        assert_eq!(table.matches(&format!("\n  {name}  ")).count(), 1, "{name}");
    }
    assert!(table.contains(" 1.00  ") || table.contains("−1.00  "));
}

#[test]
fn the_votes_on_directions_are_told_where_there_are_any() {
    let table = |algorithm| train(&format!("--algorithm {algorithm} --iterations 6"));
    let votes = table("lfd");
    assert!(votes.contains("Votes are pro:con") && votes.contains("undecided"));
    assert!(!table("m-none").contains("Votes"));
}

#[test]
fn help_names_every_option() {
    let help = run(&["train", "--help"], "").out;
    for option in [
        "algorithm",
        "iterations",
        "seed",
        "evaluate-every",
        "games",
        "out",
        "checkpoint",
        "checkpoint-every",
        "json",
        "rollouts",
        "length",
        "discount",
        "common-random-numbers",
        "alpha",
        "lfd-cap",
        "schedule-start",
        "schedule-exponent",
        "scaling",
        "reuse-choices",
        "average",
        "soft-labels",
        "dominance-filter",
        "rule",
        "height",
        "max-rows",
        "threads",
    ] {
        assert!(help.contains(&format!("--{option}")), "{option}");
    }
}

#[test]
fn the_votes_at_a_decision_are_told_beside_those_of_now() {
    // The first run of a new user: a direction that was decided on votes that have changed since.
    let text = train(
        "--algorithm ipse-paper --rollouts 10 --length 10 --iterations 80 --evaluate-every 0",
    );
    let row = text
        .lines()
        .find(|line| line.contains("eroded piece cells"))
        .unwrap();
    let votes: Vec<Vec<u32>> = row
        .split_whitespace()
        .filter_map(|word| word.split(':').map(|n| n.parse().ok()).collect())
        .filter(|votes: &Vec<u32>| votes.len() == 2)
        .collect();
    let [then, now] = &votes[..] else {
        panic!("{row}");
    };
    assert!(row.contains("con "), "{row}");
    // At α = 0.05 a decision needs six votes to none, or seven to one in eight, and so on.
    assert!(
        then[1] > 3 * then[0] && then[0] + then[1] < now[0] + now[1],
        "{row}"
    );
    assert!(now[1] < 2 * now[0], "{row}");
    let (_, table) = text.split_once("The weights").unwrap();
    assert!(
        table.lines().all(|line| line.chars().count() <= 80),
        "{table}"
    );
}
