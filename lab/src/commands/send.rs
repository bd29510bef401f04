//! `ipse send`: a command to a board that learns.

use crate::error::{Error, Result};
use crate::serial::PortArgs;
use ipse_device::{Command, MAX_COMMAND, encode_command};
use std::io::Write;

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

    #[command(flatten)]
    port: PortArgs,
}

pub fn run(args: &Args) -> Result {
    let (port, mut file) = args.port.open()?;
    let mut buffer = [0; MAX_COMMAND];
    let frame = encode_command(args.command, &mut buffer)
        .ok_or_else(|| Error::Stream("a command has no room in its frame".into()))?;
    file.write_all(frame)
        .map_err(|error| Error::Stream(format!("{}: cannot write: {error}", port.display())))?;
    println!("{}: {}", port.display(), args.command);
    Ok(())
}
