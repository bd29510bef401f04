//! `ipse train`: one learner, watched while it learns.

mod checkpoint;
mod curve;
mod picture;
mod record;
mod weights;

use crate::args::{SeriesArgs, TaskArgs, at_least_one, seed};
use crate::destination::Destination;
use crate::diagnose::{Method, Recommendation, quick_recommendation};
use crate::error::{Error, Result};
use crate::learner::{Algorithm, Extent, LearnerArgs, Preset};
use crate::output::{Output, tell};
use crate::plot::{self, Sample};
use crate::progress;
use crate::run::{Recipe, Run};
use crate::summary::Estimate;
use crate::task::{Setup, Task};
use crate::training::{FRESH_GAMES, Training, evaluation_seed, phase_name};
use checkpoint::Keeper;
use indicatif::ProgressBar;
use record::{File, Record};
use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::PathBuf;

/// Let a learner learn, and see how well it plays as it does
///
/// Prints the learning curve as it grows (mean scores with their standard error,
/// and the calls of the generative model so far) and the weights at the end.
/// The same seed gives the same run, to the bit.
#[derive(clap::Args)]
#[command(
    after_long_help = format!("\
How it is scored:
{}

Examples:
  train --seed 7 --out weights.json --plot curve.png
  train --algorithm ipse --iterations 400 --evaluate-every 20 --games 100
  train --algorithm search --returns --horizon 144 --calls 700000
  train --algorithm lfd --evaluate-every 0 --json
  train --iterations 100000 --checkpoint run.ckpt", FRESH_GAMES)
)]
pub struct Args {
    #[command(flatten)]
    pub task: TaskArgs,

    /// How to learn; as suits the task if not given
    #[arg(long, value_enum, value_name = "NAME")]
    algorithm: Option<Algorithm>,

    /// How many choices to make and learn from, 400 if neither this nor --calls is given; in a
    /// search, how many generations at the most
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    iterations: Option<u32>,

    /// Where the learner's random numbers start from
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    seed: u64,

    /// Write the weights to a JSON file, for `play --policy FILE`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Draw the learning curve to an SVG or PNG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Keep the run in FILE, and go on from there if there is one
    ///
    /// The file is replaced as a whole or not at all. A run that was stopped, by
    /// whatever, and started again with the same options comes to the same bits
    /// as one that was not.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Keep it every K iterations and at the end
    #[arg(long, value_name = "K", default_value = "10", requires = "checkpoint")]
    #[arg(value_parser = at_least_one::<u32>)]
    checkpoint_every: u32,

    /// Print one JSON object per iteration
    ///
    /// Its calls and its reward are those of the iteration; total_calls and
    /// total_reward are the sums so far. Where the policy was scored, it has a mean and a
    /// standard_error too.
    #[arg(long)]
    json: bool,

    /// Score the policy every K iterations and at the end; a tenth of all, or 20, if not given, 0
    /// for never
    #[arg(long, value_name = "K", help_heading = "Evaluation")]
    evaluate_every: Option<u32>,

    #[command(flatten, next_help_heading = "Evaluation")]
    series: SeriesArgs,

    #[command(flatten)]
    learner: LearnerArgs,
}

/// What is done: the options, and what follows from them for the task.
struct Job<'a, E: Task> {
    setup: &'a Setup<E>,
    args: &'a Args,
    algorithm: Algorithm,
    learner: LearnerArgs,
    extent: Extent,
}

impl<'a, E: Task> Job<'a, E> {
    fn new(setup: &'a Setup<E>, args: &'a Args) -> Self {
        let mut learner = args.learner;
        let algorithm = match (args.algorithm, setup.learner) {
            (Some(algorithm), _) => algorithm,
            (None, Some(preset)) => learner.algorithm(preset),
            (None, None) if learner.names_a_search() => Algorithm::Search,
            (None, None) => recommended(setup, &mut learner),
        };
        Job {
            setup,
            args,
            algorithm,
            learner,
            extent: learner.extent(algorithm, args.iterations),
        }
    }

    fn is_done(&self, run: &dyn Run<E>) -> bool {
        run.progress().iterations >= self.extent.iterations || run.is_over()
    }

    /// The number of iterations between two scores, if there are any.
    fn every(&self) -> Option<NonZero<u32>> {
        let usual = match self.extent.iterations {
            u32::MAX => 20,
            iterations => iterations.div_ceil(10),
        };
        NonZero::new(self.args.evaluate_every.unwrap_or(usual))
    }

    fn scores_at(&self, iteration: u32, is_last: bool) -> bool {
        self.every()
            .is_some_and(|every| is_last || iteration % every == 0)
    }
}

/// The learner to take for a task of which nothing is known, by a short trial.
fn recommended<E: Task>(setup: &Setup<E>, learner: &mut LearnerArgs) -> Algorithm {
    let horizon = learner.horizon.unwrap_or(setup.horizon);
    let Recommendation { method, reason } = quick_recommendation(&setup.task, horizon);
    let (preset, [horizon, trials]) = match method {
        Method::Ipse => (Preset::Ipse, [None; 2]),
        Method::Survival => (Preset::Survival, [None; 2]),
        Method::Returns { horizon, trials } => (Preset::Returns, [Some(horizon), Some(trials)]),
    };
    learner.horizon = learner.horizon.or(horizon);
    learner.trials = learner.trials.or(trials);
    tell!("by {}: {reason}", preset.command());
    learner.algorithm(preset)
}

