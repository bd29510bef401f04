//! `ipse compare`: many runs of several learners, and how they do on average.

mod report;
mod table;
mod variant;

use crate::args::{Features, GameArgs, SeriesArgs, at_least_one, with_game};
use crate::draw::for_stdout;
use crate::error::{Error, Result};
use crate::games::Series;
use crate::learner::{Algorithm, LearnerArgs};
use crate::policy::Weights;
use crate::task::Task;
use crate::training::{FRESH_GAMES, Training, decided, evaluation_seed};
use crate::{parallel, progress};
use indicatif::{HumanCount, ProgressBar};
use ipse::tetris::diverse::Diverse;
use report::Report;
use std::io::{self, Write};
use variant::{Kind, Variant};

/// Compare learners, each over many seeds
///
/// Trains every algorithm on every seed and scores what it has learned after
/// some of the iterations; ipse-survival, which ends after a number of calls, at
/// its end. Prints the mean over runs of the mean rows, with its standard error;
/// for those that learn directions also how many were decided, how many of these
/// were right, and how many runs had gone on to weights, at which iteration on
/// average. Then, how much each scores at its end less the last of them, paired
/// by seed. No result depends on the number of threads.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = format!("\
How it is scored:
  {}

Examples:
  cargo ipse compare
  cargo ipse compare --algorithms ipse,m-known --seeds 100 --at 50,100,200,400
  cargo ipse compare --algorithms ipse --lfd-cap 100 --json
  cargo ipse compare --variant ipse-survival --variant 'ipse-survival --calls 720000' \\
      --variant bcts --games 200
  cargo ipse compare --features nine --variant ipse-survival --variant dt10", FRESH_GAMES.replace('\n', "\n  "))
)]
pub struct Args {
    /// What to compare, with commas between
    #[arg(long, value_enum, value_name = "NAMES", value_delimiter = ',')]
    #[arg(default_value = "lfd,ipse,m-none,m-cv,m-schedule,m-known")]
    #[arg(conflicts_with = "variant")]
    algorithms: Vec<Algorithm>,

    /// One thing to compare, instead of those: an algorithm with options of its own, in quotes, or
    /// a policy as in `play` or, with nine features, dt10; can be given many times
    #[arg(long, value_name = "'NAME OPTIONS'", conflicts_with = "LearnerArgs")]
    variant: Vec<String>,

    /// The features that policies and learners see; bcts ignores the ninth
    #[arg(long, value_enum, default_value_t = Features::Eight)]
    features: Features,

    /// How many runs of each
    #[arg(long, value_name = "N", default_value = "50", value_parser = at_least_one::<u64>)]
    seeds: u64,

    /// The seed of the first run; the others follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    first_seed: u64,

    /// How many choices to make and learn from in each run
    #[arg(long, value_name = "N", default_value = "400", value_parser = at_least_one::<u32>)]
    iterations: u32,

    /// After which iterations to score; a quarter of all and all of them if not given
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = at_least_one::<u32>)]
    at: Vec<u32>,

    /// Print one JSON object, with the mean rows of every run
    #[arg(long)]
    json: bool,

    #[command(flatten, next_help_heading = "Evaluation")]
    series: SeriesArgs,

    #[command(flatten)]
    learner: LearnerArgs,

    #[command(flatten, next_help_heading = "Game")]
    game: GameArgs,
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
            Some(point) => Err(Error::Option(format!(
                "--at {point} is beyond the last iteration; give --iterations {point} or more"
            ))),
            None => Ok(points),
        }
    }

    /// What to compare.
    fn variants<E: Task>(&self) -> Result<Vec<Variant<E>>> {
        match &*self.variant {
            [] => {
                let algorithms = self.algorithms.iter();
                algorithms
                    .map(|&algorithm| Variant::of(algorithm, &self.learner))
                    .collect()
            }
            variants => variants.iter().map(|text| Variant::parse(text)).collect(),
        }
    }

    fn seeds(&self) -> impl Iterator<Item = u64> + Send {
        (0..self.seeds).map(|i| self.first_seed.wrapping_add(i))
    }
}

pub fn run(args: &Args) -> Result {
    with_game!(args.game, |task| match args.features {
        Features::Eight => compare(task, args),
        Features::Nine => compare(Diverse::from(task), args),
    })
}

fn compare<E: Task>(task: E, args: &Args) -> Result {
    let points = args.points()?;
    args.series.check(args.game)?;
    let variants = args.variants()?;
    let runs = run_all(task, &variants, &points, args);
    let report = Report::new(args, &variants, &runs);
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
    rows: f64,
    decided: usize,
    right: usize,
}

/// All runs, those of the first seed first.
fn run_all<E: Task>(task: E, variants: &[Variant<E>], points: &[u32], args: &Args) -> Vec<Run> {
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
            Kind::Policy(weights) => Run::of_policy(task, weights, &series),
            Kind::Learner { recipe, .. } => {
                let training = Training::new(recipe, task, seed);
                Run::of_learner(training, variant.points(points), &series)
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
    fn of_policy<E: Task>(task: E, weights: &Weights<E::Features>, series: &Series) -> Self {
        let rows = series.score(&task, &weights.policy_for(&task)).mean;
        Run {
            scores: vec![Score {
                iteration: None,
                calls: 0,
                rows,
                decided: 0,
                right: 0,
            }],
            switched: None,
        }
    }

    /// Trains until the last of the points, or until the learner ends by itself if there is none.
    fn of_learner<E: Task>(mut training: Training<E>, points: &[u32], series: &Series) -> Self {
        let mut scores = Vec::new();
        loop {
            let iteration = training.step().iteration;
            let point = points.contains(&iteration).then_some(iteration);
            let is_over = training.run.is_over();
            if point.is_some() || is_over {
                scores.push(Score::of(&training, point, series));
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
    fn of<E: Task>(training: &Training<E>, iteration: Option<u32>, series: &Series) -> Self {
        let directions = training.run.directions();
        let directions = directions.as_ref();
        let known = E::DIRECTIONS;
        let right = directions.iter().zip(known.as_ref());
        Score {
            iteration,
            calls: training.calls,
            rows: training.score(series).mean,
            decided: decided(directions),
            right: right.filter(|(learned, known)| learned == known).count(),
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
