//! Checkpoints in flash: whatever happens to the power, the last of them or the one before is there.
//!
//! sequential-storage spreads what is saved over the pages and notices what was not completed. It is
//! given the two halves of a range of pages in turn. So however a write or an erase was interrupted,
//! and whatever has to be repaired or erased because of it, the half with the previous checkpoint is
//! not touched.

use crate::session::Session;
use core::cell::{Cell, RefCell};
use core::ops::Range;
use embedded_storage_async::nor_flash::NorFlash;
use ipse::ResumableDriver;
use ipse::checkpoint::{self, LoadError};
use sequential_storage::cache::{Cache, Uncached};
use sequential_storage::map::{MapConfig, MapStorage, SerializationError, Value};

/// Pages of flash for checkpoints, with a buffer of [`Session::BUFFER`] bytes.
///
/// ```
/// # use ipse::prelude::*;
/// # use ipse_device::{Session, Storage};
/// type Learner = Agent<ipse::tetris::Tetris10x10, Ipse>;
/// type Checkpoints<Flash> = Storage<Flash, { Session::<Learner>::BUFFER }>;
/// ```
pub struct Storage<F, const BUFFER: usize> {
    flash: F,
    halves: [Range<u32>; 2],
    /// The half that is written next: not the one with the newest checkpoint.
    next: usize,
    buffer: [u8; BUFFER],
}

/// The range is not made of four pages or more, an even number, or a page holds no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UnfitRange;

/// The reason why there is nothing to go on from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Missing {
    /// There is no checkpoint.
    Nothing,
    /// There is one, but not for these settings.
    Unusable(LoadError),
}

/// The flash did not keep what was written, even after an erase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NotSaved;

/// Each half holds one thing, which needs no key.
type Map<'a, F> = MapStorage<(), &'a mut F, Cache<Uncached, Uncached, Uncached>>;

impl<D: ResumableDriver> Session<D> {
    /// The size of the buffer of its [`Storage`]: enough for any checkpoint, in words of up to 32 bytes.
    pub const BUFFER: usize = Self::MAX_BYTES.next_multiple_of(32);
}

impl<F: NorFlash, const BUFFER: usize> Storage<F, BUFFER> {
    /// Keeps checkpoints in a range of addresses: whole pages, an even number, four at least.
    pub fn new(flash: F, range: Range<u32>) -> Result<Self, UnfitRange> {
        let middle = range.start + (range.end.saturating_sub(range.start)) / 2;
        let halves = [range.start..middle, middle..range.end];
        let markers = 2 * F::WRITE_SIZE.max(F::READ_SIZE);
        let item = BUFFER + Map::<F>::item_overhead_size() as usize;
        let fit = |half: &Range<u32>| MapConfig::<&mut F>::try_new(half.clone()).is_ok();
        if !halves.iter().all(fit) || item + markers > F::ERASE_SIZE {
            return Err(UnfitRange);
        }
        Ok(Storage {
            flash,
            halves,
            next: 0,
            buffer: [0; BUFFER],
        })
    }

    /// Restores a new session from the newest checkpoint that it can go on from. If there is none, it stays new.
    pub async fn restore<D: ResumableDriver>(
        &mut self,
        session: &mut Session<D>,
    ) -> Result<(), Missing> {
        let found = [self.check(0, session).await, self.check(1, session).await];
        let newest = usize::from(found[1].ok() > found[0].ok());
        let mut missing = Missing::Nothing;
        for half in [newest, 1 - newest] {
            let restored = match found[half] {
                Ok(_) => self.restore_from(half, session).await,
                Err(missing) => Err(missing),
            };
            match restored {
                Ok(()) => {
                    self.next = 1 - half;
                    return Ok(());
                }
                Err(Missing::Nothing) => {}
                Err(unusable) => missing = unusable,
            }
        }
        Err(missing)
    }

