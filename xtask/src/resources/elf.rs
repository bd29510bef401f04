//! How much of a board an image fills, read from the program headers of its ELF file.

use std::ops::Range;
use std::path::Path;

/// In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// All that is flashed.
    pub flash: u32,
    /// All variables; not the stack, which is apart and not initialised, so that no segment says it
    /// is written to.
    pub ram: u32,
}

/// Where a Cortex-M has its memory.
const SRAM: Range<u32> = 0x2000_0000..0x4000_0000;
/// The type of a segment that is loaded.
const LOAD: u32 = 1;
/// The flag of a segment that is written to.
const WRITE: u32 = 2;

impl Footprint {
    pub fn of(image: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(image)
            .map_err(|error| format!("{} cannot be read: {error}", image.display()))?;
        Self::parse(&bytes).ok_or_else(|| format!("{} is no image", image.display()))
    }

    fn parse(elf: &[u8]) -> Option<Self> {
        let mut footprint = Footprint { flash: 0, ram: 0 };
        for header in headers(elf)? {
            let (address, in_file, in_memory) =
                (word(header, 8)?, word(header, 16)?, word(header, 20)?);
            if word(header, 0)? == LOAD {
                footprint.flash += in_file;
                if SRAM.contains(&address) && word(header, 24)? & WRITE != 0 {
                    footprint.ram += in_memory;
                }
            }
        }
        Some(footprint)
    }
}

/// What a programmer writes: the addresses of segments, and the bytes there.
pub fn segments(elf: &[u8]) -> Option<Vec<(u32, Vec<u8>)>> {
    let mut segments = Vec::new();
    for header in headers(elf)? {
        let (offset, address, len) = (word(header, 4)?, word(header, 12)?, word(header, 16)?);
        if word(header, 0)? == LOAD && len > 0 {
            let bytes = elf.get(offset as usize..)?.get(..len as usize)?;
            segments.push((address, bytes.to_vec()));
        }
    }
    Some(segments)
}

/// The program headers, each with what follows it.
fn headers(elf: &[u8]) -> Option<Vec<&[u8]>> {
    if !elf.starts_with(b"\x7fELF\x01\x01") {
        return None;
    }
    let start = usize::try_from(word(elf, 28)?).ok()?;
    let (size, count) = (half(elf, 42)?, half(elf, 44)?);
    (0..count)
        .map(|segment| elf.get(start + segment * size..))
        .collect()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Type, address, bytes in the file and in memory, and flags of each segment.
    fn elf(segments: &[[u32; 5]]) -> Vec<u8> {
        let mut elf = b"\x7fELF\x01\x01".to_vec();
        elf.resize(52, 0);
        elf[28] = 52;
        elf[42] = 32;
        elf[44] = segments.len() as u8;
        for [kind, address, in_file, in_memory, flags] in segments {
            let header = [*kind, 0, *address, 0, *in_file, *in_memory, *flags, 0];
            elf.extend(header.iter().flat_map(|word| word.to_le_bytes()));
        }
        elf
    }

    #[test]
    fn code_is_in_flash_zeros_in_ram_and_initial_values_in_both() {
        let code = [LOAD, 0x0800_0000, 4000, 4000, 5];
        let stack = [LOAD, 0x2000_0000, 0, 0x4000, 4];
        let data = [LOAD, 0x2000_4000, 16, 16, 6];
        let zeros = [LOAD, 0x2000_4010, 0, 3000, 6];
        let other = [0x6474_e551, 0, 0, 0, 6];
        assert_eq!(
            Footprint::parse(&elf(&[code, stack, data, zeros, other])),
            Some(Footprint {
                flash: 4016,
                ram: 3016
            })
        );
    }

    #[test]
    fn what_is_no_image_or_ends_too_early_is_refused() {
        let image = elf(&[[LOAD, 0x0800_0000, 4000, 4000, 5]]);
        assert_eq!(Footprint::parse(b"#!/bin/sh"), None);
        assert_eq!(Footprint::parse(&image[..image.len() - 16]), None);
    }
}
