//! The comparison as a table.

use super::report::{Point, Report};
use crate::draw::{BOLD, dim, paint};
use crate::figures::{count, decimal, estimate};
use indicatif::HumanCount;

pub fn write(report: &Report) -> String {
    let mut text = heading(report);
    for outcome in &report.results {
        let mut name = outcome.algorithm.name();
        for point in &outcome.points {
            text += &format!("  {name:<10}  {}\n", row(point, report.seeds));
            name.clear();
        }
    }
    if let (Some(differences), [one, other]) = (&report.difference, &*report.results) {
        let (one, other) = (one.algorithm.name(), other.algorithm.name());
        text += &format!("\n  {one} less {other}, paired by seed\n");
        for difference in differences {
            text += &format!(
                "  {:10}  {:>9}  {:>17}\n",
                "",
                HumanCount(difference.iteration.into()).to_string(),
                estimate(&difference.rows)
            );
        }
    }
    text
}

fn heading(report: &Report) -> String {
    let columns = format!(
        "  {:<10}  {:>9}  {:>17}  {:>7}  {:>7}  switched, mean",
        "algorithm", "iteration", "mean rows", "decided", "right"
    );
    let limit = match report.max_rows {
        Some(rows) => format!(" of at most {} rows", HumanCount(rows)),
        None => String::new(),
    };
    format!(
        "{} each from seed {}, scored on {}{limit}, 10×{}, rule {}\n\n{}\n",
        paint(&count(report.seeds, "run"), BOLD),
        report.first_seed,
        count(report.games, "game"),
        report.height,
        report.rule,
        dim(&columns)
    )
}

fn row(point: &Point, runs: u64) -> String {
    let mut row = format!(
        "{:>9}  {:>17}",
        HumanCount(point.iteration.into()).to_string(),
        estimate(&point.rows)
    );
    if let Some(directions) = &point.directions {
        let right = directions
            .right
            .map_or("–".into(), |right| decimal(100. * right, 1) + " %");
        row += &format!("  {:>7}  {right:>7}", decimal(directions.decided, 2));
    }
    if let Some(switch) = &point.switch {
        row += &format!(
            "  {} of {}",
            HumanCount(switch.switched as u64),
            HumanCount(runs)
        );
        if let Some(iteration) = switch.mean_switch_iteration {
            row += &format!(", at {}", decimal(iteration, 0));
        }
    }
    row
}
