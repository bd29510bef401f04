//! `ipse cbmpi`: how well the comparator does, and at what price.

use crate::args::{SeriesArgs, at_least_one, seed};
use crate::draw::{BOLD, dim, for_stdout, paint};
use crate::error::Result;
use crate::figures::{count, decimal, estimate};
use crate::games::{Mind, Series};
use crate::paper::cbmpi::{self, Cbmpi, Game, WithEight, WithNine};
use crate::paper::lockstep::InLockstep;
use crate::paper::tetris::{LimitArgs, Rule, eight};
use crate::summary::Estimate;
use crate::task::{Setup, Task};
use crate::training::{FRESH_GAMES, evaluation_seed};
use crate::{parallel, progress};
use clap::ValueEnum;
use indicatif::{HumanCount, ProgressBar};
use ipse::policy::Policy;
use ipse::tetris::Tetris10x10;
use ipse::tetris::diverse::Diverse10x10;
use std::io::{self, Write};

/// Let CBMPI learn, on several seeds
///
/// Classification-based modified policy iteration is what the paper compares
/// its agent to. Prints the learning curve: the mean over runs of the mean rows,
/// with its standard error, the lowest and the highest of the runs, and the mean
/// calls of the generative model so far. The pool of boards that each run starts
/// from is given and costs no calls. No result depends on the number of threads.
#[derive(clap::Args)]
#[command(
    after_long_help = format!("\
How it is scored:
{}

Examples:
  cargo ipse cbmpi
  cargo ipse cbmpi --features nine --budget 8000000 --seeds 4    # as published
  cargo ipse cbmpi --budget 2000000 --iterations 20 --seeds 4", FRESH_GAMES)
)]
pub struct Args {
    /// How many runs
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one::<u64>)]
    seeds: u64,

    /// The seed of the first run; the others follow
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    first_seed: u64,

    /// How many policies each run learns, one after the other
    #[arg(long, value_name = "N", default_value = "40", value_parser = at_least_one::<u32>)]
    iterations: u32,

    /// The features that policies and the value function see; its authors had nine
    #[arg(long, value_enum, default_value_t = Seen::Paper)]
    features: Seen,

    /// When a placement must fit on the board: after full rows are removed, or before
    #[arg(long, value_enum, default_value_t = Rule::After)]
    rule: Rule,

    /// Score the policy every K iterations and at the end
    #[arg(long, value_name = "K", default_value = "5", value_parser = at_least_one::<u32>)]
    #[arg(help_heading = "Evaluation")]
    evaluate_every: u32,

    #[command(flatten, next_help_heading = "Evaluation")]
    series: SeriesArgs,

    #[command(flatten, next_help_heading = "Evaluation")]
    limit: LimitArgs,

    #[command(flatten, next_help_heading = "Learning")]
    learner: LearnerArgs,
}

#[derive(clap::Args)]
struct LearnerArgs {
    /// B, the calls of the generative model in an iteration, roughly
    #[arg(long, value_name = "B", value_parser = at_least_one::<u32>)]
    #[arg(default_value_t = cbmpi::Config::default().budget)]
    budget: u32,

    /// M, the rollouts of each action
    #[arg(long, value_name = "M", value_parser = at_least_one::<u32>)]
    #[arg(default_value_t = cbmpi::Config::default().rollouts)]
    rollouts: u32,

    /// m, the placements of a rollout after the first
    #[arg(long, value_name = "m", value_parser = at_least_one::<u32>)]
    #[arg(default_value_t = cbmpi::Config::default().length)]
    length: u32,

    /// The placements of BCTS from which each run takes its boards
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    #[arg(default_value_t = cbmpi::Config::default().pool)]
    pool: u32,

    /// How many generations of 120 policies an iteration tries at the most
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    #[arg(default_value_t = cbmpi::Config::default().search.generations)]
    generations: u32,

    /// Begin every search for a policy from nowhere instead of the last policy
    #[arg(long)]
    afresh: bool,
}

impl LearnerArgs {
    fn config(&self) -> cbmpi::Config {
        let mut config = cbmpi::Config {
            budget: self.budget,
            rollouts: self.rollouts,
            length: self.length,
            pool: self.pool,
            ..cbmpi::Config::default()
        };
        config.search.generations = self.generations;
        config.search.afresh = self.afresh;
        config
    }
}

