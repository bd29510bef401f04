//! NOR flash that fails as it is told to, for tests of code that has to survive it.
//!
//! [`FaultyFlash`] is an array in memory behind the traits of embedded-storage, blocking and async. It loses its power
//! at any bit of a write or an erase, and its operations fail, do a part of their work, do nothing, or flip a bit: one
//! of them, some of them, all of those on one page, or all of those on pages that were erased too often. It is used
//! through shared references, so that a test can change its faults while a driver holds it.
//!
//! ```
//! use embedded_storage::nor_flash::{NorFlash, ReadNorFlash};
//! use ipse_device::faults::{Effect, FaultyFlash, FlashError, Operation};
//!
//! /// The code under test: it replaces one page.
//! fn replace(mut flash: impl NorFlash, bytes: &[u8]) -> bool {
//!     let done = flash.erase(0, 4096).and_then(|()| flash.write(0, bytes));
//!     let mut read = [0; 8];
//!     done.is_ok() && flash.read(0, &mut read).is_ok() && read == bytes
//! }
//!
//! // Four pages of 4 KiB, in words of 4 bytes.
//! let flash = FaultyFlash::<4, 4096, 4>::new();
//! assert!(replace(&flash, b"learned1"));
//!
//! // Each of its operations does nothing, once, and reports success: does it notice?
//! let operations = flash.counts().all();
//! for number in 0..operations {
//!     flash.reset_counts();
//!     flash.fail(number..number + 1, Effect::Ignored);
//!     assert!(!replace(&flash, b"learned2"), "operation {number}");
//! }
//!
//! // Its power is cut at each byte: is what was saved still there? It is not; two pages would be needed.
//! let learned = flash.clone();
//! learned.heal();
//! assert!(replace(&learned, b"learned1"));
//! let lost = (0..4096 + 8).filter(|&bytes| {
//!     let flash = learned.clone();
//!     flash.cut_power_after(bytes);
//!     assert!(!replace(&flash, b"learned2"));
//!     assert_eq!((&flash).erase(0, 4096), Err(FlashError::PowerCut));
//!     flash.reboot();
//!     !flash.with_bytes(|bytes| bytes.starts_with(b"learned"))
//! });
//! assert!(lost.count() > 4000);
//!
//! // A page that cannot be erased any more.
//! flash.heal();
//! flash.break_page(0, Operation::Erase, Effect::Error);
//! assert!(!replace(&flash, b"learned2"));
//! ```

pub use crate::event::Operation;
use core::cell::RefCell;
use core::ops::Range;
use embassy_futures::{block_on, yield_now};
use embedded_storage::nor_flash as blocking;
use embedded_storage_async::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

/// What a fault makes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Effect {
    /// Nothing is done, and an error is returned.
    Error,
    /// Half of it is done, and an error is returned.
    Partial,
    /// Nothing is done, and success is reported.
    Ignored,
    /// All of it is done, but one bit is wrong, and success is reported. It is another bit each time.
    Flip,
}

impl Effect {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Effect::Error,
        Effect::Partial,
        Effect::Ignored,
        Effect::Flip,
    ];
}

/// The order in which the bytes of a page are erased, which shows if the power is cut meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum EraseOrder {
    /// From the first to the last.
    Ascending,
    /// One after another from anywhere in the page, in an order that depends on the seed.
    Scattered,
}

/// An error of the flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FlashError {
    /// The power was cut in this operation, or before it.
    PowerCut,
    /// The operation was told to fail.
    Injected(Operation),
    /// The operation does not begin and end with a word, or an erase with a page.
    NotAligned,
    /// The operation goes beyond the end of the flash.
    OutOfBounds,
}

impl NorFlashError for FlashError {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            FlashError::NotAligned => NorFlashErrorKind::NotAligned,
            FlashError::OutOfBounds => NorFlashErrorKind::OutOfBounds,
            FlashError::PowerCut | FlashError::Injected(_) => NorFlashErrorKind::Other,
        }
    }
}

/// How much was asked of a flash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counts {
    /// The number of reads.
    pub reads: u64,
    /// The number of writes.
    pub programs: u64,
    /// The number of erases, of any number of pages at once.
    pub erases: u64,
    /// The number of bytes that were programmed or erased.
    pub bytes: u64,
    /// The number of operations that had an [`Effect`] other than what was asked for.
    pub faults: u64,
    /// The number of words that were programmed although they were not erased. Many kinds of flash do not allow that.
    pub overwritten: u64,
}

