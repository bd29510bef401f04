//! A watchdog that is fed by progress and by nothing else.

use embassy_rp::Peri;
use embassy_rp::peripherals::WATCHDOG;
use embassy_rp::watchdog;
use embassy_time::Duration;
use ipse::Driver;
use ipse_device::{Observer, Session};

const LIMIT: Duration = Duration::from_secs(8);

/// Restarts the board if a session makes no progress, be it for a panic, a fault or a hang.
pub struct Watchdog(watchdog::Watchdog);

impl Watchdog {
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

/// A fault, such as the one that a panic ends with, is logged, and then waits for the watchdog, so that a probe has time
/// to read the log.
#[cfg(feature = "defmt")]
#[cortex_m_rt::exception]
unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
    defmt::error!("hard fault at {=u32:#010x}", frame.pc());
    #[expect(clippy::empty_loop, reason = "the watchdog ends it")]
    loop {}
}
