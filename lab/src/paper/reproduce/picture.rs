//! Learning curves as a picture.

use super::curve::{Curve, Mean};
use crate::figures::decimal;
use crate::plot::{Axis, Chart, Line, Marker, PATTERNS, Sample, Scale, colour};
use crate::summary::Estimate;
use clap::ValueEnum;

/// What a curve is drawn over.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum X {
    /// Iterations; without ipse-survival, which is measured in calls, and cbmpi, an iteration of which has as many as fifty
    Iterations,
    /// Calls of the generative model so far
    Calls,
}

impl X {
    pub fn name(self) -> &'static str {
        match self {
            X::Iterations => "iterations",
            X::Calls => "calls",
        }
    }

    fn of(self, point: &Mean) -> f64 {
        match self {
            X::Iterations => point.iteration,
            X::Calls => point.calls,
        }
    }
}

pub fn chart(curves: &[Curve], x: X) -> Chart {
    let shown =
        |curve: &&Curve| x == X::Calls || curve.is_in_iterations() && curve.arm.name != "cbmpi";
    let curves: Vec<&Curve> = curves.iter().filter(shown).collect();
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let last = points().map(|point| x.of(point)).fold(1., f64::max);
    let first = points().map(|point| x.of(point)).fold(last, f64::min);
    let highest = points()
        .map(|point| point.rows.mean + point.margin.unwrap_or(0.))
        .fold(1., f64::max);
    Chart {
        title: format!("Rows a game that policies remove, over {}", x.name()),
        x: match x {
            X::Iterations => Axis {
                label: "iterations".into(),
                scale: Scale::Linear,
                from: 0.,
                to: last,
            },
            X::Calls => Axis {
                label: "calls of the generative model (logarithmic)".into(),
                scale: Scale::Logarithmic,
                from: first.min(last / 10.),
                to: last,
            },
        },
        y: Axis {
            label: "rows a game, mean and 95 % interval".into(),
            scale: Scale::Linear,
            from: 0.,
            to: highest * 1.08,
        },
        lines: curves.iter().map(|curve| line(curve, x)).collect(),
        markers: curves.iter().filter_map(|curve| marker(curve, x)).collect(),
    }
}

fn line(curve: &Curve, x: X) -> Line {
    let (colour, dashes, width) = style(curve.arm.name);
    let sample = |point: &Mean| Sample {
        x: x.of(point),
        y: point.rows.mean,
        margin: point.margin,
    };
    Line {
        label: format!("{} (n = {})", curve.arm.label, curve.runs.len()),
        colour,
        dashes,
        width,
        samples: curve.points.iter().map(sample).collect(),
    }
}

/// Every pattern differs, for those who print in black and white.
fn style(name: &str) -> (&'static str, Option<&'static str>, f64) {
    let [
        solid,
        dashed,
        dotted,
        dash_dot,
        short,
        long,
        dash_dot_dot,
        sparse,
    ] = PATTERNS;
    match name {
        "ipse" => (colour::VERMILION, solid, 2.8),
        "lfd" => (colour::BLUE, long, 2.),
        "m-known" => (colour::BLACK, dotted, 2.2),
        "m-schedule" => (colour::GREEN, dashed, 2.),
        "m-cv" => (colour::PURPLE, dash_dot, 2.),
        "m-none" => (colour::ORANGE, short, 2.),
        "cbmpi" => (colour::SKY, dash_dot_dot, 2.),
        _ => (colour::BLACK, sparse, 2.4),
    }
}

/// Where IPSE goes on from directions to weights, on average.
fn marker(curve: &Curve, x: X) -> Option<Marker> {
    let switches = curve.switches();
    if curve.arm.name != "ipse" || switches.is_empty() {
        return None;
    }
    let mean = Estimate::of(&switches).mean;
    Some(Marker {
        x: match x {
            X::Iterations => mean,
            X::Calls => curve.calls_at(mean)?,
        },
        label: format!(
            "IPSE goes on to weights: after {} iterations, on average over {} of {} runs",
            decimal(mean, 0),
            switches.len(),
            curve.runs.len()
        ),
        colour: style("ipse").0,
    })
}

#[cfg(test)]
mod tests {
    use super::super::figure2;
    use super::super::replication::{Point, Replication};
    use super::super::settings::{Settings, SettingsArgs, What};
    use super::*;

    fn labels(x: X) -> Vec<(String, Option<&'static str>)> {
        let args = SettingsArgs {
            seed: 1,
            iterations: 4,
            games: 1,
        };
        let experiment = figure2::experiment(Settings::new(What::Figure2, &args));
        let point = Point {
            iteration: 4,
            calls: 400,
            rows: 7.,
            standard_error: None,
        };
        let run = Replication {
            points: vec![point],
            switch: None,
        };
        let curve = |arm| Curve {
            arm,
            runs: vec![(1, &run), (2, &run)],
            points: vec![Mean {
                iteration: 4.,
                calls: 400.,
                rows: Estimate::of(&[7., 7.]),
                margin: None,
            }],
        };
        let curves: Vec<Curve> = experiment.arms.iter().map(curve).collect();
        let lines = chart(&curves, x).lines.into_iter();
        lines.map(|line| (line.label, line.dashes)).collect()
    }

    #[test]
    fn every_line_has_a_pattern_of_its_own_and_says_how_many_runs_it_is_of() {
        for x in [X::Iterations, X::Calls] {
            let labels = labels(x);
            for (i, (label, dashes)) in labels.iter().enumerate() {
                assert!(label.ends_with("(n = 2)"), "{label}");
                assert!(
                    labels[..i].iter().all(|(_, other)| other != dashes),
                    "{label}"
                );
            }
        }
    }

    #[test]
    fn cbmpi_is_compared_by_calls_and_not_by_iterations() {
        let has_cbmpi = |x| {
            labels(x)
                .iter()
                .any(|(label, _)| label.starts_with("CBMPI"))
        };
        assert!(has_cbmpi(X::Calls) && !has_cbmpi(X::Iterations));
    }
}