impl Counts {
    const NONE: Self = Counts {
        reads: 0,
        programs: 0,
        erases: 0,
        bytes: 0,
        faults: 0,
        overwritten: 0,
    };

    /// The number of operations of any kind.
    pub fn all(&self) -> u64 {
        self.reads + self.programs + self.erases
    }
}

/// Flash of `PAGES` pages of `PAGE` bytes, a power of two, that is read and programmed in words of `WORD` bytes.
#[derive(Clone, Debug)]
pub struct FaultyFlash<const WORD: usize, const PAGE: usize, const PAGES: usize> {
    state: RefCell<State<PAGE, PAGES>>,
}

#[derive(Clone, Debug)]
struct State<const PAGE: usize, const PAGES: usize> {
    bytes: [[u8; PAGE]; PAGES],
    erases: [u32; PAGES],
    counts: Counts,
    /// The bytes that can be changed until the power is cut.
    power: Option<u64>,
    is_off: bool,
    /// What happens to the operations with these numbers.
    fault: Option<(u64, u64, Effect)>,
    /// What happens to all operations on a page, by their kind.
    broken: [[Option<Effect>; 3]; PAGES],
    /// What happens to one kind of operation on pages that were erased more often than that.
    worn: Option<(u32, Operation, Effect)>,
    order: EraseOrder,
    yields: bool,
    random: u64,
}

