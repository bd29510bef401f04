//! Mutation testing: the learners, the search and CBMPI are changed in small ways, one at a time, and the tests have to notice.
//!
//! `.cargo/mutants.toml` lists the changes that they may miss, each with a reason.

use crate::setup::{self, Need};
use crate::workspace;
use std::process::Command;

const NEEDS: [Need; 1] = [Need::Tool {
    name: "cargo-mutants",
    version: "27.1.0",
    options: "",
}];

/// Code, and the tests that are about it.
struct Subject {
    name: &'static str,
    mutants: &'static str,
    tests: &'static str,
}

const SUBJECTS: [Subject; 3] = [
    Subject {
        name: "learners",
        mutants: "--package ipse --file src/learner/*.rs --test-workspace true",
        tests: "--test learners",
    },
    Subject {
        name: "search",
        mutants: "--package ipse --file src/search.rs --file src/search/*.rs --test-workspace true",
        tests: "--test learners search::",
    },
    Subject {
        name: "cbmpi",
        mutants: "--package ipse-lab --file lab/src/paper/cbmpi/*.rs",
        tests: "--lib paper::cbmpi",
    },
];

/// Sets up, and tries every change, or those of a part, `I/N`.
pub fn run(shard: Option<&str>) -> Result<(), String> {
    setup::require(&NEEDS)?;
    let part = match shard {
        Some(shard) => format!(" --shard {}", zero_based(shard)?),
        None => String::new(),
    };
    // All of them are run, whatever becomes of the first.
    let results = SUBJECTS.map(|subject| try_all(&subject, &part));
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors.join("\n")),
    }
}

/// cargo-mutants counts parts from 0.
fn zero_based(shard: &str) -> Result<String, String> {
    let numbers = shard.split_once('/').and_then(|(part, of)| {
        let (part, of): (u32, u32) = (part.parse().ok()?, of.parse().ok()?);
        (1..=of)
            .contains(&part)
            .then(|| format!("{}/{of}", part - 1))
    });
    numbers.ok_or_else(|| format!("`--shard {shard}` is not I/N, with I from 1 to N, as in 2/4"))
}

fn try_all(subject: &Subject, part: &str) -> Result<(), String> {
    let output = workspace::target().join("mutants-out").join(subject.name);
    std::fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    // Not the Cargo that runs this, which sets variables that builds depend on.
    let mut command = Command::new("cargo");
    command.current_dir(workspace::root());
    command.args("mutants --no-shuffle --colors never --minimum-test-timeout 120".split(' '));
    command
        .args(subject.mutants.split(' '))
        .args(part.split_whitespace());
    command.arg("--output").arg(&output);
    command.arg("--").args(subject.tests.split(' '));
    command.env("CARGO_TARGET_DIR", workspace::target().join("mutants"));
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    workspace::run(command).map_err(|error| {
        let list = output.join("mutants.out/missed.txt");
        format!("{error}; what no test has noticed is in {}", list.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!(zero_based("1/4"), Ok("0/4".into()));
        assert_eq!(zero_based("4/4"), Ok("3/4".into()));
        for wrong in ["0/4", "5/4", "4", "a/b", ""] {
            assert!(
                zero_based(wrong).unwrap_err().contains("I from 1 to N"),
                "{wrong}"
            );
        }
    }
}
