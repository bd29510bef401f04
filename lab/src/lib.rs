//! `ipse`, the lab: plays, explains and measures on a workstation what the agent does on a board.
//!
//! Each command is a module of `commands`. Answers go to standard output; everything else (notes,
//! progress, one line for what went wrong) goes to standard error. What is read from outside is read by
//! [`formats`].
#![forbid(unsafe_code)]

mod args;
mod cbmpi;
mod commands;
mod destination;
pub mod diagnose;
mod draw;
mod error;
mod figures;
pub mod formats;
mod games;
mod input;
mod json;
mod learner;
mod parallel;
mod plot;
mod policy;
mod position;
mod progress;
mod run;
mod statistics;
mod summary;
mod task;
mod training;

use clap::Parser;
use error::Error;
use std::process::ExitCode;

/// The lab of `ipse`: an agent that learns Tetris on a microcontroller
#[derive(Parser)]
#[command(name = "ipse", bin_name = "cargo ipse", version)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

/// The program.
pub fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| error::usage(&error));
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed the pipe has read enough.
        Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