/// The features that CBMPI can learn with.
#[derive(Clone, Copy, ValueEnum)]
enum Seen {
    /// The eight of the paper
    #[value(alias = "eight")]
    Paper,
    /// Pattern diversity as well
    #[value(alias = "nine")]
    Diverse,
}

pub fn run(args: &Args) -> Result {
    let seeds = (0..args.seeds).map(|i| args.first_seed.wrapping_add(i));
    let bar = bar(args);
    let config = args.learner.config();
    let curves = parallel::map(
        args.series.threads().min(args.seeds),
        seeds,
        |seed| match args.features {
            Seen::Paper => {
                let task = Tetris10x10::new(args.rule.into());
                let setup = eight(task).in_lockstep();
                let score = |policy: &_| score(args, &setup, policy, seed);
                curve(args, WithEight::new(config, task, seed), score, &bar)
            }
            Seen::Diverse => {
                let task = Diverse10x10::new(args.rule.into());
                let setup = Setup::new(task);
                let score = |policy: &_| score(args, &setup, policy, seed);
                curve(args, WithNine::new(config, task, seed), score, &bar)
            }
        },
    );
    bar.finish_and_clear();
    let text = for_stdout(&table(args, &curves));
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// How a run stood after some of the iterations.
struct Point {
    iteration: u32,
    calls: u64,
    rows: f64,
}

fn curve<G: Game<F>, const F: usize, const T: usize>(
    args: &Args,
    mut cbmpi: Cbmpi<G, F, T>,
    score: impl Fn(&Policy<[i16; F]>) -> f64,
    bar: &ProgressBar,
) -> Vec<Point> {
    let mut calls = 0;
    let mut points = Vec::new();
    for iteration in 1..=args.iterations {
        let learned = cbmpi.iterate();
        calls += learned.calls;
        if iteration.is_multiple_of(args.evaluate_every) || iteration == args.iterations {
            let policy = Policy::new::<G>(&learned.weights).expect("what is learned is finite");
            points.push(Point {
                iteration,
                calls,
                rows: score(&policy),
            });
        }
        bar.inc(1);
    }
    points
}

fn score<E: Task>(args: &Args, setup: &Setup<E>, policy: &Policy<E::Features>, seed: u64) -> f64 {
    let series = Series {
        threads: 1,
        ..args.series.with_seed(evaluation_seed(seed))
    };
    let measure = args.limit.measure();
    series.score(setup, Mind::Policy(policy), &measure).mean
}

fn table(args: &Args, curves: &[Vec<Point>]) -> String {
    let columns = format!(
        "  {:>9}  {:>13}  {:>17}  {:>7}  {:>7}",
        "iteration", "calls", "mean rows", "lowest", "highest"
    );
    let mut text = format!(
        "{} from seed {}, scored on {}, {} calls an iteration\n\n{}\n",
        paint(&count(args.seeds, "run"), BOLD),
        args.first_seed,
        count(args.series.games, "game"),
        HumanCount(args.learner.budget.into()),
        dim(&columns)
    );
    for i in 0..curves[0].len() {
        let at = |of: fn(&Point) -> f64| curves.iter().map(move |curve| of(&curve[i]));
        let rows: Vec<f64> = at(|point| point.rows).collect();
        let calls: Vec<f64> = at(|point| point.calls as f64).collect();
        text += &format!(
            "  {:>9}  {:>13}  {:>17}  {:>7}  {:>7}\n",
            HumanCount(curves[0][i].iteration.into()).to_string(),
            decimal(Estimate::of(&calls).mean, 0),
            estimate(&Estimate::of(&rows)),
            decimal(rows.iter().copied().fold(f64::INFINITY, f64::min), 0),
            decimal(rows.iter().copied().fold(0., f64::max), 0),
        );
    }
    text
}

fn bar(args: &Args) -> ProgressBar {
    let template = format!(
        "{{bar:24.cyan/dim}} {{percent}} % of {}{{left}}",
        count(args.seeds, "run")
    );
    let steps = args.seeds * u64::from(args.iterations);
    progress::bar(steps, progress::style(&template))
}
