//! Checkpoints in flash, safe against power cuts and against flash that fails.
//!
//! The range is a ring of blocks, and each block a row of slots: a checkpoint is written to the next slot that is
//! erased, and only when a block is full the next one is erased, so that all blocks wear alike. A general log or map
//! of items in flash repairs and moves what it holds; here there is one item, of which older copies are worthless,
//! so that a page that fails is simply passed over, and nothing is ever repaired.
//!
//! # What is promised
//!
//! - **The newest checkpoint stays.** The block that holds it is not erased. A checkpoint is read back before its
//!   header is written, and the header before it counts. So when the power goes, at any bit, the last checkpoint is
//!   there or the one before.
//! - **A read that failed is not "nothing there".** A block that could not be read when the storage was restored is
//!   not written to until it can be, in a later call of [`Storage::restore`]. If something older was restored
//!   meanwhile, what is saved after that counts as newer than what the block holds. If nothing was restored, it counts
//!   as older, so that what was learned before comes back when it can be read again.
//! - **Nothing is erased unseen.** A block is looked at again before it is erased, and left alone if there is something
//!   newer in it than when the storage was restored.
//! - **A bad block is left out** from the first failure on, until the next boot, as long as another one may be
//!   written to: saving goes on while there are two good blocks.
//! - **Attempts are bounded.** A read is repeated up to [`READS`] times. In one save no block is erased twice, but
//!   for one last attempt if all have failed: that is at most one erase more than there are blocks, and one erase in
//!   all if every block was found to be bad before.
//! - **Wear is counted**, in the flash itself: see [`Saved::erases`] and [`Storage::lifetime`].
//!
//! # Format
//!
//! A block is one page, or as many as a slot needs. A slot is a header, in whole words, and a checkpoint:
//!
//! | bytes | content, little-endian |
//! |---|---|
//! | 4 | the CRC-32 of the next 16 bytes |
//! | 4 | the sequence number: the highest is that of the newest checkpoint |
//! | 4 | the number of erases, of all blocks together and so far |
//! | 4 | the size of a slot in bytes |
//! | 4 | the length of the checkpoint in bytes |
//! | … | the checkpoint, which has a checksum of its own |
//!
//! All releases with this format read each other's checkpoints, if range and size of the buffer are the same.
//! Checkpoints of another size are refused with [`LoadFailed::OtherLayout`]. Another format would compute the checksum
//! of its headers in another way, so that neither reads the other by mistake.
//!
//! # Wear
//!
//! All blocks are erased equally often, once for as many checkpoints as fit a block: see [`Storage::lifetime`].
//!
//! | flash | cycles | checkpoints of 1,664 bytes | once a minute |
//! |---|---:|---:|---:|
//! | RP2040 with a W25Q16JV, 4 pages of 4 KiB | 100,000 | 4 × 2 × 100,000 = 800,000 | 1.5 years |
//! | the same, 16 pages | 100,000 | 16 × 2 × 100,000 = 3,200,000 | 6 years |
//! | STM32F405, 2 sectors of 16 KiB | 10,000 | 2 × 9 × 10,000 = 180,000 | 125 days |
//! | STM32F405, 2 sectors of 128 KiB | 10,000 | 2 × 77 × 10,000 = 1,540,000 | 2.9 years |
//!
//! # Cancellation
//!
//! Every future here may be dropped at any time, if those of the flash may be. A save that was dropped has saved its
//! checkpoint or has not, as if the power had been cut, and the next one works. If a restore is dropped, the item is
//! as before or restored; [`Storage::save`] then looks for the newest checkpoint by itself.

mod error;
mod header;
mod layout;

pub use error::{Cause, LoadFailed, SaveFailed};
pub use layout::UnfitRange;

use crate::command::Part;
use crate::session::Session;
use core::ops::Range;
use embedded_storage_async::nor_flash::NorFlash;
use header::{ERASED, Header, HeaderBytes};
use ipse::ResumableDriver;
use ipse::checkpoint::{LoadError, SaveError};
use layout::{Blocks, LARGEST_WORD, Layout, Place, word};

/// How often a read is attempted.
pub const READS: u32 = 3;

