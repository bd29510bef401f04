//! `ipse train`: one learner, watched while it learns.

mod checkpoint;
mod curve;
mod record;
mod weights;

use crate::args::{GameArgs, SeriesArgs, at_least_one, with_game};
use crate::destination::Destination;
use crate::draw::for_stdout;
use crate::error::{Error, Result};
use crate::learner::{Algorithm, LearnerArgs};
use crate::progress;
use crate::run::Run;
use crate::summary::Estimate;
use crate::task::Task;
use crate::training::{FRESH_GAMES, Training, evaluation_seed, phase_name};
use checkpoint::Keeper;
use indicatif::ProgressBar;
use ipse::environment::Environment;
use record::{File, Record};
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
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
  cargo ipse train --algorithm ipse-survival --calls 720000
  cargo ipse train --iterations 100000 --checkpoint run.ckpt
  cargo ipse train --height 20 --max-rows 10000", FRESH_GAMES.replace('\n', "\n  "))
)]
pub struct Args {
    /// What to learn, and how
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Algorithm::Ipse)]
    algorithm: Algorithm,

    /// How many choices to make and learn from, 400 if not given; in ipse-survival, how many
    /// generations at the most
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    iterations: Option<u32>,

    /// Where the learner's random numbers start from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Write the weights to a JSON file, for `play --policy FILE`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Keep the run in FILE, and go on from there if there is one
    ///
    /// The file is replaced as a whole or not at all. A run that was stopped, by
    /// whatever, and started again with the same options comes to the same bits
    /// as one that was not.
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    checkpoint: Option<PathBuf>,

    /// Keep it every K iterations and at the end
    #[arg(long, value_name = "K", default_value = "10", requires = "checkpoint")]
    #[arg(value_parser = at_least_one::<u32>)]
    checkpoint_every: u32,

    /// Print one JSON object per iteration
    ///
    /// Its calls and its reward are those of the iteration; total_calls and rows
    /// are the sums so far. Where the policy was scored, it has a mean and a
    /// standard_error too.
    #[arg(long, verbatim_doc_comment)]
    json: bool,

    /// Score the policy every K iterations and at the end; a tenth of all, or 20, if not given, 0
    /// for never
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
    fn iterations(&self) -> u32 {
        self.iterations
            .unwrap_or(self.algorithm.default_iterations())
    }

    fn is_done<E: Environment>(&self, run: &dyn Run<E>) -> bool {
        run.progress().iterations >= self.iterations() || run.is_over()
    }

    /// Between how many iterations the policy is scored, if at all.
    fn every(&self) -> Option<NonZero<u32>> {
        let usual = match self.iterations() {
            u32::MAX => 20,
            iterations => iterations.div_ceil(10),
        };
        NonZero::new(self.evaluate_every.unwrap_or(usual))
    }

    fn scores_at(&self, iteration: u32, is_last: bool) -> bool {
        self.every()
            .is_some_and(|every| is_last || iteration % every == 0)
    }
}

pub fn run(args: &Args) -> Result {
    with_game!(args.game, |task| train(task, args))
}

fn train<E: Task>(task: E, args: &Args) -> Result {
    let recipe = args.learner.recipe(args.algorithm)?;
    if args.every().is_some() {
        args.series.check(args.game)?;
    }
    let out = args.out.as_deref().map(Destination::new).transpose()?;
    let keeper = Keeper::new(args)?;
    if let (Some(out), Some(keeper)) = (&out, &keeper)
        && out.path() == keeper.destination().path()
    {
        let problem = "--out and --checkpoint need a file each";
        return Err(Error::Option(problem.into()));
    }
    let resumed = match &keeper {
        Some(keeper) => keeper.resume(&recipe, task, args)?,
        None => None,
    };
    let mut training = match resumed {
        Some(training) => training,
        None => Training::new(&recipe, task, args.seed),
    };
    let score = learn(&mut training, args, keeper)?;
    if let Some(out) = out {
        out.write(File::new(args, &training, score).line())?;
    }
    if !args.json {
        write(&weights::table(args, &training))?;
    }
    Ok(())
}

/// Goes on until the run is done. Returns how well it plays in the end, if that is asked for.
fn learn<E: Task>(
    training: &mut Training<E>,
    args: &Args,
    keeper: Option<Keeper>,
) -> Result<Option<Estimate>> {
    let series = args.series.with_seed(evaluation_seed(args.seed));
    let mut last_score = None;
    let bar = bar(args);
    if !args.json {
        print(&bar, &curve::heading(args))?;
    }
    advance(&bar, args, training);
    let was_done = args.is_done(&*training.run);
    while !args.is_done(&*training.run) {
        bar.set_message(phase_name(training.run.progress().phase));
        let step = training.step();
        let score = args
            .scores_at(step.iteration, args.is_done(&*training.run))
            .then(|| training.score(&series));
        if args.json {
            print(&bar, &Record::new(training, &step, score).line())?;
        } else if let Some(score) = &score {
            print(&bar, &curve::row(args, training, &step, score))?;
        }
        last_score = score;
        if let Some(keeper) = &keeper {
            keeper.keep(training, args)?;
        }
        advance(&bar, args, training);
    }
    bar.finish_and_clear();
    if was_done && args.every().is_some() {
        last_score = Some(training.score(&series));
    }
    Ok(last_score)
}

/// Shows how far it has come.
fn advance<E: Environment>(bar: &ProgressBar, args: &Args, training: &Training<E>) {
    bar.set_position(match args.learner.budget(args.algorithm) {
        Some(_) => training.calls,
        None => training.run.progress().iterations.into(),
    });
}

fn bar(args: &Args) -> ProgressBar {
    // It would only flicker between the lines.
    if args.json && io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let (length, unit) = match args.learner.budget(args.algorithm) {
        Some(calls) => (calls, "call"),
        None => (args.iterations(), "iteration"),
    };
    let template =
        format!("{{bar:24.cyan/dim}} {unit} {{pos}} of {{len}}, learning {{msg}}{{left}}");
    progress::bar(length.into(), progress::style(&template))
}

fn print(bar: &ProgressBar, text: &str) -> io::Result<()> {
    bar.suspend(|| write(text))
}

fn write(text: &str) -> io::Result<()> {
    io::stdout().write_all(for_stdout(text).as_bytes())
}
