//! Why a policy acts as it does: the reasons for and against each action of a state, and which of them cancel.
//!
//! A reason for an action is a feature that contributes more to its score than to that of its best rival. The lab's
//! `explain` and the page show the same.
//!
//! ```
//! use ipse::prelude::*;
//! use ipse_ledger::{Ledger, Scale, judge};
//! use ipse_tasks::Foraging;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let state = Foraging.reset(&mut rng);
//! let judged = judge(&Foraging, &state, &[1.0, -0.5, -2.0]);
//! let best = &judged[0];
//! let ledger = Ledger::new(&best.reasons, Scale::of(best.reasons.iter().copied()));
//! assert!(ledger.balance() >= 0);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod sheet;

pub use sheet::{Ledger, Reason, Scale, total};

use ipse::Environment;
use ipse::environment::{Action, Outcome, PerFeature};
use serde::Serialize;

/// A legal action, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The action.
    #[serde(skip)]
    pub action: Action,
    /// The values of its features, in whole units.
    pub features: Vec<f64>,
    /// Weight times feature. Their sum is the score, which the policy compares.
    pub contributions: Vec<f64>,
    /// The sum of the contributions.
    pub score: f64,
    /// The rank of the action that it is held against, counted from 1, if there is another.
    pub against: Option<usize>,
    /// The contributions, less those of the action that it is held against.
    pub reasons: Vec<f64>,
    /// The sum of the reasons.
    pub balance: f64,
}

/// All legal actions of a state under some weights, the best first. The best is held against the second, and all others
/// against the best.
pub fn judge<E: Environment>(
    task: &E,
    state: &E::State,
    weights: &PerFeature<E, f32>,
) -> Vec<Judged> {
    let mut judged = Vec::new();
    task.outcomes(state, |outcome| {
        judged.push(Judged::new::<E>(&outcome, weights));
    });
    rank(&mut judged);
    judged
}

/// Sorts the best first, and holds each against its rival.
fn rank(judged: &mut [Judged]) {
    sort(judged, |a, b| a.score.total_cmp(&b.score).is_gt());
    let rivals: Vec<Vec<f64>> = judged
        .iter()
        .take(2)
        .map(|judged| judged.contributions.clone())
        .collect();
    for (rank, judged) in judged.iter_mut().enumerate() {
        let other = usize::from(rank == 0);
        if let Some(rival) = rivals.get(other) {
            judged.hold_against(rival, other + 1);
        }
    }
}

/// Sorts a few items, and leaves those that are equal in their order.
// By insertion: the sort of the standard library takes 3 KB of a module of the page for each type.
fn sort<T>(items: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && is_before(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

impl Judged {
    fn new<E: Environment>(outcome: &Outcome<E::Features>, weights: &PerFeature<E, f32>) -> Self {
        let known = E::FEATURES;
        let values = known.as_ref().iter().zip(outcome.features.as_ref());
        let features: Vec<f64> = values
            .map(|(feature, value)| f64::from(feature.unit) * f64::from(*value))
            .collect();
        let weighed = weights.as_ref().iter().zip(&features);
        let contributions: Vec<f64> = weighed
            .map(|(weight, feature)| f64::from(*weight) * feature)
            .collect();
        Judged {
            action: outcome.action,
            score: contributions.iter().sum(),
            against: None,
            reasons: vec![0.; features.len()],
            balance: 0.,
            features,
            contributions,
        }
    }

    fn hold_against(&mut self, rival: &[f64], rank: usize) {
        self.against = Some(rank);
        let pairs = self.contributions.iter().zip(rival);
        self.reasons = pairs.map(|(ours, theirs)| ours - theirs).collect();
        self.balance = self.reasons.iter().sum();
    }
}

#[cfg(test)]
mod tests {
    use super::sort;

    #[test]
    fn what_is_equal_stays_in_its_order() {
        for length in 0..12_u32 {
            let given = (0..length).map(|i| (i * i * 7 % 5, i));
            let mut sorted: Vec<(u32, u32)> = given.collect();
            let mut expected = sorted.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort(&mut sorted, |(a, _), (b, _)| a < b);
            assert_eq!(sorted, expected);
        }
    }
}
