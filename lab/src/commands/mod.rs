//! The commands for any task, one module each.

pub mod compare;
pub mod diagnose;
pub mod explain;
pub mod play;
mod send;
pub mod table;
mod tasks;
pub mod train;
mod transfer;
pub mod watch;

use crate::args::TaskArgs;
use crate::entry::Entries;
use crate::error::Result;
use clap::{ArgMatches, Subcommand};

#[derive(Subcommand)]
pub enum Command {
    Tasks(tasks::Args),
    Train(train::Args),
    Play(play::Args),
    Explain(explain::Args),
    Compare(compare::Args),
    Diagnose(diagnose::Args),
    Watch(watch::Args),
    Send(send::Args),
    Push(transfer::Push),
    Pull(transfer::Pull),
    Table(table::Args),
}

/// The commands that take a task and its options.
const OF_A_TASK: [&str; 5] = ["train", "play", "explain", "compare", "diagnose"];

impl Command {
    /// Adds the options of all tasks to the commands that take a task.
    pub fn augment(program: clap::Command, entries: &Entries) -> clap::Command {
        OF_A_TASK.into_iter().fold(program, |program, name| {
            program.mut_subcommand(name, |command| entries.augment(command))
        })
    }

    pub fn run(&self, entries: &Entries, matches: &ArgMatches) -> Result {
        let name = |args: &TaskArgs| args.task.clone();
        match self {
            Command::Tasks(args) => tasks::run(entries, args),
            Command::Train(args) => entries.with(name(&args.task).as_deref(), matches, |bench| {
                bench.train(args)
            }),
            Command::Play(args) => entries.with(name(&args.task).as_deref(), matches, |bench| {
                bench.play(args)
            }),
            Command::Explain(args) => entries.with(name(&args.task).as_deref(), matches, |bench| {
                bench.explain(args)
            }),
            Command::Compare(args) => entries.with(name(&args.task).as_deref(), matches, |bench| {
                bench.compare(args)
            }),
            Command::Diagnose(args) => {
                entries.with(name(&args.task).as_deref(), matches, |bench| {
                    bench.diagnose(args)
                })
            }
            Command::Watch(args) => watch::run(args, entries),
            Command::Send(args) => send::run(args),
            Command::Push(args) => transfer::push(args),
            Command::Pull(args) => transfer::pull(args),
            Command::Table(args) => table::all(args, entries),
        }
    }
}
