//! The same learning in different places, which must come to the same bits.

use crate::firmware::{Board, Math, Time};
use crate::readings::Readings;
use crate::workspace::{self, cargo};
use std::process::Command;

/// How code for the host is compiled.
#[derive(Clone, Copy)]
pub enum Profile {
    Debug,
    Release,
}

/// Learns on the host.
pub fn on_host(profile: Profile, words: &[&str]) -> Result<Readings, String> {
    on_host_with(Math::Libm, profile, words)
}

/// The same with the functions of `math`.
pub fn on_host_with(math: Math, profile: Profile, words: &[&str]) -> Result<Readings, String> {
    let (option, folder) = match profile {
        Profile::Debug => ("", "debug"),
        Profile::Release => (" --release", "release"),
    };
    let features = math.features();
    let mut build = cargo(&format!(
        "build --package bench --example on_host{option}{features}"
    ));
    build.env("CARGO_TARGET_DIR", math.target());
    workspace::run(build)?;
    let mut command = Command::new(math.target().join(folder).join("examples/on_host"));
    command.args(words);
    Readings::parse(&workspace::output(command)?)
}

/// Learns on a board, in silence.
pub fn on_board(board: &Board, words: &[&str]) -> Result<Readings, String> {
    board.build()?;
    board.learn("parity", words, Time::COUNTING)
}

/// What a run comes to.
pub const RESULT: [&str; 5] = ["fingerprint", "weights", "calls", "reward", "episodes"];

/// Fails if anything that was learned in one place differs from what was learned in the other.
pub fn same(expected: &Readings, found: &Readings) -> Result<(), String> {
    same_in(&RESULT, expected, found)
}

/// Fails if any of the readings with these names differs.
pub fn same_in(names: &[&str], expected: &Readings, found: &Readings) -> Result<(), String> {
    for name in names {
        let (expected, found) = (expected.text(name)?, found.text(name)?);
        if expected != found {
            return Err(format!("{name}: {found}, but on the host {expected}"));
        }
    }
    Ok(())
}

/// The same for a board that tells no more than its fingerprint.
pub fn same_fingerprint(expected: &Readings, found: &str) -> Result<(), String> {
    let expected = expected.text("fingerprint")?;
    match found == expected {
        true => Ok(()),
        false => Err(format!("fingerprint {found}, but on the host {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "fingerprint 0f\nweights 3f800000 bf800000\ncalls 340\nreward 2\nepisodes 0";

    #[test]
    fn a_single_bit_of_a_weight_makes_two_runs_differ() {
        let run = Readings::parse(RUN).unwrap();
        let other = Readings::parse(&RUN.replace("bf800000", "bf800001")).unwrap();
        assert_eq!(same(&run, &run), Ok(()));
        assert!(same(&run, &other).unwrap_err().contains("bf800001"));
    }

    #[test]
    fn what_is_not_reported_is_not_the_same() {
        let run = Readings::parse(RUN).unwrap();
        let other = Readings::parse("fingerprint 0f").unwrap();
        assert!(same(&run, &other).unwrap_err().contains("weights"));
    }
}
