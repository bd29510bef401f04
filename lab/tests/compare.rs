//! `ipse compare`, from outside.

mod common;

use common::{answer, json, json_lines, run};
use serde_json::Value;

const SMALL: &str = "--rollouts 2 --length 3 --games 3 --max-rows 20";

fn text(args: &str) -> String {
    let args = format!("compare {SMALL} {args}");
    answer(&args.split_whitespace().collect::<Vec<_>>(), "")
}

fn report(args: &str) -> Value {
    json(&text(&format!("--json {args}")))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// The record of one run after so many iterations, as `train` gives it.
fn trained(args: &str, seed: u64, iteration: usize) -> Value {
    let args = format!("train --json --evaluate-every 1 {SMALL} {args} --seed {seed}");
    json_lines(&answer(&args.split_whitespace().collect::<Vec<_>>(), ""))[iteration - 1].clone()
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let args = "--algorithms ipse,m-known --seeds 4 --iterations 10 --lfd-cap 5";
    let one = text(&format!("{args} --threads 1"));
    assert_eq!(one, text(&format!("{args} --threads 2")));
    assert_eq!(one, text(&format!("{args} --threads 7")));
}

#[test]
fn every_run_is_the_one_that_train_makes() {
    let report =
        report("--algorithms lfd,m-known --seeds 2 --first-seed 7 --iterations 9 --at 9,5");
    for (result, algorithm) in report["results"]
        .as_array()
        .unwrap()
        .iter()
        .zip(["lfd", "m-known"])
    {
        assert_eq!(result["algorithm"], algorithm);
        for (point, iteration) in result["points"].as_array().unwrap().iter().zip([5, 9]) {
            assert_eq!(point["iteration"], iteration);
            let args = format!("--algorithm {algorithm} --iterations 9");
            let runs = [7, 8].map(|seed| number(&trained(&args, seed, iteration)["mean"]));
            assert_eq!(numbers(&point["runs"]), runs);
            assert!(near(number(&point["mean"]), (runs[0] + runs[1]) / 2.));
            let error = (runs[0] - runs[1]).abs() / 2.;
            assert!(near(number(&point["standard_error"]), error));
        }
    }
}

#[test]
fn directions_are_counted_and_judged() {
    const RIGHT: [f64; 8] = [-1., 1., -1., -1., -1., -1., -1., -1.];
    let args = "--iterations 16 --alpha 0.4";
    let report = report(&format!("--algorithms lfd,m-none --seeds 3 --at 16 {args}"));
    let (mut decided, mut right) = (0., 0.);
    for seed in 1..=3 {
        let record = trained(&format!("--algorithm lfd {args}"), seed, 16);
        for (direction, known) in numbers(&record["directions"]).iter().zip(RIGHT) {
            decided += direction.abs();
            right += f64::from(*direction == known);
        }
    }
    assert!(
        0. < right && right < decided,
        "both kinds were meant to occur"
    );
    let point = &report["results"][0]["points"][0];
    assert!(near(number(&point["decided"]), decided / 3.));
    assert!(near(number(&point["right"]), right / decided));
    assert_eq!(report["results"][1]["points"][0].get("decided"), None);
}

#[test]
fn the_switch_of_ipse_is_told_by_the_iteration_in_which_it_happened() {
    let report = report("--algorithms ipse --seeds 2 --iterations 8 --at 5,6,8 --lfd-cap 6");
    let points = report["results"][0]["points"].as_array().unwrap();
    let switched: Vec<_> = points.iter().map(|p| p["switched"].clone()).collect();
    assert_eq!(switched, [0, 2, 2]);
    assert_eq!(points[0]["mean_switch_iteration"], Value::Null);
    assert_eq!(points[2]["mean_switch_iteration"], 6.);
}

#[test]
fn all_are_compared_with_the_last_of_them_seed_by_seed() {
    let args = "--seeds 3 --iterations 6 --at 3,6 --algorithms";
    let three = report(&format!("{args} lfd,m-known,m-none"));
    let at_the_end = |i: usize| numbers(&three["results"][i]["points"][1]["runs"]);
    for i in [0, 1] {
        let pairs = at_the_end(i).into_iter().zip(at_the_end(2));
        let differences: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
        let mean = differences.iter().sum::<f64>() / 3.;
        let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        let difference = &three["results"][i]["difference"];
        assert!(near(number(&difference["mean"]), mean));
        let error = number(&difference["standard_error"]);
        assert!(near(error, (squares / 6.).sqrt()));
    }
    assert_eq!(three["results"][2]["difference"], Value::Null);
    assert!(text(&format!("{args} m-known,m-none")).contains("less m-none"));
    assert!(!text(&format!("{args} m-known")).contains(" less "));
}

fn variants(args: &[&str]) -> Value {
    let small = "compare --json --seeds 2 --iterations 6 --games 3 --max-rows 20";
    let args: Vec<&str> = small.split(' ').chain(args.iter().copied()).collect();
    json(&answer(&args, ""))
}

#[test]
fn a_variant_has_options_of_its_own() {
    let short = "m-known --length 3 --rollouts 2";
    let report = variants(&["--variant", short, "--variant", "m-known --length 3"]);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results[0]["name"], short);
    assert_eq!(results[0]["learner"]["rollouts"], 2);
    assert_eq!(results[1]["learner"]["rollouts"], 10);
    let calls = |i: usize| number(&results[i]["points"][1]["calls"]);
    assert!(calls(0) < calls(1) / 4.);
}

