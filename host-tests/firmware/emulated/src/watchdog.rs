//! Restarts the board if there was no progress for a while.
//!
//! QEMU does not model the watchdog of the STM32F405, so this one lives in the handler of SysTick. It
//! cannot help if that handler is kept from running; a real one can.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::peripheral::SCB;
use emulated::clock;
use semihosting::eprintln;

/// The most milliseconds without progress. A slice of work and a save take tens at the most.
const LIMIT: u32 = 2000;

/// The milliseconds that are left, or 0 before it is started.
static LEFT: AtomicU32 = AtomicU32::new(0);

/// The most milliseconds without progress so far.
static LONGEST: AtomicU32 = AtomicU32::new(0);

/// Starts the watchdog.
pub fn start() {
    feed();
    clock::every_millisecond(tick);
}

/// There was progress.
pub fn feed() {
    let left = LEFT.load(Relaxed);
    if left > 0 {
        let longest = LONGEST.load(Relaxed).max(LIMIT - left);
        LONGEST.store(longest, Relaxed);
    }
    LEFT.store(LIMIT, Relaxed);
}

/// The longest time without progress so far, and the longest that there may be, in milliseconds.
pub fn longest() -> (u32, u32) {
    (LONGEST.load(Relaxed), LIMIT)
}

/// A millisecond has passed.
fn tick() {
    let left = LEFT.load(Relaxed);
    if left == 1 {
        eprintln!("watchdog: no progress in {LIMIT} ms");
        SCB::sys_reset();
    }
    LEFT.store(left.saturating_sub(1), Relaxed);
}
