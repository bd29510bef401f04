//! Malformed input to every command: one clear line on standard error, and a failure.

mod common;

use common::{POSITION, answer, run, weights_file};

/// Runs what must fail with one line that has all of these words in it.
fn refuse(args: &[&str], input: &str, words: &[&str]) {
    let ran = run(args, input);
    assert!(!ran.ok, "{args:?} was taken: {input}");
    assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "no {word:?} in: {}", ran.err);
    }
}

/// The position on line 3, after a good one and a blank line.
fn refuse_position(position: &str, words: &[&str]) {
    let input = format!("{POSITION}\n\n{position}\n{POSITION}\n");
    for args in [&["features"][..], &["explain"], &["explain", "--json"]] {
        refuse(args, &input, &[&["line 3: "], words].concat());
        assert_eq!(
            run(args, &input).out,
            answer(args, POSITION),
            "the line before was answered"
        );
    }
}

fn refuse_weights(name: &str, text: &str, words: &[&str]) {
    let file = weights_file(name, text);
    let words = [&[name], words].concat();
    refuse(&["play", "--policy", &file, "--games", "1"], "", &words);
    refuse(&["explain", "--policy", &file], POSITION, &words);
}

const EMPTY: &str = "0,0,0,0,0,0,0,0,0";

#[test]
fn what_is_not_json() {
    refuse_position(
        "nonsense",
        &[
            "not a JSON object",
            r#"{"columns":[10 integers],"piece":"S"}"#,
        ],
    );
    refuse_position("{\"columns\":[0,0", &["not JSON", "character 15"]);
    refuse_position(&format!("{POSITION} {POSITION}"), &["not JSON", "trailing"]);
    refuse_position("\u{feff}{}", &["not a JSON object"]);
}