/// Sequence numbers are above this, unless a session has started anew because blocks could not be read.
const CERTAIN: u32 = 1 << 31;

/// The number of bytes that are read back at once.
const CHUNK: usize = 64;

/// Something that is kept in flash.
pub trait Persistent {
    /// The most bytes of a checkpoint.
    const MAX_BYTES: usize;

    /// Writes a checkpoint to `buffer`, and returns what was written.
    fn save<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError>;

    /// Goes on from a checkpoint. Damaged bytes must be refused, so a checkpoint has a checksum of its own. After one
    /// was refused, it must be possible to restore another.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError>;
}

/// A range of flash for checkpoints, and a buffer for one of them.
///
/// `BUFFER` is the size of the largest checkpoint, rounded up to a multiple of 32. It decides where checkpoints lie, so
/// that those of a storage with another size are refused.
///
/// ```
/// # use ipse::prelude::*;
/// # use ipse::tetris::Tetris10x10;
/// # use ipse_device::{Session, Storage};
/// type Learner = Agent<Tetris10x10, Ipse>;
/// type Checkpoints<Flash> = Storage<Flash, { Session::<Learner>::BUFFER }>;
/// ```
pub struct Storage<F, const BUFFER: usize> {
    flash: F,
    layout: Layout,
    known: Known,
    buffer: [u8; BUFFER],
}

/// What is known of the flash since the last boot.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Whether all blocks were looked at.
    is_complete: bool,
    /// The newest checkpoint, which must not be lost.
    newest: Option<Place>,
    /// The block that was written to last.
    last: u32,
    /// The last sequence number.
    sequence: u32,
    /// The highest sequence number that was seen or used.
    highest: u32,
    /// The last sequence number below [`CERTAIN`].
    doubtful: u32,
    erases: u32,
    bad: Blocks,
    unreadable: Blocks,
}

/// A checkpoint that was restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Restored {
    /// The number of newer checkpoints that were refused.
    pub refused: u32,
    /// The number of blocks that could not be read. There may be a newer checkpoint in them.
    pub unreadable: u32,
    /// The number of erases of blocks so far. It was saved with the checkpoint.
    pub erases: u32,
}

/// A checkpoint that was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Saved {
    /// The address of the slot.
    pub address: u32,
    /// The number of erases of blocks so far, of all blocks together and since the flash was first used. After a
    /// power cut, the erase that it interrupted is not among them.
    pub erases: u32,
    /// The number of blocks that have failed since the last boot, and are left out.
    pub bad: u32,
    /// The number of blocks that could not be read when the storage was restored, and are left out.
    pub unreadable: u32,
}

/// What was seen in a search.
struct Seen<E> {
    /// The size of the slots, if there are headers for slots of another size.
    other_slot: Option<u32>,
    /// Why a block could not be read, the last time.
    unread: Option<E>,
}

impl<E> Seen<E> {
    const NEW: Self = Seen {
        other_slot: None,
        unread: None,
    };
}

/// The reason why a checkpoint was not restored.
enum Unusable<E> {
    Refused(LoadError),
    /// It could not be read, because of an error or because it was not the same twice.
    Unread(Option<E>),
}

impl<F: NorFlash, const BUFFER: usize> Storage<F, BUFFER> {
    /// Keeps checkpoints in a range of addresses: whole pages, and at least two, or more if a checkpoint is larger
    /// than a page.
    pub fn new(flash: F, range: Range<u32>) -> Result<Self, UnfitRange> {
        const {
            assert!(F::ERASE_SIZE > 0 && F::ERASE_SIZE.is_multiple_of(word::<F>()));
            assert!(F::READ_SIZE.is_power_of_two() && F::WRITE_SIZE.is_power_of_two());
            assert!(word::<F>() <= LARGEST_WORD, "words have at most 32 bytes");
            assert!(
                BUFFER > 0 && BUFFER.is_multiple_of(LARGEST_WORD),
                "the buffer of Storage is not a multiple of 32 bytes"
            );
        };
        Ok(Storage {
            layout: Layout::new(&flash, &range, BUFFER)?,
            flash,
            known: Known::default(),
            buffer: [0; BUFFER],
        })
    }

