//! Checkpoints in flash: whatever happens to the power, the last of them or the one before is there.
//!
//! sequential-storage spreads what is saved over the pages and notices what was not completed. It is
//! given the two halves of a range of pages in turn. So however a write or an erase was interrupted,
//! and whatever has to be repaired or erased because of it, the half with the previous checkpoint is
//! not touched.

use crate::event::{Boot, Event};
use crate::observer::Observer;
use crate::session::{Session, Settings};
use core::cell::Cell;
use core::ops::Range;
use embedded_storage_async::nor_flash::NorFlash;
use ipse::bytes::Crc32;
use ipse::checkpoint::LoadError;
use sequential_storage::cache::{Cache, Uncached};
use sequential_storage::map::{MapConfig, MapStorage, SerializationError, Value};

/// Enough for any checkpoint, in words of up to 32 bytes.
const BUFFER: usize = Session::MAX_BYTES.next_multiple_of(32);

/// Pages of flash for checkpoints.
pub struct Storage<F> {
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

/// Why there is nothing to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl<F: NorFlash> Storage<F> {
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

    /// The newest checkpoint that a session can go on from.
    pub async fn newest(&mut self, session: &Session) -> Result<&[u8], Missing> {
        let mut newest = None;
        let mut missing = Missing::Nothing;
        for half in 0..2 {
            let Some(bytes) = self.fetch(half).await else {
                continue;
            };
            match session.check(bytes) {
                Ok(iterations) if Some(iterations) > newest => {
                    newest = Some(iterations);
                    self.next = 1 - half;
                }
                Ok(_) => {}
                Err(error) => missing = Missing::Unusable(error),
            }
        }
        match newest {
            Some(_) => self.fetch(1 - self.next).await.ok_or(Missing::Nothing),
            None => Err(missing),
        }
    }

    /// Saves a session between two iterations, in place of the checkpoint before the newest.
    pub async fn save(&mut self, session: &Session) -> Result<(), NotSaved> {
        if !session.is_between_iterations() {
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

    /// Whether it could be stored, and read back.
    async fn store(&mut self, half: usize, session: &Session) -> bool {
        let snapshot = Snapshot {
            session,
            seal: Cell::default(),
        };
        let (mut map, buffer) = self.map(half);
        if map.store_item(buffer, &(), &snapshot).await.is_err() {
            return false;
        }
        let bytes = self.fetch(half).await;
        bytes.is_some_and(|bytes| Seal::of(bytes) == snapshot.seal.get())
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

impl Session {
    /// Does what [`run`](Self::run) does, from the newest checkpoint on, and saves others.
    pub async fn run_and_save<F: NorFlash>(
        settings: Settings,
        now: fn() -> u64,
        storage: &mut Storage<F>,
        observer: &mut impl Observer,
    ) -> ! {
        let mut session = Self::new(settings, now);
        let boot = session.resume(storage).await;
        observer.hear(&Event::Booted(boot)).await;
        session.learn_and_save(storage, observer).await;
        loop {
            session.play(u32::MAX, observer).await;
        }
    }

    /// Goes on from the newest checkpoint, if there is any.
    pub async fn resume<F: NorFlash>(&mut self, storage: &mut Storage<F>) -> Boot {
        let restored = match storage.newest(self).await {
            Ok(bytes) => self.restore(bytes).map_err(Missing::Unusable),
            Err(missing) => Err(missing),
        };
        match restored {
            Ok(()) => Boot::Resumed {
                iterations: self.iterations(),
            },
            Err(missing) => Boot::Anew(missing),
        }
    }
}

/// Enough to tell a checkpoint from others, and whether it is intact.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Seal {
    len: usize,
    checksum: u32,
}

impl Seal {
    fn of(bytes: &[u8]) -> Seal {
        let content = bytes.len().saturating_sub(size_of::<u32>());
        Seal {
            len: bytes.len(),
            checksum: Crc32::of(&bytes[..content]),
        }
    }
}

/// A session that is written to where it is stored from, without a buffer between.
struct Snapshot<'a> {
    session: &'a Session,
    /// Of what was written.
    seal: Cell<Seal>,
}

impl<'a> Value<'a> for Snapshot<'_> {
    fn serialize_into(&self, buffer: &mut [u8]) -> Result<usize, SerializationError> {
        let bytes = self
            .session
            .save(buffer)
            .map_err(|_| SerializationError::BufferTooSmall)?;
        self.seal.set(Seal::of(bytes));
        Ok(bytes.len())
    }

    fn deserialize_from(_: &'a [u8]) -> Result<(Self, usize), SerializationError> {
        Err(SerializationError::InvalidFormat)
    }
}
