//! `ipse play`, from outside.

mod common;

use common::{POSITION, answer, json, run, scratch, weights_file};
use serde_json::Value;

const BCTS: &str = r#"{"algorithm":"none","weights":[-12.629,6.601974,-9.215815,-19.77356,-13.08335,-10.48747,-1.611863,-24.04087],"seed":7}"#;

fn play(args: &str) -> Value {
    let args: Vec<&str> = ["play", "--json"]
        .into_iter()
        .chain(args.split(' '))
        .collect();
    json(&answer(&args, ""))
}

fn rows(report: &Value) -> Vec<u64> {
    report["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rows| rows.as_u64().unwrap())
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let text = |threads| {
        let args = [
            "play",
            "--policy",
            "equal",
            "--games",
            "12",
            "--seed",
            "5",
            "--max-rows",
            "300",
        ];
        answer(&[&args[..], &["--threads", threads]].concat(), "")
    };
    assert_eq!(text("1"), text("1"));
    assert_eq!(text("1"), text("2"));
    assert_eq!(text("1"), text("7"));
}

#[test]
fn another_seed_gives_other_games() {
    let first = play("--policy random --games 100 --seed 1");
    assert_ne!(
        first["scores"],
        play("--policy random --games 100 --seed 2")["scores"]
    );
}

#[test]
fn a_game_does_not_depend_on_how_many_follow() {
    let few = rows(&play("--policy random --games 5 --seed 3"));
    let many = rows(&play("--policy random --games 50 --seed 3"));
    assert_eq!(few, many[..5]);
}

#[test]
fn the_statistics_are_those_of_the_rows() {
    let report = play("--policy equal --games 20 --max-rows 500 --seed 2");
    let mut rows = rows(&report);
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|&rows| rows <= 500));
    rows.sort();
    let mean = rows.iter().sum::<u64>() as f64 / 20.;
    let variance = rows
        .iter()
        .map(|&rows| (rows as f64 - mean).powi(2))
        .sum::<f64>()
        / 19.;
    let near = |name: &str, value: f64| (report[name].as_f64().unwrap() - value).abs() < 1e-9;
    assert!(near("mean", mean));
    assert!(near("standard_error", (variance / 20.).sqrt()));
    assert!(near("median", (rows[9] + rows[10]) as f64 / 2.));
    let at_limit = rows.iter().filter(|&&rows| rows == 500).count();
    assert!(at_limit > 0, "the limit was meant to matter");
    assert_eq!(report["cut"], at_limit);
}

#[test]
fn the_text_tells_the_same_as_the_json() {
    let args = "--policy random --games 8 --seed 4";
    let report = play(args);
    let text = answer(
        &[&["play"], &args.split(' ').collect::<Vec<_>>()[..]].concat(),
        "",
    );
    let mean = report["mean"].as_f64().unwrap();
    let error = report["standard_error"].as_f64().unwrap();
    assert!(
        text.contains(&format!("mean    {mean:.2} ± {error:.2} rows")),
        "{text}"
    );
    assert!(
        text.contains(&format!("median  {}\n", report["median"].as_f64().unwrap())),
        "{text}"
    );
    let list: Vec<String> = rows(&report).iter().map(u64::to_string).collect();
    assert!(
        text.contains(&format!("scores  {}\n", list.join("  "))),
        "{text}"
    );
}

#[test]
fn a_histogram_of_many_games_counts_them_all() {
    let text = answer(&["play", "--policy", "random", "--games", "400"], "");
    let (_, chart) = text.split_once("games\n").unwrap();
    let counts = chart.lines().map(|line| line.rsplit(' ').next().unwrap());
    assert_eq!(
        counts
            .map(|count| count.parse::<u32>().unwrap())
            .sum::<u32>(),
        400
    );
}

#[test]
fn one_game_has_no_standard_error() {
    assert_eq!(
        play("--policy random --games 1")["standard_error"],
        Value::Null
    );
    assert!(!answer(&["play", "--policy", "random", "--games", "1"], "").contains('±'));
}

#[test]
fn a_cut_game_is_said_to_be_cut() {
    let text = answer(&["play", "--games", "2", "--max-rows", "5"], "");
    assert!(text.contains("2 of 2 games ended at their limit"), "{text}");
}

