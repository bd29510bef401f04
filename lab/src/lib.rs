//! A lab for any task: train, compare, play, explain, diagnose and watch on a workstation what runs on a board.
//!
//! A crate with a task of its own gets the whole of it in one line:
//!
//! ```no_run
//! use ipse_lab::task;
//! use ipse_tasks::{Foraging, SensorNode};
//!
//! fn main() {
//!     ipse_lab::run([task(SensorNode::default()), task(Foraging)])
//! }
//! ```
//!
//! The task has to be [`Resumable`](ipse::Resumable), since runs are kept in checkpoints, and plain data (`Copy`). What
//! else there is to know about it, such as rules to compare with or the unit of its score, goes into a [`Setup`].
//!
//! # Which learner
//!
//! | learner | take it when |
//! |---|---|
//! | `ipse` | the worth of a choice shows within a rollout, ten actions or so |
//! | `search --returns` | consequences come later, and the task goes on: give a horizon of several cycles |
//! | `search --survival` | games are lost, and what counts is to last |
//!
//! `train` takes the one that the [`Setup`] names, or finds out as `diagnose` does. `docs/TASKS.md` in the repository has
//! what each comes to on each task.
//!
//! Each command is a module of `commands`. Answers go to standard output; everything else (notes, progress, one line for
//! what went wrong) goes to standard error.
#![forbid(unsafe_code)]

mod args;
mod cached;
mod commands;
mod destination;
pub mod diagnose;
mod draw;
mod entry;
mod error;
mod figures;
#[doc(hidden)]
pub mod formats;
mod games;
pub mod guide;
mod input;
mod interrupt;
mod json;
mod learner;
mod lock;
mod output;
mod paper;
mod parallel;
mod plot;
mod policy;
mod progress;
mod run;
mod serial;
mod statistics;
mod summary;
mod task;
mod tasks;
mod training;
mod view;
mod weather;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use entry::Entry;
pub use learner::Preset;
pub use task::{Measure, Rule, Setup, Task};

use crate::output::tell;
use clap::{CommandFactory, FromArgMatches, Parser};
use entry::Entries;
use error::Error;
use std::process::ExitCode;

/// The entry of a task about which nothing else is to be said.
pub fn task<E: Task>(task: E) -> Entry {
    Setup::new(task).into()
}

/// The lab of these tasks as a program: reads its arguments, and ends the process if something is wrong. The first task
/// is the default.
pub fn run(tasks: impl IntoIterator<Item = Entry>) {
    let entries = Entries(tasks.into_iter().collect());
    let code = start::<Cli>(&entries);
    if code != 0 {
        std::process::exit(code.into());
    }
}

/// The program `ipse`: the lab of all tasks of this repository, and the paper's experiments.
#[doc(hidden)]
pub fn main() -> ExitCode {
    start::<Ipse>(&Entries(tasks::all())).into()
}

/// What to begin with, in any lab.
const EXAMPLES: &str = "\
Examples:
  tasks                               what there is to learn
  train --out w.json --plot curve.png
  play --policy w.json --watch
  explain --policy w.json --after 30  why it acts as it does
  compare --seeds 20                  several learners
  COMMAND --help                      all its options
";

/// And in that of this repository.
const OWN_EXAMPLES: &str = "  train --task sensor-node --checkpoint run.ckpt
  reproduce figure2                   the paper, with tables and pictures
";

/// A lab for tasks that a small agent learns to master
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

/// The lab of `ipse`: an agent that learns to act on a microcontroller
#[derive(Parser)]
#[command(name = "ipse", bin_name = "cargo ipse", version)]
#[command(after_help = [EXAMPLES, OWN_EXAMPLES].concat())]
struct Ipse {
    #[command(subcommand)]
    command: AnyCommand,
}

#[derive(clap::Subcommand)]
enum AnyCommand {
    #[command(flatten)]
    Task(commands::Command),
    #[command(flatten)]
    Own(Own),
}

/// What only the lab of this repository has.
#[derive(clap::Subcommand)]
enum Own {
    #[command(flatten)]
    Paper(paper::Command),
    Weather(weather::Args),
}

impl Own {
    fn run(&self) -> error::Result {
        match self {
            Own::Paper(command) => command.run(),
            Own::Weather(args) => weather::run(args),
        }
    }
}

/// A program of the lab.
trait Program: CommandFactory + FromArgMatches {
    fn chosen(&self) -> Result<&commands::Command, &Own>;
}

impl Program for Cli {
    fn chosen(&self) -> Result<&commands::Command, &Own> {
        Ok(&self.command)
    }
}

impl Program for Ipse {
    fn chosen(&self) -> Result<&commands::Command, &Own> {
        match &self.command {
            AnyCommand::Task(command) => Ok(command),
            AnyCommand::Own(command) => Err(command),
        }
    }
}

/// Lets options have negative numbers for values.
fn negative_numbers(command: clap::Command) -> clap::Command {
    let takes_values = |option: &clap::Arg| option.get_action().takes_values();
    command
        .mut_args(|option| match takes_values(&option) {
            true => option.allow_negative_numbers(true),
            false => option,
        })
        .mut_subcommands(negative_numbers)
}

/// Runs a program, and returns its exit code.
fn start<P: Program>(entries: &Entries) -> u8 {
    let command = commands::Command::augment(P::command(), entries);
    // What is no number of its option is told so, and not taken for an option.
    let command = command
        .mut_subcommands(negative_numbers)
        .max_term_width(100);
    let matches = command
        .try_get_matches()
        .unwrap_or_else(|error| error::usage(&error));
    let program = P::from_arg_matches(&matches).unwrap_or_else(|error| error::usage(&error));
    let result = entries.check();
    let result = result.and_then(|()| match (program.chosen(), matches.subcommand()) {
        (Ok(command), Some((_, matches))) => command.run(entries, matches),
        (Ok(_), None) => Ok(()),
        (Err(command), _) => command.run(),
    });
    match result {
        Ok(()) => 0,
        // Whoever closed the pipe has read enough.
        Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            tell!("error: {error}");
            match error {
                Error::Usage(_) => 2,
                _ => 1,
            }
        }
    }
}