impl<const WORD: usize, const PAGE: usize, const PAGES: usize> Default
    for FaultyFlash<WORD, PAGE, PAGES>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const WORD: usize, const PAGE: usize, const PAGES: usize> FaultyFlash<WORD, PAGE, PAGES> {
    /// Flash that is erased, and that does not fail.
    pub const fn new() -> Self {
        const { assert!(PAGE.is_power_of_two() && PAGE.is_multiple_of(WORD)) };
        FaultyFlash {
            state: RefCell::new(State {
                bytes: [[0xff; PAGE]; PAGES],
                erases: [0; PAGES],
                counts: Counts::NONE,
                power: None,
                is_off: false,
                fault: None,
                broken: [[None; 3]; PAGES],
                worn: None,
                order: EraseOrder::Ascending,
                yields: false,
                random: 1,
            }),
        }
    }

    /// Cuts the power when so many more bytes were programmed or erased. Of the next byte, any bits are changed. From
    /// then on every operation fails, until the [reboot](Self::reboot).
    pub fn cut_power_after(&self, bytes: u64) {
        self.state.borrow_mut().power = Some(bytes);
    }

    /// Returns whether the power was cut.
    pub fn is_off(&self) -> bool {
        self.state.borrow().is_off
    }

    /// Turns the power on again. It is not cut any more.
    pub fn reboot(&self) {
        let mut state = self.state.borrow_mut();
        state.power = None;
        state.is_off = false;
    }

    /// Makes the operations with these numbers fail, whatever they are. They count from 0, since the last
    /// [reset](Self::reset_counts). This takes the place of what was told before.
    pub fn fail(&self, operations: Range<u64>, effect: Effect) {
        self.state.borrow_mut().fault = Some((operations.start, operations.end, effect));
    }

    /// Makes every operation of one kind on one page fail.
    pub fn break_page(&self, page: usize, operation: Operation, effect: Effect) {
        if let Some(broken) = self.state.borrow_mut().broken.get_mut(page) {
            broken[operation as usize] = Some(effect);
        }
    }

    /// Makes every operation of one kind fail on pages that were erased more than so many times.
    pub fn wear_out_after(&self, erases: u32, operation: Operation, effect: Effect) {
        self.state.borrow_mut().worn = Some((erases, operation, effect));
    }

    /// Removes all faults. What is in the flash stays as it is.
    pub fn heal(&self) {
        let mut state = self.state.borrow_mut();
        state.fault = None;
        state.broken = [[None; 3]; PAGES];
        state.worn = None;
    }

    /// Sets the order in which pages are erased.
    pub fn erase_in(&self, order: EraseOrder) {
        self.state.borrow_mut().order = order;
    }

    /// Makes other bits flip, and other bits change when the power is cut.
    pub fn seed(&self, seed: u64) {
        self.state.borrow_mut().random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    }

    /// Makes operations that are awaited yield before, halfway through and after their work, so that a test can drop
    /// them there.
    pub fn yield_in_operations(&self) {
        self.state.borrow_mut().yields = true;
    }

    /// How much was asked of the flash since the last reset.
    pub fn counts(&self) -> Counts {
        self.state.borrow().counts
    }

    /// Counts from zero again, but for the erases of each page.
    pub fn reset_counts(&self) {
        self.state.borrow_mut().counts = Counts::NONE;
    }

    /// How often each page was erased, whether that worked or not.
    pub fn erases(&self) -> [u32; PAGES] {
        self.state.borrow().erases
    }

    /// Lets a test read or change what is in the flash.
    pub fn with_bytes<T>(&self, look: impl FnOnce(&mut [u8]) -> T) -> T {
        look(self.state.borrow_mut().bytes.as_flattened_mut())
    }

    /// Counts an operation, and returns what happens to it.
    fn begin(
        &self,
        operation: Operation,
        from: usize,
        len: usize,
        unit: usize,
    ) -> Result<Option<Effect>, FlashError> {
        let mut state = self.state.borrow_mut();
        let number = state.counts.all();
        match operation {
            Operation::Read => state.counts.reads += 1,
            Operation::Program => state.counts.programs += 1,
            Operation::Erase => state.counts.erases += 1,
        }
        if state.is_off {
            return Err(FlashError::PowerCut);
        }
        if !from.is_multiple_of(unit) || !len.is_multiple_of(unit) {
            return Err(FlashError::NotAligned);
        }
        if from.checked_add(len).is_none_or(|end| end > PAGE * PAGES) {
            return Err(FlashError::OutOfBounds);
        }
        let pages = from / PAGE..(from + len).div_ceil(PAGE);
        let mut effect = match state.fault {
            Some((start, end, effect)) if (start..end).contains(&number) => Some(effect),
            _ => None,
        };
        for page in pages {
            if operation == Operation::Erase {
                state.erases[page] += 1;
            }
            effect = effect.or(state.broken[page][operation as usize]);
            if let Some((limit, kind, worn)) = state.worn
                && kind == operation
                && state.erases[page] > limit
            {
                effect = effect.or(Some(worn));
            }
        }
        state.counts.faults += u64::from(effect.is_some());
        Ok(effect)
    }

    /// Yields, if that is wanted.
    async fn pause(&self) {
        let yields = self.state.borrow().yields;
        if yields {
            yield_now().await;
        }
    }

    async fn read(&self, from: usize, to: &mut [u8]) -> Result<(), FlashError> {
        self.pause().await;
        let effect = self.begin(Operation::Read, from, to.len(), WORD)?;
        {
            let mut state = self.state.borrow_mut();
            let end = from + done(effect, to.len());
            let bytes = state.bytes.as_flattened().get(from..end);
            for (to, byte) in to.iter_mut().zip(bytes.unwrap_or_default()) {
                *to = *byte;
            }
            if effect == Some(Effect::Flip) && !to.is_empty() {
                let bit = state.below(8 * to.len());
                to[bit / 8] ^= 1 << (bit % 8);
            }
        }
        self.pause().await;
        result(effect, Operation::Read)
    }

    async fn program(&self, from: usize, bytes: &[u8]) -> Result<(), FlashError> {
        self.pause().await;
        let effect = self.begin(Operation::Program, from, bytes.len(), WORD)?;
        let bytes_done = bytes.get(..done(effect, bytes.len())).unwrap_or_default();
        let (first, second) = bytes_done.split_at(bytes_done.len() / 2);
        self.state.borrow_mut().program::<WORD>(from, first)?;
        self.pause().await;
        let middle = from + first.len();
        self.state.borrow_mut().program::<WORD>(middle, second)?;
        self.finish(effect, Operation::Program, from, bytes.len())
            .await
    }

    async fn erase(&self, from: usize, len: usize) -> Result<(), FlashError> {
        self.pause().await;
        let effect = self.begin(Operation::Erase, from, len, PAGE)?;
        let end = from + done(effect, len);
        let middle = from + (end - from) / 2;
        let order = self.state.borrow_mut().scatter();
        self.state.borrow_mut().erase(from, from..middle, order)?;
        self.pause().await;
        self.state.borrow_mut().erase(from, middle..end, order)?;
        self.finish(effect, Operation::Erase, from, len).await
    }

    /// Flips a bit of what was written, if that is the effect.
    async fn finish(
        &self,
        effect: Option<Effect>,
        operation: Operation,
        from: usize,
        len: usize,
    ) -> Result<(), FlashError> {
        if effect == Some(Effect::Flip) && len > 0 {
            let mut state = self.state.borrow_mut();
            let bit = 8 * from + state.below(8 * len);
            state.bytes.as_flattened_mut()[bit / 8] ^= 1 << (bit % 8);
        }
        self.pause().await;
        result(effect, operation)
    }
}

