//! `ipse features`, from outside.

mod common;

use common::{POSITION, SHAFT, answer, golden, json, json_lines, spawn};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};

fn placements(answer: &Value) -> Vec<String> {
    let mut rows: Vec<String> = answer["placements"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    rows.sort();
    rows
}

#[test]
fn every_golden_position_gets_its_golden_placements() {
    let golden = golden("afterstates.jsonl");
    let answers = json_lines(&answer(&["features"], &golden));
    let expected = json_lines(&golden);
    assert_eq!(answers.len(), expected.len());
    for (answer, expected) in answers.iter().zip(&expected) {
        assert_eq!(placements(answer), placements(expected), "{expected}");
    }
}

#[test]
fn landing_height_is_a_decimal_number_and_the_rest_are_integers() {
    let out = answer(&["features"], POSITION);
    assert!(out.starts_with(r#"{"placements":[["#), "{out}");
    for row in out.trim_end().trim_end_matches("]}").split("],") {
        let numbers: Vec<&str> = row
            .rsplit('[')
            .next()
            .unwrap()
            .trim_end_matches(']')
            .split(',')
            .collect();
        assert_eq!(numbers.len(), 9, "{row}");
        assert!(
            numbers[0].ends_with(".0") || numbers[0].ends_with(".5"),
            "{row}"
        );
        assert!(
            numbers[1..]
                .iter()
                .all(|number| number.parse::<u32>().is_ok()),
            "{row}"
        );
    }
}

#[test]
fn blank_lines_get_no_answer() {
    let input = format!("\n{POSITION}\n  \n\t\r\n{POSITION}\r\n\n");
    assert_eq!(answer(&["features"], &input).lines().count(), 2);
}

#[test]
fn the_last_line_needs_no_line_break() {
    assert_eq!(
        answer(&["features"], POSITION),
        answer(&["features"], &format!("{POSITION}\n"))
    );
}

#[test]
fn each_line_is_answered_before_the_next_one_comes() {
    let mut child = spawn(&["features"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        writeln!(stdin, "{POSITION}").unwrap();
        assert_eq!(
            json(&answers.next().unwrap().unwrap())["placements"]
                .as_array()
                .unwrap()
                .len(),
            17
        );
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_has_enough_ends_the_program_quietly() {
    let mut child = spawn(&["features"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let input = format!("{POSITION}\n").repeat(20_000);
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    let mut told = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut told)
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(told, "");
    writer.join().unwrap();
}

#[test]
fn a_position_without_legal_placements_gets_an_empty_list() {
    assert_eq!(
        answer(&["features"], &SHAFT.replace('?', "O")),
        "{\"placements\":[]}\n"
    );
}

#[test]
fn the_rule_decides_whether_a_piece_may_stick_out_until_rows_are_removed() {
    // Laid on top, J fills the gap in row 10 with its lower cell and has three cells in row 11.
    let input = r#"{"columns":[1022,1022,1022,1022,512,1022,1022,1022,1022,511],"piece":"J"}"#;
    let count = |rule| {
        let answer = json(&answer(&["features", "--rule", rule], input));
        answer["placements"].as_array().unwrap().len()
    };
    assert!(count("after") > count("before"));
    assert_eq!(
        answer(&["features"], input),
        answer(&["features", "--rule", "after"], input)
    );
}

#[test]
fn twenty_rows_have_room_for_twice_the_cells() {
    let input = r#"{"columns":[524288,0,0,0,0,0,0,0,0,0],"piece":"O"}"#;
    let answer = json(&answer(&["features", "--height", "20"], input));
    // Two columns of nine positions are under the high cell or on it; only the latter is illegal.
    assert_eq!(answer["placements"].as_array().unwrap().len(), 8);
}