#[test]
fn a_file_of_weights_plays_like_the_weights_it_holds() {
    let file = weights_file("bcts.json", BCTS);
    let from_file = play(&format!("--policy {file} --games 3 --max-rows 200"));
    let by_name = play("--policy bcts --games 3 --max-rows 200");
    assert_eq!(from_file["scores"], by_name["scores"]);
    assert_eq!(from_file["weights"], by_name["weights"]);
}

#[test]
fn weights_of_zero_play_at_random() {
    let file = weights_file("zero.json", r#"{"weights":[0,0,0,0,0,0,0,0]}"#);
    let from_file = play(&format!("--policy {file} --games 50"));
    assert_eq!(
        from_file["scores"],
        play("--policy random --games 50")["scores"]
    );
}

#[test]
fn rule_and_height_change_the_game() {
    let usual = play("--policy random --games 300");
    assert_ne!(
        usual["scores"],
        play("--policy random --games 300 --rule before")["scores"]
    );
    let cut = |args| play(args)["cut"].as_u64().unwrap();
    assert!(cut("--policy equal --games 10 --max-rows 400") < 10);
    assert_eq!(
        cut("--policy equal --games 10 --max-rows 400 --height 20"),
        10
    );
}

#[test]
fn twenty_rows_without_a_limit_get_a_note_and_with_one_they_do_not() {
    let args = [
        "play", "--policy", "random", "--games", "1", "--height", "20",
    ];
    let noted = run(&args, "");
    assert!(noted.ok && noted.err.lines().count() == 1 && noted.err.contains("--max-rows"));
    assert!(
        run(&[&args[..], &["--max-rows", "9"]].concat(), "")
            .err
            .is_empty()
    );
}

#[test]
fn a_watched_game_off_the_terminal_is_plain_pictures_of_the_first_game() {
    let args = ["--policy", "equal", "--seed", "9", "--max-rows", "6"];
    let watched = answer(&[&["play", "--watch"], &args[..]].concat(), "");
    assert!(!watched.contains('\x1b'));
    let last = watched.lines().last().unwrap();
    assert!(last.ends_with(": 6 rows."), "{last}");
    let words: Vec<&str> = last.split(' ').collect();
    let pieces: usize = words[words.len() - 4].parse().unwrap();
    assert_eq!(watched.matches('└').count(), pieces);
    assert_eq!(watched.matches("██").count(), 4 * pieces);
}

/// What SPEC.md says that known policies score.
fn calibrate(policy: &str, games: u32, expected: f64) {
    let report = play(&format!("--policy {policy} --games {games} --seed 1"));
    let mean = report["mean"].as_f64().unwrap();
    let error = report["standard_error"].as_f64().unwrap();
    assert!(
        (mean - expected).abs() < 3. * error,
        "{policy}: {mean} ± {error}"
    );
}

#[test]
fn known_policies_score_about_what_is_known_of_them() {
    calibrate("random", 2000, 0.2);
    calibrate("equal", 30, 1450.);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn known_policies_score_what_is_known_of_them() {
    calibrate("bcts", 3000, 3700.);
    calibrate("equal", 3000, 1450.);
}

/// The files of other features are refused, and each set of features is played, learned and explained.
#[test]
fn a_policy_is_for_the_features_that_it_was_learned_with() {
    let sets = ["paper", "diverse", "surface", "surface-nine"];
    let file = |set: &str| scratch(&format!("policy-of-{set}.json"));
    for set in sets {
        let learn = "train --algorithm lfd --iterations 2 --rollouts 1 --length 2 --games 1";
        let mut words: Vec<&str> = learn.split(' ').collect();
        let out = file(set);
        words.extend(["--features", set, "--out", &out]);
        let ran = run(&words, "");
        assert!(ran.ok, "{set}: {}", ran.err);
    }
    for (learned, played) in sets.iter().flat_map(|set| sets.map(|other| (*set, other))) {
        let policy = file(learned);
        let options = ["--features", played, "--policy", &policy];
        let play = ["play", "--games", "1", "--max-rows", "1"];
        for (words, input) in [(&play[..], ""), (&["explain"], POSITION)] {
            let ran = run(&[words, &options].concat(), input);
            assert_eq!(
                ran.ok,
                learned == played,
                "{words:?}: {learned} by {played}: {}",
                ran.err
            );
            if learned != played {
                assert!(ran.err.contains(&policy), "{}", ran.err);
            }
        }
    }
}
