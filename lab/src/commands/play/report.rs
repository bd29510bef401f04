//! What a series of games came to, as text and as JSON.

use super::Args;
use crate::draw::{BOLD, dim, paint};
use crate::figures::{bar, count, estimate};
use crate::games::Played;
use crate::summary::{Histogram, Summary};
use crate::task::FEATURES;
use indicatif::{HumanCount, HumanFloatCount};
use serde::Serialize;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    policy: &'a str,
    weights: [f32; FEATURES],
    height: usize,
    rule: &'a str,
    seed: u64,
    games: u64,
    max_rows: Option<u64>,
    #[serde(flatten)]
    summary: Summary,
    ended_at_max_rows: u64,
    rows: Vec<u64>,
}

pub fn json(args: &Args, played: &[Played]) -> String {
    let rows = rows(played);
    let report = Report {
        policy: &args.policy.name,
        weights: args.policy.values,
        height: args.game.height.rows(),
        rule: args.game.rule.name(),
        seed: args.seed,
        games: args.series.games,
        max_rows: args.series.max_rows,
        summary: Summary::of(&rows),
        ended_at_max_rows: cut(played),
        rows,
    };
    serde_json::to_string(&report).expect("a report is JSON") + "\n"
}

pub fn text(args: &Args, played: &[Played]) -> String {
    let rows = rows(played);
    let summary = Summary::of(&rows);
    let mean = estimate(&summary.estimate) + " rows";
    let mut text = format!("{}\n\n  mean    {}", heading(args), paint(&mean, BOLD));
    if summary.estimate.standard_error.is_some() {
        text += &dim("  (standard error)");
    }
    text += &format!("\n  median  {}\n", HumanFloatCount(summary.median));
    text += &format!(
        "  range   {} to {}\n",
        HumanCount(summary.min),
        HumanCount(summary.max)
    );
    if let (Some(max), cut @ 1..) = (args.series.max_rows, cut(played)) {
        text += &format!(
            "\n  {} of {} games ended at {} rows by --max-rows: the mean is a lower bound\n",
            HumanCount(cut),
            HumanCount(args.series.games),
            HumanCount(max)
        );
    }
    text + "\n" + &chart(&rows)
}

fn heading(args: &Args) -> String {
    let games = count(args.series.games, "game");
    format!(
        "{} on 10×{}, {games} from seed {}, rule {}",
        paint(&args.policy.name, BOLD),
        args.game.height.rows(),
        args.seed,
        args.game.rule.name()
    )
}

const BAR: f64 = 40.;

/// A few games one by one, many as a histogram.
fn chart(rows: &[u64]) -> String {
    if rows.len() <= 10 {
        let list: Vec<_> = rows
            .iter()
            .map(|&rows| HumanCount(rows).to_string())
            .collect();
        return format!("  rows    {}\n", list.join("  "));
    }
    let Histogram { width, counts } = Histogram::of(rows);
    let longest = counts.iter().copied().max().unwrap_or(1) as f64;
    let label = |i: u64| match width {
        1 => i.to_string(),
        _ => format!(
            "{} to {}",
            HumanCount(i * width),
            HumanCount((i + 1) * width - 1)
        ),
    };
    let labels: Vec<String> = (0..counts.len() as u64).map(label).collect();
    let margin = labels
        .iter()
        .map(String::len)
        .fold("rows".len(), usize::max);
    let mut text = format!("  {}\n", dim(&format!("{:>margin$}  games", "rows")));
    for (label, &count) in labels.iter().zip(&counts) {
        let bar = bar(count as f64 / longest * BAR);
        text += &format!("  {label:>margin$}  {bar} {}\n", HumanCount(count));
    }
    text
}

fn rows(played: &[Played]) -> Vec<u64> {
    played.iter().map(|played| played.rows).collect()
}

fn cut(played: &[Played]) -> u64 {
    played.iter().filter(|played| played.cut).count() as u64
}
