//! What lets the board lose power and get into trouble: checkpoints in the last pages of its flash,
//! and a watchdog that is fed by progress and by nothing else.
//!
//! A panic or a fault is logged and then waits for the watchdog, so that a probe has time to read the
//! log.

use board::Storage;
#[cfg(feature = "defmt")]
use cortex_m_rt::ExceptionFrame;
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_rp::Peri;
use embassy_rp::flash::{Blocking, ERASE_SIZE, Flash};
use embassy_rp::peripherals::{FLASH, WATCHDOG};
use embassy_time::Duration;

/// All of the flash, as on the Raspberry Pi Pico.
const FLASH_BYTES: usize = 2 * 1024 * 1024;
/// `memory.x` leaves them alone.
const CHECKPOINT_BYTES: usize = 4 * ERASE_SIZE;

/// Between two meals there is a slice of work, and at the most a line of text and a checkpoint: tens of
/// milliseconds, unless pages have to be erased, which the datasheet of the flash allows 0.4 s each.
const LIMIT: Duration = Duration::from_secs(5);

/// What checkpoints are written on.
pub type Pages = BlockingAsync<Flash<'static, FLASH, Blocking, FLASH_BYTES>>;

/// The pages for checkpoints.
pub fn storage(flash: Peri<'static, FLASH>) -> Storage<Pages> {
    let flash = BlockingAsync::new(Flash::new_blocking(flash));
    let range = (FLASH_BYTES - CHECKPOINT_BYTES) as u32..FLASH_BYTES as u32;
    Storage::new(flash, range).expect("these are four pages")
}

/// The watchdog of the RP2040.
pub struct Watchdog(embassy_rp::watchdog::Watchdog);

impl Watchdog {
    /// It sleeps.
    pub fn new(watchdog: Peri<'static, WATCHDOG>) -> Self {
        Watchdog(embassy_rp::watchdog::Watchdog::new(watchdog))
    }

    /// From now on there has to be progress.
    pub fn start(&mut self) {
        self.0.pause_on_debug(true);
        self.0.start(LIMIT);
    }

    /// There was progress.
    pub fn feed(&mut self) {
        self.0.feed(LIMIT);
    }
}

/// A panic ends here as well.
#[cfg(feature = "defmt")]
#[cortex_m_rt::exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    defmt::error!("hard fault at {=u32:#010x}", frame.pc());
    #[expect(clippy::empty_loop, reason = "the watchdog ends it")]
    loop {}
}
