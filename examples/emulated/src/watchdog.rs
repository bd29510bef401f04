//! Restarts the board if nobody has told of progress for a while.
//!
//! QEMU does not model the watchdog of the STM32F405, so this one lives in the handler of SysTick. It
//! cannot help if that handler is kept from running; a real one can.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::peripheral::SCB;
use semihosting::eprintln;

/// How many milliseconds may pass.
const LIMIT: u32 = 2000;

/// How many are left. None if it was not started.
static LEFT: AtomicU32 = AtomicU32::new(0);

/// Tells of progress. The first time starts the watchdog.
pub fn feed() {
    LEFT.store(LIMIT, Relaxed);
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
