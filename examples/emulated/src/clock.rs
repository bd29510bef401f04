//! Time, and the number of instructions that something takes.
//!
//! With `-icount shift=0` QEMU lets every instruction take one nanosecond, so that SysTick, which
//! runs at the clock of the board, counts instructions.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::peripheral::{SYST, syst::SystClkSource};
use cortex_m_rt::exception;

/// How fast SysTick counts.
pub const HZ: u64 = if cfg!(board = "mps2-an385") {
    25_000_000
} else {
    168_000_000
};

/// SysTick has 24 bits.
const PERIOD: u32 = 1 << 24;

static PERIODS: AtomicU32 = AtomicU32::new(0);

#[exception]
fn SysTick() {
    PERIODS.store(PERIODS.load(Relaxed) + 1, Relaxed);
}

/// SysTick, running.
pub struct Clock(());

impl Clock {
    /// Starts SysTick.
    pub fn start(mut systick: SYST) -> Self {
        systick.set_reload(PERIOD - 1);
        systick.clear_current();
        systick.set_clock_source(SystClkSource::Core);
        systick.enable_interrupt();
        systick.enable_counter();
        Clock(())
    }

    /// The number of ticks since the start.
    pub fn now(&self) -> u64 {
        loop {
            let periods = PERIODS.load(Relaxed);
            let left = SYST::get_current();
            // A period ends when the counter reaches 0, one tick before it is full again.
            if left != 0 && periods == PERIODS.load(Relaxed) {
                return u64::from(periods) * u64::from(PERIOD) + u64::from(PERIOD - left);
            }
        }
    }

    /// Panics if the clock does not count instructions, by a loop that has two of them.
    pub fn assert_counts_instructions(&self) {
        const LOOPS: u32 = 500_000;
        let ((), counted) = self.instructions(|| cortex_m::asm::delay(LOOPS));
        let known = 2 * u64::from(LOOPS);
        assert!(
            counted.abs_diff(known) < known / 1000,
            "{known} instructions were counted as {counted}: run QEMU with -icount shift=0"
        );
    }

    /// The number of instructions that `work` takes.
    pub fn instructions<T>(&self, work: impl FnOnce() -> T) -> (T, u64) {
        let start = self.now();
        let result = work();
        let ticks = self.now() - start;
        (result, ticks * 1000 / (HZ / 1_000_000))
    }

    /// Sleeps until the counter is next at 0, which it is ten times a second on the netduinoplus2.
    pub fn sleep(&self) {
        let periods = PERIODS.load(Relaxed);
        while PERIODS.load(Relaxed) == periods {
            cortex_m::asm::wfi();
        }
    }
}
