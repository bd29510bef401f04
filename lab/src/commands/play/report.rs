//! What a series of games came to, as text and as JSON.

use super::Args;
use crate::draw::{BOLD, dim, paint};
use crate::figures::{bar, count, decimal, estimate};
use crate::games::Played;
use crate::policy::Named;
use crate::summary::{Histogram, Summary};
use crate::task::{Setup, Task};
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::{Map, Value};

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    task: &'a str,
    policy: &'a str,
    /// If it has any.
    weights: Option<Vec<f32>>,
    #[serde(flatten)]
    facts: &'a Map<String, Value>,
    seed: u64,
    games: u64,
    unit: &'a str,
    #[serde(flatten)]
    summary: Summary,
    /// The number of games that ended at a limit.
    cut: u64,
    #[serde(serialize_with = "crate::json::numbers")]
    scores: Vec<f64>,
}

pub fn json<E: Task>(setup: &Setup<E>, named: &Named<E>, args: &Args, played: &[Played]) -> String {
    let scores = scores(played);
    let report = Report {
        task: E::NAME,
        policy: &named.name,
        weights: named.weights(),
        facts: &setup.facts,
        seed: args.seed,
        games: args.series.games,
        unit: setup.measure.unit,
        summary: Summary::of(&scores),
        cut: cut(played),
        scores,
    };
    serde_json::to_string(&report).expect("a report is JSON") + "\n"
}

pub fn text<E: Task>(setup: &Setup<E>, name: &str, args: &Args, played: &[Played]) -> String {
    let scores = scores(played);
    let summary = Summary::of(&scores);
    let unit = setup.measure.unit;
    let mean = format!("{} {unit}", estimate(&summary.estimate));
    let heading = heading(setup, name, args);
    let mut text = format!("{heading}\n\n  mean    {}", paint(&mean, BOLD));
    if summary.estimate.standard_error.is_some() {
        text += &dim("  (standard error)");
    }
    text += &format!("\n  median  {}\n", short(summary.median));
    text += &format!(
        "  range   {} to {}\n",
        short(summary.min),
        short(summary.max)
    );
    if let cut @ 1.. = cut(played) {
        text += &format!(
            "\n  {} of {} games ended at their limit, and the mean does not look beyond it\n",
            HumanCount(cut),
            HumanCount(args.series.games),
        );
    }
    text + "\n" + &chart(&scores, unit)
}

/// With as many decimal places as it takes, two at the most.
fn short(number: f64) -> String {
    let places = (0..2).find(|&places| {
        let shifted = number * 10f64.powi(places);
        (shifted - shifted.round()).abs() < 1e-9
    });
    decimal(number, places.unwrap_or(2) as usize)
}

fn heading<E: Task>(setup: &Setup<E>, name: &str, args: &Args) -> String {
    let games = count(args.series.games, "game");
    let (name, title) = (paint(name, BOLD), setup.title());
    format!("{name} in {title}, {games} from seed {}", args.seed)
}

const BAR: f64 = 40.;

/// A few games one by one, many as a histogram.
fn chart(scores: &[f64], unit: &str) -> String {
    if scores.len() <= 10 {
        let list: Vec<_> = scores.iter().map(|&score| short(score)).collect();
        return format!("  scores  {}\n", list.join("  "));
    }
    let histogram = Histogram::of(scores);
    let is_whole = scores.iter().all(|score| score.fract() == 0.);
    let longest = histogram.counts.iter().copied().max().unwrap_or(1) as f64;
    let label = |i: usize| {
        let from = histogram.start + i as f64 * histogram.width;
        match is_whole {
            true if histogram.width == 1. => short(from),
            true => format!("{} to {}", short(from), short(from + histogram.width - 1.)),
            false => format!("from {}", short(from)),
        }
    };
    let labels: Vec<String> = (0..histogram.counts.len()).map(label).collect();
    let margin = labels.iter().map(|label| label.chars().count());
    let margin = margin.fold(unit.len(), usize::max);
    let mut text = format!("  {}\n", dim(&format!("{unit:>margin$}  games")));
    for (label, &count) in labels.iter().zip(&histogram.counts) {
        let bar = bar(count as f64 / longest * BAR);
        text += &format!("  {label:>margin$}  {bar} {}\n", HumanCount(count));
    }
    text
}

fn scores(played: &[Played]) -> Vec<f64> {
    played.iter().map(|played| played.score).collect()
}

fn cut(played: &[Played]) -> u64 {
    played.iter().filter(|played| played.cut).count() as u64
}