#[test]
fn a_policy_is_scored_on_the_games_of_the_learners() {
    let report = variants(&["--variant", "bcts", "--variant", "equal"]);
    for (result, policy) in report["results"]
        .as_array()
        .unwrap()
        .iter()
        .zip(["bcts", "equal"])
    {
        let runs = [1, 2].map(|seed: u64| {
            let games = format!("--games 3 --max-rows 20 --seed {}", seed + (1 << 63));
            let play = format!("play --json --policy {policy} {games}");
            number(&json(&answer(&play.split(' ').collect::<Vec<_>>(), ""))["mean"])
        });
        assert_eq!(numbers(&result["points"][0]["runs"]), runs);
        assert_eq!(result["points"][0]["iteration"], Value::Null);
    }
}

#[test]
fn a_search_ends_within_its_calls() {
    let search = "search --calls 20000 --rollouts 2 --length 3 --lfd-cap 5";
    let report = variants(&["--variant", search]);
    let points = report["results"][0]["points"].as_array().unwrap();
    assert_eq!(points.len(), 1);
    let calls = number(&points[0]["calls"]);
    assert!((19_900. ..=20_000.).contains(&calls), "{calls}");
}

#[test]
fn nine_features_have_policies_and_learners_too() {
    let search = "search --calls 20000 --rollouts 2 --length 3 --lfd-cap 5";
    let policies = ["--variant", "dt10", "--variant", "bcts"];
    let nine = ["--features", "nine", "--variant", search];
    let report = variants(&[&nine[..], &policies].concat());
    assert_eq!(report["feature_set"], "nine");
    let runs = |report: &Value, i: usize| numbers(&report["results"][i]["points"][0]["runs"]);
    assert_eq!(runs(&report, 0).len(), 2);
    assert!(runs(&report, 1).iter().all(|&rows| rows > 10.));

    let eight = variants(&["--variant", "bcts"]);
    assert_eq!(runs(&report, 2), runs(&eight, 0), "bcts ignores the ninth");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let ran = run(&["compare", "--variant", "search", "--calls", "720000"], "");
    assert!(!ran.ok && ran.err.contains("--calls"), "{}", ran.err);
    for (variant, words) in [
        ("nobody", "neither an algorithm nor a policy"),
        ("bcts --calls 5", "only those have options"),
        ("dt10", "neither an algorithm nor a policy"),
        ("ipse --never", "--never"),
        ("ipse --rollouts 0", "from 1 to 65535"),
        ("search --calls 0", "from 1 to 4294967295"),
        ("search --trials 0", "from 1 to 65535"),
        ("search --horizon 0", "from 1 to 65535"),
    ] {
        let ran = run(&["compare", "--seeds", "1", "--variant", variant], "");
        assert!(!ran.ok, "{variant} was taken");
        assert_eq!(ran.err.lines().count(), 1, "{variant}: {}", ran.err);
        assert!(ran.err.contains(words), "no {words:?} in: {}", ran.err);
        assert!(
            ran.err.contains(variant),
            "{variant} is not named: {}",
            ran.err
        );
    }
}

#[test]
fn the_table_tells_the_same_as_the_json() {
    let args = "--algorithms ipse --seeds 3 --iterations 8 --lfd-cap 4";
    let (report, text) = (report(args), text(args));
    let rows: Vec<&str> = text.lines().filter(|line| line.contains('±')).collect();
    let points = report["results"][0]["points"].as_array().unwrap();
    assert_eq!((rows.len(), points.len()), (2, 2), "a quarter and all");
    for (row, point) in rows.iter().zip(points) {
        let [mean, error, decided] =
            ["mean", "standard_error", "decided"].map(|name| number(&point[name]));
        assert!(row.contains(&format!("{mean:.2} ± {error:.2}")), "{row}");
        assert!(row.contains(&format!("  {decided:.2}  ")), "{row}");
        assert!(row.contains(&format!("  {}", point["switched"])), "{row}");
    }
}

#[test]
fn learners_of_directions_are_scored_to_the_last_point_even_if_all_are_decided() {
    let args = "--algorithms lfd --seeds 2 --iterations 70 --at 50,70 --alpha 0.9";
    let report = report(args);
    let points = report["results"][0]["points"].as_array().unwrap();
    let decided: Vec<_> = points
        .iter()
        .map(|point| number(&point["decided"]))
        .collect();
    assert_eq!(decided, [8., 8.]);
}

#[test]
fn the_defaults_of_the_library_can_be_compared_with_the_paper() {
    let args = "--algorithms ipse-paper,ipse --seeds 2 --iterations 60";
    let report = report(args);
    let switched = |i: usize| {
        let point = &report["results"][i]["points"][1];
        (
            point["switched"].clone(),
            point["mean_switch_iteration"].clone(),
        )
    };
    assert_eq!(switched(0), (0.into(), Value::Null));
    assert_eq!(switched(1), (2.into(), 50.0.into()));
}

#[test]
fn one_seed_has_no_standard_error() {
    let args = "--algorithms m-none --seeds 1 --iterations 3 --at 3";
    let point = &report(args)["results"][0]["points"][0];
    assert_eq!(point["standard_error"], Value::Null);
    assert!(!text(args).contains('±'));
}

#[test]
fn the_table_fits_eighty_columns() {
    let long = "search --calls 20000 --rollouts 2 --length 3 --lfd-cap 5";
    let variants = [
        "--variant",
        "ipse-paper --lfd-cap 5",
        "--variant",
        long,
        "--variant",
        "bcts",
    ];
    let small = [
        "compare",
        "--seeds",
        "11",
        "--games",
        "1",
        "--max-rows",
        "3000",
        "--iterations",
        "9",
    ];
    let text = answer(&[&small[..], &variants].concat(), "");
    let (_, table) = text.split_once("switched").unwrap();
    for line in table.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(table.contains("  11 at "), "{text}");
}
