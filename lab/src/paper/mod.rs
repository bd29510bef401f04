//! The paper: its task, its experiments and what it is compared with. This is the one part of the lab that knows Tetris.

mod cbmpi;
pub mod features;
pub mod fit;
mod lockstep;
mod picture;
pub mod position;
pub mod reproduce;
pub mod tetris;

use crate::error::Result;
use clap::Subcommand;

/// The commands that are about the paper.
#[derive(Subcommand)]
pub enum Command {
    Features(features::Args),
    Fit(fit::Args),
    Cbmpi(cbmpi::command::Args),
    Reproduce(reproduce::Args),
}

impl Command {
    pub fn run(&self) -> Result {
        match self {
            Command::Features(args) => features::run(args),
            Command::Fit(args) => fit::run(args),
            Command::Cbmpi(args) => cbmpi::command::run(args),
            Command::Reproduce(args) => reproduce::run(args),
        }
    }
}
