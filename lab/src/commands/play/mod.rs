//! `ipse play`: games with frozen weights, and what they come to.

mod report;
mod watch;

use crate::args::{SeriesArgs, TaskArgs, at_least_one, seed};
use crate::draw::for_stdout;
use crate::error::Result;
use crate::games::Progress;
use crate::output::tell;
use crate::policy::{self, Named};
use crate::task::{Measure, Setup, Task};
use std::io::{self, Write};

/// Play games with a policy and report what they come to
///
/// A game is an episode of the task, or a number of actions if the task goes
/// on. The mean comes with its standard error. The same seed gives the same
/// games, on however many threads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  play --policy weights.json --games 300 --seed 1
  play --policy random --actions 100 --json
  play --watch --pace 50")]
pub struct Args {
    #[command(flatten)]
    pub task: TaskArgs,

    /// A policy of the task by its name, equal, random, or a JSON file with weights; the first that
    /// the task has if not given
    #[arg(long, value_name = "POLICY", long_help = policy::HELP)]
    policy: Option<String>,

    /// Where the games' random numbers start from
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    seed: u64,

    #[command(flatten)]
    series: SeriesArgs,

    /// End a game after so many actions
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    actions: Option<u64>,

    /// Print one JSON object, with the score of every game
    #[arg(long)]
    json: bool,

    /// Draw one game, the first of the series, move by move
    ///
    /// On a terminal: q quits, space pauses, + and - change the speed. Whenever it ends, a
    /// summary stays.
    #[arg(long, conflicts_with = "json")]
    watch: bool,

    /// Milliseconds between two pictures of the watched game
    #[arg(long, value_name = "MS", default_value_t = 120, requires = "watch")]
    pace: u64,
}

pub fn run<E: Task>(setup: &Setup<E>, args: &Args) -> Result {
    let named = Named::of(setup, args.policy.as_deref())
        .map_err(|error| policy::refused("--policy", args.policy.as_deref(), &error))?;
    let player = named.player();
    if args.watch {
        return watch::run(setup, &named.name, player.mind(), args);
    }
    let measure = Measure {
        actions: args.actions.or(setup.measure.actions),
        ..setup.measure
    };
    if let (Some(note), None) = (measure.endless, args.actions) {
        tell!("note: {note}");
    }
    let series = args.series.with_seed(args.seed);
    let progress = Progress::new(series.games);
    let played = series.play(setup, player.mind(), &measure, &progress);
    progress.bar.finish_and_clear();
    let report = match args.json {
        true => report::json(setup, &named, args, &played),
        false => for_stdout(&report::text(setup, &named.name, args, &played)),
    };
    Ok(io::stdout().write_all(report.as_bytes())?)
}
