//! Where checkpoints lie: blocks of pages, and slots in each block.

use super::header::Header;
use core::fmt;
use core::ops::Range;
use embedded_storage_async::nor_flash::NorFlash;

/// The largest word of flash, for reading or for programming, that is supported. Buffers are multiples of it.
pub const LARGEST_WORD: usize = 32;

/// The most blocks of a range.
pub const MOST_BLOCKS: u32 = u64::BITS;

/// The reason why a range of addresses cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum UnfitRange {
    /// The range does not begin and end with a page.
    Unaligned {
        /// The address that is not that of a page.
        address: u32,
        /// The number of bytes of a page.
        page: u32,
    },
    /// The range goes beyond the end of the flash, or ends before it begins.
    OutOfBounds {
        /// The end of the range.
        end: u32,
        /// The number of bytes of the flash.
        capacity: usize,
    },
    /// The range has too few pages for two checkpoints, or more than can be kept account of.
    Pages {
        /// The number of pages.
        pages: u32,
        /// The least number of pages.
        least: u32,
        /// The largest number of pages.
        most: u32,
    },
}

impl fmt::Display for UnfitRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnfitRange::Unaligned { address, page } => write!(
                f,
                "storage: address {address:#x} is not a multiple of the page size ({page})"
            ),
            UnfitRange::OutOfBounds { end, capacity } => write!(
                f,
                "storage: the end of the range ({end:#x}) is before its start or exceeds the capacity of the flash \
                 ({capacity:#x})"
            ),
            UnfitRange::Pages { pages, least, most } => {
                write!(f, "storage: pages ({pages}) must be from {least} to {most}")
            }
        }
    }
}

impl core::error::Error for UnfitRange {}

/// A slot of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub block: u32,
    pub slot: u32,
}

/// How a range of flash is divided.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    start: u32,
    /// The bytes of a block: one page, or as many as a slot needs.
    block: u32,
    pub blocks: u32,
    /// The bytes of a slot: a header and a checkpoint.
    pub slot: u32,
    /// The slots of a block.
    pub slots: u32,
    /// The bytes of a header, in whole words.
    pub header: u32,
}

impl Layout {
    pub fn new<F: NorFlash>(
        flash: &F,
        range: &Range<u32>,
        buffer: usize,
    ) -> Result<Self, UnfitRange> {
        let page = F::ERASE_SIZE as u32;
        let unaligned = |address: &u32| !address.is_multiple_of(page);
        if let Some(address) = [range.start, range.end].into_iter().find(unaligned) {
            return Err(UnfitRange::Unaligned { address, page });
        }
        let end = range.end;
        let capacity = flash.capacity();
        if end < range.start || end as usize > capacity {
            return Err(UnfitRange::OutOfBounds { end, capacity });
        }
        let header = Header::BYTES.next_multiple_of(word::<F>());
        let slot = (header + buffer) as u32;
        let pages = (end - range.start) / page;
        let pages_in_block = slot.div_ceil(page);
        let (least, most) = (2 * pages_in_block, MOST_BLOCKS * pages_in_block);
        if !(least..=most).contains(&pages) {
            return Err(UnfitRange::Pages { pages, least, most });
        }
        let block = pages_in_block * page;
        Ok(Layout {
            start: range.start,
            block,
            blocks: pages / pages_in_block,
            slot,
            slots: block / slot,
            header: header as u32,
        })
    }

    /// The addresses of a block.
    pub fn block(&self, block: u32) -> Range<u32> {
        let start = self.start + block * self.block;
        start..start + self.block
    }

    /// The address of the header in a slot.
    pub fn header_at(&self, place: Place) -> u32 {
        self.block(place.block).start + place.slot * self.slot
    }

    /// The address of the checkpoint in a slot.
    pub fn content_at(&self, place: Place) -> u32 {
        self.header_at(place) + self.header
    }

    /// Returns whether a header is one of this layout.
    pub fn fits(&self, header: &Header) -> bool {
        header.slot == self.slot && header.len <= self.slot - self.header
    }

    /// The slots of the whole range.
    pub fn all_slots(&self) -> u32 {
        self.blocks * self.slots
    }
}

/// The number of bytes by which everything is aligned.
pub const fn word<F: NorFlash>() -> usize {
    match F::READ_SIZE > F::WRITE_SIZE {
        true => F::READ_SIZE,
        false => F::WRITE_SIZE,
    }
}

/// A set of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocks(u64);

impl Blocks {
    pub fn insert(&mut self, block: u32) {
        self.0 |= 1 << (block % MOST_BLOCKS);
    }

    pub fn remove(&mut self, block: u32) {
        self.0 &= !(1 << (block % MOST_BLOCKS));
    }

    pub fn contains(self, block: u32) -> bool {
        self.0 >> (block % MOST_BLOCKS) & 1 == 1
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }
}
