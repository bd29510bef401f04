//! NOR flash in a file of the host, `flash.bin` where QEMU was started.
//!
//! It is written byte by byte and erased in small pieces, so that a QEMU that is killed leaves it as a
//! power cut would.

use embedded_storage_async::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};
use semihosting::fs::File;
use semihosting::io::{self, Read, Seek, SeekFrom, Write};

const PAGE: usize = 4096;
/// The number of bytes.
pub const SIZE: usize = 4 * PAGE;
const PIECE: usize = 32;

/// The file.
pub struct Flash(File);

/// The host did not read or write the file.
#[derive(Debug)]
pub struct Failed;

impl From<io::Error> for Failed {
    fn from(_: io::Error) -> Self {
        Failed
    }
}

impl NorFlashError for Failed {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl Flash {
    /// Flash as it was left, or new flash.
    pub fn open() -> Result<Self, Failed> {
        let name = c"flash.bin";
        let old = File::options().read(true).write(true).open(name);
        let file = match old {
            Ok(file) => file,
            Err(_) => File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(true)
                .open(name)?,
        };
        let len = file.metadata()?.len() as usize;
        let mut flash = Flash(file);
        flash.fill(len.min(SIZE), SIZE)?;
        Ok(flash)
    }

    fn fill(&mut self, from: usize, to: usize) -> Result<(), Failed> {
        self.0.seek(SeekFrom::Start(from as u64))?;
        let mut left = to - from;
        while left > 0 {
            let count = left.min(PIECE);
            self.0.write_all(&[0xff; PIECE][..count])?;
            left -= count;
        }
        Ok(())
    }
}

impl ErrorType for Flash {
    type Error = Failed;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Failed> {
        self.0.seek(SeekFrom::Start(offset.into()))?;
        Ok(self.0.read_exact(bytes)?)
    }

    fn capacity(&self) -> usize {
        SIZE
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = PAGE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Failed> {
        self.fill(from as usize, to as usize)
    }

    /// Bits can only be cleared.
    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Failed> {
        let mut offset = u64::from(offset);
        for piece in bytes.chunks(PIECE) {
            let mut before = [0; PIECE];
            let before = &mut before[..piece.len()];
            self.0.seek(SeekFrom::Start(offset))?;
            self.0.read_exact(before)?;
            self.0.seek(SeekFrom::Start(offset))?;
            for (before, byte) in before.iter().zip(piece) {
                self.0.write_all(&[before & byte])?;
            }
            offset += piece.len() as u64;
        }
        Ok(())
    }
}
