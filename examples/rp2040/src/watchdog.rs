//! A watchdog that is fed by progress and by nothing else.

use embassy_rp::Peri;
use embassy_rp::peripherals::WATCHDOG;
use embassy_rp::watchdog;
use embassy_time::Duration;
use ipse::Driver;
use ipse_device::{Observer, Session};

/// The longest time without progress, of at most 8.38 s that the chip can count.
///
/// Whatever goes well is below it. Measured in rp2040js at 133 MHz, on Tetris unless it says otherwise, by the image
/// `slices` of the test firmware:
///
/// | what | ms |
/// |---|---:|
/// | a rollout of 1000 actions, which is the longest that is valid | 73 |
/// | the same in a task with 256 actions | 141 |
/// | a rollout of 20 actions with a dominance filter, which is the longest then | 6 |
/// | the same in a task with 256 actions, none of which dominates another | 2480 |
/// | a slice of a fit to 100 choices | 7 |
/// | a slice of a cross-validation with 100 choices | 8 |
/// | a checkpoint, with an erase of 45 ms as is typical | 53 |
/// | a boot: reading the flash, checking and restoring the newest checkpoint | 12 |
///
/// The datasheet of the flash allows 400 ms for an erase, and a checkpoint may take four of them if pages are bad. A real
/// RP2040 waits for its flash besides, when its cache misses. Where a step of a task takes ten times as long as one of
/// Tetris, let rollouts be shorter.
const LIMIT: Duration = Duration::from_secs(8);

/// Restarts the board if a session makes no progress, be it for a panic, a fault or a hang.
pub struct Watchdog(watchdog::Watchdog);

impl Watchdog {
    /// Starts it, before the flash is read for the first time.
    pub(crate) fn start(watchdog: Peri<'static, WATCHDOG>) -> Self {
        let mut watchdog = watchdog::Watchdog::new(watchdog);
        watchdog.pause_on_debug(true);
        watchdog.start(LIMIT);
        Watchdog(watchdog)
    }
}

impl<D: Driver> Observer<D> for Watchdog {
    fn progress(&mut self, _: &Session<D>, _micros: u32) {
        self.0.feed(LIMIT);
    }
}

/// A fault, such as the one that a panic ends with, is logged and shown until the watchdog restarts the board.
#[cortex_m_rt::exception]
unsafe fn HardFault(_frame: &cortex_m_rt::ExceptionFrame) -> ! {
    #[cfg(feature = "defmt")]
    defmt::error!("hard fault at {=u32:#010x}", _frame.pc());
    crate::led::fault()
}
