//! Tasks other than the paper's, from outside: each command works for all of them.

mod common;

use common::{Ran, answer, json, json_lines, run, scratch, weights_file};
use serde_json::Value;
use std::fs;

const TASKS: [&str; 5] = [
    "tetris",
    "foraging",
    "sensor-node",
    "cart-pole",
    "intersection",
];

fn words(args: &str) -> Vec<&str> {
    args.split_whitespace().collect()
}

fn ran(args: &str) -> Ran {
    run(&words(args), "")
}

/// Fails in one line with these words.
fn refuse(args: &[&str], parts: &[&str]) {
    let ran = run(args, "");
    assert!(!ran.ok, "{args:?} was taken");
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    for part in parts {
        assert!(ran.err.contains(part), "no {part:?} in: {}", ran.err);
    }
}

#[test]
fn all_tasks_are_listed_with_their_features_and_policies() {
    let listed = json_lines(&answer(&["tasks", "--json"], ""));
    let names: Vec<&str> = listed
        .iter()
        .map(|task| task["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, TASKS);
    assert_eq!(
        listed[1]["features"],
        json(r#"["seeds","distance","owls"]"#)
    );
    let policies = json(r#"["energy-neutral","threshold","greedy","random"]"#);
    assert_eq!(listed[2]["policies"], policies);
    let text = answer(&["tasks"], "");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for name in TASKS {
        assert!(text.contains(&format!("\n{name}  ")) || text.starts_with(name));
    }
}

#[test]
fn every_task_is_trained_played_and_explained() {
    for task in TASKS {
        let file = scratch(&format!("{task}.json"));
        let train = "--algorithm ipse --iterations 12 --rollouts 2 --length 4 --games 2 --json";
        let limit = if task == "tetris" {
            "--max-rows 20"
        } else {
            ""
        };
        let args = format!("train --task {task} {train} {limit} --out {file}");
        let records = json_lines(&answer(&words(&args), ""));
        assert_eq!(records.len(), 12, "{task}");
        let written = json(&fs::read_to_string(&file).unwrap());
        assert_eq!(written["task"], task);
        assert_eq!(written["weights"], records[11]["weights"]);
        let features = written["features"].as_array().unwrap().len();
        assert_eq!(written["weights"].as_array().unwrap().len(), features);

        let play = format!("play --task {task} --policy {file} --games 3 --actions 40 --json");
        let played = json(&answer(&words(&play), ""));
        assert_eq!(played["scores"].as_array().unwrap().len(), 3, "{task}");

        let explain = format!("explain --task {task} --policy {file} --after 0");
        let page = answer(&words(&explain), "");
        assert!(page.contains("The best"), "{task}: {page}");
        for line in page.lines().filter(|line| !line.starts_with("The best")) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let case = json(&answer(&words(&format!("{explain} --json")), ""));
        let noun = if task == "tetris" {
            "placements"
        } else {
            "actions"
        };
        assert!(!case[noun].as_array().unwrap().is_empty(), "{task}");
    }
}

#[test]
fn a_ledger_names_the_state_and_the_actions() {
    let file = weights_file("mouse.json", r#"{"task":"foraging","weights":[3,-1,-2]}"#);
    let page = answer(
        &words(&format!("explain --task foraging --policy {file}")),
        "",
    );
    assert!(
        page.contains("strength ") && page.contains(" · seeds "),
        "{page}"
    );
    assert!(page.contains("1. Bush "), "{page}");
    assert!(
        page.contains('█') || page.contains('▀'),
        "the picture: {page}"
    );
}

#[test]
fn a_score_for_some_actions_does_not_depend_on_how_many_are_played() {
    let mean = |actions: u32| {
        let play = "play --task intersection --policy fixed-time --games 20 --json";
        let report = json(&answer(&words(&format!("{play} --actions {actions}")), ""));
        (report["mean"].as_f64().unwrap(), report["cut"].as_u64())
    };
    let (short, long) = (mean(1_000), mean(4_000));
    assert!((short.0 - long.0).abs() < 2., "{short:?} {long:?}");
    assert!(short.0 < -5. && short.1 == Some(0), "{short:?}");
}

#[test]
fn learners_and_rules_are_compared_in_json_and_in_a_picture() {
    let plot = scratch("compared.svg");
    let compare = [
        "compare",
        "--task",
        "sensor-node",
        "--seeds",
        "3",
        "--games",
        "2",
        "--json",
        "--plot",
        &plot,
        "--variant",
        "search --returns --calls 20000",
        "--variant",
        "ipse --calls 3000",
        "--variant",
        "energy-neutral",
    ];
    let report = json(&answer(&compare, ""));
    let results = report["results"].as_array().unwrap();
    let names: Vec<&Value> = results.iter().map(|result| &result["name"]).collect();
    assert_eq!(
        names,
        [
            "search --returns --calls 20000",
            "ipse --calls 3000",
            "energy-neutral"
        ]
    );
    let number = |i: usize, field: &str| results[i][field].as_f64().unwrap();
    assert!((19_000. ..=20_000.).contains(&number(0, "calls")));
    assert!((3_000. ..5_000.).contains(&number(1, "calls")));
    assert_eq!(number(2, "calls"), 0.);
    assert!(number(2, "mean") > 400. && number(2, "se") > 0.);
    let svg = fs::read_to_string(plot).unwrap();
    assert!(
        svg.starts_with("<svg") && svg.contains("points a day"),
        "{svg}"
    );
    for name in ["energy-neutral", "ipse --calls 3000"] {
        assert!(svg.contains(name), "{name}");
    }
}

#[test]
fn a_learning_curve_is_drawn() {
    let train = "train --task foraging --algorithm ipse --iterations 20 --games 5 --plot";
    for (file, beginning) in [("curve.svg", &b"<svg"[..]), ("curve.png", b"\x89PNG")] {
        let file = scratch(file);
        assert!(ran(&format!("{train} {file}")).ok);
        assert!(fs::read(file).unwrap().starts_with(beginning));
    }
    refuse(
        &words(&format!("{train} curve.jpg")),
        &["curve.jpg", ".svg or .png"],
    );
    let none = format!("{train} {} --evaluate-every 0", scratch("none.svg"));
    refuse(&words(&none), &["--plot", "--evaluate-every 0"]);
}

#[test]
fn a_task_is_learned_by_what_suits_it_unless_told() {
    let first = |args: &str| {
        let records = json_lines(&answer(&words(args), ""));
        records[0]["phase"].clone()
    };
    let calls = "--calls 3000 --json --evaluate-every 0";
    assert_eq!(
        first(&format!("train --task sensor-node {calls}")),
        "search"
    );
    assert_eq!(
        first(&format!("train --task foraging {calls}")),
        "directions"
    );
    assert_eq!(
        first(&format!("train --task foraging --returns {calls}")),
        "search"
    );
}

#[test]
fn calls_end_any_learner() {
    for algorithm in [
        "ipse",
        "lfd",
        "m-none",
        "search --returns",
        "search --survival",
    ] {
        let args = format!(
            "train --task foraging --json --evaluate-every 0 --calls 4000 --algorithm {algorithm}"
        );
        let records = json_lines(&answer(&words(&args), ""));
        let calls = records.last().unwrap()["total_calls"].as_u64().unwrap();
        assert!((3_500..4_500).contains(&calls), "{algorithm}: {calls}");
    }
}

#[test]
fn options_hold_for_what_is_compared_by_default() {
    let args = "compare --task foraging --seeds 1 --games 2 --calls 2000 --horizon 20 --json";
    let report = json(&answer(&words(args), ""));
    let results = report["results"].as_array().unwrap();
    assert_eq!(results[1]["name"], "search --returns");
    assert_eq!(results[1]["learner"]["horizon"], 20);
    for result in &results[..2] {
        let calls = result["calls"].as_f64().unwrap();
        assert!((1_500. ..2_500.).contains(&calls), "{result}");
    }
}

#[test]
fn a_picture_of_a_run_that_goes_on_is_refused() {
    let [checkpoint, plot] = ["plotted.ckpt", "resumed.svg"].map(scratch);
    let _ = fs::remove_file(&checkpoint);
    let train = "train --task foraging --algorithm ipse --games 2 --iterations";
    assert!(ran(&format!("{train} 4 --checkpoint {checkpoint}")).ok);
    let args = format!("{train} 8 --checkpoint {checkpoint} --plot {plot}");
    let refused = ran(&args);
    assert!(
        !refused.ok && refused.err.contains("before iteration 4"),
        "{}",
        refused.err
    );
    assert!(fs::metadata(plot).is_err());
}

#[test]
fn a_task_is_diagnosed_before_anyone_waits() {
    let args = "diagnose --task foraging --calls 5000 --json";
    let diagnosis = json(&answer(&words(args), ""));
    assert_eq!(diagnosis["task"], "foraging");
    assert_eq!(diagnosis["breaches"], json("[]"));
    assert!(diagnosis["recommendation"].is_object(), "{diagnosis}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    refuse(
        &words("play --task chess"),
        &["--task chess", "tetris, foraging, sensor-node"],
    );
    refuse(
        &words("play --task foraging --height 20"),
        &["--height", "tetris", "foraging"],
    );
    refuse(
        &words("train --task foraging --max-rows 5"),
        &["--max-rows", "tetris"],
    );
    refuse(
        &words("train --task sensor-node --algorithm m-known"),
        &["m-known", "sensor-node"],
    );
    refuse(
        &words("train --algorithm ipse --returns"),
        &["--returns", "search", "ipse"],
    );
    refuse(
        &words("train --algorithm lfd --horizon 9"),
        &["--horizon", "search", "lfd"],
    );
    refuse(
        &words("train --returns --survival"),
        &["--returns", "--survival"],
    );
    refuse(
        &words("train --calls 0"),
        &["from 1 to 4294967295", "from 1"],
    );
    refuse(
        &words("explain --task intersection"),
        &["--policy FILE", "train --out"],
    );
    refuse(
        &words("explain --task sensor-node --policy greedy"),
        &["greedy", "rule without weights"],
    );
    refuse(
        &words("play --task sensor-node --policy equal"),
        &["equal", "directions"],
    );
    assert_eq!(run_code("play --task chess"), 2);
    assert_eq!(run_code("train --algorithm lfd --horizon 9"), 2);
}

fn run_code(args: &str) -> i32 {
    let mut child = common::spawn(&words(args));
    child.wait().unwrap().code().unwrap()
}

#[test]
fn a_policy_for_another_task_or_other_features_is_refused() {
    let other = weights_file("other.json", r#"{"task":"tetris","weights":[1,2,3]}"#);
    refuse(
        &words(&format!("play --task foraging --policy {other}")),
        &["the task tetris", "foraging"],
    );
    let features =
        r#"{"task":"foraging","features":["seeds","owls","distance"],"weights":[1,2,3]}"#;
    let shuffled = weights_file("shuffled.json", features);
    refuse(
        &words(&format!("play --task foraging --policy {shuffled}")),
        &["seeds, owls, distance", "seeds, distance, owls"],
    );
}

#[test]
fn a_watched_game_of_any_task_shows_its_pictures() {
    let args = "play --task intersection --watch --actions 4 --policy fixed-time";
    let watched = answer(&words(args), "");
    assert!(
        watched.ends_with("in all.\n") && watched.contains("after 4 actions"),
        "{watched}"
    );
    assert_eq!(
        watched.matches("policy  fixed-time").count(),
        4,
        "{watched}"
    );
}

#[test]
fn the_table_has_a_cell_for_each_learner_and_number_of_calls() {
    let page = scratch("tasks.md");
    let kept = "before\n<!-- table -->\nold\n<!-- /table -->\nafter\n";
    fs::write(&page, kept).unwrap();
    let table = "table --task foraging --calls 2000,1000 --seeds 2 --games 2";
    assert!(ran(&format!("{table} --into {page}")).ok);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.starts_with("before\n") && text.ends_with("\nafter\n") && !text.contains("old"));
    assert!(
        text.contains("| learner, calls | 0.001 M | 0.002 M |"),
        "{text}"
    );
    let rows = text.lines().filter(|line| line.contains('±'));
    let cells: Vec<usize> = rows.map(|row| row.matches('±').count()).collect();
    assert_eq!(cells, [2, 2, 2, 2, 2, 1], "{text}");
    fs::write(&page, "no markers").unwrap();
    refuse(
        &words(&format!("{table} --into {page}")),
        &["<!-- table -->"],
    );
    assert_eq!(fs::read_to_string(&page).unwrap(), "no markers");
}
