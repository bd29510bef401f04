//! Restarts the board if nobody has told of progress for a while.
//!
//! QEMU does not model the watchdog of the STM32F405, so this one lives in the handler of SysTick. It
//! cannot help if that handler is kept from running; a real one can.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::peripheral::SCB;
use semihosting::eprintln;

/// How many milliseconds may pass. A slice of work and a save take tens at the most, and whole iterations,
/// which can take this long, do not matter.
const LIMIT: u32 = 2000;

/// How many are left. None if it was not started.
static LEFT: AtomicU32 = AtomicU32::new(0);

/// The most that have passed.
static LONGEST: AtomicU32 = AtomicU32::new(0);

/// Tells of progress. The first time starts the watchdog.
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
pub fn tick() {
    let left = LEFT.load(Relaxed);
    if left == 1 {
        eprintln!("watchdog: no progress in {LIMIT} ms");
        SCB::sys_reset();
    }
    LEFT.store(left.saturating_sub(1), Relaxed);
}
