//! The comparison as a picture: scores over calls.

use super::report::{Outcome, Report};
use crate::plot::{Chart, Line, PATTERNS, Sample, colour};

const COLOURS: [&str; 7] = [
    colour::BLUE,
    colour::VERMILION,
    colour::GREEN,
    colour::PURPLE,
    colour::ORANGE,
    colour::SKY,
    colour::BLACK,
];

/// A line for everything that was compared. A policy that learns nothing has the same score after any number of calls.
pub fn chart(report: &Report) -> Chart {
    let ends = report.results.iter().flat_map(|outcome| &outcome.points);
    let last = ends.map(|point| point.calls).fold(1., f64::max);
    let line = |(i, outcome): (usize, &Outcome)| Line {
        label: format!("{} (n = {})", outcome.name, report.seeds),
        colour: COLOURS[i % COLOURS.len()],
        dashes: PATTERNS[i % PATTERNS.len()],
        width: 2.,
        samples: samples(outcome, last),
    };
    let lines = report.results.iter().enumerate().map(line);
    let title = "What learners earn, over calls of the generative model".into();
    Chart::over_calls(title, report.unit, lines.collect())
}

fn samples(outcome: &Outcome, last: f64) -> Vec<Sample> {
    let points = outcome.points.iter().map(|point| Sample {
        x: point.calls,
        y: point.score.mean,
        margin: point.score.standard_error,
    });
    let points: Vec<Sample> = points.collect();
    match points[..] {
        // What ends after its calls is a short line before its end, so that it can be seen.
        [only] if only.x > 0. => vec![
            Sample {
                x: 0.97 * only.x,
                ..only
            },
            only,
        ],
        [only] => vec![only, Sample { x: last, ..only }],
        _ => points,
    }
}
