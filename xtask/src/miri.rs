//! The core under Miri, an interpreter that notices every access to memory that is not sound.

use crate::setup::{self, Need};
use crate::workspace;

pub const NEEDS: [Need; 1] = [Need::Nightly];

/// Of 32 bits, as boards are, and one on which no function of `libm` is written in assembly.
const TARGET: &str = "arm-unknown-linux-gnueabi";

/// Tests that end within minutes, and have no more to do with chance than Miri has patience for.
const MORE: [&str; 5] = [
    "agent::an_episode_that_begins_at_its_end_is_no_obstacle",
    "agent::a_configuration_that_makes_no_sense_is_refused_with_a_reason",
    "choices::",
    "lfd::",
    "stew::edges::",
];

/// Sets up, then runs what is made for it and some of the other tests.
pub fn run() -> Result<(), String> {
    setup::require(&NEEDS)?;
    check()?;
    let more = MORE.join(" ");
    test(&format!("--test learners -- {more}"))
}

/// Runs what is made for it.
pub fn check() -> Result<(), String> {
    test("--test interpreted")
}

fn test(what: &str) -> Result<(), String> {
    let miri = format!("miri test --package host-tests --target {TARGET} {what}");
    let mut command = workspace::nightly(&miri);
    command.env("CARGO_TARGET_DIR", workspace::target().join("miri"));
    workspace::run(command)
}
