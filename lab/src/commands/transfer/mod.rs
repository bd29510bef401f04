//! `ipse push` and `ipse pull`: a checkpoint to a board and back, by its serial port or by a file of its flash.

mod flash;
mod talk;

use crate::destination::Destination;
use crate::error::{Error, Result};
use crate::input;
use crate::output::tell;
use crate::serial::PortArgs;
use flash::PICO;
use ipse::checkpoint::{LoadError, examine};
use ipse_device::label::split;
use ipse_device::uf2;
use std::path::{Path, PathBuf};
use talk::Talk;

/// Give a board a checkpoint to go on from
///
/// The board has to have an image with the same task, learner and seed; it goes
/// on to the same bits. What it refuses changes nothing in its flash, and it tells
/// why. If the seed or a field is wrong, it goes back to its last checkpoint.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo ipse push run.ckpt                     to the board that is plugged in
  cargo ipse push run.ckpt --flash flash.uf2   for the drive that a Pico shows
  cargo ipse push run.ckpt --flash flash.bin   for a probe"
)]
pub struct Push {
    /// A checkpoint, as `train --checkpoint` and `pull` write it
    checkpoint: PathBuf,

    /// Write the pages of a Pico's flash that hold it to FILE instead, as .uf2 or .bin
    #[arg(long, value_name = "FILE", conflicts_with = "serial")]
    flash: Option<PathBuf>,

    #[command(flatten)]
    port: PortArgs,
}

/// Get the checkpoint of a board, for `train --checkpoint` to go on from
///
/// The board saves one first, at the end of its iteration. `train` goes on from
/// it with the options that are those of the image.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo ipse pull run.ckpt                     of the board that is plugged in
  cargo ipse pull run.ckpt --flash dump.bin    of what a probe has read"
)]
pub struct Pull {
    /// Where to write it
    checkpoint: PathBuf,

    /// Take the newest one in FILE instead: a Pico's pages for checkpoints, or all of its flash
    #[arg(long, value_name = "FILE", conflicts_with = "serial")]
    flash: Option<PathBuf>,

    #[command(flatten)]
    port: PortArgs,
}

/// The largest file that is read: more than the flash of any board.
const LARGEST: usize = 1 << 24;

pub fn push(args: &Push) -> Result {
    let file = read(&args.checkpoint)?;
    let (_, checkpoint) = split(&file);
    let iterations = examine(checkpoint).map_err(|error| refuse(&args.checkpoint, &error))?;
    match &args.flash {
        Some(flash) => write_flash(checkpoint, iterations, flash),
        None => {
            let mut talk = Talk::with(&args.port)?;
            let loaded = talk.give(checkpoint)?;
            println!("{}: {loaded}", talk.port());
            Ok(())
        }
    }
}

pub fn pull(args: &Pull) -> Result {
    let destination = Destination::new(&args.checkpoint)?;
    let checkpoint = match &args.flash {
        Some(flash) => {
            let saved = PICO.newest(&read(flash)?);
            saved.map_err(|problem| Error::File(format!("{}: {problem}", flash.display())))?
        }
        None => Talk::with(&args.port)?.take()?,
    };
    let iterations = examine(&checkpoint).map_err(|error| refuse(&args.checkpoint, &error))?;
    destination.write(checkpoint)?;
    println!(
        "{}: the checkpoint after iteration {iterations}",
        args.checkpoint.display()
    );
    Ok(())
}

/// Writes the flash of a Pico, and tells how it gets there.
fn write_flash(checkpoint: &[u8], iterations: u32, file: &Path) -> Result {
    let is_uf2 = match file.extension().and_then(|extension| extension.to_str()) {
        Some("uf2") => true,
        Some("bin") => false,
        _ => {
            return Err(Error::Usage(format!(
                "--flash {}: give a name that ends in .uf2, for the drive of a Pico, or in .bin, for a probe",
                file.display()
            )));
        }
    };
    let destination = Destination::new(file)?;
    let flash = PICO.with(checkpoint).map_err(Error::File)?;
    let (name, address) = (file.display(), PICO.address());
    println!("{name}: the checkpoint after iteration {iterations}");
    if is_uf2 {
        let (pages, _) = flash.as_chunks::<{ uf2::PAGE }>();
        let addressed = pages.iter().enumerate().map(|(number, page)| {
            let offset = number * uf2::PAGE;
            (address + offset as u32, *page)
        });
        let blocks: Vec<_> = uf2::blocks(uf2::RP2040, addressed).collect();
        destination.write(blocks.as_flattened())?;
        tell!("hold BOOTSEL, plug the Pico in, and copy {name} to its drive RPI-RP2");
    } else {
        destination.write(&flash)?;
        tell!(
            "probe-rs download --chip RP2040 --binary-format bin --base-address {address:#x} {name}"
        );
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<u8>> {
    let bytes = input::read_file(file, LARGEST);
    bytes.map_err(|error| Error::File(format!("{}: {error}", file.display())))
}

fn refuse(file: &Path, error: &LoadError) -> Error {
    Error::File(format!("{}: {error}", file.display()))
}
