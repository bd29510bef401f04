//! What the learning curves come to, in numbers.

use super::curve::{Curve, Measure};
use super::experiment::{Experiment, Length};
use super::figure2::POINTS;
use super::markdown::{difference, rows, table};
use crate::figures::decimal;
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

/// The points that tables are about, and their iterations: a sixteenth of all, a quarter, and all.
fn columns(experiment: &Experiment) -> [(usize, u64); 3] {
    let marks = Length::Iterations(experiment.settings.iterations).marks(POINTS);
    let all = u64::from(experiment.settings.iterations);
    [all / 16, all / 4, all].map(|target| {
        let nearest = (0..marks.len()).min_by_key(|&i| marks[i].abs_diff(target));
        let point = nearest.unwrap_or(0);
        (point, marks[point])
    })
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
           to weights, and how many did. Runs that are measured in calls have their end in the last column of \
           iterations.\n"
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
    columns: [(usize, u64); 3],
}

/// Those that know nothing in advance and do not begin as IPSE does.
const UNINFORMED: [&str; 4] = ["m-schedule", "m-cv", "m-none", "cbmpi"];

impl<'a> Claims<'a> {
    fn new(experiment: &Experiment, curves: &'a [Curve<'a>]) -> Self {
        let columns = columns(experiment);
        Claims { curves, columns }
    }

    fn write(&self) -> String {
        let sections = [
            (
                "IPSE learns fastest among algorithms without prior knowledge",
                self.learns_fastest(),
            ),
            ("IPSE ends best, with a large gap", self.ends_best()),
            (
                "IPSE approaches the curve with known directions",
                self.approaches_known(),
            ),
            ("LFD alone is strong at the start", self.starts_strong()),
            (
                "With as many calls as IPSE makes, which is not a claim",
                self.with_as_many_calls(),
            ),
        ];
        let sections: String = sections
            .iter()
            .filter(|(_, rows)| !rows.is_empty())
            .map(|(claim, rows)| format!("\n## {claim}\n\n{}", table(&HEADING, rows)))
            .collect();
        match sections.is_empty() {
            true => sections,
            false => EXPLANATION.to_owned() + &sections,
        }
    }

    fn learns_fastest(&self) -> Vec<Vec<String>> {
        let what = "mean rows over the run";
        let others = ["lfd"].into_iter().chain(UNINFORMED);
        others
            .filter_map(|other| self.test("ipse", other, what, Measure::MeanRows))
            .collect()
    }

    fn ends_best(&self) -> Vec<Vec<String>> {
        let others = ["lfd"].into_iter().chain(UNINFORMED);
        others
            .filter_map(|other| self.test_after(self.columns[2], "ipse", other))
            .collect()
    }

    fn approaches_known(&self) -> Vec<Vec<String>> {
        self.columns
            .iter()
            .filter_map(|&column| self.test_after(column, "ipse", "m-known"))
            .collect()
    }

    fn starts_strong(&self) -> Vec<Vec<String>> {
        self.columns[..2]
            .iter()
            .flat_map(|&column| UNINFORMED.map(|other| self.test_after(column, "lfd", other)))
            .flatten()
            .collect()
    }

    /// Those that spend calls otherwise, at their last point with no more of them than IPSE has in all.
    fn with_as_many_calls(&self) -> Vec<Vec<String>> {
        let test = |name| {
            let (one, ipse) = (self.curve(name)?, self.curve("ipse")?);
            let end = ipse.last();
            let calls = ipse.points[end].calls;
            let point = one.points.iter().rposition(|point| point.calls <= calls)?;
            let what = format!("rows after {} calls", decimal(one.points[point].calls, 0));
            let measures = (Measure::Rows(point), Measure::Rows(end));
            Some(compare((one, measures.0), (ipse, measures.1), &what))
        };
        ["cbmpi", "ipse-survival"]
            .into_iter()
            .filter_map(test)
            .collect()
    }

    fn curve(&self, name: &str) -> Option<&Curve<'a>> {
        self.curves.iter().find(|curve| curve.arm.name == name)
    }

    fn test_after(&self, column: (usize, u64), name: &str, other: &str) -> Option<Vec<String>> {
        let what = format!("rows after {}", column.1);
        self.test(name, other, &what, Measure::Rows(column.0))
    }

    /// Compares two, if both are there.
    fn test(&self, name: &str, other: &str, what: &str, by: Measure) -> Option<Vec<String>> {
        let (one, other) = (self.curve(name)?, self.curve(other)?);
        Some(compare((one, by), (other, by), what))
    }
}

/// A row about how much more one comes to than another.
fn compare(one: (&Curve, Measure), other: (&Curve, Measure), what: &str) -> Vec<String> {
    let (ones, others) = (one.0.measure(one.1), other.0.measure(other.1));
    let ratio = Estimate::of(&ones).mean / Estimate::of(&others).mean;
    let found = one.0.less(one.1, other.0, other.1);
    let [difference, interval, p] = difference(found);
    let kind = found.map_or("–", |it| if it.paired { "paired" } else { "Welch" });
    let cells = [
        &format!("{} less {}", one.0.arm.label, other.0.arm.label),
        what,
        &difference,
        &interval,
        &format!("{ratio:.2}"),
        kind,
        &p,
    ];
    cells.map(String::from).to_vec()
}

const EXPLANATION: &str = "
Below, claims of the paper. Two-sided t tests: *paired* by replication, which share their seed and the games that \
score them, or *Welch* where both do not have the same replications.
";

const HEADING: [&str; 7] = [
    "comparison",
    "of",
    "difference",
    "95 % interval",
    "ratio",
    "test",
    "p",
];
