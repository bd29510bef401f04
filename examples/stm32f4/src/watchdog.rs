//! A watchdog that is fed by progress and by nothing else.

use embassy_stm32::Peri;
use embassy_stm32::pac::DBGMCU;
use embassy_stm32::peripherals::IWDG;
use embassy_stm32::wdg::IndependentWatchdog;
use ipse::Driver;
use ipse_device::{Observer, Session};

/// The longest time without progress, in microseconds of a clock of 32 kHz. The one that the watchdog has runs with 17 to
/// 47 kHz, so that it is 20 s at least and 56 s at most.
///
/// What takes longest is an erase: 2 s as is typical and 4 s at most for 128 KiB, byte by byte, which is how embassy-stm32
/// does it. A checkpoint may take three of them if a sector is bad.
const LIMIT: u32 = 30_000_000;

/// Restarts the board if a session makes no progress, be it for a hang or a fault that nobody handles.
pub struct Watchdog(IndependentWatchdog<'static, IWDG>);

impl Watchdog {
    /// Starts it, before the flash is read for the first time.
    pub(crate) fn start(watchdog: Peri<'static, IWDG>) -> Self {
        // It stands still while a debugger has stopped the core.
        DBGMCU.apb1fzr().modify(|w| w.set_iwdg(true));
        let mut watchdog = IndependentWatchdog::new(watchdog, LIMIT);
        watchdog.unleash();
        Watchdog(watchdog)
    }
}

impl<D: Driver> Observer<D> for Watchdog {
    fn progress(&mut self, _: &Session<D>, _micros: u32) {
        self.0.pet();
    }
}

/// A fault, such as the one that a panic ends with, is logged and shown, and then the board restarts.
#[cortex_m_rt::exception]
unsafe fn HardFault(_frame: &cortex_m_rt::ExceptionFrame) -> ! {
    #[cfg(feature = "defmt")]
    defmt::error!("hard fault at {=u32:#010x}", _frame.pc());
    crate::led::fault();
    cortex_m::peripheral::SCB::sys_reset()
}
