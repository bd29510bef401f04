//! Fits to soft labels, against the same sets chosen from again and again.

use super::stress::{any_free, scattered, within};
use super::{PASSES_MAX, Problem, largest};
use crate::rng;
use host_tests::boards::below;
use host_tests::reference::logit;
use ipse::environment::{Action, Outcome};
use ipse::learner::labels::{FULL, SoftLabel};
use ipse::learner::stew::{ChoiceSets, Expansion, Fit, RIDGE, Visit};
use rand_core::Rng;
use std::ops::Range;

const P: usize = 4;
/// The most actions.
const A: usize = 6;
const PROBLEMS: usize = 300;
/// The sum of all shares in a label.
const TOTAL: usize = 24;

type Label = SoftLabel<[Action; A]>;

/// The label without shares.
fn hard(action: Action) -> Label {
    let shares = [0; A];
    SoftLabel { action, shares }
}

/// A problem with other labels.
struct Labelled {
    problem: Problem<P>,
    labels: Vec<Label>,
}

impl ChoiceSets<[i16; P]> for Labelled {
    type Label = Label;

    fn len(&self) -> usize {
        self.labels.len()
    }

    fn each(&self, range: Range<usize>, visit: &mut Visit<[i16; P], Label>) {
        for ((outcomes, _), label) in self
            .problem
            .sets
            .iter()
            .zip(&self.labels)
            .take(range.end)
            .skip(range.start)
        {
            visit(outcomes, label);
        }
    }
}

impl Labelled {
    /// For every share of an action, a set in which it was chosen.
    fn reference(&self) -> logit::Problem<P> {
        let hard = self.problem.reference();
        let mut sets = Vec::new();
        for (set, label) in hard.sets.iter().zip(&self.labels) {
            for (chosen, &share) in label.shares.iter().enumerate() {
                let times = (0..share).map(|_| logit::ChoiceSet {
                    chosen,
                    ..set.clone()
                });
                sets.extend(times);
            }
        }
        logit::Problem {
            sets,
            lambda: hard.lambda * TOTAL as f64,
            ridge: f64::from(RIDGE) * TOTAL as f64,
            free: hard.free,
        }
    }

    fn expand(&self, beta: &[f32; P]) -> Expansion<[i16; P]> {
        self.problem.objective.expand(beta, self, true)
    }

    fn fit(&self, start: [f32; P]) -> Fit<[i16; P]> {
        let mut fit = Fit::new(&start);
        while !fit.pass(&self.problem.objective, self) {}
        assert!(fit.passes() <= PASSES_MAX);
        fit
    }
}

fn random_problem<R: Rng>(rng: &mut R) -> Problem<P> {
    let mut sets = Vec::new();
    for _ in 0..1 + below(8, rng) {
        let actions: Vec<_> = (0..=below(A, rng)).map(|_| scattered(5, rng)).collect();
        let chosen = below(actions.len(), rng);
        sets.push((actions, chosen));
    }
    let sets: Vec<_> = sets.iter().map(|(actions, c)| (&actions[..], *c)).collect();
    let lambda = f32::from(within(100, rng).max(0)) / 50.;
    let problem = Problem::new(lambda, &sets).with_units([1., -0.5, 0., -2.]);
    problem.with_free(any_free(rng))
}

fn random_weights<R: Rng>(rng: &mut R) -> [f32; P] {
    std::array::from_fn(|_| f32::from(within(100, rng)) / 100.)
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    let off: Vec<f64> = found.iter().zip(expected).map(|(f, e)| f - e).collect();
    assert!(
        largest(&off) <= tolerance * largest(expected).max(1.),
        "{found:?}, not {expected:?}"
    );
}

#[test]
fn shares_are_as_good_as_so_many_choices() {
    let mut rng = rng(40);
    for _ in 0..PROBLEMS {
        let problem = random_problem(&mut rng);
        let label = |(outcomes, chosen): &(Vec<Outcome<[i16; P]>>, u8)| {
            let mut label = hard(*chosen);
            (0..TOTAL).for_each(|_| label.shares[below(outcomes.len(), &mut rng)] += 1);
            label
        };
        let labels = problem.sets.iter().map(label).collect();
        let soft = Labelled { problem, labels };
        let reference = soft.reference();
        let share = |x: f64| x / TOTAL as f64;

        let beta = random_weights(&mut rng);
        let (found, wide) = (soft.expand(&beta), beta.map(f64::from));
        assert_close(
            &[found.value.into()],
            &[share(reference.value(&wide))],
            1e-5,
        );
        let slope = reference.gradient(&wide).map(share);
        assert_close(&found.gradient.map(f64::from), &slope, 1e-4);

        let fitted = soft.fit(random_weights(&mut rng)).beta().map(f64::from);
        let excess = share(reference.value(&fitted) - reference.value(&reference.minimum()));
        assert!(excess < 1e-4, "worse by {excess:e}");
    }
}

#[test]
fn if_one_action_has_all_shares_the_fit_is_that_to_it_to_the_bit() {
    let mut rng = rng(41);
    for _ in 0..PROBLEMS {
        let problem = random_problem(&mut rng);
        let (beta, start) = (random_weights(&mut rng), random_weights(&mut rng));
        let expected = problem.objective.expand(&beta, &problem, true);
        let mut fit = Fit::new(&start);
        while !fit.pass(&problem.objective, &problem) {}

        for share in [1, 100, FULL] {
            let label = |(_, chosen): &(_, u8)| {
                let mut label = hard(*chosen);
                label.shares[usize::from(*chosen)] = share;
                label
            };
            let labels = problem.sets.iter().map(label).collect();
            let soft = Labelled {
                problem: problem.clone(),
                labels,
            };
            assert_eq!(soft.expand(&beta), expected);
            assert_eq!(soft.fit(start), fit);
        }
    }
}

#[test]
fn a_label_without_shares_is_the_chosen_action() {
    let mut rng = rng(42);
    for _ in 0..PROBLEMS {
        let problem = random_problem(&mut rng);
        let beta = random_weights(&mut rng);
        let expected = problem.objective.expand(&beta, &problem, true);
        let labels = problem.sets.iter().map(|(_, chosen)| hard(*chosen));
        let labels = labels.collect();
        assert_eq!(Labelled { problem, labels }.expand(&beta), expected);
    }
}
