//! Checkpoints in the last two sectors of the flash, which `memory.x` leaves free.

use embassy_stm32::Peri;
use embassy_stm32::flash::{Bank1Region3, Blocking, Error, Flash};
use embassy_stm32::pac;
use embassy_stm32::peripherals::FLASH;
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use ipse_device::Storage;

/// A large sector.
const SECTOR: u32 = 128 * 1024;
const SECTORS: u32 = 2;

/// The size of a buffer for the checkpoints of all images here. An image with larger ones would not compile.
const BUFFER: usize = 2016;

/// The sectors of the flash for checkpoints.
pub type Checkpoints = Storage<LargeSectors, BUFFER>;

pub(crate) fn checkpoints(flash: Peri<'static, FLASH>) -> Checkpoints {
    let flash = LargeSectors(
        Flash::new_blocking(flash)
            .into_blocking_regions()
            .bank1_region3,
    );
    let end = flash.capacity() as u32;
    Storage::new(flash, end - SECTORS * SECTOR..end).expect("these are whole sectors")
}

/// The part of the flash that has sectors of 128 KiB. The core stands still while one is erased, since its code is in the
/// same flash.
pub struct LargeSectors(Bank1Region3<'static, Blocking>);

impl ErrorType for LargeSectors {
    type Error = Error;
}

impl ReadNorFlash for LargeSectors {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Error> {
        self.0.blocking_read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.0.size as usize
    }
}

impl NorFlash for LargeSectors {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = SECTOR as usize;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Error> {
        let erased = self.0.blocking_erase(from, to);
        forget_cached_data();
        erased
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        self.0.blocking_write(offset, bytes)
    }
}

/// The data cache follows what is programmed, but not what is erased (RM0390, 3.5.3 and RM0383, 3.6.3). It can be emptied
/// while it is off.
fn forget_cached_data() {
    let control = pac::FLASH.acr();
    control.modify(|w| w.set_dcen(false));
    control.modify(|w| w.set_dcrst(true));
    control.modify(|w| w.set_dcrst(false));
    control.modify(|w| w.set_dcen(true));
}