pub fn run<E: Task>(setup: &Setup<E>, args: &Args) -> Result {
    let job = Job::new(setup, args);
    let recipe = job.learner.recipe(job.algorithm, setup)?;
    job.learner.check_effects(&[job.algorithm])?;
    if let (Some(endless), Some(_)) = (setup.measure.endless, job.every()) {
        return Err(Error::Usage(endless.into()));
    }
    let out = args.out.as_deref().map(Destination::new).transpose()?;
    let plot = args
        .plot
        .as_deref()
        .map(plot::Destination::new)
        .transpose()?;
    if let (Some(_), None) = (&plot, job.every()) {
        let problem = "--plot draws the scores, and --evaluate-every 0 asks for none";
        return Err(Error::Usage(problem.into()));
    }
    let keeper = Keeper::new(args)?;
    let mut written = Vec::new();
    written.extend(out.as_ref().map(Destination::path));
    written.extend(plot.as_ref().map(plot::Destination::path));
    written.extend(keeper.as_ref().map(|keeper| keeper.destination().path()));
    if (1..written.len()).any(|i| written[..i].contains(&written[i])) {
        let problem = "--out, --plot and --checkpoint need a file each";
        return Err(Error::Usage(problem.into()));
    }
    let mut training = begin(&job, &recipe, keeper.as_ref())?;
    if let (Some(_), done @ 1..) = (&plot, training.run.progress().iterations) {
        return Err(Error::Usage(format!(
            "--plot draws a run from its beginning, and the scores before iteration {done} are not kept; \
             leave it out, or give another --checkpoint to start anew"
        )));
    }
    let mut output = Output::new(!written.is_empty());
    let curve = learn(&job, &mut training, keeper.as_ref(), &mut output)?;
    if let Some(out) = &out {
        out.write(File::new(&job, &training, curve.last).line())?;
    }
    if let Some(plot) = &plot {
        plot.write(&picture::chart(&job, curve.samples))?;
    }
    if !args.json {
        output.print(&weights::table(&job, &training))?;
    }
    Ok(output.end()?)
}

/// Goes on with what was kept, or begins.
fn begin<E: Task>(
    job: &Job<E>,
    recipe: &Recipe<E>,
    keeper: Option<&Keeper>,
) -> Result<Training<E>> {
    let resumed = match keeper {
        Some(keeper) => keeper.resume(job, recipe)?,
        None => None,
    };
    Ok(resumed.unwrap_or_else(|| Training::new(recipe, job.setup.task, job.args.seed)))
}

/// The scores of a run.
#[derive(Default)]
struct Scores {
    /// At the end, if that was asked for.
    last: Option<Estimate>,
    /// Over calls.
    samples: Vec<Sample>,
}

/// Goes on until the run is done.
fn learn<E: Task>(
    job: &Job<E>,
    training: &mut Training<E>,
    keeper: Option<&Keeper>,
    output: &mut Output,
) -> Result<Scores> {
    let args = job.args;
    let series = args.series.with_seed(evaluation_seed(args.seed));
    let mut scores = Scores::default();
    let bar = bar(job);
    let mut print = |text: &str| bar.suspend(|| output.print(text));
    if let Some(keeper) = keeper {
        keeper.keep_when_stopped(&bar)?;
    }
    if !args.json {
        print(&curve::heading(job))?;
    }
    progress::begin_at(&bar, position(job, training));
    let was_done = job.is_done(&*training.run);
    while !job.is_done(&*training.run) {
        bar.set_message(phase_name(training.run.progress().phase));
        let step = training.step();
        let score = job
            .scores_at(step.iteration, job.is_done(&*training.run))
            .then(|| training.score(&series, job.setup));
        let text = match (args.json, &score) {
            (true, _) => Record::new(training, &step, score).line(),
            (false, Some(score)) => curve::row(job, training, &step, score),
            (false, None) => String::new(),
        };
        let mut shown = Ok(());
        let mut show = || shown = print(&text);
        match keeper {
            Some(keeper) => keeper.keep(job, training, show)?,
            None => show(),
        }
        shown?;
        scores.last = score;
        scores.samples.extend(score.map(|score| Sample {
            x: training.calls as f64,
            y: score.mean,
            margin: score.standard_error,
        }));
        bar.set_position(position(job, training));
    }
    bar.finish_and_clear();
    if was_done && job.every().is_some() {
        scores.last = Some(training.score(&series, job.setup));
    }
    Ok(scores)
}

/// How far it has come, in what its length is counted in.
fn position<E: Task>(job: &Job<E>, training: &Training<E>) -> u64 {
    match job.extent.calls {
        Some(_) => training.calls,
        None => training.run.progress().iterations.into(),
    }
}

fn bar<E: Task>(job: &Job<E>) -> ProgressBar {
    // It would only flicker between the lines.
    if job.args.json && io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let (length, unit) = match job.extent.calls {
        Some(calls) => (calls, "call"),
        None => (job.extent.iterations, "iteration"),
    };
    let template =
        format!("{{bar:24.cyan/dim}} {unit} {{pos}} of {{len}}, learning {{msg}}{{left}}");
    progress::bar(length.into(), progress::style(&template))
}
