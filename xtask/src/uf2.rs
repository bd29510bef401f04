//! Images of the Pico as UF2 files, which one drops on the drive that it shows.

use crate::resources::elf;
use crate::setup::{self, Need};
use crate::silicon::{self, RP2040};
use crate::user_tasks::new_flash;
use crate::workspace;
use ipse_device::uf2::{self, PAGE};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const USAGE: &str = "usage: cargo xtask uf2 [learn|survive|forage|node] [--out FILE] [--display]";

/// The word by which an image shows what it does on a display.
const DISPLAY: &str = "--display";

/// The size that the flash is erased in.
const SECTOR: u32 = 4096;
/// The flash of a Pico.
const FLASH: std::ops::Range<u32> = 0x1000_0000..0x1020_0000;

/// Builds an image of the Pico, and writes the file.
pub fn run(words: &[&str]) -> Result<(), String> {
    let is_display = |word: &&str| *word == DISPLAY;
    let features = match words.iter().any(is_display) {
        true => " --features display",
        false => "",
    };
    let words: Vec<_> = words
        .iter()
        .copied()
        .filter(|word| !is_display(word))
        .collect();
    let (image, out) = parse(&words)?;
    setup::require(&[Need::Target(RP2040.target)])?;
    let bytes = build(image, features)?;
    fs::write(&out, &bytes).map_err(|error| format!("{}: {error}", out.display()))?;
    println!(
        "{}: hold BOOTSEL, plug the Pico in, and copy the file to its drive RPI-RP2",
        out.display()
    );
    Ok(())
}

/// Builds an image of the Pico with features, as a file.
fn build(image: &str, features: &str) -> Result<Vec<u8>, String> {
    workspace::run(RP2040.cargo(&format!("build --release --bin {image}{features}")))?;
    of_image(&read(&RP2040.image(image))?)
}

/// What the boot loader of a Pico makes of a file is what is in the flash of the emulated one that runs the image.
pub fn check() -> Result<(), String> {
    for image in ["learn", "forage"] {
        let emulated = new_flash("uf2", FLASH.len())?;
        let file = emulated.with_file_name("image.uf2");
        run(&[image, "--out", &file.to_string_lossy()])?;
        let mut node = silicon::emulator(image)?;
        node.args(["--cycles", "1", "--flash"]).arg(&emulated);
        workspace::run(node)?;

        let mut flash = vec![0xff; FLASH.len()];
        for (address, page) in flash_of(&read(&file)?)? {
            let place = (address - FLASH.start) as usize;
            flash[place..place + page.len()].copy_from_slice(&page);
        }
        let differs = flash.iter().zip(read(&emulated)?);
        if let Some(place) = differs.into_iter().position(|(found, byte)| *found != byte) {
            let address = FLASH.start as usize + place;
            return Err(format!(
                "{image}.uf2 differs from the image at {address:#010x}"
            ));
        }
    }
    Ok(())
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

/// The pages that the boot loader writes, each with its address. It passes over blocks that are not for its chip.
pub fn flash_of(file: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, String> {
    let count = (file.len() / 512) as u32;
    let blocks = file.chunks(512).zip(0..);
    blocks
        .map(|(block, number)| {
            let word = |at: usize| {
                block
                    .get(at..)?
                    .first_chunk()
                    .map(|w| u32::from_le_bytes(*w))
            };
            let expected = [
                (0, 0x0a32_4655),
                (4, 0x9e5d_5157),
                (8, 0x2000),
                (20, number),
                (24, count),
                (28, uf2::RP2040),
                (508, 0x0ab1_6f30),
            ];
            for (at, expected) in expected {
                if word(at) != Some(expected) {
                    return Err(format!("block {number}: not {expected:#x} at byte {at}"));
                }
            }
            let content = word(12).zip(word(16)).and_then(|(address, len)| {
                let content = block.get(32..)?.get(..len as usize)?;
                FLASH
                    .contains(&address)
                    .then(|| (address, content.to_vec()))
            });
            content.ok_or_else(|| format!("block {number}: no content for the flash"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_share_a_page_are_one_block_and_sectors_are_whole() {
        let file = file(&[(0x1000_0000, vec![1; 300]), (0x1000_0150, vec![2; 4])]).unwrap();
        let flash = flash_of(&file).unwrap();
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