    /// Restores `item` from the newest checkpoint that it accepts.
    ///
    /// If none is accepted, `item` is as [`Persistent::restore`] leaves it when it refuses one. All headers are read
    /// once, and once more for each checkpoint that is refused.
    pub async fn restore<P: Persistent>(
        &mut self,
        item: &mut P,
    ) -> Result<Restored, LoadFailed<F::Error>> {
        self.known = Known::default();
        self.buffer.fill(!ERASED);
        let mut seen = Seen::NEW;
        let (mut refused, mut why) = (0, None);
        let mut limit = u32::MAX;
        while let Some((header, place)) = self.newest_before(limit, &mut seen).await {
            limit = header.sequence;
            self.known.see(header, place);
            match self.restore_from(place, header.len as usize, item).await {
                Ok(()) => {
                    self.known.go_on_from(place, &self.layout);
                    return Ok(Restored {
                        refused,
                        unreadable: self.known.unreadable.len(),
                        erases: self.known.erases,
                    });
                }
                Err(Unusable::Refused(error)) => {
                    refused += 1;
                    why.get_or_insert(error);
                }
                Err(Unusable::Unread(cause)) => {
                    self.known.unreadable.insert(place.block);
                    seen.unread = cause;
                }
            }
        }
        self.known.go_on_from_nothing();
        Err(match (self.known.unreadable.len(), why, seen.other_slot) {
            (0, Some(error), _) => LoadFailed::Refused(error),
            (0, None, Some(slot)) => LoadFailed::OtherLayout {
                slot,
                expected: self.layout.slot,
            },
            (0, None, None) => LoadFailed::Nothing,
            (blocks, ..) => LoadFailed::Unreadable {
                blocks,
                cause: seen.unread,
            },
        })
    }

    /// Saves `item` beside the newest checkpoint, and reads it back.
    ///
    /// It is written to the next erased slot of the same block, or else to the first slot of the next block that may
    /// be erased and is not bad, or else of the next bad one.
    pub async fn save<P: Persistent>(
        &mut self,
        item: &mut P,
    ) -> Result<Saved, SaveFailed<F::Error>> {
        const { assert!(BUFFER >= P::MAX_BYTES, "give Storage a larger buffer") };
        if !self.known.is_complete {
            self.look().await;
        }
        let len = item.save(&mut self.buffer)?.len();
        self.buffer
            .iter_mut()
            .skip(len)
            .for_each(|byte| *byte = ERASED);

        let mut failure = None;
        if let Some(newest) = self.known.newest
            && !self.known.is_left_out(newest.block)
        {
            match self.append(newest, len).await {
                Ok(Some(place)) => return Ok(self.saved(place)),
                Ok(None) => {}
                Err(cause) => failure = Some(self.failed(newest.block, cause)),
            }
        }
        for bad in [false, true] {
            let last = self.known.last;
            for step in 1..=self.layout.blocks {
                let block = (last + step) % self.layout.blocks;
                if !self.known.may_erase(block) || self.known.bad.contains(block) != bad {
                    continue;
                }
                match self.renew(block, len).await {
                    Ok(Some(place)) => return Ok(self.saved(place)),
                    Ok(None) => self.known.unreadable.insert(block),
                    Err(cause) => failure = Some(self.failed(block, cause)),
                }
                if bad {
                    break;
                }
            }
        }
        Err(failure.unwrap_or(SaveFailed::NoPlace {
            unreadable: self.known.unreadable.len(),
        }))
    }

    /// The number of checkpoints for which a block is erased once.
    pub fn saves_per_erase(&self) -> u32 {
        self.layout.slots
    }

    /// The number of checkpoints that can be saved until every block was erased `cycles` times, which is what the
    /// datasheet of the flash guarantees: the number of blocks × [`saves_per_erase`](Self::saves_per_erase) ×
    /// `cycles`, and fewer with bad blocks.
    ///
    /// A slot has the size of the buffer and of a header of 20 bytes, in whole words.
    pub fn lifetime(&self, cycles: u32) -> u64 {
        u64::from(self.layout.all_slots()) * u64::from(cycles)
    }

