//! `reproduce ablations`: what the paper leaves open about IPSE, one choice at a time.

use super::contender::Contender;
use super::curve::{Curve, Measure};
use super::experiment::{Arm, Experiment, Length};
use super::folder::Folder;
use super::markdown::{difference, rows, table};
use super::report::switch;
use super::results::Results;
use super::settings::{Settings, SettingsArgs, What};
use super::{PlanArgs, RunArgs, carry_out, default_out};
use crate::error::Result;
use crate::learner::{Algorithm, LearnerArgs, PAPER, Scaling};
use crate::output::tell;
use crate::paper::tetris::eight;
use crate::plot::{Forest, Interval};
use crate::statistics::Difference;
use ipse::tetris::{Rule, Tetris10x10};
use std::io::{self, Write};
use std::path::PathBuf;

/// What the paper leaves open about IPSE, one choice at a time
///
/// Runs IPSE with one thing changed at a time, as `reproduce figure2` runs its
/// algorithms, and compares everything with the default pair by pair. Names for
/// --variants: default, total, reuse, common-numbers, cap-50, cap-100, cap-200,
/// filter, discount-0.9, discount-1, rule-before, rule-before-learning.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    settings: SettingsArgs,

    /// The folder for the results; results/ablations if not given
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> Result {
    let experiment = experiment(Settings::new(What::Ablations, &args.settings));
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| default_out(What::Ablations));
    match carry_out(&experiment, &args.plan, &args.run, &out)? {
        Some((folder, results)) => show(&experiment, &folder, &results),
        None => Ok(()),
    }
}

const REPLICATIONS: u64 = 100;
const POINTS: u32 = 8;

/// The default, and everything that differs from it in one thing.
pub fn experiment(settings: Settings) -> Experiment {
    let default = PAPER;
    let discounted = |discount| LearnerArgs {
        discount,
        ..default
    };
    let capped = |cap| LearnerArgs {
        lfd_cap: Some(cap),
        ..default
    };
    let (after, before) = (Rule::AfterRemoval, Rule::BeforeRemoval);
    let all: [(_, _, LearnerArgs, _, _); 12] = [
        ("default", "the default", default, after, after),
        (
            "total",
            "λ against the total loss",
            LearnerArgs {
                scaling: Scaling::Total,
                ..default
            },
            after,
            after,
        ),
        (
            "reuse",
            "choices of the first phase reused",
            LearnerArgs {
                reuse_choices: true,
                ..default
            },
            after,
            after,
        ),
        (
            "common-numbers",
            "common random numbers",
            LearnerArgs {
                common_random_numbers: true,
                ..default
            },
            after,
            after,
        ),
        (
            "cap-50",
            "first phase capped at 50",
            capped(50),
            after,
            after,
        ),
        (
            "cap-100",
            "first phase capped at 100",
            capped(100),
            after,
            after,
        ),
        (
            "cap-200",
            "first phase capped at 200",
            capped(200),
            after,
            after,
        ),
        (
            "filter",
            "dominance filter",
            LearnerArgs {
                dominance_filter: true,
                ..default
            },
            after,
            after,
        ),
        ("discount-0.9", "γ = 0.9", discounted(0.9), after, after),
        ("discount-1", "γ = 1", discounted(1.), after, after),
        (
            "rule-before",
            "must fit before removal: learns and plays so",
            default,
            before,
            before,
        ),
        (
            "rule-before-learning",
            "must fit before removal: learns so only",
            default,
            before,
            after,
        ),
    ];
    let length = Length::Iterations(settings.iterations);
    let arms = all.map(|(name, label, options, learns, plays)| {
        let recipe = options.recipe(Algorithm::IpsePaper, &eight(Tetris10x10::default()));
        let recipe = recipe.expect("all that is compared is valid");
        Arm {
            name,
            label: label.into(),
            length,
            points: POINTS,
            rule: plays,
            replications: REPLICATIONS,
            begin: Box::new(move |seed| Contender::core(&recipe, learns, seed)),
        }
    });
    let arms = arms.into();
    Experiment { settings, arms }
}

/// Writes everything that the results come to, and prints the table.
pub fn show(experiment: &Experiment, folder: &Folder, results: &Results) -> Result {
    let curves = Curve::all(experiment, results);
    let table = report(experiment, &curves);
    folder.write("ablations.csv", results.to_csv(experiment))?;
    folder.write("ablations.md", &table)?;
    let picture = forest(experiment, &curves).picture();
    folder.write("ablations.svg", picture.svg)?;
    folder.write("ablations.png", picture.png)?;
    io::stdout().write_all(table.as_bytes())?;
    tell!("written to {}", folder.path.display());
    Ok(())
}

/// What each change makes of the rows at the end.
fn forest(experiment: &Experiment, curves: &[Curve]) -> Forest {
    let default = curves.iter().find(|curve| curve.arm.name == "default");
    let interval = |curve: &Curve| {
        let measure = Measure::Rows(curve.last());
        let pairs = curve.pairs(measure, default?, measure);
        let found = Difference::paired(&pairs).filter(|_| curve.arm.name != "default")?;
        Some(Interval {
            label: format!("{} (n = {})", curve.arm.label, pairs.len()),
            mean: found.mean,
            margin: found.margin,
        })
    };
    let iterations = experiment.settings.iterations;
    let mut intervals: Vec<_> = curves.iter().filter_map(interval).collect();
    intervals.sort_by(|one, other| one.mean.total_cmp(&other.mean));
    Forest {
        title: "IPSE with one thing changed at a time".into(),
        label: format!("rows after {iterations} iterations less the default, and 95 % interval"),
        intervals,
    }
}

fn report(experiment: &Experiment, curves: &[Curve]) -> String {
    let settings = &experiment.settings;
    let iterations = settings.iterations;
    let default = curves.iter().find(|curve| curve.arm.name == "default");
    let end = format!("rows after {iterations}");
    let heading = [
        "IPSE with",
        "replications",
        &end,
        "less the default",
        "95 % interval",
        "p",
        "mean over the run",
        "less the default",
        "95 % interval",
        "p",
        "switch after",
    ];
    let row = |curve: &Curve| {
        let mut row = vec![curve.arm.label.clone(), curve.runs.len().to_string()];
        for measure in [Measure::Rows(curve.last()), Measure::MeanRows] {
            row.push(rows(&curve.estimate(measure)));
            let others = default.filter(|default| default.arm.name != curve.arm.name);
            let found = others
                .and_then(|default| Difference::paired(&curve.pairs(measure, default, measure)));
            row.extend(difference(found));
        }
        row.push(switch(curve));
        row
    };
    let body: Vec<_> = curves.iter().map(row).collect();
    format!(
        "# What the paper leaves open\n\n\
         IPSE with one thing changed at a time, {iterations} iterations, every policy scored on {} games, seed {}. \
         Rows are means over replications ± their standard error; differences are paired by replication, over \
         those that both have, which share their seed and the games that score them, and p is that of a two-sided \
         t test, not corrected for the number of rows. By `cargo ipse reproduce ablations`.\n\n{}",
        settings.games,
        settings.seed,
        table(&heading, &body)
    )
}