#[test]
fn json_that_is_not_a_position() {
    refuse_position("[]", &["not a JSON object"]);
    refuse_position(r#"{"piece":"S"}"#, &["missing field `columns`"]);
    refuse_position(
        &format!(r#"{{"columns":[0,{EMPTY}]}}"#),
        &["missing field `piece`"],
    );
    refuse_position(
        &format!(r#"{{"columns":[-1,{EMPTY}],"piece":"S"}}"#),
        &["integer `-1`"],
    );
    refuse_position(
        &format!(r#"{{"columns":[0.5,{EMPTY}],"piece":"S"}}"#),
        &["`0.5`"],
    );
    refuse_position(
        &format!(r#"{{"columns":["0",{EMPTY}],"piece":"S"}}"#),
        &["string"],
    );
}

#[test]
fn a_wrong_number_of_columns() {
    refuse_position(
        &format!(r#"{{"columns":[{EMPTY}],"piece":"S"}}"#),
        &["9 columns", "10"],
    );
    refuse_position(
        &format!(r#"{{"columns":[0,0,{EMPTY}],"piece":"S"}}"#),
        &["11 columns"],
    );
    refuse_position(r#"{"columns":[],"piece":"S"}"#, &["0 columns"]);
}

#[test]
fn a_bit_above_the_board() {
    let with = |column: u64| format!(r#"{{"columns":[{EMPTY},{column}],"piece":"S"}}"#);
    refuse_position(
        &with(1 << 10),
        &["column 10 is 1024", "above the board", "1023"],
    );
    refuse_position(&with(1 << 32), &["above the board"]);
    refuse_position(&with(u64::MAX), &["above the board"]);
    refuse(
        &["features", "--height", "20"],
        &with(1 << 20),
        &["line 1: ", "1048575"],
    );
    answer(&["features", "--height", "20"], &with(1 << 19));
}

#[test]
fn an_unknown_piece() {
    for piece in ["X", "s", "SS", "", "é"] {
        let position = format!(r#"{{"columns":[0,{EMPTY}],"piece":"{piece}"}}"#);
        refuse_position(
            &position,
            &[
                &format!("unknown piece {piece:?}"),
                "I, O, S, Z, T, L and J",
            ],
        );
    }
}

#[test]
fn bytes_that_are_not_text() {
    use std::io::Write;
    let mut child = common::spawn(&["features"]);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"\n\xff\xfe{}\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && told.starts_with("error: line 2: not a JSON object"),
        "{told}"
    );
}

#[test]
fn a_missing_file() {
    let words = [
        "no-such-file.json",
        "give bcts, equal, random or a JSON file",
    ];
    refuse(&["play", "--policy", "no-such-file.json"], "", &words);
    refuse(
        &["explain", "--policy", "no-such-file.json"],
        POSITION,
        &words,
    );
    refuse(
        &["play", "--policy", env!("CARGO_MANIFEST_DIR")],
        "",
        &["cannot read"],
    );
}

#[test]
fn weights_that_are_not_finite_numbers() {
    let with = |weight: &str| format!(r#"{{"weights":[1,{weight},1,1,1,1,1,1]}}"#);
    let expected = r#"expected {"weights":[8 numbers]}"#;
    refuse_weights("nan.json", &with("NaN"), &["not JSON", expected]);
    refuse_weights("infinity.json", &with("-Infinity"), &["not JSON", expected]);
    refuse_weights(
        "huge.json",
        &with("1e999"),
        &["number out of range", expected],
    );
    refuse_weights(
        "large.json",
        &with("1e39"),
        &["eroded piece cells", "too large"],
    );
    refuse_weights("null.json", &with("null"), &["null", expected]);
    refuse_weights("string.json", &with("\"1\""), &["string", expected]);
}

#[test]
fn files_that_hold_no_eight_weights() {
    let expected = r#"expected {"weights":[8 numbers]}"#;
    refuse_weights(
        "seven.json",
        r#"{"weights":[1,1,1,1,1,1,1]}"#,
        &["7 weights", expected],
    );
    refuse_weights(
        "nine.json",
        r#"{"weights":[1,1,1,1,1,1,1,1,1]}"#,
        &["9 weights", expected],
    );
    refuse_weights(
        "bare.json",
        "[1,1,1,1,1,1,1,1]",
        &["not a JSON object", expected],
    );
    refuse_weights("other.json", "{}", &["missing field `weights`", expected]);
    refuse_weights("empty.json", "", &["not a JSON object", expected]);
    refuse_weights("cut.json", "{\n\"weights\":[1,", &["line 2", expected]);
}

const PROBLEM: &str = r#"{"directions":[1,1,1,1,1,1,1,1],"lam":1,"choices":[{"chosen":0,"features":[[1,2,3,4,5,6,7,8],[8,7,6,5,4,3,2,1]]}]}"#;

/// The good problem with something else in place of a part of it, on line 3.
fn refuse_problem(part: &str, instead: &str, words: &[&str]) {
    assert!(PROBLEM.contains(part));
    let problem = PROBLEM.replacen(part, instead, 1);
    let input = format!("{PROBLEM}\n\n{problem}\n{PROBLEM}\n");
    refuse(&["fit"], &input, &[&["line 3: "], words].concat());
    assert_eq!(
        run(&["fit"], &input).out,
        answer(&["fit"], PROBLEM),
        "the line before was answered"
    );
}

#[test]
fn what_is_no_problem_to_fit() {
    refuse_problem(PROBLEM, "nonsense", &["not a JSON object", "directions"]);
    refuse_problem("]}]}", "]}]", &["not JSON"]);
    refuse_problem("\"lam\":1,", "", &["missing field `lam`"]);
    refuse_problem("\"chosen\":0,", "", &["missing field `chosen`"]);
    refuse_problem("\"chosen\":0", "\"chosen\":-1", &["integer `-1`"]);
    refuse_problem("[1,2,3", "[\"1\",2,3", &["string"]);
}

#[test]
fn problems_of_the_wrong_size() {
    refuse_problem("[1,", "[", &["7 directions", "8 features"]);
    refuse_problem("[1,2,", "[", &["choice 1", "row 0 has 6 features"]);
    refuse_problem("2,1]", "2,1,0]", &["choice 1", "row 1 has 9 features"]);
    refuse_problem(
        "\"chosen\":0",
        "\"chosen\":2",
        &["choice 1", "row 2", "2 rows"],
    );
    refuse_problem(
        "[[1,2,3,4,5,6,7,8],[8,7,6,5,4,3,2,1]]",
        "[]",
        &["row 0", "0 rows"],
    );
    let (before, _) = PROBLEM.split_once("[{").unwrap();
    refuse_problem(PROBLEM, &format!("{before}[]}}"), &["no choices"]);
    let rows = vec!["[1,2,3,4,5,6,7,8]"; 256].join(",");
    refuse_problem("[1,2,3,4,5,6,7,8]", &rows, &["257 actions", "255"]);
}

#[test]
fn directions_and_strengths_that_do_not_exist() {
    refuse_problem("[1,1,", "[1,2,", &["unknown direction 2", "1, -1 or 0"]);
    refuse_problem("[1,1,", "[1,-0.5,", &["unknown direction -0.5"]);
    refuse_problem("\"lam\":1", "\"lam\":-1", &["lam is -1", "below zero"]);
    refuse_problem("\"lam\":1", "\"lam\":NaN", &["not JSON"]);
    refuse_problem("\"lam\":1", "\"lam\":1e999", &["out of range"]);
}

#[test]
fn features_that_do_not_fit_in_sixteen_bits() {
    refuse_problem(
        "[1,2,3",
        "[1,0.3,3",
        &["choice 1", "feature 2 is 0.3", "1/1024"],
    );
    refuse_problem(
        "[8,7,6",
        "[8,7,32768",
        &["feature 3 is 32768", "beyond 32767"],
    );
    refuse_problem("[1,2,3", "[-16384.5,2,3", &["feature 1 is -16384.5", "1/2"]);
    refuse_problem("[1,2,3", "[1e300,2,3", &["feature 1", "beyond 32767"]);
    let input = PROBLEM.replacen("[1,2,3", "[-16383.5,0.0009765625,-32767", 1);
    answer(&["fit"], &input);
}

/// More iterations than anyone could wait for: what is refused must be refused before them.
const FOREVER: [&str; 2] = ["--iterations", "4000000000"];

fn refuse_training(args: &[&str], words: &[&str]) {
    refuse(&[&["train"], &FOREVER[..], args].concat(), "", words);
}

#[test]
fn learners_that_cannot_learn() {
    for (option, value, words) in [
        (
            "--rollouts",
            "0",
            "'--rollouts <M>': it must be a whole number from 1 to 65535",
        ),
        (
            "--length",
            "0",
            "'--length <T>': it must be a whole number from 1 to 1000",
        ),
        ("--length", "1001", "whole number from 1 to 1000"),
        (
            "--discount",
            "1.5",
            "--discount (1.500000) must be from 0 to 1",
        ),
        (
            "--discount",
            "-0.1",
            "--discount (-0.100000) must be from 0 to 1",
        ),
        (
            "--discount",
            "NaN",
            "--discount (not a number) must be from 0 to 1",
        ),
        (
            "--alpha",
            "0",
            "--alpha (0.000000) must be above 0 and below 1",
        ),
        (
            "--alpha",
            "1",
            "--alpha (1.000000) must be above 0 and below 1",
        ),
        (
            "--schedule-start",
            "-5",
            "--schedule-start (-5.000000) must be 0 or more",
        ),
        (
            "--schedule-exponent",
            "-1",
            "--schedule-exponent (-1.000000) must be 0 or more",
        ),
        (
            "--schedule-start",
            "inf",
            "--schedule-start (infinity) must be 0 or more, and finite",
        ),
        (
            "--soft-labels",
            "-1",
            "--soft-labels (-1.000000) must be 0 or more",
        ),
        ("--lfd-cap", "0", "from 1 to"),
        ("--rollouts", "70000", "from 1 to 65535"),
        ("--rollouts", "-1", "from 1 to 65535"),
        (
            "--alpha",
            "nan",
            "--alpha (not a number) must be above 0 and below 1",
        ),
        ("--alpha", "x", "--alpha"),
        ("--scaling", "none", "per-instance, total"),
    ] {
        refuse_training(&[option, value], &[words]);
        refuse(
            &[&["compare"], &FOREVER[..], &[option, value]].concat(),
            "",
            &[words],
        );
    }
    refuse_training(&["--algorithm", "magic"], &["magic", "m-schedule"]);
}

#[test]
fn twenty_rows_without_an_end() {
    let words = ["--max-rows"];
    refuse_training(&["--height", "20"], &words);
    refuse(
        &[&["compare", "--height", "20"], &FOREVER[..]].concat(),
        "",
        &words,
    );
}

#[test]
fn a_file_that_cannot_be_written() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    refuse_training(
        &["--out", folder],
        &[folder, "cannot write", "not a regular file"],
    );
    refuse_training(&["--out", ""], &["--out"]);
    let nowhere = format!("{folder}/no-such-folder/weights.json");
    refuse_training(&["--out", &nowhere], &[&nowhere, "cannot write"]);
    let below = format!("{}/weights.json", weights_file("file.json", "{}"));
    refuse_training(&["--out", &below], &[&below, "cannot write"]);
}

#[test]
fn comparisons_of_nothing() {
    let refuse = |args: &[&str], words: &[&str]| {
        refuse(&[&["compare"], &FOREVER[..], args].concat(), "", words);
    };
    refuse(&["--algorithms", "ipse,magic"], &["magic", "m-known"]);
    refuse(&["--algorithms", ""], &["--algorithms"]);
    refuse(&["--seeds", "0"], &["--seeds", "from 1 to"]);
    refuse(&["--at", "0"], &["--at", "from 1 to"]);
    refuse(&["--at", "100,many"], &["--at", "whole number"]);
    refuse(
        &["--at", "4000000001"],
        &["--at 4000000001", "--iterations"],
    );
}

#[test]
fn zero_of_what_there_must_be_one_of() {
    for flag in ["--games", "--max-rows", "--threads"] {
        refuse(&["play", flag, "0"], "", &[flag, "from 1 to"]);
        refuse(&["play", flag, "many"], "", &[flag, "whole number"]);
    }
    refuse(
        &["explain", "--top", "0"],
        POSITION,
        &["--top", "from 1 to"],
    );
}

#[test]
fn flags_and_values_that_do_not_exist() {
    refuse(&["play", "--gamez", "3"], "", &["--gamez", "--games"]);
    refuse(&["features", "--json"], POSITION, &["--json"]);
    refuse(
        &["play", "--rule", "never"],
        "",
        &["never", "after, before"],
    );
    refuse(&["features", "--height", "12"], POSITION, &["12", "10, 20"]);
    refuse(&["play", "--seed", "x"], "", &["--seed"]);
    refuse(&["play", "--watch", "--json"], "", &["--watch", "--json"]);
    refuse(&["play", "--pace", "9"], "", &["--watch"]);
    refuse(&["plaid"], "", &["plaid", "play"]);
}

#[test]
fn numbers_that_are_out_of_range_are_told_the_range() {
    let seed = "a seed is a whole number from 0 to 18446744073709551615";
    for value in ["-1", "x", "18446744073709551616", "1.5"] {
        for command in ["train", "play", "explain", "diagnose"] {
            refuse(&[command, "--seed", value], POSITION, &["--seed", seed]);
        }
    }
    refuse(
        &["train", "--iterations", "5000000000"],
        "",
        &["from 1 to 4294967295"],
    );
    refuse(&["play", "--games", "-3"], "", &["--games", "from 1 to"]);
    refuse(
        &["train", "--algorithm", "search", "--horizon", "70000"],
        "",
        &["from 1 to 65535"],
    );
}

#[test]
fn options_without_an_effect_on_the_algorithm_are_refused() {
    for (algorithm, option) in [
        ("lfd", "--schedule-start 3"),
        ("lfd", "--lfd-cap 9"),
        ("m-none", "--alpha 0.3"),
        ("m-none", "--scaling total"),
        ("m-schedule", "--dominance-filter"),
        ("m-cv", "--reuse-choices"),
        ("ipse", "--horizon 5"),
        ("search", "--average"),
        ("search --returns", "--rollouts 3"),
    ] {
        let flag = option.split(' ').next().unwrap();
        let args = format!("--algorithm {algorithm} {option}");
        let words = format!(
            "{flag} has no effect on {}",
            algorithm.split(' ').next().unwrap()
        );
        refuse_training(&args.split(' ').collect::<Vec<_>>(), &[&words]);
        refuse(
            &["compare", "--variant", &format!("{algorithm} {option}")],
            "",
            &[&words],
        );
    }
    refuse(
        &["compare", "--algorithms", "m-none,m-cv", "--alpha", "0.3"],
        "",
        &["--alpha has no effect on m-none, m-cv"],
    );
}

#[test]
fn a_board_with_a_full_row() {
    let ones = ["4"; 10].join(",");
    refuse_position(
        &format!(r#"{{"columns":[{ones}],"piece":"S"}}"#),
        &["row 3 is full"],
    );
}

#[test]
fn exit_codes_tell_usage_from_the_rest() {
    for (code, args) in [
        (2, &["train", "--alpha", "2"][..]),
        (2, &["train", "--algorithm", "lfd", "--average"]),
        (2, &["train", "--plot", "curve.gif"]),
        (2, &["compare", "--at", "900"]),
        (2, &["play", "--task", "chess"]),
        (2, &["plaid"]),
        (1, &["train", "--out", "no-such-folder/w.json"]),
        (1, &["features"]),
        (1, &["watch"]),
        (1, &["reproduce", "merge", "--out", "no-such-folder"]),
    ] {
        assert_eq!(run(args, "nonsense").code, Some(code), "{args:?}");
    }
}
