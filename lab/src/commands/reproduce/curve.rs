//! All replications of an arm as one learning curve.

use super::experiment::{Arm, Experiment, Length};
use super::replication::{Point, Replication};
use super::results::Results;
use crate::statistics;
use crate::summary::Estimate;

pub struct Curve<'a> {
    pub arm: &'a Arm,
    pub runs: Vec<&'a Replication>,
    pub points: Vec<Mean>,
}

/// The mean over replications at a point.
pub struct Mean {
    pub iteration: f64,
    pub calls: f64,
    pub rows: Estimate,
    /// Half the width of the 95 % interval of the rows.
    pub margin: Option<f64>,
}

/// A number that each replication comes to.
#[derive(Clone, Copy)]
pub enum Measure {
    /// The rows at the point with this index.
    Rows(usize),
    /// The mean rows over the whole run: the area under the curve, divided by its length.
    MeanRows,
}

impl<'a> Curve<'a> {
    /// The curves of all arms of which there is something.
    pub fn all(experiment: &'a Experiment, results: &'a Results) -> Vec<Self> {
        let curve = |(i, arm): (usize, &'a Arm)| {
            let runs = results.of(i);
            let points = match runs.is_empty() {
                true => Vec::new(),
                false => (0..arm.marks().len())
                    .map(|point| Mean::of(&runs, point))
                    .collect(),
            };
            Curve { arm, runs, points }
        };
        experiment
            .arms
            .iter()
            .enumerate()
            .map(curve)
            .filter(|curve| !curve.runs.is_empty())
            .collect()
    }

    /// What every replication comes to.
    pub fn measure(&self, measure: Measure) -> Vec<f64> {
        let of = |run: &&Replication| match measure {
            Measure::Rows(point) => run.points[point].rows,
            Measure::MeanRows => mean_rows(self.arm.length, &run.points),
        };
        self.runs.iter().map(of).collect()
    }

    pub fn estimate(&self, measure: Measure) -> Estimate {
        Estimate::of(&self.measure(measure))
    }

    pub fn last(&self) -> usize {
        self.points.len() - 1
    }

    pub fn is_in_iterations(&self) -> bool {
        matches!(self.arm.length, Length::Iterations(_))
    }

    /// After how many iterations replications went on to weights, if they did.
    pub fn switches(&self) -> Vec<f64> {
        self.runs
            .iter()
            .filter_map(|run| run.switch.map(f64::from))
            .collect()
    }

    /// The calls after so many iterations, on average.
    pub fn calls_at(&self, iteration: f64) -> Option<f64> {
        let after = self.points.iter().position(|p| p.iteration >= iteration)?;
        let (b, a) = (
            &self.points[after],
            after.checked_sub(1).map(|i| &self.points[i]),
        );
        let (i, calls) = a.map_or((0., 0.), |a| (a.iteration, a.calls));
        Some(calls + (b.calls - calls) * (iteration - i) / (b.iteration - i))
    }
}

impl Mean {
    fn of(runs: &[&Replication], point: usize) -> Self {
        let values = |of: fn(&Point) -> f64| -> Vec<f64> {
            runs.iter().map(|run| of(&run.points[point])).collect()
        };
        let rows = Estimate::of(&values(|point| point.rows));
        Mean {
            iteration: Estimate::of(&values(|point| point.iteration.into())).mean,
            calls: Estimate::of(&values(|point| point.calls as f64)).mean,
            margin: statistics::margin(&rows, runs.len()),
            rows,
        }
    }
}

/// By the trapezium rule; before the first point the curve is level.
fn mean_rows(length: Length, points: &[Point]) -> f64 {
    let x = |point: &Point| match length {
        Length::Iterations(_) => f64::from(point.iteration),
        Length::Calls(_) => point.calls as f64,
    };
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return 0.;
    };
    let trapezia = points
        .windows(2)
        .map(|pair| (x(&pair[1]) - x(&pair[0])) * (pair[0].rows + pair[1].rows) / 2.);
    (x(first) * first.rows + trapezia.sum::<f64>()) / x(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(iteration: u32, rows: f64) -> Point {
        Point {
            iteration,
            calls: u64::from(iteration) * 100,
            rows,
            standard_error: None,
        }
    }

    #[test]
    fn the_mean_over_a_run_weighs_points_by_how_far_they_are_apart() {
        let points = [point(1, 10.), point(2, 20.), point(4, 40.)];
        // 1 × 10 + 1 × 15 + 2 × 30, over 4 iterations.
        assert_eq!(mean_rows(Length::Iterations(4), &points), 85. / 4.);
        assert_eq!(mean_rows(Length::Calls(400), &points), 85. / 4.);
    }
}
