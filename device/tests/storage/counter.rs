//! The smallest thing that is worth keeping: a number, with a checksum.

use embassy_futures::block_on;
use embedded_storage_async::nor_flash::NorFlash;
use ipse::checkpoint::{Crc32, LoadError, SaveError};
use ipse_device::faults::{FaultyFlash, FlashError};
use ipse_device::storage::{LoadFailed, Persistent, Restored, SaveFailed, Saved, Storage};

/// The number, in as many bytes as it takes and 40 more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter(pub u32);

pub const BUFFER: usize = 64;

impl Persistent for Counter {
    const MAX_BYTES: usize = 60;

    fn save<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        let len = 40 + self.0 as usize % 17;
        let (content, checksum) = buffer[..len + 4].split_at_mut(len);
        // Bytes of every kind.
        for (place, byte) in content.iter_mut().zip(0u8..) {
            *place = byte.wrapping_mul(37) ^ self.0 as u8;
        }
        content[..4].copy_from_slice(&self.0.to_le_bytes());
        checksum.copy_from_slice(&Crc32::of(content).to_le_bytes());
        Ok(&buffer[..len + 4])
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let (content, checksum) = bytes.split_last_chunk().ok_or(LoadError::Damaged)?;
        if u32::from_le_bytes(*checksum) != Crc32::of(content) {
            return Err(LoadError::Damaged);
        }
        let number = content.first_chunk().ok_or(LoadError::Damaged)?;
        self.0 = u32::from_le_bytes(*number);
        Ok(())
    }
}

pub const PAGE: usize = 256;

/// Flash of small pages. A page has room for three counters.
pub type Flash<const PAGES: usize> = FaultyFlash<4, PAGE, PAGES>;

/// A board with a storage for a counter.
pub struct Board<F> {
    pub storage: Storage<F, BUFFER>,
}

impl<F: NorFlash<Error = FlashError>> Board<F> {
    /// On all of the flash.
    pub fn new(flash: F) -> Self {
        let range = 0..flash.capacity() as u32;
        let storage = Storage::new(flash, range).unwrap();
        Board { storage }
    }

    /// Turned on: the number that it goes on from.
    pub fn boot(flash: F) -> (Self, Result<(u32, Restored), LoadFailed<FlashError>>) {
        let mut board = Board::new(flash);
        let mut counter = Counter::default();
        let restored = block_on(board.storage.restore(&mut counter));
        (board, restored.map(|restored| (counter.0, restored)))
    }

    pub fn save(&mut self, number: u32) -> Result<Saved, SaveFailed<FlashError>> {
        block_on(self.storage.save(&mut Counter(number)))
    }
}

/// The number that a board goes on from, if there is any.
pub fn newest(flash: impl NorFlash<Error = FlashError>) -> Option<u32> {
    let (_, booted) = Board::boot(flash);
    booted.ok().map(|(number, _)| number)
}
