//! The learning curve, a row for each time that the policy is scored.

use super::Args;
use crate::draw::{BOLD, dim, paint};
use crate::figures::{bar, count, estimate};
use crate::summary::Estimate;
use crate::training::{Training, decided, phase_name};
use anstyle::{AnsiColor, Style};
use indicatif::HumanCount;
use ipse::array::Array;
use ipse::environment::Environment;
use ipse::{Phase, Step};

/// The width of the longest bar, in characters, and the rows that it stands for if games have no
/// limit: somewhat more than good weights score.
const WIDTH: usize = 20;
const FULL: u64 = 4000;
const CURVE: Style = AnsiColor::Cyan.on_default();

pub fn heading(args: &Args) -> String {
    let extent = match args.learner.budget(args.algorithm) {
        Some(calls) => count(calls.into(), "call"),
        None => count(args.iterations().into(), "iteration"),
    };
    let title = format!(
        "{} on 10×{}, {extent} from seed {}, rule {}\n",
        paint(&args.algorithm.name(), BOLD),
        args.game.height.rows(),
        args.seed,
        args.game.rule.name(),
    );
    if args.every().is_none() {
        return title;
    }
    let games = count(args.series.games, "game");
    let rows = format!("rows, {games}");
    let scale = format!("0{:>w$}", HumanCount(full(args)).to_string(), w = WIDTH - 1);
    let columns = format!(
        "  {:>9}  {:<14}  {rows:>16}  {:>9}  {scale}",
        "iteration", "learning", "calls"
    );
    let limit = match args.series.max_rows {
        Some(rows) => format!("games end at {} rows\n", HumanCount(rows)),
        None => String::new(),
    };
    format!("{title}{limit}\n{}\n", dim(&columns))
}

pub fn row<E: Environment>(
    args: &Args,
    training: &Training<E>,
    step: &Step<E::Features>,
    score: &Estimate,
) -> String {
    let mut phase = phase_name(step.phase).to_owned();
    if step.phase == Phase::Directions {
        let decided = decided(step.directions.as_ref());
        phase += &format!(" {decided}/{}", E::Features::LEN);
    }
    let share = score.mean / full(args) as f64;
    let bar = match share {
        ..=1. => bar(share * WIDTH as f64),
        _ => "█".repeat(WIDTH) + "▶",
    };
    format!(
        "  {:>9}  {phase:<14}  {:>16}  {:>9}  {}\n",
        HumanCount(step.iteration.into()).to_string(),
        estimate(score),
        HumanCount(training.calls).to_string(),
        paint(&bar, CURVE),
    )
}

/// How many rows the longest bar stands for.
fn full(args: &Args) -> u64 {
    args.series.max_rows.unwrap_or(FULL)
}
