//! `ipse compare`: many runs of several learners, and how they do on average.

mod report;
mod table;

use crate::args::{GameArgs, SeriesArgs, at_least_one, with_game};
use crate::draw::for_stdout;
use crate::error::{Error, Result};
use crate::games::Series;
use crate::learner::{Algorithm, LearnerArgs};
use crate::training::{FRESH_GAMES, Training, decided, evaluation_seed};
use crate::{parallel, progress};
use indicatif::{HumanCount, ProgressBar};
use ipse::environment::Environment;
use ipse::tetris::{DIRECTIONS, FEATURES, PLACEMENTS};
use ipse::{Config, Phase};
use report::Report;
use std::io::{self, Write};

/// Compare learners, each over many seeds
///
/// Trains every algorithm on every seed and scores what it has learned after
/// some of the iterations. Prints the mean over runs of the mean rows, with its
/// standard error; for lfd and ipse also how many directions were decided, how
/// many of these were right, and how many runs of ipse had gone on to weights,
/// at which iteration on average. Of two algorithms it prints the difference,
/// too, paired by seed. No result depends on the number of threads.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = format!("\
How it is scored:
  {}

Examples:
  cargo ipse compare
  cargo ipse compare --algorithms ipse,m-known --seeds 100 --at 50,100,200,400
  cargo ipse compare --algorithms ipse --lfd-cap 100 --json", FRESH_GAMES.replace('\n', "\n  "))
)]
pub struct Args {
    /// What to compare, with commas between
    #[arg(long, value_enum, value_name = "NAMES", value_delimiter = ',')]
    #[arg(default_value = "lfd,ipse,m-none,m-cv,m-schedule,m-known")]
    algorithms: Vec<Algorithm>,

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

    fn seeds(&self) -> impl Iterator<Item = u64> + Send {
        (0..self.seeds).map(|i| self.first_seed.wrapping_add(i))
    }
}

pub fn run(args: &Args) -> Result {
    let points = args.points()?;
    args.series.check(args.game)?;
    let configs = args
        .algorithms
        .iter()
        .map(|&algorithm| args.learner.config(algorithm))
        .collect::<Result<Vec<_>>>()?;
    let runs = with_game!(args.game, |task| run_all(&task, &configs, &points, args))?;
    let report = Report::new(args, &points, &runs);
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
    rows: f64,
    decided: usize,
    right: usize,
}

/// All runs, those of the first seed first.
fn run_all<E>(
    task: &E,
    configs: &[Config<FEATURES>],
    points: &[u32],
    args: &Args,
) -> Result<Vec<Run>>
where
    E: Environment<FEATURES, PLACEMENTS> + Copy + Sync,
{
    let runs = args.seeds * configs.len() as u64;
    let bar = bar(runs, args.iterations);
    let jobs = args
        .seeds()
        .flat_map(|seed| configs.iter().map(move |config| (seed, config)));
    let runs = parallel::map(args.series.threads().min(runs), jobs, |(seed, config)| {
        let series = Series {
            threads: 1,
            ..args.series.with_seed(evaluation_seed(seed))
        };
        let training = Training::new(*task, *config, seed)?;
        Ok(run_one(training, args.iterations, points, &series, &bar))
    });
    bar.finish_and_clear();
    runs.into_iter().collect()
}

fn run_one<E>(
    mut training: Training<E>,
    iterations: u32,
    points: &[u32],
    series: &Series,
    bar: &ProgressBar,
) -> Run
where
    E: Environment<FEATURES, PLACEMENTS> + Sync,
{
    let mut run = Run {
        scores: Vec::new(),
        switched: None,
    };
    for iteration in 1..=iterations {
        let step = training.step();
        if step.phase == Phase::Directions && training.agent.phase() == Phase::Weights {
            run.switched = Some(iteration);
        }
        if points.contains(&iteration) {
            let directions = training.agent.directions();
            let right = directions.iter().zip(&DIRECTIONS).filter(|(a, b)| a == b);
            run.scores.push(Score {
                rows: training.score(series).mean,
                decided: decided(directions),
                right: right.count(),
            });
        }
        bar.inc(1);
    }
    run
}

fn bar(runs: u64, iterations: u32) -> ProgressBar {
    let template = format!(
        "{{bar:24.cyan/dim}} {{percent}} % of {} runs{{left}}",
        HumanCount(runs)
    );
    progress::bar(runs * u64::from(iterations), progress::style(&template))
}
