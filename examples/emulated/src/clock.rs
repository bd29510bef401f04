//! Time, and the number of instructions that something takes.
//!
//! With `-icount shift=0` QEMU lets every instruction take one nanosecond, so that SysTick, which
//! runs at the clock of the board, counts instructions.

use core::cell::{Cell, RefCell};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use core::task::Waker;
use cortex_m::peripheral::{SCB, SYST, syst::SystClkSource};
use cortex_m_rt::exception;
use critical_section::Mutex;
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

/// The frequency of SysTick.
pub const HZ: u64 = if cfg!(board = "mps2-an385") {
    25_000_000
} else if cfg!(board = "mps2-an505") {
    20_000_000
} else {
    168_000_000
};

/// A millisecond.
const PERIOD: u32 = (HZ / 1000) as u32;
const TICKS_PER_MICROSECOND: u32 = PERIOD / 1000;

/// SysTick, and the tasks that wait for it.
struct SysTickDriver {
    periods: AtomicU32,
    queue: Mutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static DRIVER: SysTickDriver = SysTickDriver {
    periods: AtomicU32::new(0),
    queue: Mutex::new(RefCell::new(Queue::new())),
});

impl Driver for SysTickDriver {
    // Out of line, as it is called from many places.
    #[inline(never)]
    fn now(&self) -> u64 {
        // No division of 64 bits, which is a function of its own.
        let (periods, ticks) = self.elapsed();
        u64::from(periods) * 1000 + u64::from(ticks / TICKS_PER_MICROSECOND)
    }

    /// Waiting tasks are looked at once in every period.
    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|cs| {
            self.queue.borrow_ref_mut(cs).schedule_wake(at, waker);
        });
    }
}

impl SysTickDriver {
    /// The number of periods since the start, and of ticks since the last of them.
    fn elapsed(&self) -> (u32, u32) {
        critical_section::with(|_| {
            loop {
                let left = SYST::get_current();
                let ended = SCB::is_pendst_pending();
                let left = if ended { SYST::get_current() } else { left };
                // A period ends when the counter reaches 0, one tick before it is full again.
                if left != 0 {
                    return (self.periods.load(Relaxed) + u32::from(ended), PERIOD - left);
                }
            }
        })
    }

    fn ticks(&self) -> u64 {
        let (periods, ticks) = self.elapsed();
        u64::from(periods) * u64::from(PERIOD) + u64::from(ticks)
    }
}

/// What else is to be done every millisecond.
static HOOK: Mutex<Cell<fn()>> = Mutex::new(Cell::new(|| {}));

/// Has `hook` called every millisecond, in the handler of SysTick.
pub fn every_millisecond(hook: fn()) {
    critical_section::with(|cs| HOOK.borrow(cs).set(hook));
}

#[exception]
fn SysTick() {
    critical_section::with(|cs| HOOK.borrow(cs).get())();
    DRIVER
        .periods
        .store(DRIVER.periods.load(Relaxed) + 1, Relaxed);
    critical_section::with(|cs| {
        DRIVER
            .queue
            .borrow_ref_mut(cs)
            .next_expiration(DRIVER.now());
    });
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
        let start = DRIVER.ticks();
        let result = work();
        let ticks = DRIVER.ticks() - start;
        (result, ticks * 1000 / (HZ / 1_000_000))
    }
}
