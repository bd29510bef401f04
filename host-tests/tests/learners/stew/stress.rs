//! Thousands of small problems that nobody would wish for.

use super::{PASSES_MAX, Problem};
use crate::rng;
use host_tests::boards::below;
use ipse::learner::stew::Fit;
use rand_core::Rng;

const PROBLEMS: usize = if cfg!(debug_assertions) { 500 } else { 5_000 };

#[test]
fn a_fit_of_a_hostile_problem_ends_and_is_never_worse_than_before() {
    let mut rng = rng(20);
    for _ in 0..PROBLEMS {
        let range = pick(&[1, 3, 20, 300, i16::MAX], &mut rng);
        let lambda = pick(&[0., 1e-6, 0.05, 50., 1e3, 1e9, f32::INFINITY], &mut rng);
        hostile::<3, _>(range, lambda, &mut rng).fit(start(&mut rng));
        hostile::<8, _>(range, lambda, &mut rng).fit(start(&mut rng));
    }
}

#[test]
fn wherever_a_fit_starts_it_ends_at_the_minimum() {
    let mut rng = rng(21);
    for _ in 0..PROBLEMS {
        let range = pick(&[1, 3, 20], &mut rng);
        // At higher ones, single precision tells that weights are equal, but not how large.
        let lambda = pick(&[0., 1e-6, 1e-3, 0.05, 1., 50.], &mut rng);
        let problem = hostile::<4, _>(range, lambda, &mut rng);
        let reference = problem.reference();
        let minimum = reference.value(&reference.minimum());
        let fit = problem.fit(start(&mut rng));
        let found = reference.value(&fit.beta().map(f64::from));
        assert!(
            found <= minimum + 0.01 * minimum.max(1.),
            "{found}, not {minimum}, at the end of {fit:?} of {problem:?}"
        );
    }
}

/// What is returned where there is no penalty, as in early M-learning without regularisation. Choices that can be
/// explained perfectly have no minimum but for the ridge, and the last passes toward it gain next to nothing.
#[test]
fn a_fit_without_a_penalty_tells_whether_it_has_settled_and_explains_what_can_be_explained() {
    let mut rng = rng(22);
    let (mut settled, mut at_cap, mut furthest) = (0, 0, 0f64);
    for _ in 0..PROBLEMS {
        let range = pick(&[1, 3, 20], &mut rng);
        let problem = hostile::<8, _>(range, 0., &mut rng);
        let reference = problem.reference();
        let minimum = reference.minimum();
        let excess = |fit: &Fit<[i16; 8]>| {
            reference.value(&fit.beta().map(f64::from)) - reference.value(&minimum)
        };
        let elsewhere = problem.fit(start(&mut rng));
        assert!(
            !elsewhere.is_settled() || excess(&elsewhere) < 1e-3,
            "{elsewhere:?}"
        );
        let fit = problem.fit([0.; 8]);
        let excess = excess(&fit);
        let bound = if fit.is_settled() { 1e-3 } else { 0.02 };
        assert!(
            excess < bound,
            "{excess} above the minimum, at the end of {fit:?} of {problem:?}"
        );
        settled += usize::from(fit.is_settled());
        at_cap += usize::from(fit.passes() == PASSES_MAX);
        furthest = furthest.max(excess);
    }
    println!(
        "{settled} of {PROBLEMS} settled, {at_cap} ended at the last pass, {furthest:.1e} above the minimum at most"
    );
    assert!(
        settled > PROBLEMS / 2 && settled < PROBLEMS,
        "{settled} of {PROBLEMS}"
    );
}

/// A problem with features that are scattered over a range, or say all the same, or are mostly
/// absent, and choices that are arbitrary or perfectly consistent.
fn hostile<const P: usize, R: Rng>(range: i16, lambda: f32, rng: &mut R) -> Problem<P> {
    let kind = pick(&[scattered, collinear, sparse], rng);
    let is_consistent = below(2, rng) == 0;
    let mut sets = Vec::new();
    for _ in 0..below(12, rng) {
        let actions: Vec<_> = (0..=below(6, rng)).map(|_| kind(range, rng)).collect();
        let sum = |&i: &usize| actions[i].iter().map(|&x| i64::from(x)).sum::<i64>();
        let chosen = if is_consistent {
            (0..actions.len()).max_by_key(sum).unwrap()
        } else {
            below(actions.len(), rng)
        };
        sets.push((actions, chosen));
    }
    let sets: Vec<_> = sets.iter().map(|(actions, c)| (&actions[..], *c)).collect();
    let units = std::array::from_fn(|_| pick(&[1., 1., 0.5, -1., 0.], rng));
    let problem = Problem::new(lambda, &sets).with_units(units);
    problem.with_free(any_free(rng))
}

pub fn scattered<const P: usize, R: Rng>(range: i16, rng: &mut R) -> [i16; P] {
    std::array::from_fn(|_| within(range, rng))
}

fn collinear<const P: usize, R: Rng>(range: i16, rng: &mut R) -> [i16; P] {
    let x = within(range, rng);
    std::array::from_fn(|i| x / (1 + i as i16 % 3))
}

fn sparse<const P: usize, R: Rng>(range: i16, rng: &mut R) -> [i16; P] {
    std::array::from_fn(|_| pick(&[0, 0, 0, range, -range], rng))
}

fn start<const P: usize, R: Rng>(rng: &mut R) -> [f32; P] {
    let scale = pick(&[0., 0.01, 1., 30., 1e3], rng);
    std::array::from_fn(|_| scale * f32::from(within(1000, rng)) / 1000.)
}

/// Every feature is tied to the others, or one in three is free.
pub fn any_free<const P: usize, R: Rng>(rng: &mut R) -> [bool; P] {
    let has_free = below(2, rng) == 0;
    std::array::from_fn(|_| has_free && below(3, rng) == 0)
}

/// A random number from −range to range.
pub fn within<R: Rng>(range: i16, rng: &mut R) -> i16 {
    let range = i32::from(range);
    (below(2 * range as usize + 1, rng) as i32 - range) as i16
}

pub fn pick<T: Copy, R: Rng>(items: &[T], rng: &mut R) -> T {
    items[below(items.len(), rng)]
}
