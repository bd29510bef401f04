//! What the test firmware for the emulated boards has in common: a run from the command line, and for
//! `durable` a watchdog and faults on purpose.
#![no_std]

#[cfg(feature = "storage")]
pub mod trouble;
#[cfg(feature = "storage")]
pub mod watchdog;

use bench::Run;
use emulated::words;

/// The run that the command line sets.
// Out of line, so that the command line does not stay on the stack.
#[inline(never)]
pub fn run() -> Run {
    let mut run = Run::default();
    words::each(|word| {
        if let Err(error) = run.set(word) {
            panic!("{error}");
        }
    });
    run
}
