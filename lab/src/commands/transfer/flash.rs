//! The flash of a board with a checkpoint in it, written and read by the storage of the board itself.

use embassy_futures::block_on;
use indicatif::HumanCount;
use ipse::checkpoint::{LoadError, SaveError, examine};
use ipse_device::Storage;
use ipse_device::faults::FaultyFlash;
use ipse_device::storage::Persistent;
use std::ops::Range;

/// Where a board keeps its checkpoints.
pub struct Layout {
    /// The addresses of all of its flash. Its last pages are for checkpoints.
    flash: Range<u32>,
    /// The number of bytes of these pages.
    bytes: usize,
    with: fn(&[u8]) -> Result<Vec<u8>, String>,
    newest: fn(&[u8]) -> Result<Vec<u8>, String>,
}

/// A Raspberry Pi Pico with an image of `examples/rp2040`.
pub const PICO: Layout = Layout::new::<1, 4096, 4, 2016>(0x1000_0000..0x1020_0000);

impl Layout {
    /// Flash in words of `WORD` bytes, with so many pages for checkpoints of up to `BUFFER` bytes.
    const fn new<const WORD: usize, const PAGE: usize, const PAGES: usize, const BUFFER: usize>(
        flash: Range<u32>,
    ) -> Self {
        Layout {
            flash,
            bytes: PAGE * PAGES,
            with: with::<WORD, PAGE, PAGES, BUFFER>,
            newest: newest::<WORD, PAGE, PAGES, BUFFER>,
        }
    }

    /// The address of the pages for checkpoints.
    pub const fn address(&self) -> u32 {
        self.flash.end - self.bytes as u32
    }

    /// The pages for checkpoints, with nothing in them but this one.
    pub fn with(&self, checkpoint: &[u8]) -> Result<Vec<u8>, String> {
        (self.with)(checkpoint)
    }

    /// The newest checkpoint in these pages, or in the whole flash.
    pub fn newest(&self, flash: &[u8]) -> Result<Vec<u8>, String> {
        let all = self.flash.len();
        if ![self.bytes, all].contains(&flash.len()) {
            return Err(format!(
                "it has {} bytes; the pages for checkpoints, from {:#x}, have {}, and the whole flash has {}",
                HumanCount(flash.len() as u64),
                self.address(),
                HumanCount(self.bytes as u64),
                HumanCount(all as u64)
            ));
        }
        (self.newest)(&flash[flash.len() - self.bytes..])
    }
}

fn with<const WORD: usize, const PAGE: usize, const PAGES: usize, const BUFFER: usize>(
    checkpoint: &[u8],
) -> Result<Vec<u8>, String> {
    let flash = FaultyFlash::<WORD, PAGE, PAGES>::new();
    let mut storage = storage::<WORD, PAGE, PAGES, BUFFER>(&flash)?;
    let mut item = AsItIs::<BUFFER>(checkpoint.to_vec());
    block_on(storage.save(&mut item)).map_err(|error| error.to_string())?;
    Ok(flash.with_bytes(|bytes| bytes.to_vec()))
}

fn newest<const WORD: usize, const PAGE: usize, const PAGES: usize, const BUFFER: usize>(
    pages: &[u8],
) -> Result<Vec<u8>, String> {
    let flash = FaultyFlash::<WORD, PAGE, PAGES>::new();
    flash.with_bytes(|bytes| bytes.copy_from_slice(pages));
    let mut storage = storage::<WORD, PAGE, PAGES, BUFFER>(&flash)?;
    let mut item = AsItIs::<BUFFER>(Vec::new());
    block_on(storage.restore(&mut item)).map_err(|error| error.to_string())?;
    Ok(item.0)
}

type Pages<'f, const WORD: usize, const PAGE: usize, const PAGES: usize> =
    &'f FaultyFlash<WORD, PAGE, PAGES>;

fn storage<const WORD: usize, const PAGE: usize, const PAGES: usize, const BUFFER: usize>(
    flash: Pages<'_, WORD, PAGE, PAGES>,
) -> Result<Storage<Pages<'_, WORD, PAGE, PAGES>, BUFFER>, String> {
    Storage::new(flash, 0..(PAGE * PAGES) as u32).map_err(|error| error.to_string())
}

/// A checkpoint of any task, of at most so many bytes.
struct AsItIs<const BUFFER: usize>(Vec<u8>);

impl<const BUFFER: usize> Persistent for AsItIs<BUFFER> {
    const MAX_BYTES: usize = BUFFER;

    fn save<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        let (needed, room) = (self.0.len(), buffer.len());
        let too_small = SaveError::TooSmall {
            needed,
            buffer: room,
        };
        let place = buffer.get_mut(..needed).ok_or(too_small)?;
        place.copy_from_slice(&self.0);
        Ok(place)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        examine(bytes)?;
        self.0 = bytes.to_vec();
        Ok(())
    }
}
