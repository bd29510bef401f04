//! Policies with any weights.

use crate::bytes::Bytes;
use crate::checks::one_line;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::Tetris10x10;
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// A policy is refused if a weight is not finite. Otherwise it takes an action with the highest score, but for
/// what rounding to integers costs.
pub fn policy(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let beta = std::array::from_fn(|_| bytes.likely(&[0.0, 1.0, -1.0]));
    let state = bytes.state();
    let task = Tetris10x10::new(bytes.rule());
    let rng = &mut XorShiftRng::seed_from_u64(bytes.word().into());

    let is_finite = beta.iter().all(|weight: &f32| weight.is_finite());
    let policy = match Policy::new::<Tetris10x10>(&beta) {
        Ok(policy) => policy,
        Err(error) => {
            assert!(!is_finite, "{beta:?}");
            return one_line(error);
        }
    };
    assert!(is_finite, "{beta:?}");
    let outcomes = task.list(&state);
    let choice = policy.choose(&task, &state, rng);
    assert_eq!(choice.is_none(), outcomes.is_empty());
    let reward_first = policy.choose_reward_first(&task, &state, rng);
    assert_eq!(reward_first.is_none(), outcomes.is_empty());

    let mut units = Tetris10x10::FEATURES.iter().map(|feature| feature.unit);
    let weights = beta.map(|beta| f64::from(beta) * f64::from(units.next().unwrap_or(0.0)));
    let largest = weights.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
    // What is smaller than any normal number may be lost.
    if largest < f32::MIN_POSITIVE.into() {
        return;
    }
    let score = |features: &[i16; 8]| -> f64 {
        let products = weights.iter().zip(features);
        products.map(|(w, &f)| w / largest * f64::from(f)).sum()
    };
    let scores = outcomes.iter().map(|outcome| score(&outcome.features));
    let best = scores.fold(f64::MIN, f64::max);
    if let Some(chosen) = outcomes.iter().find(|o| Some(o.action) == choice) {
        let lost = best - score(&chosen.features);
        assert!(lost < 1e-2, "{lost} lost by {policy:?} of {beta:?}");
    }
}
