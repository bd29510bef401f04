//! The commands, one module each.

mod cbmpi;
mod compare;
pub mod explain;
mod features;
pub mod fit;
mod play;
pub mod reproduce;
mod train;
pub mod watch;

use crate::error::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    Features(features::Args),
    Play(play::Args),
    Explain(explain::Args),
    Train(train::Args),
    Compare(compare::Args),
    Cbmpi(cbmpi::Args),
    Reproduce(reproduce::Args),
    Fit(fit::Args),
    Watch(watch::Args),
}

impl Command {
    pub fn run(self) -> Result {
        match self {
            Command::Features(args) => features::run(&args),
            Command::Play(args) => play::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::Train(args) => train::run(&args),
            Command::Compare(args) => compare::run(&args),
            Command::Cbmpi(args) => cbmpi::run(&args),
            Command::Reproduce(args) => reproduce::run(&args),
            Command::Fit(args) => fit::run(&args),
            Command::Watch(args) => watch::run(&args),
        }
    }
}
