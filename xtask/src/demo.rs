//! The agent learns on the emulated board and then plays, live in the terminal.

use crate::firmware::{M4, QEMU};
use crate::setup::{self, Need};
use crate::workspace;

/// With the 400 iterations of the paper, about a minute to watch.
pub fn run() -> Result<(), String> {
    setup::require(&[Need::Target(M4.target), QEMU])?;
    show(100, &["seed=6"])
}

/// Shows how the board learns with these settings, and then plays with so many pieces.
pub fn show(pieces: u32, settings: &[&str]) -> Result<(), String> {
    M4.build()?;
    workspace::run(workspace::cargo("build --release --package lab"))?;
    let mut watch = workspace::cargo("run --quiet --release --package lab --bin ipse -- watch");
    watch.args(["--qemu", "--pieces", &pieces.to_string(), "--elf"]);
    watch.arg(M4.image("learn")).arg("--").args(settings);
    workspace::run(watch)
}
