//! A ring buffer.
//!
//! `heapless::HistoryBuf` would do, but it indexes where the compiler cannot prove that the index is in range,
//! and so leaves a panic in an image that must not have one (`host-tests/firmware/no-panic`).

use crate::codec::Codec;
use crate::invalid::Invalid;
use heapless::Vec;

/// The last `N` entries. A new one takes the place of the oldest.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ring<T, const N: usize> {
    entries: Vec<T, N>,
    /// The index of the oldest once there are `N`.
    oldest: usize,
}

impl<T: Copy, const N: usize> Ring<T, N> {
    pub const fn new() -> Self {
        Ring {
            entries: Vec::new(),
            oldest: 0,
        }
    }

    /// The entries, in no particular order.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }

    /// The index of the oldest entry.
    pub fn oldest(&self) -> u32 {
        self.oldest as u32
    }

    pub fn push(&mut self, entry: T) {
        if let Err(entry) = self.entries.push(entry)
            && let Some(oldest) = self.entries.get_mut(self.oldest)
        {
            *oldest = entry;
            self.oldest = self.oldest.wrapping_add(1);
            if self.oldest >= N {
                self.oldest = 0;
            }
        }
    }

    /// The entry that was pushed before `age` others.
    pub fn recent(&self, age: usize) -> Option<&T> {
        // The newest is before the oldest, around the end of the list.
        let len = self.entries.len();
        let later = age.checked_add(1).filter(|&later| later <= len)?;
        let index = self
            .oldest
            .checked_sub(later)
            .unwrap_or(self.oldest.wrapping_add(len).wrapping_sub(later));
        self.entries.get(index)
    }

    /// The most bits that it is written in, if an entry takes so many.
    pub const fn bits(entry: usize) -> usize {
        entry.saturating_mul(N).saturating_add(64)
    }

    /// Writes or reads the entries where they are, starting from `example`. `fields` are the names of their count and of
    /// the index of the oldest.
    pub fn code<C: Codec>(
        &mut self,
        fields: [&'static str; 2],
        example: T,
        codec: &mut C,
        mut code: impl FnMut(&mut T, &mut C) -> Result<(), Invalid>,
    ) -> Result<(), Invalid> {
        let mut len = self.entries.len() as u32;
        let [count, first] = fields;
        codec.u32(count, &mut len, 0..=N as u32)?;
        let mut oldest = self.oldest as u32;
        let last = match len as usize == N {
            true => len.saturating_sub(1),
            false => 0,
        };
        codec.u32(first, &mut oldest, 0..=last)?;
        if codec.is_reading() {
            self.entries.clear();
            self.oldest = oldest as usize;
            for _ in 0..len {
                let mut entry = example;
                code(&mut entry, codec)?;
                // There is room: `len` is in range.
                let _ = self.entries.push(entry);
            }
            return Ok(());
        }
        self.entries
            .iter_mut()
            .try_for_each(|entry| code(entry, codec))
    }
}
