//! `ipse diagnose`: what can be learned about a task before anyone waits for a learner.

use crate::args::{TaskArgs, at_least_one, seed};
use crate::diagnose::{Options, Progress, diagnose};
use crate::draw::for_stdout;
use crate::error::{Error, Result};
use crate::progress;
use crate::task::{Setup, Task};
use std::io::{self, Write};

/// Find out what can be learned in a task, and by which learner
///
/// Tests what the task promises; measures how often each feature varies among
/// actions, how much, and how it goes together with others; lets choices vote on
/// directions; searches for a long time for the best policy that the features
/// allow; and finds out how far one has to look ahead. Each finding comes with a
/// sentence of advice. The exit code is 1 if the task breaks a promise.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  diagnose
  diagnose --calls 300000 --json")]
pub struct Args {
    #[command(flatten)]
    pub task: TaskArgs,

    /// Where all random numbers start from
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    seed: u64,

    /// How many calls each search makes; fewer are faster
    #[arg(long, value_name = "N", default_value_t = Options::default().calls)]
    #[arg(value_parser = at_least_one::<u32>)]
    calls: u32,

    /// How many actions to look ahead at the most; the horizon of the task if not given
    #[arg(long, value_name = "N", value_parser = at_least_one::<u16>)]
    horizon: Option<u16>,

    /// Threads to work on; all cores if not given
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    threads: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run<E: Task>(setup: &Setup<E>, args: &Args) -> Result {
    let bar = progress::bar(100, progress::style("{bar:24.cyan/dim} {msg}"));
    let tell = |now: Progress| {
        bar.set_message(now.stage.title());
        bar.set_position((100. * now.share) as u64);
    };
    let usual = Options::default();
    let diagnosis = diagnose(
        &setup.task,
        &Options {
            seed: args.seed,
            calls: args.calls,
            horizon: args.horizon.unwrap_or(setup.horizon),
            threads: args.threads.unwrap_or(usual.threads),
            progress: Some(&tell),
            ..usual
        },
    );
    bar.finish_and_clear();
    let text = match args.json {
        true => serde_json::to_string(&diagnosis).expect("a diagnosis is JSON") + "\n",
        false => for_stdout(&diagnosis.text()),
    };
    io::stdout().write_all(text.as_bytes())?;
    match diagnosis.keeps_promises() {
        true => Ok(()),
        false => Err(Error::Task(format!(
            "{} breaks a promise that learners rely on",
            E::NAME
        ))),
    }
}
