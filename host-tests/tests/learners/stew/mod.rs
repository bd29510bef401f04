//! The fit of weights, against the same objective in double precision.

mod derivatives;
mod edges;
mod golden;
mod soft;
pub mod stress;

use host_tests::reference::logit;
use ipse::environment::{Action, Outcome};
use ipse::learner::stew::{ChoiceSets, Fit, LAMBDA_MAX, Objective, PASSES_MAX, RIDGE, Visit};
use std::ops::Range;

/// A problem in the core's terms.
#[derive(Clone, Debug)]
struct Problem<const P: usize> {
    objective: Objective<[i16; P]>,
    sets: Vec<(Vec<Outcome<[i16; P]>>, Action)>,
}

impl<const P: usize> ChoiceSets<[i16; P]> for Problem<P> {
    type Label = Action;

    fn len(&self) -> usize {
        self.sets.len()
    }

    fn each(&self, range: Range<usize>, visit: &mut Visit<[i16; P], Action>) {
        for (outcomes, chosen) in &self.sets[range] {
            visit(outcomes, chosen);
        }
    }
}

impl<const P: usize> Problem<P> {
    /// The problem in which, of every list of actions, the one with this number was found to be the
    /// best. Features are worth what they are, and their bounds are as narrow as they can be.
    fn new(lambda: f32, sets: &[(&[[i16; P]], usize)]) -> Self {
        let outcome = |(action, &features)| Outcome {
            action: action as Action,
            promise: 0,
            features,
        };
        let sets = sets.iter().map(|&(actions, chosen)| {
            let outcomes = actions.iter().enumerate().map(outcome).collect();
            (outcomes, chosen as Action)
        });
        let sets: Vec<(Vec<Outcome<[i16; P]>>, Action)> = sets.collect();
        let mut bounds = [0; P];
        for outcome in sets.iter().flat_map(|(outcomes, _)| outcomes) {
            for (bound, feature) in bounds.iter_mut().zip(outcome.features) {
                *bound = (*bound).max(feature.saturating_abs());
            }
        }
        let bounds = bounds.iter().map(|&bound: &i16| bound.unsigned_abs());
        Problem {
            objective: Objective {
                units: [1.; P],
                free: [false; P],
                reach: 1 + bounds.map(u32::from).sum::<u32>(),
                lambda,
            },
            sets,
        }
    }

    fn with_free(mut self, free: [bool; P]) -> Self {
        self.objective.free = free;
        self
    }

    fn with_units(mut self, units: [f32; P]) -> Self {
        self.objective.units = units;
        self
    }

    /// The same in double precision, with what the core documents: a ridge, a strongest penalty, and
    /// that a choice of what was not there tells nothing.
    fn reference(&self) -> logit::Problem<P> {
        let units = self.objective.units.map(f64::from);
        let directed = |outcome: &Outcome<[i16; P]>| {
            std::array::from_fn(|i| f64::from(outcome.features[i]) * units[i])
        };
        let sets = self.sets.iter().filter_map(|(outcomes, chosen)| {
            Some(logit::ChoiceSet {
                actions: outcomes.iter().map(directed).collect(),
                chosen: outcomes.iter().position(|o| o.action == *chosen)?,
            })
        });
        logit::Problem {
            sets: sets.collect(),
            lambda: self.objective.lambda.clamp(0., LAMBDA_MAX).into(),
            ridge: RIDGE.into(),
            free: self.objective.free,
        }
    }

    /// How far the core's value at these weights may be from the reference's.
    ///
    /// That is single precision, and that weights act as integers, as fine as they can be if no score
    /// may exceed 2³⁰.
    fn rounding(&self, beta: &[f32; P], value: f64) -> f64 {
        let Objective { units, reach, .. } = self.objective;
        let weights: [f64; P] = std::array::from_fn(|i| f64::from(beta[i] * units[i]));
        let reach = f64::from(reach - 1);
        let finest = largest(&weights) * reach / 2f64.powi(30);
        1e-5 * value.abs().max(1.) + self.sets.len() as f64 * finest * reach
    }

    /// A fit from `start` to its end. It has to come within the number of passes, at finite weights,
    /// and no pass may leave worse weights than there were before.
    fn fit(&self, start: [f32; P]) -> Fit<[i16; P]> {
        let reference = self.reference();
        let value = |beta: &[f32; P]| reference.value(&beta.map(f64::from));
        let mut fit = Fit::new(&start);
        let mut done = false;
        while !done {
            let before = *fit.beta();
            done = fit.pass(&self.objective, self);
            let after = *fit.beta();
            assert!(after.iter().all(|b| b.is_finite()), "{fit:?} of {self:?}");

            let rounding =
                self.rounding(&before, value(&before)) + self.rounding(&after, value(&after));
            let increase = value(&after) - value(&before);
            assert!(
                increase <= rounding,
                "{} rises to {} from {before:?} to {fit:?} of {self:?}",
                value(&before),
                value(&after),
            );
        }
        assert!(fit.passes() <= PASSES_MAX, "{fit:?} of {self:?}");
        fit
    }
}

/// The largest absolute value.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0., |largest, x| largest.max(x.abs()))
}
