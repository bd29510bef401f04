//! Checkpoints in the last pages of the flash, which `memory-rp2040.x` and `memory-rp2350.x` leave free.

use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_rp::Peri;
use embassy_rp::flash::{Blocking, ERASE_SIZE, Flash};
use embassy_rp::peripherals::FLASH;
use ipse_device::Storage;

/// All of the flash.
#[cfg(feature = "rp2040")]
const BYTES: usize = 2 * 1024 * 1024;
#[cfg(feature = "rp2350")]
const BYTES: usize = 4 * 1024 * 1024;
const PAGES: usize = 4;

/// The size of a buffer for the checkpoints of all images here, such that a page has room for two. An image with larger
/// ones would not compile.
const BUFFER: usize = 2016;

/// The pages of the flash for checkpoints.
pub type Checkpoints = Storage<BlockingAsync<Flash<'static, FLASH, Blocking, BYTES>>, BUFFER>;

pub(crate) fn checkpoints(flash: Peri<'static, FLASH>) -> Checkpoints {
    let flash = BlockingAsync::new(Flash::new_blocking(flash));
    let range = (BYTES - PAGES * ERASE_SIZE) as u32..BYTES as u32;
    Storage::new(flash, range).expect("these are whole pages, and enough of them")
}
