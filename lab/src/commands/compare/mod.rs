//! `ipse compare`: many runs of several learners, and how they do on average.

mod picture;
mod report;
mod table;
mod variant;

use crate::args::{SeriesArgs, TaskArgs, at_least_one, seed};
use crate::draw::for_stdout;
use crate::error::{Error, Result};
use crate::games::Series;
use crate::learner::{Algorithm, ITERATIONS, LearnerArgs, Preset};
use crate::plot::Destination;
use crate::policy::Named;
use crate::task::{Setup, Task};
use crate::training::{FRESH_GAMES, Training, decided, evaluation_seed};
use crate::{parallel, progress};
use clap::ValueEnum;
use indicatif::{HumanCount, ProgressBar};
use report::Report;
use std::io::{self, Write};
use std::path::PathBuf;

pub use variant::{Kind, Variant};

/// Compare learners, each over many seeds
///
/// Trains every algorithm on every seed and scores what it has learned after
/// some of the iterations; those that end after a number of calls, at their
/// end. Prints the mean over runs of the mean score, with its standard error;
/// for those that learn directions also how many were decided, how many of these
/// were right, and how many runs had gone on to weights, at which iteration on
/// average. Then, how much each scores at its end less the last of them, paired
/// by seed. No result depends on the number of threads.
#[derive(clap::Args)]
#[command(
    after_long_help = format!("\
How it is scored:
{}

Examples:
  compare --seeds 20 --plot compared.png
  compare --algorithms ipse,lfd --seeds 100 --at 50,100,200,400
  compare --variant 'search --returns --calls 700000' --variant ipse --variant random", FRESH_GAMES)
)]
pub struct Args {
    #[command(flatten)]
    pub task: TaskArgs,

    /// What to compare, with commas between; what suits the task if neither this nor --variant is
    /// given
    #[arg(long, value_enum, value_name = "NAMES", value_delimiter = ',')]
    #[arg(conflicts_with = "variant")]
    algorithms: Vec<Algorithm>,

    /// One thing to compare, instead of those: an algorithm with options of its own, in quotes, or
    /// a policy as in `play`; can be given many times
    #[arg(long, value_name = "'NAME OPTIONS'", conflicts_with = "LearnerArgs")]
    variant: Vec<String>,

    /// How many runs of each
    #[arg(long, value_name = "N", default_value = "50", value_parser = at_least_one::<u64>)]
    seeds: u64,

    /// The seed of the first run; the others follow
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    first_seed: u64,

    /// How many choices to make and learn from in each run
    #[arg(long, value_name = "N", default_value_t = ITERATIONS, value_parser = at_least_one::<u32>)]
    iterations: u32,

    /// After which iterations to score; a quarter of all and all of them if not given
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = at_least_one::<u32>)]
    at: Vec<u32>,

    /// Print one JSON object, with the mean score of every run
    ///
    /// Its results have, for each variant, its name, the mean of all runs at its
    /// end, the standard error se of that, and the mean number of calls.
    #[arg(long)]
    json: bool,

    /// Draw the scores over the calls to an SVG or PNG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Evaluation")]
    series: SeriesArgs,

    #[command(flatten)]
    learner: LearnerArgs,
}

impl Args {
    /// The iterations after which policies are scored, in order.
    fn points(&self) -> Result<Vec<u32>> {
        let mut points = self.at.clone();
        if points.is_empty() {
            points = vec![self.iterations.div_ceil(4), self.iterations];
        }
        points.sort_unstable();
        points.dedup();
        match points.iter().find(|&&point| point > self.iterations) {
            Some(point) => Err(Error::Usage(format!(
                "--at {point} is beyond the last iteration; give --iterations {point} or more"
            ))),
            None => Ok(points),
        }
    }

    /// What to compare. Each option has an effect on one of them at least.
    fn variants<'a, E: Task>(&self, setup: &'a Setup<E>) -> Result<Vec<Variant<'a, E>>> {
        let variants = self.named(setup)?;
        let learners = variants.iter().filter_map(Variant::learner);
        let algorithms: Vec<Algorithm> = learners.map(|learner| learner.algorithm).collect();
        // Those with options of their own have been looked at.
        if self.variant.is_empty() {
            self.learner.check_effects(&algorithms)?;
        }
        Ok(variants)
    }

    fn named<'a, E: Task>(&self, setup: &'a Setup<E>) -> Result<Vec<Variant<'a, E>>> {
        let parse = |text: &str| Variant::parse(setup, text, self.iterations);
        match (&*self.variant, &*self.algorithms) {
            ([], []) if !setup.compared.is_empty() => {
                let algorithms = setup.compared.iter();
                let algorithms = algorithms.map(|name| Algorithm::from_str(name, false));
                algorithms
                    .map(|algorithm| algorithm.map_err(Error::Usage))
                    .map(|algorithm| Variant::of(setup, algorithm?, &self.learner, self.iterations))
                    .collect()
            }
            ([], []) => {
                let learners = [Preset::Ipse, Preset::Returns].into_iter();
                let policies = setup.players.iter().map(|(name, _)| *name);
                let learners = learners
                    .map(|preset| Variant::by(setup, preset, &self.learner, self.iterations));
                learners
                    .chain(policies.chain(["random"]).map(parse))
                    .collect()
            }
            ([], algorithms) => algorithms
                .iter()
                .map(|&algorithm| Variant::of(setup, algorithm, &self.learner, self.iterations))
                .collect(),
            (variants, _) => variants.iter().map(|text| parse(text)).collect(),
        }
    }

    fn seeds(&self) -> impl Iterator<Item = u64> + Send {
        (0..self.seeds).map(|i| self.first_seed.wrapping_add(i))
    }
}

