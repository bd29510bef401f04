//! The header of a slot, which is written when the checkpoint behind it was found to be there.

use super::layout::LARGEST_WORD;
use ipse::checkpoint::Crc32;

/// What is known of the checkpoint in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub sequence: u32,
    pub erases: u32,
    pub slot: u32,
    pub len: u32,
}

/// A header as it is written: in whole words, the rest of which stays erased.
pub type HeaderBytes = [u8; LARGEST_WORD];

pub const ERASED: u8 = 0xff;

impl Header {
    pub const BYTES: usize = 20;

    pub fn to_bytes(self) -> HeaderBytes {
        let mut bytes = [ERASED; LARGEST_WORD];
        let Header {
            sequence,
            erases,
            slot,
            len,
        } = self;
        let (words, _) = bytes.as_chunks_mut::<4>();
        let [checksum, fields @ .., _, _, _] = words else {
            return bytes;
        };
        for (word, field) in fields.iter_mut().zip([sequence, erases, slot, len]) {
            *word = field.to_le_bytes();
        }
        *checksum = Crc32::of(fields.as_flattened()).to_le_bytes();
        bytes
    }

    /// The header, if these bytes are one.
    pub fn from_bytes(bytes: &HeaderBytes) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<4>();
        let [checksum, fields @ .., _, _, _] = words else {
            return None;
        };
        if u32::from_le_bytes(*checksum) != Crc32::of(fields.as_flattened()) {
            return None;
        }
        let mut fields = fields.iter().map(|field| u32::from_le_bytes(*field));
        Some(Header {
            sequence: fields.next()?,
            erases: fields.next()?,
            slot: fields.next()?,
            len: fields.next()?,
        })
    }
}
