//! `ipse train --checkpoint`, from outside.

mod common;

use common::{Ran, run, scratch, spawn};
use std::fs;
use std::io::{BufRead, BufReader};

const OPTIONS: &str = "train --rollouts 2 --length 3 --lfd-cap 8 --evaluate-every 0 --json";

fn train(args: &str) -> Ran {
    let args = format!("{OPTIONS} {args}");
    run(&args.split_whitespace().collect::<Vec<_>>(), "")
}

/// A file that is not there yet.
fn fresh(name: &str) -> String {
    let file = scratch(name);
    let _ = fs::remove_file(&file);
    file
}

#[test]
fn a_run_in_parts_has_the_iterations_of_a_run_in_one() {
    let file = fresh("parts.ckpt");
    let whole = train("--iterations 25");
    let mut parts = String::new();
    for (iterations, resumed) in [
        (7, ""),
        (16, "after iteration 7"),
        (25, "after iteration 16"),
    ] {
        let part = train(&format!("--iterations {iterations} --checkpoint {file}"));
        assert!(part.ok && part.err.contains(resumed), "{}", part.err);
        assert_eq!(part.err.is_empty(), resumed.is_empty());
        parts += &part.out;
    }
    assert_eq!(parts, whole.out);
}

#[test]
fn a_run_that_is_killed_comes_to_the_weights_of_one_that_is_not() {
    let file = fresh("killed.ckpt");
    let [weights, expected] = ["killed.json", "not-killed.json"].map(fresh);
    let args = format!("{OPTIONS} --iterations 200 --checkpoint {file} --checkpoint-every 3");
    for kill_after in [1, 10, 50, 51] {
        let mut child = spawn(&args.split(' ').collect::<Vec<_>>());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.nth(kill_after).unwrap().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let out = format!("--iterations 200 --checkpoint {file} --out {weights}");
    let last = train(&out);
    assert!(
        last.ok && last.err.contains("resumed after iteration"),
        "{}",
        last.err
    );
    assert!(train(&format!("--iterations 200 --out {expected}")).ok);
    assert_eq!(
        fs::read_to_string(weights).unwrap(),
        fs::read_to_string(expected).unwrap()
    );
}

#[test]
fn a_run_that_is_over_tells_its_weights_again() {
    let file = fresh("over.ckpt");
    let args = format!(
        "train --rollouts 2 --length 3 --iterations 9 --games 3 --max-rows 20 --checkpoint {file}"
    );
    let args: Vec<&str> = args.split(' ').collect();
    let (first, again) = (run(&args, ""), run(&args, ""));
    assert!(first.ok && again.ok, "{}{}", first.err, again.err);
    let table = |text: &str| text.split_once("The weights").unwrap().1.to_owned();
    assert_eq!(table(&again.out), table(&first.out));
}

/// Refuses to go on, in one line with these words, and leaves the file as it is.
fn refuse(file: &str, args: &str, words: &[&str]) {
    let before = fs::read(file).unwrap();
    let ran = train(&format!("--checkpoint {file} {args}"));
    assert!(!ran.ok && ran.out.is_empty(), "{}", ran.out);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    for word in words.iter().chain(&[file]) {
        assert!(ran.err.contains(word), "{} has no {word}", ran.err);
    }
    assert_eq!(fs::read(file).unwrap(), before);
}

#[test]
fn the_checkpoint_of_another_run_is_refused() {
    let file = fresh("other.ckpt");
    assert!(train(&format!("--iterations 12 --checkpoint {file}")).ok);
    let other = "other options";
    refuse(&file, "--algorithm ipse", &[other]);
    refuse(&file, "--alpha 0.01", &[other]);
    refuse(&file, "--rule before", &[other]);
    refuse(&file, "--height 20", &[other]);
    refuse(&file, "--seed 2", &["--seed 1"]);
    refuse(&file, "--iterations 5", &["iteration 12", "--iterations 5"]);
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let file = fresh("none.ckpt");
    fs::write(&file, "").unwrap();
    refuse(&file, "", &["not a checkpoint"]);
    fs::write(&file, "my only copy of something else").unwrap();
    refuse(&file, "", &["not a checkpoint"]);
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let file = fresh("damaged.ckpt");
    assert!(train(&format!("--iterations 12 --checkpoint {file}")).ok);
    let intact = fs::read(&file).unwrap();
    // After the line that names the task.
    let start = intact.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(&file, &intact[..start + 100]).unwrap();
    refuse(&file, "", &["damaged"]);
    let mut changed = intact.clone();
    changed[start + 100] ^= 4;
    fs::write(&file, changed).unwrap();
    refuse(&file, "", &["damaged"]);
    for version in [1, 9] {
        let mut other = intact.clone();
        other[start + 4] = version;
        fs::write(&file, other).unwrap();
        let found = format!("version {version}");
        refuse(&file, "", &["another release", &found, "only version 2"]);
    }
}

#[test]
fn a_checkpoint_names_its_task_and_is_refused_by_another() {
    let file = fresh("named.ckpt");
    let args = "--task foraging --iterations 12 --algorithm ipse";
    assert!(train(&format!("{args} --checkpoint {file}")).ok);
    let bytes = fs::read(&file).unwrap();
    let label = "ipse checkpoint: foraging (seeds, distance, owls)\n";
    assert!(bytes.starts_with(label.as_bytes()));
    refuse(&file, "", &["of foraging (seeds, distance, owls)"]);
    // As boards and earlier releases have it.
    fs::write(&file, &bytes[label.len()..]).unwrap();
    let resumed = train(&format!("{args} --checkpoint {file}"));
    assert!(
        resumed.ok && resumed.err.contains("after iteration 12"),
        "{}",
        resumed.err
    );
    refuse(&file, "", &["other options"]);
}

#[test]
fn weights_and_checkpoint_need_a_file_each() {
    let file = fresh("both");
    let ran = train(&format!("--checkpoint {file} --out {file}"));
    assert!(!ran.ok && ran.err.contains("a file each"), "{}", ran.err);
    let ran = train("--checkpoint-every 5");
    assert!(!ran.ok && ran.err.contains("--checkpoint"), "{}", ran.err);
    let ran = train(&format!("--checkpoint {file} --checkpoint-every 0"));
    assert!(!ran.ok && ran.err.contains("from 1 to"), "{}", ran.err);
}
