//! The commands, one module each.

mod explain;
mod features;
mod fit;
mod play;

use crate::error::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    Features(features::Args),
    Play(play::Args),
    Explain(explain::Args),
    Fit(fit::Args),
}

impl Command {
    pub fn run(self) -> Result {
        match self {
            Command::Features(args) => features::run(&args),
            Command::Play(args) => play::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::Fit(args) => fit::run(&args),
        }
    }
}
