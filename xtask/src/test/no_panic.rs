//! That nothing in the core can panic: an image of it links only if that is so.

use super::Step;
use super::steps::{CLIPPY, FORMATTER};
use crate::firmware::{Board, M0, M4};
use crate::setup::Need;
use crate::watch::watch;
use crate::workspace;
use std::process::Command;
use std::time::Duration;

/// What the linker misses if a panic can be reached.
const MISSING: &str = "undefined symbol: a_panic_is_reachable";

pub fn steps() -> Vec<Step> {
    let step = |board: Board| {
        let needs = [Need::Target(board.target), CLIPPY, FORMATTER];
        let title = format!("no panic can be reached, {}", board.core);
        Step::new(title, &needs, move || check(&board))
    };
    [M4, M0].map(step).into()
}

fn check(board: &Board) -> Result<(), String> {
    workspace::run(cargo("fmt --check"))?;
    workspace::run(cargo(&format!(
        "clippy --release --target {} -- -D warnings",
        board.target
    )))?;
    let missed = link(board, "panics")?;
    if !missed {
        return Err("an image that panics was linked: the check is of no use".into());
    }
    println!("an image that can panic does not link, as it should be");
    if link(board, "core")? {
        return Err(
            "a panic can be reached in the core; host-tests/firmware/no-panic/README.md says how to find it"
                .into(),
        );
    }
    println!("all of the core that a board uses links without a panic");
    Ok(())
}

/// Builds an image. Returns whether it did not link because it can panic.
fn link(board: &Board, image: &str) -> Result<bool, String> {
    let build = format!("build --release --target {} --bin {image}", board.target);
    let mut output = String::new();
    let result = watch(cargo(&build), Duration::from_secs(600), |line| {
        output.push_str(line);
        output.push('\n');
        Ok(())
    });
    match result {
        Ok(()) => Ok(false),
        Err(_) if output.contains(MISSING) => Ok(true),
        Err(message) => Err(format!("{output}{message}")),
    }
}

fn cargo(arguments: &str) -> Command {
    let mut command = workspace::cargo(arguments);
    command.current_dir(workspace::root().join("host-tests/firmware/no-panic"));
    command.env("CARGO_TARGET_DIR", workspace::target().join("no-panic"));
    command
}
