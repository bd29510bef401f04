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

#[test]
fn zero_of_what_there_must_be_one_of() {
    for flag in ["--games", "--max-rows", "--threads"] {
        refuse(&["play", flag, "0"], "", &[flag, "at least 1"]);
        refuse(&["play", flag, "many"], "", &[flag, "whole number"]);
    }
    refuse(
        &["explain", "--top", "0"],
        POSITION,
        &["--top", "at least 1"],
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
