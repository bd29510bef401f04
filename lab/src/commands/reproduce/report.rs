//! What the learning curves come to, in numbers.

use super::curve::{Curve, Measure};
use super::experiment::{Experiment, Length};
use super::markdown::{difference, rows, table};
use crate::figures::decimal;
use crate::statistics::Difference;
use crate::summary::Estimate;

/// The summary of figure 2.
pub fn figure2(experiment: &Experiment, curves: &[Curve]) -> String {
    let settings = &experiment.settings;
    let mut text = format!(
        "# Learning curves\n\n\
         Rows removed by the learned policy, as the mean over replications ± its standard error. Every \
         policy was scored on {} games; {} iterations, seed {}. By `cargo ipse reproduce figure2`.\n\n",
        settings.games, settings.iterations, settings.seed
    );
    text += &overview(experiment, curves);
    text + &Claims::new(experiment, curves).write()
}

/// The points that tables are about: a sixteenth of the iterations, a quarter, and all.
fn columns(experiment: &Experiment) -> Vec<(usize, u64)> {
    let marks = Length::Iterations(experiment.settings.iterations).marks();
    let all = u64::from(experiment.settings.iterations);
    let nearest = |target: u64| {
        let index = (0..marks.len()).min_by_key(|&i| marks[i].abs_diff(target));
        index.map(|i| (i, marks[i]))
    };
    let mut columns: Vec<_> = [all / 16, all / 4, all]
        .into_iter()
        .filter_map(nearest)
        .collect();
    columns.dedup();
    columns
}

fn overview(experiment: &Experiment, curves: &[Curve]) -> String {
    let columns = columns(experiment);
    let after: Vec<String> = columns
        .iter()
        .map(|(_, iteration)| format!("after {iteration}"))
        .collect();
    let mut heading = vec!["algorithm", "replications"];
    heading.extend(after.iter().map(|text| &**text));
    heading.extend(["mean over the run", "calls", "switch after"]);
    let row = |curve: &Curve| {
        let at = |&(point, _): &(usize, u64)| match curve.is_in_iterations() {
            true => rows(&curve.estimate(Measure::Rows(point))),
            false if point == columns[columns.len() - 1].0 => {
                rows(&curve.estimate(Measure::Rows(curve.last())))
            }
            false => "–".into(),
        };
        let mut row = vec![curve.arm.label.clone(), curve.runs.len().to_string()];
        row.extend(columns.iter().map(at));
        row.push(rows(&curve.estimate(Measure::MeanRows)));
        row.push(decimal(curve.points[curve.last()].calls, 0));
        row.push(switch(curve));
        row
    };
    let body: Vec<_> = curves.iter().map(row).collect();
    table(&heading, &body)
        + "\nColumns *after N* are iterations; *calls* are those of the generative model in a whole run, on \
           average; *switch after* is the mean number of iterations spent on directions in those runs that went on \
           to weights, and how many did.\n"
}

pub fn switch(curve: &Curve) -> String {
    let switches = curve.switches();
    match switches.is_empty() {
        true => "–".into(),
        false => {
            let estimate = rows(&Estimate::of(&switches));
            format!("{estimate} ({} of {})", switches.len(), curve.runs.len())
        }
    }
}

/// Tests of what the paper says.
struct Claims<'a> {
    curves: &'a [Curve<'a>],
    columns: Vec<(usize, u64)>,
}

/// Those that know nothing in advance, but for the one in question.
const UNINFORMED: [&str; 6] = ["ipse", "lfd", "m-schedule", "m-cv", "m-none", "cbmpi"];

impl<'a> Claims<'a> {
    fn new(experiment: &Experiment, curves: &'a [Curve<'a>]) -> Self {
        let columns = columns(experiment);
        Claims { curves, columns }
    }

    fn write(&self) -> String {
        let (Some(&start), Some(&end)) = (self.columns.first(), self.columns.last()) else {
            return String::new();
        };
        let after = |(point, iteration): (usize, u64)| {
            (format!("rows after {iteration}"), Measure::Rows(point))
        };
        let run = ("mean rows over the run".to_owned(), Measure::MeanRows);
        let known = self
            .columns
            .iter()
            .map(|&column| ("m-known", after(column)));
        let sections = [
            (
                "IPSE learns fastest among algorithms without prior knowledge",
                self.against_uninformed("ipse", run),
            ),
            (
                "IPSE ends best, with a large gap",
                self.against_uninformed("ipse", after(end)),
            ),
            (
                "IPSE approaches the curve with known directions",
                self.tests("ipse", known.collect()),
            ),
            (
                "LFD alone is strong at the start",
                self.against_uninformed("lfd", after(start)),
            ),
        ];
        let sections: String = sections
            .iter()
            .filter(|(_, rows)| !rows.is_empty())
            .map(|(claim, rows)| format!("\n## {claim}\n\n{}", table(&HEADING, rows)))
            .collect();
        match sections.is_empty() {
            true => sections,
            false => {
                "\nBelow, claims of the paper. Two-sided t tests: *paired* by replication, which share their seed \
                 and the games that score them, or *Welch* where there are not as many of both.\n"
                    .to_owned()
                    + &sections
            }
        }
    }

    fn against_uninformed(&self, name: &str, measure: (String, Measure)) -> Vec<Vec<String>> {
        let others = UNINFORMED.iter().filter(|&&other| other != name);
        self.tests(
            name,
            others.map(|&other| (other, measure.clone())).collect(),
        )
    }

    /// A row for each of the others that there are.
    fn tests(&self, name: &str, others: Vec<(&str, (String, Measure))>) -> Vec<Vec<String>> {
        let curve = |name: &str| self.curves.iter().find(|curve| curve.arm.name == name);
        let test = |(other, (what, measure)): (&str, (String, Measure))| {
            let (one, other) = (curve(name)?, curve(other)?);
            let (ones, others) = (one.measure(measure), other.measure(measure));
            let ratio = Estimate::of(&ones).mean / Estimate::of(&others).mean;
            let found = Difference::of(&ones, &others);
            let [difference, interval, p] = difference(found);
            let kind = found.map_or("–", |it| if it.paired { "paired" } else { "Welch" });
            Some(vec![
                format!("{} less {}", one.arm.label, other.arm.label),
                what,
                difference,
                interval,
                format!("{ratio:.2}"),
                kind.into(),
                p,
            ])
        };
        others.into_iter().filter_map(test).collect()
    }
}

const HEADING: [&str; 7] = [
    "comparison",
    "of",
    "difference",
    "95 % interval",
    "ratio",
    "test",
    "p",
];
