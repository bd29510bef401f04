//! All replications of an arm as one learning curve.

use super::experiment::{Arm, Experiment, Length};
use super::replication::{Point, Replication};
use super::results::Results;
use crate::statistics::{self, Difference};
use crate::summary::Estimate;

pub struct Curve<'a> {
    pub arm: &'a Arm,
    /// With their numbers.
    pub runs: Vec<(u64, &'a Replication)>,
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
        let of = |(_, run): &(u64, &Replication)| self.value(measure, run);
        self.runs.iter().map(of).collect()
    }

    fn value(&self, measure: Measure, run: &Replication) -> f64 {
        match measure {
            Measure::Rows(point) => run.points[point].rows,
            Measure::MeanRows => mean_rows(self.arm.length, &run.points),
        }
    }

    /// What replications that both have come to here and there.
    pub fn pairs(&self, measure: Measure, other: &Curve, its: Measure) -> Vec<(f64, f64)> {
        let pair = |(number, run): &(u64, &Replication)| {
            let same = |(its_number, _): &&(u64, &Replication)| its_number == number;
            let (_, its_run) = other.runs.iter().find(same)?;
            Some((self.value(measure, run), other.value(its, its_run)))
        };
        self.runs.iter().filter_map(pair).collect()
    }

    /// How much more this comes to than another: pair by pair if both have the same replications, and
    /// otherwise by Welch's test.
    pub fn less(&self, measure: Measure, other: &Curve, its: Measure) -> Option<Difference> {
        let pairs = self.pairs(measure, other, its);
        match [&self.runs, &other.runs].map(Vec::len) == [pairs.len(); 2] {
            true => Difference::paired(&pairs),
            false => Difference::unpaired(&self.measure(measure), &other.measure(its)),
        }
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
            .filter_map(|(_, run)| run.switch.map(f64::from))
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
    fn of(runs: &[(u64, &Replication)], point: usize) -> Self {
        let values = |of: fn(&Point) -> f64| -> Vec<f64> {
            let at = |(_, run): &(u64, &Replication)| of(&run.points[point]);
            runs.iter().map(at).collect()
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
    use super::super::figure2;
    use super::super::settings::{Settings, SettingsArgs, What};
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
    fn replications_are_paired_by_their_number_and_only_those_that_both_have() {
        let args = SettingsArgs {
            seed: 1,
            iterations: 4,
            games: 1,
        };
        let experiment = figure2::experiment(Settings::new(What::Figure2, &args));
        let runs: Vec<Replication> = (0..10)
            .map(|number| Replication {
                points: vec![point(4, f64::from(number * number))],
                switch: None,
            })
            .collect();
        let curve = |numbers: &[u64]| Curve {
            arm: &experiment.arms[0],
            runs: numbers.iter().map(|&i| (i, &runs[i as usize])).collect(),
            points: Vec::new(),
        };
        let last = Measure::Rows(0);
        let (one, other) = (curve(&[1, 2, 4, 7]), curve(&[2, 3, 7]));
        assert_eq!(one.pairs(last, &other, last), [(4., 4.), (49., 49.)]);
        let is_paired = |one: &Curve, other| one.less(last, other, last).unwrap().paired;
        assert!(is_paired(&one, &one) && !is_paired(&one, &other));
        assert!(
            !is_paired(&curve(&[1, 2, 3]), &other),
            "as many, but others"
        );
    }

    #[test]
    fn the_mean_over_a_run_weighs_points_by_how_far_they_are_apart() {
        let points = [point(1, 10.), point(2, 20.), point(4, 40.)];
        // 1 × 10 + 1 × 15 + 2 × 30, over 4 iterations.
        assert_eq!(mean_rows(Length::Iterations(4), &points), 85. / 4.);
        assert_eq!(mean_rows(Length::Calls(400), &points), 85. / 4.);
    }
}
