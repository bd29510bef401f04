//! The learning curve as a picture.

use super::Job;
use crate::plot::{Chart, Line, Sample, colour};
use crate::task::Task;

/// Scores over calls, with a band of one standard error.
pub fn chart<E: Task>(job: &Job<E>, samples: Vec<Sample>) -> Chart {
    let label = format!("{}, seed {}", job.algorithm.name(), job.args.seed);
    Chart::over_calls(
        format!("What {label} earns while it learns"),
        job.setup.measure.unit,
        vec![Line {
            label: format!("{label} (n = 1)"),
            colour: colour::BLUE,
            dashes: None,
            width: 2.2,
            samples,
        }],
    )
}
