//! The core under Miri, an interpreter that notices every access to memory that is not sound.

use crate::setup::{self, Need};
use crate::workspace;

pub const NEEDS: [Need; 1] = [Need::Nightly];

/// Of 32 bits, as boards are, and one on which no function of `libm` is written in assembly.
const TARGET: &str = "arm-unknown-linux-gnueabi";

/// Others that end within minutes.
const MORE: [&str; 7] = [
    "parameters::every_other_parameter_that_is_out_of_range_is_refused_with_its_name",
    "agent::an_episode_that_begins_at_its_end_is_no_obstacle",
    "choices::",
    "lfd::a_choice_of_what_was_not_there_teaches_nothing",
    "lfd::a_direction_that_turns_out_to_be_wrong_is_turned_around",
    "stew::edges::features_as_large_as_they_can_be_do_not_overflow",
    "stew::edges::where_there_is_no_alternative_there_is_nothing_to_learn",
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