    /// The number of complete iterations in the checkpoint of a half.
    async fn check<D: ResumableDriver>(
        &mut self,
        half: usize,
        session: &Session<D>,
    ) -> Result<u32, Missing> {
        let bytes = self.fetch(half).await.ok_or(Missing::Nothing)?;
        session.check(bytes).map_err(Missing::Unusable)
    }

    async fn restore_from<D: ResumableDriver>(
        &mut self,
        half: usize,
        session: &mut Session<D>,
    ) -> Result<(), Missing> {
        let bytes = self.fetch(half).await.ok_or(Missing::Nothing)?;
        session.restore(bytes).map_err(Missing::Unusable)
    }

    /// Saves a session between two iterations, in place of the checkpoint before the newest.
    pub async fn save<D: ResumableDriver>(
        &mut self,
        session: &mut Session<D>,
    ) -> Result<(), NotSaved> {
        const {
            assert!(
                BUFFER >= Session::<D>::BUFFER,
                "give Storage a larger buffer"
            )
        };
        if !session.driver().is_between_iterations() {
            return Err(NotSaved);
        }
        let half = self.next;
        for _ in 0..2 {
            if self.store(half, session).await {
                self.next = 1 - half;
                return Ok(());
            }
            // Nothing in this half is needed.
            if self.map(half).0.erase_all().await.is_err() {
                break;
            }
        }
        Err(NotSaved)
    }

    /// Returns whether it could be stored, and read back.
    async fn store<D: ResumableDriver>(&mut self, half: usize, session: &mut Session<D>) -> bool {
        let snapshot = Snapshot {
            session: RefCell::new(session),
            seal: Cell::default(),
        };
        let (mut map, buffer) = self.map(half);
        if map.store_item(buffer, &(), &snapshot).await.is_err() {
            return false;
        }
        let Snapshot { session, seal } = snapshot;
        let bytes = self.fetch(half).await.unwrap_or_default();
        let is_intact = checkpoint::iterations(session.into_inner().driver(), bytes).is_ok();
        is_intact && Seal::of(bytes) == seal.get()
    }

    /// The last that was saved in a half.
    async fn fetch(&mut self, half: usize) -> Option<&[u8]> {
        let (mut map, buffer) = self.map(half);
        map.fetch_item(buffer, &()).await.ok().flatten()
    }

    fn map(&mut self, half: usize) -> (Map<'_, F>, &mut [u8; BUFFER]) {
        let config = MapConfig::new(self.halves[half].clone());
        let map = MapStorage::new(&mut self.flash, config, Cache::new_uncached());
        (map, &mut self.buffer)
    }

    /// The flash.
    pub fn into_flash(self) -> F {
        self.flash
    }
}

/// What tells an intact checkpoint from others.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Seal {
    len: usize,
    checksum: [u8; 4],
}

impl Seal {
    fn of(bytes: &[u8]) -> Seal {
        Seal {
            len: bytes.len(),
            checksum: bytes.last_chunk().copied().unwrap_or_default(),
        }
    }
}

/// A session that is written to where it is stored from, without a buffer between.
struct Snapshot<'a, D: ResumableDriver> {
    /// Saving borrows it mutably, and changes nothing.
    session: RefCell<&'a mut Session<D>>,
    /// The seal of what was written.
    seal: Cell<Seal>,
}

impl<'a, D: ResumableDriver> Value<'a> for Snapshot<'_, D> {
    fn serialize_into(&self, buffer: &mut [u8]) -> Result<usize, SerializationError> {
        let mut session = self.session.borrow_mut();
        let bytes = session
            .save(buffer)
            .map_err(|_| SerializationError::BufferTooSmall)?;
        self.seal.set(Seal::of(bytes));
        Ok(bytes.len())
    }

    fn deserialize_from(_: &'a [u8]) -> Result<(Self, usize), SerializationError> {
        Err(SerializationError::InvalidFormat)
    }
}
