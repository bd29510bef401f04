//! The comparison as a table.

use super::report::{Point, Report};
use crate::draw::{BOLD, dim, paint};
use crate::figures::{count, decimal, estimate};
use indicatif::HumanCount;

/// The width of the names. One that is longer has a line of its own, so that all others fit eighty columns.
const NAME: usize = 10;

pub fn write(report: &Report) -> String {
    let width = name_width(report);
    let mut text = heading(report);
    for outcome in &report.results {
        let mut name = outcome.name;
        if name.chars().count() > NAME {
            text += &format!("  {name}\n");
            name = "";
        }
        for point in &outcome.points {
            text += &format!("  {name:<NAME$}  {}\n", row(point));
            name = "";
        }
    }
    if let Some((last, others)) = report.results.split_last()
        && !others.is_empty()
    {
        text += &format!("\n  at the end, less {}, paired by seed\n", last.name);
        for outcome in others {
            if let Some(difference) = &outcome.difference {
                let name = outcome.name;
                text += &format!("  {name:<width$}  {:>17}\n", estimate(difference));
            }
        }
    }
    text
}

fn name_width(report: &Report) -> usize {
    let widths = report.results.iter().map(|outcome| outcome.name.len());
    widths.fold(10, usize::max)
}

fn heading(report: &Report) -> String {
    let columns = format!(
        "  {:<NAME$}  {:>5}  {:>15}  {:>9}  {:>7}  {:>7}  switched",
        "algorithm", "after", report.unit, "calls", "decided", "right",
    );
    format!(
        "{} each from seed {}, scored on {}, {}\n\n{}\n",
        paint(&count(report.seeds, "run"), BOLD),
        report.first_seed,
        count(report.games, "game"),
        report.title,
        dim(&columns)
    )
}

fn row(point: &Point) -> String {
    let mut row = format!(
        "{:>5}  {:>15}  {:>9}",
        point.iteration.map_or("end".into(), |iteration| {
            HumanCount(iteration.into()).to_string()
        }),
        estimate(&point.score),
        HumanCount(point.calls.round() as u64).to_string()
    );
    if let Some(directions) = &point.directions {
        let right = directions
            .right
            .map_or("–".into(), |right| decimal(100. * right, 1) + " %");
        row += &format!("  {:>7}  {right:>7}", decimal(directions.decided, 2));
    }
    if let Some(switch) = &point.switch {
        row += &format!("  {}", HumanCount(switch.switched as u64));
        if let Some(iteration) = switch.mean_switch_iteration {
            row += &format!(" at {}", decimal(iteration, 0));
        }
    }
    row
}
