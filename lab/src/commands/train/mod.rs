//! `ipse train`: one learner, watched while it learns.

mod curve;
mod record;
mod weights;

use crate::args::{GameArgs, SeriesArgs, at_least_one, with_game};
use crate::destination::Destination;
use crate::draw::for_stdout;
use crate::error::Result;
use crate::learner::{Algorithm, LearnerArgs};
use crate::progress;
use crate::training::{FRESH_GAMES, Training, evaluation_seed, phase_name};
use indicatif::ProgressBar;
use ipse::Config;
use ipse::environment::Environment;
use ipse::tetris::{FEATURES, PLACEMENTS};
use record::{File, Record};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Let a learner learn, and see how well it plays as it does
///
/// Prints the learning curve as it grows (mean rows with their standard error,
/// and the calls of the generative model so far) and the weights at the end.
/// The same seed gives the same run, to the bit.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = format!("\
How it is scored:
  {}

Examples:
  cargo ipse train --iterations 400 --seed 1 --out weights.json
  cargo ipse train --algorithm m-known --evaluate-every 20 --games 100
  cargo ipse train --algorithm lfd --evaluate-every 0 --json
  cargo ipse train --height 20 --max-rows 10000", FRESH_GAMES.replace('\n', "\n  "))
)]
pub struct Args {
    /// What to learn, and how
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Algorithm::Ipse)]
    algorithm: Algorithm,

    /// How many choices to make and learn from
    #[arg(long, value_name = "N", default_value = "400", value_parser = at_least_one::<u32>)]
    iterations: u32,

    /// Where the learner's random numbers start from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Write the weights to a JSON file, for `play --policy FILE`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON object per iteration
    ///
    /// Its calls and its reward are those of the iteration; total_calls and rows
    /// are the sums so far. Where the policy was scored, it has a mean and a
    /// standard_error too.
    #[arg(long, verbatim_doc_comment)]
    json: bool,

    /// Score the policy every K iterations and at the end; a tenth of all if not given, 0 for never
    #[arg(long, value_name = "K", help_heading = "Evaluation")]
    evaluate_every: Option<u32>,

    #[command(flatten, next_help_heading = "Evaluation")]
    series: SeriesArgs,

    #[command(flatten)]
    learner: LearnerArgs,

    #[command(flatten, next_help_heading = "Game")]
    game: GameArgs,
}

impl Args {
    fn scores_at(&self, iteration: u32) -> bool {
        let every = self.evaluate_every.unwrap_or(self.iterations.div_ceil(10));
        every != 0 && (iteration.is_multiple_of(every) || iteration == self.iterations)
    }
}

pub fn run(args: &Args) -> Result {
    let config = args.learner.config(args.algorithm)?;
    if args.scores_at(args.iterations) {
        args.series.check(args.game)?;
    }
    let out = args.out.as_deref().map(Destination::new).transpose()?;
    with_game!(args.game, |task| train(task, config, args, out))
}

fn train<E>(task: E, config: Config<FEATURES>, args: &Args, out: Option<Destination>) -> Result
where
    E: Environment<FEATURES, PLACEMENTS> + Sync,
{
    let series = args.series.with_seed(evaluation_seed(args.seed));
    let mut training = Training::new(task, config, args.seed)?;
    let mut last_score = None;
    let bar = bar(args);
    if !args.json {
        print(&bar, &curve::heading(args))?;
    }
    for _ in 0..args.iterations {
        bar.set_message(phase_name(training.agent.phase()));
        let step = training.step();
        let score = args
            .scores_at(step.iteration)
            .then(|| training.score(&series));
        if args.json {
            print(&bar, &Record::new(&training, &step, score).line())?;
        } else if let Some(score) = &score {
            print(&bar, &curve::row(args, &training, &step, score))?;
        }
        last_score = score;
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(out) = out {
        out.write(File::new(args, &training, last_score).line())?;
    }
    if !args.json {
        print(&bar, &weights::table(args, &training))?;
    }
    Ok(())
}

fn bar(args: &Args) -> ProgressBar {
    // It would only flicker between the lines.
    if args.json && io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{bar:24.cyan/dim} iteration {pos} of {len}, learning {msg}{left}";
    progress::bar(args.iterations.into(), progress::style(template))
}

fn print(bar: &ProgressBar, text: &str) -> io::Result<()> {
    bar.suspend(|| io::stdout().write_all(for_stdout(text).as_bytes()))
}
