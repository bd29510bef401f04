//! Images of the Pico as UF2 files, which one drops on the drive that it shows.

use crate::resources::elf;
use crate::setup::{self, Need};
use crate::silicon::RP2040;
use crate::workspace;
use ipse_device::uf2::{self, PAGE};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const USAGE: &str = "usage: cargo xtask uf2 [learn|survive|forage|node] [--out FILE]";

/// The size that the flash is erased in.
const SECTOR: u32 = 4096;
/// The flash of a Pico.
const FLASH: std::ops::Range<u32> = 0x1000_0000..0x1020_0000;

/// Builds an image of the Pico, and writes the file.
pub fn run(words: &[&str]) -> Result<(), String> {
    let (image, out) = parse(words)?;
    setup::require(&[Need::Target(RP2040.target)])?;
    let bytes = build(image)?;
    fs::write(&out, &bytes).map_err(|error| format!("{}: {error}", out.display()))?;
    println!(
        "{}: hold BOOTSEL, plug the Pico in, and copy the file to its drive RPI-RP2",
        out.display()
    );
    Ok(())
}

/// Builds an image of the Pico, as a file.
pub fn build(image: &str) -> Result<Vec<u8>, String> {
    workspace::run(RP2040.cargo(&format!("build --release --bin {image}")))?;
    of_image(&read(&RP2040.image(image))?)
}

/// The image and the file that words ask for.
fn parse<'w>(words: &[&'w str]) -> Result<(&'w str, PathBuf), String> {
    let (image, out) = match *words {
        [] => ("learn", None),
        [image] => (image, None),
        ["--out", file] => ("learn", Some(file)),
        [image, "--out", file] | ["--out", file, image] => (image, Some(file)),
        _ => return Err(USAGE.into()),
    };
    if !["learn", "survive", "forage", "node"].contains(&image) {
        return Err(format!("`{image}` is not an image of the Pico\n{USAGE}"));
    }
    let file = out.map_or_else(|| format!("{image}.uf2"), String::from);
    Ok((image, file.into()))
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The file for an ELF image.
fn of_image(elf: &[u8]) -> Result<Vec<u8>, String> {
    let segments = elf::segments(elf).ok_or("it is not a 32-bit ELF image")?;
    file(&segments)
}

/// Blocks for segments, each an address and the bytes there.
fn file(segments: &[(u32, Vec<u8>)]) -> Result<Vec<u8>, String> {
    // Segments share pages, so each page is put together first.
    let mut pages = BTreeMap::<u32, [u8; PAGE]>::new();
    for (start, bytes) in segments {
        let end = u64::from(*start) + bytes.len() as u64;
        if *start < FLASH.start || end > FLASH.end.into() {
            return Err(format!(
                "bytes at {start:#010x}..{end:#010x} are outside of the flash, {:#010x}..{:#010x}",
                FLASH.start, FLASH.end
            ));
        }
        for (address, byte) in (*start..).zip(bytes) {
            let page = address / PAGE as u32 * PAGE as u32;
            let page = pages.entry(page).or_insert([0xff; PAGE]);
            page[address as usize % PAGE] = *byte;
        }
    }
    // The boot ROM erases a sector when it gets the first of its pages, so that every page of a sector has to come.
    let sectors: BTreeSet<u32> = pages.keys().map(|page| page / SECTOR * SECTOR).collect();
    for page in sectors
        .iter()
        .flat_map(|sector| (*sector..sector + SECTOR).step_by(PAGE))
    {
        pages.entry(page).or_insert([0xff; PAGE]);
    }
    Ok(uf2::blocks(uf2::RP2040, pages.into_iter())
        .flatten()
        .collect())
}

/// The flash that the boot loader makes of a file.
pub fn flash_of(file: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let word = |block: &[u8], at: usize| u32::from_le_bytes(*block[at..].first_chunk().unwrap());
    let count = file.len() / 512;
    let blocks = file.chunks_exact(512).enumerate();
    blocks
        .map(|(number, block)| {
            assert_eq!(word(block, 0), 0x0a32_4655);
            assert_eq!(word(block, 4), 0x9e5d_5157);
            assert_eq!(word(block, 508), 0x0ab1_6f30);
            assert_eq!(
                (word(block, 20), word(block, 24)),
                (number as u32, count as u32)
            );
            assert_eq!(word(block, 28), uf2::RP2040);
            let len = word(block, 16) as usize;
            (word(block, 12), block[32..32 + len].to_vec())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_share_a_page_are_one_block_and_sectors_are_whole() {
        let file = file(&[(0x1000_0000, vec![1; 300]), (0x1000_0150, vec![2; 4])]).unwrap();
        let flash = flash_of(&file);
        assert_eq!(flash.len(), 16);
        assert_eq!(flash[0], (0x1000_0000, vec![1; 256]));
        let (address, page) = &flash[1];
        assert_eq!(*address, 0x1000_0100);
        assert_eq!((&page[..44], &page[44..80]), (&[1; 44][..], &[255; 36][..]));
        assert_eq!((&page[80..84], page[84]), (&[2; 4][..], 255));
        assert!(
            flash[2..]
                .iter()
                .all(|(_, page)| page.iter().all(|byte| *byte == 255))
        );
    }

    #[test]
    fn what_is_outside_of_the_flash_is_refused_with_its_address() {
        let error = file(&[(0x2000_0000, vec![0])]).unwrap_err();
        assert!(error.contains("0x20000000"), "{error}");
        assert!(file(&[(FLASH.end - 1, vec![0; 2])]).is_err());
        assert!(of_image(b"text").is_err());
    }

    #[test]
    fn words_are_an_image_and_a_file_or_refused() {
        let file = |words: &[&str]| parse(words).map(|(_, file)| file);
        assert_eq!(parse(&[]), Ok(("learn", "learn.uf2".into())));
        assert_eq!(parse(&["forage"]), Ok(("forage", "forage.uf2".into())));
        assert_eq!(file(&["node", "--out", "a.uf2"]), Ok("a.uf2".into()));
        assert_eq!(file(&["--out", "a.uf2"]), Ok("a.uf2".into()));
        for words in [
            &["pico"][..],
            &["learn", "node"],
            &["--out"],
            &["learn", "--out"],
        ] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
