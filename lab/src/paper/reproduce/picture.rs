//! Learning curves as a picture.

use super::curve::{Curve, Mean};
use crate::figures::decimal;
use crate::plot::{Axis, Chart, Line, Marker, Sample, Scale, colour};
use crate::summary::Estimate;
use clap::ValueEnum;

/// What a curve is drawn over.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum X {
    /// Iterations; without algorithms that are measured in calls
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
    let shown = |curve: &&Curve| x == X::Calls || curve.is_in_iterations();
    let curves: Vec<&Curve> = curves.iter().filter(shown).collect();
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let last = points().map(|point| x.of(point)).fold(1., f64::max);
    let first = points().map(|point| x.of(point)).fold(last, f64::min);
    let highest = points()
        .map(|point| point.rows.mean + point.margin.unwrap_or(0.))
        .fold(1., f64::max);
    Chart {
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
        label: curve.arm.label.clone(),
        colour,
        dashes,
        width,
        samples: curve.points.iter().map(sample).collect(),
    }
}

/// Patterns differ too, for those who print in black and white.
fn style(name: &str) -> (&'static str, Option<&'static str>, f64) {
    match name {
        "ipse" => (colour::VERMILION, None, 2.8),
        "lfd" => (colour::BLUE, None, 2.),
        "m-known" => (colour::BLACK, Some("2 3.5"), 2.2),
        "m-schedule" => (colour::GREEN, Some("9 3"), 2.),
        "m-cv" => (colour::PURPLE, Some("9 3 2 3"), 2.),
        "m-none" => (colour::ORANGE, Some("5 3"), 2.),
        "cbmpi" => (colour::SKY, None, 2.),
        _ => (colour::BLACK, None, 2.4),
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
