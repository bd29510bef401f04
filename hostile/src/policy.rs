//! Policies with any weights.

use crate::bytes::Bytes;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::{FEATURES, Tetris10x10};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

const UNITS: [f32; FEATURES] = <Tetris10x10 as Environment<FEATURES, _>>::UNITS;

/// A policy is refused if a weight is not finite. Otherwise it takes an action that weighs the most, but
/// for what rounding to integers costs.
pub fn policy(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let beta: [f32; FEATURES] = std::array::from_fn(|_| bytes.likely(&[0.0, 1.0, -1.0]));
    let state = bytes.state();
    let task = Tetris10x10::new(bytes.rule());
    let rng = &mut XorShiftRng::seed_from_u64(bytes.word().into());

    let Ok(policy) = Policy::new::<Tetris10x10, _>(&beta) else {
        assert!(beta.iter().any(|weight| !weight.is_finite()), "{beta:?}");
        return;
    };
    assert!(beta.iter().all(|weight| weight.is_finite()), "{beta:?}");
    let outcomes = task.list(&state);
    let choice = policy.choose(&task, &state, rng);
    assert_eq!(choice.is_none(), outcomes.is_empty());
    let reward_first = policy.choose_reward_first(&task, &state, rng);
    assert_eq!(reward_first.is_none(), outcomes.is_empty());

    // What is smaller than any normal number may be lost.
    let weights: [f64; FEATURES] =
        std::array::from_fn(|i| f64::from(beta[i]) * f64::from(UNITS[i]));
    let largest = weights.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
    if largest < f32::MIN_POSITIVE.into() {
        return;
    }
    let score = |features: &[i16; FEATURES]| -> f64 {
        let products = weights.iter().zip(features);
        products.map(|(w, &f)| w / largest * f64::from(f)).sum()
    };
    let best = outcomes
        .iter()
        .map(|o| score(&o.features))
        .fold(f64::MIN, f64::max);
    if let Some(chosen) = outcomes.iter().find(|o| Some(o.action) == choice) {
        let lost = best - score(&chosen.features);
        assert!(
            lost < 1e-2,
            "{lost} lost by {policy:?} of {beta:?} in {state:?}"
        );
    }
}
