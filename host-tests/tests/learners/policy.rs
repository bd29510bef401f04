//! Policies on integers: what is rounded, and what must not be.

use crate::rng;
use crate::stew::stress::within;
use ipse::prelude::*;

const P: usize = 4;
const UNITS: [f32; P] = [0.5, 1., 1., 1.];

/// Features within a bound, the first in halves, and nothing to do.
struct Within<const BOUND: i16>;

impl<const BOUND: i16> Environment for Within<BOUND> {
    type State = ();
    type Features = [i16; P];
    type Actions = [Action; 1];
    const NAME: &'static str = "within";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("a", BOUND).unit(UNITS[0]),
        Feature::new("b", BOUND).unit(UNITS[1]),
        Feature::new("c", BOUND).unit(UNITS[2]),
        Feature::new("d", BOUND).unit(UNITS[3]),
    ];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) {}
    fn outcomes(&self, (): &(), _: impl FnMut(Outcome<[i16; P]>)) {}
    fn step<R: Rng + ?Sized>(&self, (): &(), _: Action, _: &mut R) -> ((), i16) {
        ((), 0)
    }
}

fn policy<const BOUND: i16>(beta: &[f32; P]) -> Policy<[i16; P]> {
    Policy::new::<Within<BOUND>>(beta).unwrap()
}

fn random_weights<R: Rng>(rng: &mut R) -> [f32; P] {
    std::array::from_fn(|_| f32::from(within(10_000, rng)) / 7.)
}

#[test]
fn integer_weights_keep_the_ratio_of_the_real_ones() {
    let mut rng = rng(60);
    for _ in 0..1_000 {
        let beta = random_weights(&mut rng);
        in_proportion(&beta, &policy::<1>(&beta));
        in_proportion(&beta, &policy::<300>(&beta));
        in_proportion(&beta, &policy::<{ i16::MAX }>(&beta));
    }

    fn in_proportion(beta: &[f32; P], policy: &Policy<[i16; P]>) {
        let exact: [f64; P] = std::array::from_fn(|i| f64::from(beta[i]) * f64::from(UNITS[i]));
        let found = policy.weights().map(f64::from);
        let heaviest = (0..P).max_by(|&i, &j| exact[i].abs().total_cmp(&exact[j].abs()));
        let scale = found[heaviest.unwrap()] / exact[heaviest.unwrap()];
        assert!(scale > 0.);
        for (found, exact) in found.iter().zip(exact) {
            // Half a unit is rounding to integers, the rest is single precision.
            let rounding = 0.5 + 2f64.powi(-22) * (exact * scale).abs();
            assert!(
                (found - exact * scale).abs() <= rounding,
                "{beta:?}, {policy:?}"
            );
        }
    }
}

#[test]
fn the_length_of_the_weights_does_not_matter() {
    let mut rng = rng(61);
    for _ in 0..1_000 {
        let beta = random_weights(&mut rng);
        for length in [2f32.powi(-100), 0.5, 2., 2f32.powi(100)] {
            let stretched = beta.map(|b| b * length);
            assert_eq!(policy::<300>(&stretched), policy::<300>(&beta));
        }
    }
}

#[test]
fn under_equal_weights_scores_compare_as_in_exact_arithmetic() {
    let mut rng = rng(62);
    let mut ties = 0;
    for _ in 0..20_000 {
        let directions: [i16; P] = std::array::from_fn(|_| within(1, &mut rng));
        let policy = policy::<40>(&directions.map(f32::from));
        let one: [i16; P] = std::array::from_fn(|_| within(40, &mut rng));
        let other: [i16; P] = std::array::from_fn(|_| within(40, &mut rng));
        // Twice what it is worth, since the first feature comes in halves.
        let worth = |features: &[i16; P]| {
            let [halves, a, b, c] = std::array::from_fn(|i| directions[i] * features[i]);
            halves + 2 * (a + b + c)
        };
        let exact = worth(&one).cmp(&worth(&other));
        let found = policy.score(&one).cmp(&policy.score(&other));
        assert_eq!(found, exact, "{one:?} and {other:?} in {directions:?}");
        ties += u32::from(exact.is_eq());
    }
    assert!(ties > 100);
}

#[test]
fn no_score_overflows_within_the_bounds() {
    let mut rng = rng(63);
    for _ in 0..1_000 {
        let beta = random_weights(&mut rng);
        for_bound::<1>(&beta, &mut rng);
        for_bound::<300>(&beta, &mut rng);
        for_bound::<{ i16::MAX }>(&beta, &mut rng);
    }

    fn for_bound<const BOUND: i16>(beta: &[f32; P], rng: &mut impl Rng) {
        let policy = policy::<BOUND>(beta);
        let worst = beta.map(|b| if b < 0. { -BOUND } else { BOUND });
        let best = worst.map(|x| -x);
        let random = std::array::from_fn(|_| within(BOUND, rng));
        let exact = |features: [i16; P]| -> i64 {
            let products = policy.weights().iter().zip(features);
            products.map(|(&w, x)| i64::from(w) * i64::from(x)).sum()
        };
        for features in [worst, best, random] {
            assert_eq!(i64::from(policy.score(&features)), exact(features));
        }
        assert!(i32::try_from(exact(worst) - exact(best)).is_ok());
    }
}

#[test]
fn integer_weights_are_as_fine_as_the_bounds_allow() {
    let heaviest =
        |policy: Policy<[i16; P]>| policy.weights().iter().map(|w| w.abs()).max().unwrap();
    let beta = [1., -3., 2., 0.1];
    let reach = |heaviest: i32, bound: i64| i64::from(heaviest) * bound * P as i64;
    assert!(reach(heaviest(policy::<1>(&beta)), 1) >= 1 << 28);
    assert!(reach(heaviest(policy::<300>(&beta)), 300) >= 1 << 28);
    let largest = heaviest(policy::<{ i16::MAX }>(&beta));
    assert!(reach(largest, i16::MAX.into()) >= 1 << 28);
}

#[test]
fn a_weight_that_is_not_finite_is_refused() {
    for (weight, name) in [
        (f32::NAN, "not a number"),
        (f32::INFINITY, "infinity"),
        (f32::NEG_INFINITY, "-infinity"),
    ] {
        for index in 0..P {
            let mut beta = [1.; P];
            beta[index] = weight;
            let refusal = Policy::new::<Within<1>>(&beta).unwrap_err();
            assert_eq!((refusal.field(), refusal.index()), ("weight", Some(index)));
            let expected = format!("weight[{index}] ({name}) must be a finite number");
            assert_eq!(refusal.to_string(), expected);
        }
    }
}

#[test]
fn without_weights_a_policy_is_random() {
    assert_eq!(policy::<300>(&[0.; P]), Policy::random());
    assert_eq!(policy::<300>(&[-0.; P]), Policy::random());
}
