//! `reproduce figure2`: learning curves of everything that the paper compares.

use super::contender::Contender;
use super::curve::Curve;
use super::experiment::{Arm, Experiment, Length};
use super::folder::Folder;
use super::picture::{self, X};
use super::report;
use super::results::Results;
use super::settings::{CBMPI_BUDGET, SURVIVAL_CALLS, Settings, SettingsArgs, What};
use super::{PlanArgs, RunArgs, carry_out, default_out};
use crate::args::at_least_one;
use crate::error::Result;
use crate::learner::{Algorithm, LearnerArgs, PAPER};
use crate::output::tell;
use crate::paper::tetris::eight;
use crate::training::FRESH_GAMES;
use indicatif::HumanCount;
use ipse::tetris::{Rule, Tetris10x10};
use std::io::{self, Write};
use std::path::PathBuf;

/// Learning curves of all algorithms (figure 2)
///
/// Runs what the folder of --out does not have yet, on all cores, and keeps every
/// replication as soon as it is complete: stopped at any moment and started again
/// it goes on. Then writes a table of everything (figure2.csv), a summary with
/// tests of what the paper says (figure2.md), which it also prints, and pictures.
/// No result depends on the number of threads, of shards, or of stops.
#[derive(clap::Args)]
#[command(
    after_long_help = format!("\
How it is scored:
{}
  S is the seed of a replication: it is derived from --seed, and in figure2.csv.

Examples:
  cargo ipse reproduce figure2
  cargo ipse reproduce figure2 --algorithms ipse,m-known --replications 20 --out quick
  cargo ipse reproduce figure2 --only ipse:17
  parallel cargo ipse reproduce figure2 --shard {{}}/4 ::: 1 2 3 4", FRESH_GAMES)
)]
pub struct Args {
    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    settings: SettingsArgs,

    /// Calls of the generative model that cbmpi makes in an iteration
    #[arg(long, value_name = "N", default_value_t = CBMPI_BUDGET, value_parser = at_least_one::<u32>)]
    cbmpi_budget: u32,

    /// Calls of the generative model that ipse-survival makes in all
    #[arg(long, value_name = "N", default_value_t = SURVIVAL_CALLS, value_parser = at_least_one::<u32>)]
    survival_calls: u32,

    /// The folder for the results; results/figure2 if not given
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// What the pictures have as their x axis
    #[arg(long, value_enum, value_name = "AXIS", value_delimiter = ',')]
    #[arg(default_value = "iterations,calls")]
    x: Vec<X>,

    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> Result {
    let experiment = experiment(Settings {
        cbmpi_budget: args.cbmpi_budget,
        survival_calls: args.survival_calls,
        ..Settings::new(What::Figure2, &args.settings)
    });
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| default_out(What::Figure2));
    match carry_out(&experiment, &args.plan, &args.run, &out)? {
        Some((folder, results)) => show(&experiment, &folder, &results, &args.x),
        None => Ok(()),
    }
}

const REPLICATIONS: u64 = 100;
/// One takes many times as long as one of all others together.
const CBMPI_REPLICATIONS: u64 = 20;
/// Of every curve.
pub const POINTS: u32 = 24;

/// All algorithms, in the order in which they are listed.
pub fn experiment(settings: Settings) -> Experiment {
    let length = Length::Iterations(settings.iterations);
    let core = |name, label, algorithm| core(name, label, length, algorithm, &PAPER);
    let arms = vec![
        core("ipse", "IPSE", Algorithm::IpsePaper),
        core("lfd", "LFD", Algorithm::Lfd),
        core("m-known", "M-learning, known directions", Algorithm::MKnown),
        core("m-schedule", "M-learning, schedule", Algorithm::MSchedule),
        core("m-cv", "M-learning, cross-validated", Algorithm::MCv),
        core("m-none", "M-learning, not regularised", Algorithm::MNone),
        cbmpi(length, settings.cbmpi_budget),
        survival(settings.survival_calls),
    ];
    Experiment { settings, arms }
}

fn core(
    name: &'static str,
    label: &str,
    length: Length,
    algorithm: Algorithm,
    options: &LearnerArgs,
) -> Arm {
    let recipe = options.recipe(algorithm, &eight(Tetris10x10::default()));
    let recipe = recipe.expect("the settings were checked");
    Arm {
        name,
        label: label.into(),
        length,
        points: POINTS,
        rule: Rule::AfterRemoval,
        replications: REPLICATIONS,
        begin: Box::new(move |seed| Contender::core(&recipe, Rule::AfterRemoval, seed)),
    }
}

/// Not in the paper: weights by another search, which counts calls instead of iterations.
fn survival(calls: u32) -> Arm {
    let options = LearnerArgs {
        calls: Some(calls),
        ..PAPER
    };
    core(
        "ipse-survival",
        "IPSE, survival search",
        Length::Calls(calls.into()),
        Algorithm::Search,
        &options,
    )
}

fn cbmpi(length: Length, budget: u32) -> Arm {
    Arm {
        name: "cbmpi",
        label: format!("CBMPI, {} calls each", HumanCount(budget.into())),
        length,
        points: POINTS,
        rule: Rule::AfterRemoval,
        replications: CBMPI_REPLICATIONS,
        begin: Box::new(move |seed| Contender::cbmpi(budget, seed)),
    }
}

/// Writes everything that the results come to, and prints the tables.
pub fn show(experiment: &Experiment, folder: &Folder, results: &Results, axes: &[X]) -> Result {
    let curves = Curve::all(experiment, results);
    let tables = report::figure2(experiment, &curves);
    folder.write("figure2.csv", results.to_csv(experiment))?;
    folder.write("figure2.md", &tables)?;
    for axis in axes {
        let picture = picture::chart(&curves, *axis).picture();
        folder.write(&format!("figure2-{}.svg", axis.name()), picture.svg)?;
        folder.write(&format!("figure2-{}.png", axis.name()), picture.png)?;
    }
    io::stdout().write_all(tables.as_bytes())?;
    tell!("written to {}", folder.path.display());
    Ok(())
}
