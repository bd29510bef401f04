//! Protection against power cuts, panics and hangs: checkpoints in the last pages of the flash, and a
//! watchdog that is fed by progress and by nothing else.
//!
//! A panic or a fault is logged and then waits for the watchdog, so that a probe has time to read the
//! log.

#[cfg(feature = "defmt")]
use cortex_m_rt::ExceptionFrame;
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_rp::Peri;
use embassy_rp::flash::{Blocking, ERASE_SIZE, Flash};
use embassy_rp::peripherals::{FLASH, WATCHDOG};
use embassy_time::Duration;
use ipse_device::Storage;

/// All of the flash, as on the Raspberry Pi Pico.
const FLASH_BYTES: usize = 2 * 1024 * 1024;
/// `memory.x` leaves them alone.
const CHECKPOINT_BYTES: usize = 4 * ERASE_SIZE;

/// The longest time without progress: that of a slice of work, and at the most of a line of text and a checkpoint.
/// Those take tens of milliseconds, and the datasheet of the flash allows 0.4 s for the erase of a page.
const LIMIT: Duration = Duration::from_secs(5);

/// What checkpoints are written on.
type Pages = BlockingAsync<Flash<'static, FLASH, Blocking, FLASH_BYTES>>;

/// The size of a buffer that is large enough for the checkpoints of all images here. If it were not, they would
/// not compile. With a header, two checkpoints of this size fit a page.
const BUFFER: usize = 2016;

/// The pages for checkpoints.
pub type Checkpoints = Storage<Pages, BUFFER>;

/// The pages for checkpoints.
pub fn checkpoints(flash: Peri<'static, FLASH>) -> Checkpoints {
    let flash = BlockingAsync::new(Flash::new_blocking(flash));
    let range = (FLASH_BYTES - CHECKPOINT_BYTES) as u32..FLASH_BYTES as u32;
    Storage::new(flash, range).expect("these are four whole pages")
}

/// The watchdog of the RP2040.
pub struct Watchdog(embassy_rp::watchdog::Watchdog);

impl Watchdog {
    /// The watchdog, not started.
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
