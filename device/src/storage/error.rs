//! What can go wrong, with its cause.

use crate::event::Operation;
use core::fmt;
use embedded_storage_async::nor_flash::{NorFlashError, NorFlashErrorKind};
use ipse::checkpoint::{LoadError, SaveError};

/// The reason why nothing was restored, where `E` is the error of the flash.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LoadFailed<E> {
    /// All blocks could be read, and there is no checkpoint.
    Nothing,
    /// There are checkpoints, but none that is accepted. This is why the newest was refused.
    Refused(LoadError),
    /// There are only checkpoints of a storage with another size of buffer.
    OtherLayout {
        /// The number of bytes of its slots.
        slot: u32,
        /// The number of bytes of the slots of this storage.
        expected: u32,
    },
    /// Some blocks could not be read, so that there may be a checkpoint. They are not written to until
    /// [`restore`](super::Storage::restore) can read them.
    Unreadable {
        /// The number of blocks.
        blocks: u32,
        /// The last error of the flash, or none if what was read was never the same twice.
        cause: Option<E>,
    },
}

/// The reason why a checkpoint was not saved, where `E` is the error of the flash. What was saved before is still
/// there.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SaveFailed<E> {
    /// There was nothing that could be written.
    Refused(SaveError),
    /// Every block either holds the newest checkpoint or could not be read when the storage was restored.
    NoPlace {
        /// The number of blocks that could not be read.
        unreadable: u32,
    },
    /// Every block that may be written to has failed. This is the last failure.
    Failed {
        /// The address of the block.
        address: u32,
        /// What has failed.
        cause: Cause<E>,
    },
}

/// What has failed in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause<E> {
    /// A read, in every attempt.
    Read(E),
    /// Reads, none of which gave the same as another.
    Unstable,
    /// A write.
    Program(E),
    /// An erase.
    Erase(E),
    /// An erase that reported success, but has left something.
    NotErased,
    /// A write that reported success, but something else was read back.
    NotProgrammed,
}

impl<E> Cause<E> {
    /// The operation that has failed, or that was not what it reported to be.
    pub fn operation(&self) -> Operation {
        match self {
            Cause::Read(_) | Cause::Unstable => Operation::Read,
            Cause::Program(_) | Cause::NotProgrammed => Operation::Program,
            Cause::Erase(_) | Cause::NotErased => Operation::Erase,
        }
    }
}

impl<E: NorFlashError> LoadFailed<E> {
    /// The same with no more of the flash's error than its kind.
    pub fn kind(&self) -> LoadFailed<NorFlashErrorKind> {
        match *self {
            LoadFailed::Nothing => LoadFailed::Nothing,
            LoadFailed::Refused(error) => LoadFailed::Refused(error),
            LoadFailed::OtherLayout { slot, expected } => {
                LoadFailed::OtherLayout { slot, expected }
            }
            LoadFailed::Unreadable { blocks, ref cause } => LoadFailed::Unreadable {
                blocks,
                cause: cause.as_ref().map(E::kind),
            },
        }
    }
}

impl<E: NorFlashError> SaveFailed<E> {
    /// The same with no more of the flash's error than its kind.
    pub fn kind(&self) -> SaveFailed<NorFlashErrorKind> {
        match *self {
            SaveFailed::Refused(error) => SaveFailed::Refused(error),
            SaveFailed::NoPlace { unreadable } => SaveFailed::NoPlace { unreadable },
            SaveFailed::Failed { address, ref cause } => {
                let cause = match cause {
                    Cause::Read(error) => Cause::Read(error.kind()),
                    Cause::Program(error) => Cause::Program(error.kind()),
                    Cause::Erase(error) => Cause::Erase(error.kind()),
                    Cause::Unstable => Cause::Unstable,
                    Cause::NotErased => Cause::NotErased,
                    Cause::NotProgrammed => Cause::NotProgrammed,
                };
                SaveFailed::Failed { address, cause }
            }
        }
    }
}

impl<E: fmt::Debug> fmt::Display for LoadFailed<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadFailed::Nothing => f.write_str("nothing was saved"),
            LoadFailed::Refused(error) => error.fmt(f),
            LoadFailed::OtherLayout { slot, expected } => write!(
                f,
                "storage: the slots have {slot} bytes, and {expected} are expected"
            ),
            LoadFailed::Unreadable { blocks, cause } => {
                write!(f, "storage: {blocks} blocks cannot be read: ")?;
                match cause {
                    Some(error) => error.fmt(f),
                    None => f.write_str("every read gives something else"),
                }
            }
        }
    }
}

impl<E: fmt::Debug> fmt::Display for SaveFailed<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveFailed::Refused(error) => error.fmt(f),
            SaveFailed::NoPlace { unreadable } => write!(
                f,
                "storage: no block may be overwritten, since {unreadable} could not be read"
            ),
            SaveFailed::Failed { address, cause } => {
                write!(f, "storage: block at {address:#x}: ")?;
                match cause {
                    Cause::Read(error) => write!(f, "read failed: {error:?}"),
                    Cause::Unstable => f.write_str("every read gives something else"),
                    Cause::Program(error) => write!(f, "write failed: {error:?}"),
                    Cause::Erase(error) => write!(f, "erase failed: {error:?}"),
                    Cause::NotErased => f.write_str("not erased by an erase"),
                    Cause::NotProgrammed => f.write_str("what was written cannot be read back"),
                }
            }
        }
    }
}

impl<E: fmt::Debug> core::error::Error for LoadFailed<E> {}

impl<E: fmt::Debug> core::error::Error for SaveFailed<E> {}

impl<E> From<SaveError> for SaveFailed<E> {
    fn from(error: SaveError) -> Self {
        SaveFailed::Refused(error)
    }
}

/// As text: the error of the flash need not be `Format`.
#[cfg(feature = "defmt")]
impl<E: fmt::Debug> defmt::Format for LoadFailed<E> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{}", defmt::Display2Format(self));
    }
}

/// As text: the error of the flash need not be `Format`.
#[cfg(feature = "defmt")]
impl<E: fmt::Debug> defmt::Format for SaveFailed<E> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{}", defmt::Display2Format(self));
    }
}
