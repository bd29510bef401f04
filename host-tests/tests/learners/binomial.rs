//! The binomial test against exact arithmetic, and where that is too slow, against what is known
//! of it.

use crate::rng;
use host_tests::reference::binomial::Tosses;
use ipse::learner::binomial::p_value;
use num_bigint::BigUint;
use rand_core::Rng;

/// Smaller probabilities may be taken for nothing.
const UNDERFLOW: f64 = 1e-28;

/// Calls `check` with every pair of counts up to 300 together: pro, con, the exact number of
/// sequences that are at least as one-sided, and the number of all sequences.
fn every_small_pair(mut check: impl FnMut(u32, u32, &BigUint, &BigUint)) {
    let mut tosses = Tosses::none();
    for n in 0..=300 {
        let all = BigUint::from(1u32) << n;
        for (pro, extreme) in (0..).zip(tosses.at_least_as_one_sided()) {
            check(pro, n - pro, &extreme, &all);
        }
        tosses.toss();
    }
}

/// Powers of two up to 2³⁰⁰ and what is below them fit into a double.
fn as_f64(x: &BigUint) -> f64 {
    x.to_string().parse().unwrap()
}

#[test]
fn p_values_agree_with_exact_arithmetic() {
    let mut worst = 0f64;
    every_small_pair(|pro, con, extreme, all| {
        let exact = as_f64(extreme) / as_f64(all);
        let found = f64::from(p_value(pro, con));
        if exact < UNDERFLOW {
            assert!(
                (0.0..2. * UNDERFLOW).contains(&found),
                "{pro} to {con}: {found:e}"
            );
        } else {
            worst = worst.max((found / exact - 1.).abs());
        }
    });
    println!("{worst:e}");
    assert!(worst < 2e-6, "the relative error reaches {worst:e}");
}

#[test]
fn no_decision_at_five_or_at_one_percent_is_wrong() {
    every_small_pair(|pro, con, extreme, all| {
        for percent in [5u32, 1] {
            let is_significant = extreme * 100u32 < all * percent;
            let is_found_to_be = p_value(pro, con) < percent as f32 / 100.;
            assert_eq!(
                is_found_to_be, is_significant,
                "{pro} to {con}, {percent} %"
            );
        }
    });
}

#[test]
fn a_coin_has_no_preferred_side() {
    let mut rng = rng(1);
    for (pro, con) in any_pairs(&mut rng) {
        assert_eq!(p_value(pro, con), p_value(con, pro), "{pro} to {con}");
    }
}

#[test]
fn a_p_value_is_a_probability_for_any_counts() {
    let mut rng = rng(2);
    let edges = [0, 1, 2, u32::MAX / 2, u32::MAX - 1, u32::MAX];
    let pairs = edges
        .into_iter()
        .flat_map(|pro| edges.map(|con| (pro, con)));
    for (pro, con) in pairs.chain(any_pairs(&mut rng)) {
        let p = p_value(pro, con);
        assert!((0.0..=1.0).contains(&p), "{p} for {pro} to {con}");
    }
}

#[test]
fn a_balance_that_tips_further_is_never_less_significant() {
    for n in 0..=300 {
        for pro in n / 2 + 1..=n {
            assert_tips(pro, n - pro);
        }
    }
    let mut rng = rng(3);
    for (pro, con) in any_pairs(&mut rng) {
        if pro != con {
            assert_tips(pro.max(con), pro.min(con));
        }
    }

    fn assert_tips(more: u32, less: u32) {
        let (tipped, before) = (p_value(more, less), p_value(more - 1, less + 1));
        assert!(
            tipped <= before,
            "{tipped:e} > {before:e} for {more} to {less}"
        );
    }
}

#[test]
fn a_million_votes_are_distributed_normally() {
    let half = 500_000;
    for surplus in [0, 1, 10, 100, 250, 500, 980, 1_000, 1_300, 2_000, 2_500] {
        // The standard deviation is 500, and a half is the correction for continuity.
        let z = (f64::from(surplus) - 0.5) / 500.;
        let expected = two_sided_tail(z).min(1.);
        let found = f64::from(p_value(half + surplus, half - surplus));
        assert!(
            (found / expected - 1.).abs() < 1e-3,
            "{found:e}, not {expected:e}, for a surplus of {surplus}"
        );
    }
}

/// The probability that a standard normal variable is at least `z` away from zero, by the
/// trapezoidal rule.
fn two_sided_tail(z: f64) -> f64 {
    const STEP: f64 = 1e-3;
    let density = |x: f64| (-x * x / 2.).exp() / (2. * std::f64::consts::PI).sqrt();
    let inner: f64 = (1..12_000).map(|i| density(z + f64::from(i) * STEP)).sum();
    2. * STEP * (density(z) / 2. + inner)
}

/// Pairs of all magnitudes, some nearly balanced.
fn any_pairs<R: Rng>(rng: &mut R) -> Vec<(u32, u32)> {
    let mut any = || rng.next_u32() >> (rng.next_u32() % 32);
    (0..100)
        .flat_map(|_| {
            let (pro, con) = (any(), any());
            let surplus = (f64::from(pro).sqrt() * f64::from(con % 8)) as u32;
            [(pro, con), (pro, pro.saturating_sub(surplus))]
        })
        .collect()
}