    /// The number of erases of blocks so far, of all blocks together and since the flash was first used.
    pub fn erases(&self) -> u32 {
        self.known.erases
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u32 {
        self.layout.blocks
    }

    /// The addresses of the blocks that have failed since the last boot.
    pub fn bad(&self) -> impl Iterator<Item = Range<u32>> {
        let is_bad = |block: &u32| self.known.bad.contains(*block);
        let blocks = (0..self.layout.blocks).filter(is_bad);
        blocks.map(|block| self.layout.block(block))
    }

    /// The addresses of the blocks that could not be read when the storage was restored.
    pub fn unreadable(&self) -> impl Iterator<Item = Range<u32>> {
        let is_unreadable = |block: &u32| self.known.unreadable.contains(*block);
        let blocks = (0..self.layout.blocks).filter(is_unreadable);
        blocks.map(|block| self.layout.block(block))
    }

    /// The flash.
    pub fn into_flash(self) -> F {
        self.flash
    }

    /// Keeps a part of a checkpoint in the buffer, as far as there is room, until the next save or restore.
    pub(crate) fn keep(&mut self, part: &Part) {
        let room = self.buffer.get_mut(part.at as usize..).unwrap_or_default();
        for (byte, content) in room.iter_mut().zip(part.content()) {
            *byte = *content;
        }
    }

    /// What was kept in the buffer, if there is room for so many bytes.
    pub(crate) fn kept(&self, bytes: u32) -> Option<&[u8]> {
        self.buffer.get(..bytes as usize)
    }

    /// The part of the newest checkpoint that begins at this byte, or one of 0 bytes if it cannot be read.
    pub(crate) async fn part(&mut self, at: u32) -> Part {
        let nothing = Part {
            of: 0,
            at: 0,
            bytes: [0; Part::BYTES],
        };
        self.part_of_newest(at).await.unwrap_or(nothing)
    }

    async fn part_of_newest(&mut self, at: u32) -> Option<Part> {
        const { assert!(Part::BYTES.is_multiple_of(LARGEST_WORD)) };
        if !self.known.is_complete {
            self.look().await;
        }
        let place = self.known.newest?;
        let of = self.header(place).await.ok()??.len;
        let part = at.min(of.saturating_sub(1)) / Part::BYTES as u32;
        let at = part * Part::BYTES as u32;
        let mut bytes = [0; Part::BYTES];
        let address = self.layout.content_at(place) + at;
        read(&mut self.flash, address, &mut bytes).await.ok()?;
        Some(Part { of, at, bytes })
    }

    fn saved(&self, place: Place) -> Saved {
        Saved {
            address: self.layout.header_at(place),
            erases: self.known.erases,
            bad: self.known.bad.len(),
            unreadable: self.known.unreadable.len(),
        }
    }

    fn failed(&mut self, block: u32, cause: Cause<F::Error>) -> SaveFailed<F::Error> {
        self.known.bad.insert(block);
        SaveFailed::Failed {
            address: self.layout.block(block).start,
            cause,
        }
    }

    /// Finds the newest checkpoint for a save that comes before any restore.
    async fn look(&mut self) {
        self.known = Known::default();
        let mut seen = Seen::NEW;
        match self.newest_before(u32::MAX, &mut seen).await {
            Some((header, place)) => {
                self.known.see(header, place);
                self.known.go_on_from(place, &self.layout);
            }
            None => self.known.go_on_from_nothing(),
        }
    }

    /// The checkpoint with the largest sequence number below `limit`.
    async fn newest_before(
        &mut self,
        limit: u32,
        seen: &mut Seen<F::Error>,
    ) -> Option<(Header, Place)> {
        let mut newest: Option<(Header, Place)> = None;
        for block in 0..self.layout.blocks {
            for slot in 0..self.layout.slots {
                let place = Place { block, slot };
                match self.header(place).await {
                    Err(cause) => {
                        self.known.unreadable.insert(block);
                        seen.unread = cause;
                    }
                    Ok(None) => {}
                    Ok(Some(header)) if !self.layout.fits(&header) => {
                        seen.other_slot = Some(header.slot);
                    }
                    Ok(Some(header)) => {
                        let newest_before = newest.map_or(0, |(newest, _)| newest.sequence);
                        if (newest_before + 1..limit).contains(&header.sequence) {
                            newest = Some((header, place));
                        }
                    }
                }
            }
        }
        newest
    }

    /// The header of a slot, if there is one. What is neither a header nor erased is read until it is the same twice.
    async fn header(&mut self, place: Place) -> Result<Option<Header>, Option<F::Error>> {
        let address = self.layout.header_at(place);
        let mut before = None;
        for _ in 0..READS {
            let mut bytes: HeaderBytes = [ERASED; LARGEST_WORD];
            let words = bytes.get_mut(..self.layout.header as usize);
            let words = words.unwrap_or_default();
            // A read that does nothing must not look like erased flash.
            words.fill(!ERASED);
            read(&mut self.flash, address, words).await.map_err(Some)?;
            let header = Header::from_bytes(&bytes);
            if header.is_some() || bytes == [ERASED; LARGEST_WORD] || before == Some(bytes) {
                return Ok(header);
            }
            before = Some(bytes);
        }
        Err(None)
    }

    /// Restores `item` from a slot. What is refused is read until it is the same twice.
    async fn restore_from<P: Persistent>(
        &mut self,
        place: Place,
        len: usize,
        item: &mut P,
    ) -> Result<(), Unusable<F::Error>> {
        let address = self.layout.content_at(place);
        let flash = &mut self.flash;
        let unread = |error| Unusable::Unread(Some(error));
        for _ in 0..READS {
            let words = self.buffer.get_mut(..len.next_multiple_of(word::<F>()));
            let words = words.unwrap_or_default();
            read(flash, address, words).await.map_err(unread)?;
            let Err(error) = item.restore(words.get(..len).unwrap_or_default()) else {
                return Ok(());
            };
            let is_stable = holds(flash, address, words, words.len()).await;
            if is_stable.map_err(unread)? {
                return Err(Unusable::Refused(error));
            }
        }
        Err(Unusable::Unread(None))
    }

    /// Writes what is in the buffer to the first erased slot behind a checkpoint, if there is one in its block.
    async fn append(
        &mut self,
        Place { block, slot }: Place,
        len: usize,
    ) -> Result<Option<Place>, Cause<F::Error>> {
        for slot in slot + 1..self.layout.slots {
            let place = Place { block, slot };
            if self.is_erased(place).await? {
                self.write(place, len).await?;
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Erases a block, and writes what is in the buffer to its first slot, unless there is a checkpoint in the block
    /// that was overlooked: flash that does not answer may look as if it were erased.
    async fn renew(&mut self, block: u32, len: usize) -> Result<Option<Place>, Cause<F::Error>> {
        self.known.last = block;
        for slot in 0..self.layout.slots {
            let header = self.header(Place { block, slot }).await;
            let header = header.map_err(|error| error.map_or(Cause::Unstable, Cause::Read))?;
            if header.is_some_and(|header| self.is_overlooked(&header)) {
                return Ok(None);
            }
        }
        let place = Place { block, slot: 0 };
        self.known.erases = self.known.erases.saturating_add(1);
        let Range { start, end } = self.layout.block(block);
        let erased = self.flash.erase(start, end).await;
        erased.map_err(Cause::Erase)?;
        if !self.is_erased(place).await? {
            return Err(Cause::NotErased);
        }
        self.write(place, len).await?;
        Ok(Some(place))
    }

    fn is_overlooked(&self, header: &Header) -> bool {
        self.layout.fits(header) && header.sequence > self.known.highest
    }

    async fn is_erased(&mut self, place: Place) -> Result<bool, Cause<F::Error>> {
        let address = self.layout.header_at(place);
        let slot = holds(&mut self.flash, address, &[], self.layout.slot as usize);
        slot.await.map_err(Cause::Read)
    }

    /// Writes what is in the buffer to an erased slot, and the header when it was read back.
    async fn write(&mut self, place: Place, len: usize) -> Result<(), Cause<F::Error>> {
        // No number is used twice, even if this is dropped.
        self.known.sequence = self.known.sequence.saturating_add(1);
        self.known.highest = self.known.highest.max(self.known.sequence);
        let content = self.buffer.get(..len.next_multiple_of(word::<F>()));
        let content = content.unwrap_or_default();
        program(&mut self.flash, self.layout.content_at(place), content).await?;
        let header = Header {
            sequence: self.known.sequence,
            erases: self.known.erases,
            slot: self.layout.slot,
            len: len as u32,
        };
        let header = header.to_bytes();
        let header = header.get(..self.layout.header as usize);
        let header = header.unwrap_or_default();
        program(&mut self.flash, self.layout.header_at(place), header).await?;
        self.known.newest = Some(place);
        self.known.bad.remove(place.block);
        Ok(())
    }
}

impl Known {
    /// Takes a checkpoint into account, in the order from the newest to the oldest.
    fn see(&mut self, header: Header, place: Place) {
        if self.highest == 0 {
            self.highest = header.sequence;
            self.sequence = header.sequence;
            self.erases = header.erases;
            self.last = place.block;
        }
        if header.sequence < CERTAIN {
            self.doubtful = self.doubtful.max(header.sequence);
        }
    }

    /// What is saved from now on is newer than everything that was saved, wherever it is.
    fn go_on_from(&mut self, place: Place, layout: &Layout) {
        self.newest = Some(place);
        self.last = place.block;
        if self.unreadable.len() > 0 {
            self.sequence = self.sequence.saturating_add(layout.all_slots());
        }
        self.is_complete = true;
    }

    /// What is saved from now on is newer than everything that was refused, but older than what could not be read.
    fn go_on_from_nothing(&mut self) {
        self.sequence = match self.unreadable.len() {
            0 => self.sequence.max(CERTAIN),
            _ => self.doubtful,
        };
        self.is_complete = true;
    }

    fn is_left_out(&self, block: u32) -> bool {
        self.bad.contains(block) || self.unreadable.contains(block)
    }

    fn may_erase(&self, block: u32) -> bool {
        let is_newest = self.newest.is_some_and(|newest| newest.block == block);
        !is_newest && !self.unreadable.contains(block)
    }
}

/// Reads, in several attempts.
async fn read<F: NorFlash>(flash: &mut F, address: u32, bytes: &mut [u8]) -> Result<(), F::Error> {
    for _ in 1..READS {
        if flash.read(address, bytes).await.is_ok() {
            return Ok(());
        }
    }
    flash.read(address, bytes).await
}

/// Returns whether these bytes are at an address, and behind them up to `len` nothing but erased ones.
async fn holds<F: NorFlash>(
    flash: &mut F,
    address: u32,
    bytes: &[u8],
    len: usize,
) -> Result<bool, F::Error> {
    let mut chunk = [0; CHUNK];
    for start in (0..len).step_by(CHUNK) {
        let chunk = chunk
            .get_mut(..(len - start).min(CHUNK))
            .unwrap_or_default();
        let rest = bytes.get(start..).unwrap_or_default();
        let expected = rest.iter().chain(core::iter::repeat(&ERASED));
        // A read that does nothing must not look like what is expected.
        for (byte, expected) in chunk.iter_mut().zip(expected.clone()) {
            *byte = !expected;
        }
        read(flash, address + start as u32, chunk).await?;
        if !chunk
            .iter()
            .zip(expected)
            .all(|(byte, expected)| byte == expected)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Programs whole words, and reads them back.
async fn program<F: NorFlash>(
    flash: &mut F,
    address: u32,
    words: &[u8],
) -> Result<(), Cause<F::Error>> {
    let written = flash.write(address, words).await;
    written.map_err(Cause::Program)?;
    match holds(flash, address, words, words.len()).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(Cause::NotProgrammed),
        Err(error) => Err(Cause::Read(error)),
    }
}

impl<D: ResumableDriver> Persistent for Session<D> {
    const MAX_BYTES: usize = Self::MAX_BYTES;

    fn save<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        Session::save(self, buffer)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        Session::restore(self, bytes)
    }
}

impl<D: ResumableDriver> Session<D> {
    /// The size of the buffer of its [`Storage`].
    pub const BUFFER: usize = Self::MAX_BYTES.next_multiple_of(LARGEST_WORD);
}