pub fn run<E: Task>(setup: &Setup<E>, args: &Args) -> Result {
    let points = args.points()?;
    if let Some(endless) = setup.measure.endless {
        return Err(Error::Usage(endless.into()));
    }
    let plot = args.plot.as_deref().map(Destination::new).transpose()?;
    let variants = args.variants(setup)?;
    let runs = run_all(setup, &variants, &points, args);
    let report = Report::new(setup, args, &variants, &runs);
    if let Some(plot) = plot {
        plot.write(&picture::chart(&report))?;
    }
    let text = match args.json {
        true => serde_json::to_string(&report).expect("a report is JSON") + "\n",
        false => for_stdout(&table::write(&report)),
    };
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// How a run went.
struct Run {
    scores: Vec<Score>,
    /// The last iteration that was spent on directions, if weights were next.
    switched: Option<u32>,
}

/// How a run stood at one of the points.
struct Score {
    /// If it is a point and not just the end.
    iteration: Option<u32>,
    calls: u64,
    score: f64,
    decided: usize,
    /// If it is known which are right.
    right: Option<usize>,
}

/// All runs, those of the first seed first.
fn run_all<E: Task>(
    setup: &Setup<E>,
    variants: &[Variant<E>],
    points: &[u32],
    args: &Args,
) -> Vec<Run> {
    let runs = args.seeds * variants.len() as u64;
    let bar = bar(runs);
    let jobs = args
        .seeds()
        .flat_map(|seed| variants.iter().map(move |variant| (seed, variant)));
    let runs = parallel::map(args.series.threads().min(runs), jobs, |(seed, variant)| {
        let series = Series {
            threads: 1,
            ..args.series.with_seed(evaluation_seed(seed))
        };
        let run = match &variant.kind {
            Kind::Policy(named) => Run::of_policy(setup, named, &series),
            Kind::Learner(learner) => {
                let training = Training::new(&learner.recipe, setup.task, seed);
                Run::of_learner(setup, training, learner.points(points), &series)
            }
        };
        bar.inc(1);
        run
    });
    bar.finish_and_clear();
    runs
}

impl Run {
    /// Of a policy that learns nothing.
    fn of_policy<E: Task>(setup: &Setup<E>, named: &Named<E>, series: &Series) -> Self {
        let player = named.player();
        let score = series.score(setup, player.mind(), &setup.measure).mean;
        Run {
            scores: vec![Score {
                iteration: None,
                calls: 0,
                score,
                decided: 0,
                right: None,
            }],
            switched: None,
        }
    }

    /// Trains until the last of the points, or until the learner ends by itself if there is none.
    fn of_learner<E: Task>(
        setup: &Setup<E>,
        mut training: Training<E>,
        points: &[u32],
        series: &Series,
    ) -> Self {
        let mut scores = Vec::new();
        loop {
            let iteration = training.step().iteration;
            let point = points.contains(&iteration).then_some(iteration);
            let is_over = training.run.is_over();
            if point.is_some() || is_over {
                scores.push(Score::of(setup, &training, point, series));
            }
            if is_over || point.is_some() && point.as_ref() == points.last() {
                return Run {
                    scores,
                    switched: training.switch,
                };
            }
        }
    }
}

impl Score {
    fn of<E: Task>(
        setup: &Setup<E>,
        training: &Training<E>,
        iteration: Option<u32>,
        series: &Series,
    ) -> Self {
        let directions = training.run.directions();
        let directions = directions.as_ref();
        let right = setup.directions.map(|known| {
            let pairs = directions.iter().zip(known.as_ref());
            pairs.filter(|(learned, known)| learned == known).count()
        });
        Score {
            iteration,
            calls: training.calls,
            score: training.score(series, setup).mean,
            decided: decided(directions),
            right,
        }
    }
}

fn bar(runs: u64) -> ProgressBar {
    let template = format!(
        "{{bar:24.cyan/dim}} {{pos}} of {} runs{{left}}",
        HumanCount(runs)
    );
    progress::bar(runs, progress::style(&template))
}
