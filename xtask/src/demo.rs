//! The agent learns on the emulated board and then plays, live in the terminal.

use crate::firmware::{LEARN, M4, QEMU};
use crate::setup::{self, Need};
use crate::workspace;

/// With the 400 iterations of the paper, about a minute to watch.
pub fn run() -> Result<(), String> {
    setup::require(&[Need::Target(M4.target), QEMU])?;
    show(100, &["seed=6"])
}

/// Shows how the board learns with these settings, and then plays with so many pieces.
pub fn show(pieces: u32, settings: &[&str]) -> Result<(), String> {
    M4.build_example()?;
    let lab = "--release --package ipse-lab --bin ipse";
    workspace::run(workspace::cargo(&format!("build {lab}")))?;
    let mut watch = workspace::cargo(&format!("run --quiet {lab} -- watch"));
    watch.args(["--qemu", "--pieces", &pieces.to_string(), "--elf"]);
    watch.arg(M4.image(LEARN)).arg("--").args(settings);
    workspace::run(watch)
}
