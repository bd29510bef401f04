//! Linear policies: take the legal action whose features weigh the most.
//!
//! Only the ratio of the weights matters, so a policy acts on integers: the real weights times a
//! common factor. With a power of two in it that is as large as the task's bounds allow, no score
//! overflows, and simple ratios stay exact: under equal weights, scores that are equal on paper are
//! equal here, and ties remain ties.

use crate::environment::{Action, Environment, Outcome};
use crate::random::below;
use core::fmt;
use rand_core::Rng;

/// A linear policy over `P` features, π(s) = argmax β·φ(s, a), with ties broken uniformly at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Policy<const P: usize> {
    weights: [i32; P],
}

/// A weight that no policy can act on, since it is infinite or not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NotFinite {
    /// Which of the weights, counted from 0.
    pub index: usize,
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "weight {} is not a finite number",
            self.index.saturating_add(1)
        )
    }
}

impl core::error::Error for NotFinite {}

impl<const P: usize> Policy<P> {
    /// The policy that takes every legal action with the same probability.
    pub const RANDOM: Self = Policy { weights: [0; P] };

    /// The policy with the weights `beta` on the features of the task `E`.
    pub fn new<E: Environment<P, A>, const A: usize>(beta: &[f32; P]) -> Result<Self, NotFinite> {
        let products = beta
            .iter()
            .zip(E::UNITS)
            .map(|(weight, unit)| weight * unit);
        match products.into_iter().position(|weight| !weight.is_finite()) {
            Some(index) => Err(NotFinite { index }),
            None => Ok(Self::scaled(beta, &E::UNITS, &E::BOUNDS).0),
        }
    }

    /// The policy with finite weights on features in these units and within these bounds, and what
    /// one point of its score is worth in terms of β·φ.
    pub(crate) fn scaled(beta: &[f32; P], units: &[f32; P], bounds: &[i16; P]) -> (Self, f32) {
        // |Σ wᵢφᵢ| ≤ max |wᵢ| · Σ boundᵢ < 2³⁰, so that even the difference of two scores fits.
        let bound = bounds.iter().fold(1u32, |sum, bound| {
            sum.saturating_add(bound.unsigned_abs().into())
        });
        let factor = (1u32 << 29u32.saturating_sub(bound.ilog2())) as f32;
        let mut weights = [0.0; P];
        let mut largest = 0.0f32;
        for ((weight, beta), unit) in weights.iter_mut().zip(beta).zip(units) {
            *weight = beta * unit;
            largest = largest.max(weight.abs());
        }
        if largest == 0.0 {
            return (Self::RANDOM, 0.0);
        }
        let weights = weights.map(|weight| nearest(weight / largest * factor));
        (Policy { weights }, largest / factor)
    }

    /// The integers with which the policy weighs integer features.
    pub fn weights(&self) -> &[i32; P] {
        &self.weights
    }

    /// The score of an action with these features. Comparable to other scores of this policy only.
    #[inline(always)]
    pub fn score(&self, features: &[i16; P]) -> i32 {
        let products = self
            .weights
            .iter()
            .zip(features)
            .map(|(&w, &f)| w.wrapping_mul(f.into()));
        products.fold(0, i32::wrapping_add)
    }

    /// The action that the policy takes in `state`, or `None` if the state is terminal.
    // One copy is enough of what is mostly the task's own code.
    #[inline(never)]
    pub fn choose<E: Environment<P, A>, const A: usize, R: Rng + ?Sized>(
        &self,
        task: &E,
        state: &E::State,
        rng: &mut R,
    ) -> Option<Action> {
        let mut best = Best::new();
        task.outcomes(state, |outcome| {
            best.offer(self.score(&outcome.features), outcome.action, rng);
        });
        best.choice()
    }

    /// The same, but among the actions that promise the highest reward if any promises one: the
    /// rollout policy of LFD, from the paper's appendix.
    pub fn choose_reward_first<E: Environment<P, A>, const A: usize, R: Rng + ?Sized>(
        &self,
        task: &E,
        state: &E::State,
        rng: &mut R,
    ) -> Option<Action> {
        let mut best = Best::new();
        task.outcomes(state, |outcome: Outcome<P>| {
            let key = (outcome.reward.max(0), self.score(&outcome.features));
            best.offer(key, outcome.action, rng);
        });
        best.choice()
    }
}

/// Apart, since few chips have an instruction for it.
#[inline(never)]
fn nearest(number: f32) -> i32 {
    libm::rintf(number) as i32
}

/// The best of what is offered, one after the other; among equals each with the same probability.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Best<K, T> {
    leader: Option<(K, T)>,
    ties: u32,
}

impl<K: PartialOrd + Copy, T: Copy> Best<K, T> {
    pub const fn new() -> Self {
        Best {
            leader: None,
            ties: 0,
        }
    }

    #[inline(always)]
    pub fn offer<R: Rng + ?Sized>(&mut self, key: K, value: T, rng: &mut R) {
        match self.leader {
            Some((best, _)) if key < best => return,
            Some((best, _)) if key == best => self.ties = self.ties.wrapping_add(1),
            _ => self.ties = 1,
        }
        // Of n equals, the last replaces the one held so far with probability 1/n.
        if self.ties == 1 || below(rng, self.ties) == 0 {
            self.leader = Some((key, value));
        }
    }

    pub fn choice(&self) -> Option<T> {
        self.leader.map(|(_, value)| value)
    }
}