/// The number of bytes that an operation of `len` bytes gets to.
fn done(effect: Option<Effect>, len: usize) -> usize {
    match effect {
        Some(Effect::Error | Effect::Ignored) => 0,
        Some(Effect::Partial) => len / 2,
        Some(Effect::Flip) | None => len,
    }
}

fn result(effect: Option<Effect>, operation: Operation) -> Result<(), FlashError> {
    match effect {
        Some(Effect::Error | Effect::Partial) => Err(FlashError::Injected(operation)),
        Some(Effect::Ignored | Effect::Flip) | None => Ok(()),
    }
}

impl<const PAGE: usize, const PAGES: usize> State<PAGE, PAGES> {
    /// Marsaglia's xorshift.
    fn below(&mut self, limit: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 32) as usize % limit.max(1)
    }

    /// The order of an erase: byte `i` is the one at `i * factor + offset`.
    fn scatter(&mut self) -> (usize, usize) {
        match self.order {
            EraseOrder::Ascending => (1, 0),
            EraseOrder::Scattered => (self.below(PAGE) | 1, self.below(PAGE)),
        }
    }

    /// Bits can only be cleared.
    fn program<const WORD: usize>(&mut self, from: usize, bytes: &[u8]) -> Result<(), FlashError> {
        for (position, to) in (from..).zip(bytes) {
            let all = self.bytes.as_flattened();
            let before = all[position];
            let word = all.get(position..position + WORD).unwrap_or_default();
            if position.is_multiple_of(WORD) && word.iter().any(|byte| *byte != 0xff) {
                self.counts.overwritten += 1;
            }
            self.change(position, before & to)?;
        }
        Ok(())
    }

    /// Erases the bytes that have their turn at these positions of an erase that begins at `start`.
    fn erase(
        &mut self,
        start: usize,
        turns: Range<usize>,
        (factor, offset): (usize, usize),
    ) -> Result<(), FlashError> {
        for turn in turns {
            let index = turn - start;
            // As the factor is odd, every byte of the page has its turn.
            let in_page = (index % PAGE * factor + offset) % PAGE;
            self.change(start + index / PAGE * PAGE + in_page, 0xff)?;
        }
        Ok(())
    }

    /// Changes a byte, or only some of its bits if the power is cut meanwhile.
    fn change(&mut self, position: usize, to: u8) -> Result<(), FlashError> {
        if self.is_off {
            return Err(FlashError::PowerCut);
        }
        self.counts.bytes += 1;
        let mask = match &mut self.power {
            Some(0) => {
                self.is_off = true;
                self.below(256) as u8
            }
            Some(left) => {
                *left -= 1;
                0xff
            }
            None => 0xff,
        };
        let byte = &mut self.bytes.as_flattened_mut()[position];
        *byte ^= (*byte ^ to) & mask;
        match self.is_off {
            true => Err(FlashError::PowerCut),
            false => Ok(()),
        }
    }
}

impl<const WORD: usize, const PAGE: usize, const PAGES: usize> ErrorType
    for &FaultyFlash<WORD, PAGE, PAGES>
{
    type Error = FlashError;
}

impl<const WORD: usize, const PAGE: usize, const PAGES: usize> ReadNorFlash
    for &FaultyFlash<WORD, PAGE, PAGES>
{
    const READ_SIZE: usize = WORD;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        FaultyFlash::read(self, offset as usize, bytes).await
    }

    fn capacity(&self) -> usize {
        PAGE * PAGES
    }
}

impl<const WORD: usize, const PAGE: usize, const PAGES: usize> NorFlash
    for &FaultyFlash<WORD, PAGE, PAGES>
{
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        let len = to.checked_sub(from).ok_or(FlashError::OutOfBounds)?;
        FaultyFlash::erase(self, from as usize, len as usize).await
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        FaultyFlash::program(self, offset as usize, bytes).await
    }
}

impl<const WORD: usize, const PAGE: usize, const PAGES: usize> blocking::ReadNorFlash
    for &FaultyFlash<WORD, PAGE, PAGES>
{
    const READ_SIZE: usize = WORD;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        block_on(ReadNorFlash::read(self, offset, bytes))
    }

    fn capacity(&self) -> usize {
        PAGE * PAGES
    }
}

impl<const WORD: usize, const PAGE: usize, const PAGES: usize> blocking::NorFlash
    for &FaultyFlash<WORD, PAGE, PAGES>
{
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        block_on(NorFlash::erase(self, from, to))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        block_on(NorFlash::write(self, offset, bytes))
    }
}
