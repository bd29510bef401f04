//! The core's derivatives against finite differences of the reference's value.

use super::stress::{any_free, scattered, within};
use super::{Problem, largest};
use crate::rng;
use host_tests::boards::below;
use host_tests::reference::logit;
use rand_core::Rng;

const P: usize = 4;
const PROBLEMS: usize = 200;
/// How far apart the values are from which a derivative is taken.
const H: f64 = 1e-4;

#[test]
fn the_gradient_agrees_with_finite_differences() {
    for_random_problems(|problem, beta| {
        let reference = problem.reference();
        let slope = gradient(&reference, &beta.map(f64::from));
        let found = problem.objective.expand(beta, problem, true).gradient;
        assert_close(&found.map(f64::from), &slope, 1e-4);
        assert_close(&reference.gradient(&beta.map(f64::from)), &slope, 1e-6);
    });
}

#[test]
fn the_hessian_agrees_with_finite_differences() {
    for_random_problems(|problem, beta| {
        let reference = problem.reference();
        let curvature = hessian(&reference, &beta.map(f64::from));
        let found = problem.objective.expand(beta, problem, true).hessian;
        // The core fills the lower triangle only, and is content if curvature is about right.
        let whole: [[f64; P]; P] =
            std::array::from_fn(|i| std::array::from_fn(|j| found[i.max(j)][i.min(j)].into()));
        assert_close(whole.as_flattened(), curvature.as_flattened(), 2e-3);
        let analytic = reference.hessian(&beta.map(f64::from));
        assert_close(analytic.as_flattened(), curvature.as_flattened(), 1e-5);
    });
}

#[test]
fn the_value_agrees_with_the_reference() {
    for_random_problems(|problem, beta| {
        let value = problem.reference().value(&beta.map(f64::from));
        let found = problem.objective.expand(beta, problem, true).value;
        assert_close(&[found.into()], &[value], 1e-5);
    });
}

fn for_random_problems(check: impl Fn(&Problem<P>, &[f32; P])) {
    let mut rng = rng(30);
    for _ in 0..PROBLEMS {
        let mut sets = Vec::new();
        for _ in 0..1 + below(8, &mut rng) {
            let actions: Vec<_> = (0..=below(6, &mut rng))
                .map(|_| scattered(5, &mut rng))
                .collect();
            let chosen = below(actions.len(), &mut rng);
            sets.push((actions, chosen));
        }
        let sets: Vec<_> = sets.iter().map(|(actions, c)| (&actions[..], *c)).collect();
        let lambda = f32::from(within(100, &mut rng).max(0)) / 50.;
        let problem = Problem::new(lambda, &sets).with_units([1., -0.5, 0., -2.]);
        let problem = problem.with_free(any_free(&mut rng));
        check(&problem, &random_weights(&mut rng));
    }
}

fn random_weights<R: Rng>(rng: &mut R) -> [f32; P] {
    std::array::from_fn(|_| f32::from(within(100, rng)) / 100.)
}

fn gradient(problem: &logit::Problem<P>, beta: &[f64; P]) -> [f64; P] {
    std::array::from_fn(|i| {
        let at = |h| problem.value(&moved(beta, i, h));
        (at(H) - at(-H)) / (2. * H)
    })
}

fn hessian(problem: &logit::Problem<P>, beta: &[f64; P]) -> [[f64; P]; P] {
    let second = |i, j| {
        let at = |h, k| problem.value(&moved(&moved(beta, i, h), j, k));
        (at(H, H) - at(H, -H) - at(-H, H) + at(-H, -H)) / (4. * H * H)
    };
    std::array::from_fn(|i| std::array::from_fn(|j| second(i, j)))
}

fn moved(beta: &[f64; P], i: usize, by: f64) -> [f64; P] {
    let mut beta = *beta;
    beta[i] += by;
    beta
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    let off: Vec<f64> = found.iter().zip(expected).map(|(f, e)| f - e).collect();
    assert!(
        largest(&off) <= tolerance * largest(expected).max(1.),
        "{found:?}, not {expected:?}"
    );
}
