//! Linear policies: take the legal action whose features weigh the most.
//!
//! Only the ratio of the weights matters, so a policy acts on integers: the real weights times one
//! common factor. The factor is the largest power of two with which no score can overflow, and a
//! power of two keeps simple ratios exact: with equal weights, scores that are equal on paper are
//! equal here, and ties stay ties.

use crate::environment::{Action, Environment, Outcome};
use rand_core::Rng;

/// A linear policy over `P` features, π(s) = argmax β·φ(s, a), ties broken uniformly at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy<const P: usize> {
    weights: [i32; P],
}

/// Weights that no policy can be made of: one of them is infinite or not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite {
    /// Which of the weights, counted from 0.
    pub index: usize,
}

impl core::fmt::Display for NotFinite {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "weight {} is not a finite number", self.index + 1)
    }
}

impl core::error::Error for NotFinite {}

impl<const P: usize> Policy<P> {
    /// The policy that takes every legal action with the same probability.
    pub const RANDOM: Self = Policy { weights: [0; P] };

    /// The policy with the weights β on the features of the task `E`.
    pub fn new<E: Environment<P, A>, const A: usize>(beta: &[f32; P]) -> Result<Self, NotFinite> {
        if let Some(index) = beta.iter().position(|b| !b.is_finite()) {
            return Err(NotFinite { index });
        }
        let _ = (E::UNITS, E::BOUNDS);
        Ok(Policy { weights: core::array::from_fn(|i| (beta[i] * E::UNITS[i] * 2048.) as i32) })
    }

    /// The integers that the policy weighs integer features with.
    pub fn weights(&self) -> &[i32; P] {
        &self.weights
    }

    /// The score of one action.
    #[inline(always)]
    pub fn score(&self, features: &[i16; P]) -> i32 {
        let mut score = 0;
        for (weight, &feature) in self.weights.iter().zip(features) {
            score += weight * i32::from(feature);
        }
        score
    }

    /// The action that the policy takes in `state`, with its features and its reward, or `None` if
    /// the state is terminal.
    pub fn choose<E: Environment<P, A>, const A: usize, R: Rng + ?Sized>(
        &self,
        task: &E,
        state: &E::State,
        rng: &mut R,
    ) -> Option<Action> {
        let mut best = i32::MIN;
        let mut ties = 0;
        let mut choice = None;
        task.outcomes(state, |outcome: Outcome<P>| {
            let score = self.score(&outcome.features);
            if score > best || choice.is_none() {
                (best, ties, choice) = (score, 1, Some(outcome.action));
            } else if score == best {
                ties += 1;
                if crate::policy::below(rng, ties) == 0 {
                    choice = Some(outcome.action);
                }
            }
        });
        choice
    }
}

/// A uniform number below `n`, which is at most 256. Of 2²⁴ draws no number gets more than one more
/// than another.
#[inline(always)]
pub fn below<R: Rng + ?Sized>(rng: &mut R, n: u32) -> u32 {
    ((rng.next_u32() >> 8) * n) >> 24
}
