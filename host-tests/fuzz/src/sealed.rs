//! Checkpoints with any content that are intact from outside, so that a fuzzer gets past the checksum.

/// The bytes that are the same in all checkpoints of an agent: the magic number, the version and the identity.
const SAME: usize = 4 + 1 + 4;
const CHECKSUM: usize = 4;

/// The part of a checkpoint that is not the same in all of its kind.
pub fn content(checkpoint: &[u8]) -> &[u8] {
    &checkpoint[SAME..checkpoint.len() - CHECKSUM]
}

/// A checkpoint of the same kind as `fresh` with another content.
pub fn with_content(fresh: &[u8], content: &[u8]) -> Vec<u8> {
    let mut bytes = [&fresh[..SAME], content].concat();
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

/// The checksum of Ethernet and of zip files.
fn crc32(bytes: &[u8]) -> u32 {
    let shift = |crc: u32| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
    let add = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| shift(crc));
    !bytes.iter().fold(!0, add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_the_nine_digits_is_the_published_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
