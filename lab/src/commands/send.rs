//! `ipse send`: a command to a board that learns.

use crate::error::{Error, Result};
use crate::serial;
use ipse_device::{Command, MAX_COMMAND, encode_command};
use std::io::Write;
use std::path::PathBuf;

/// Tell a board that learns to restart, pause, continue, or save
///
/// The board tells in its telemetry what it does; `cargo ipse watch --serial`
/// shows it, in another terminal if need be. A seed lasts until the board is
/// restarted: then that of its image is back.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo ipse send pause
  cargo ipse send seed=7 --serial /dev/ttyACM0"
)]
pub struct Args {
    /// restart, seed=N, pause, continue or save
    #[arg(value_name = "COMMAND")]
    command: Command,

    /// The serial port; without it, that of the only board that is plugged in
    #[arg(long, value_name = "PORT", default_value = serial::ANY)]
    serial: PathBuf,

    /// The speed of the serial port
    #[arg(long, value_name = "N", default_value_t = 115_200)]
    baud: u32,
}

pub fn run(args: &Args) -> Result {
    let port = serial::resolve(&args.serial)?;
    let mut buffer = [0; MAX_COMMAND];
    let frame = encode_command(args.command, &mut buffer)
        .ok_or_else(|| Error::Stream("a command has no room in its frame".into()))?;
    let failed =
        |what: &str, error| Error::Stream(format!("{}: cannot {what}: {error}", port.display()));
    let mut file = serial::open(&port, args.baud, true).map_err(|error| failed("open", error))?;
    file.write_all(frame)
        .map_err(|error| failed("write", error))?;
    println!("{}: {}", port.display(), args.command);
    Ok(())
}
