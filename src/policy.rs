//! Linear policies: take the legal action whose features weigh the most.
//!
//! Only the ratios of the weights matter, so a policy acts on integers: the real weights times a
//! common factor. The factor contains a power of two that is as large as the bounds of the features
//! allow, so that no score overflows. Simple ratios stay exact: under equal weights, two actions
//! whose real scores are equal have equal integer scores.

use crate::array::Array;
use crate::environment::{Action, Environment, Outcome, reach};
use crate::invalid::Invalid;
use crate::random::below;
use rand_core::Rng;

/// A linear policy over features of type `F`, π(s) = argmax β·φ(s, a), with ties broken uniformly at random.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Policy<F: Array<Item = i16>> {
    weights: F::Of<i32>,
}

impl<F: Array<Item = i16>> Policy<F> {
    /// The policy that takes every legal action with the same probability.
    #[inline(always)]
    pub fn random() -> Self {
        let weights = F::filled(0);
        Policy { weights }
    }

    /// The policy with the weights `beta` on the features of the task `E`.
    ///
    /// ```
    /// use ipse::prelude::*;
    /// use ipse::tetris::{BCTS, Tetris10x10};
    ///
    /// let policy = Policy::new::<Tetris10x10>(&BCTS)?;
    /// # Ok::<(), Invalid>(())
    /// ```
    pub fn new<E: Environment<Features = F>>(beta: &F::Of<f32>) -> Result<Self, Invalid> {
        let weights = in_units::<E>(beta);
        for (index, weight) in weights.as_ref().iter().enumerate() {
            if !weight.is_finite() {
                let beta = beta.as_ref().get(index).copied();
                let value = beta.unwrap_or(*weight);
                return Err(Invalid::real("weight", value, "a finite number").at(index));
            }
        }
        Ok(Self::scaled(weights, reach::<E>()).0)
    }

    /// The policy with finite weights on the features of the task `E`.
    pub(crate) fn of<E: Environment<Features = F>>(beta: &F::Of<f32>) -> Self {
        Self::scaled(in_units::<E>(beta), reach::<E>()).0
    }

    /// The policy with finite weights on integer features whose bounds sum up to less than `reach`, and the
    /// worth of one point of its score.
    pub(crate) fn scaled(weights: F::Of<f32>, reach: u32) -> (Self, f32) {
        // |Σ wᵢφᵢ| ≤ max |wᵢ| · Σ boundᵢ < 2³⁰, so that even the difference of two scores fits.
        let factor = (1u32 << 29u32.saturating_sub(reach.max(1).ilog2())) as f32;
        let weights = weights.as_ref();
        let largest = weights.iter().fold(0.0f32, |a, b| a.max(b.abs()));
        if largest == 0.0 {
            return (Self::random(), 0.0);
        }
        let mut weights = weights.iter();
        let scaled = F::from_fn(|_| {
            let weight = weights.next().copied().unwrap_or(0.0);
            nearest(weight / largest * factor)
        });
        (Policy { weights: scaled }, largest / factor)
    }

    /// The integers with which the policy weighs integer features.
    pub fn weights(&self) -> &F::Of<i32> {
        &self.weights
    }

    /// The score of an action with these features. Comparable to other scores of this policy only.
    #[inline(always)]
    pub fn score(&self, features: &F) -> i32 {
        let products = self
            .weights
            .as_ref()
            .iter()
            .zip(features.as_ref())
            .map(|(&w, &f)| w.wrapping_mul(f.into()));
        products.fold(0, i32::wrapping_add)
    }

    /// The action that the policy takes in `state`, or `None` if the state is terminal.
    // One copy is enough of what is mostly the task's own code.
    #[inline(never)]
    pub fn choose<E: Environment<Features = F>, R: Rng + ?Sized>(
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

    /// Like [`choose`](Self::choose), but if any action promises a reward, only those with the highest promise are
    /// considered: the rollout policy of LFD, from the paper's appendix.
    pub fn choose_reward_first<E: Environment<Features = F>, R: Rng + ?Sized>(
        &self,
        task: &E,
        state: &E::State,
        rng: &mut R,
    ) -> Option<Action> {
        let mut best = Best::new();
        task.outcomes(state, |outcome: Outcome<F>| {
            let key = (outcome.promise.max(0), self.score(&outcome.features));
            best.offer(key, outcome.action, rng);
        });
        best.choice()
    }
}

/// The weights of integer features.
fn in_units<E: Environment>(beta: &crate::PerFeature<E, f32>) -> crate::PerFeature<E, f32> {
    let features = E::FEATURES;
    let mut products = beta.as_ref().iter().zip(features.as_ref());
    E::Features::from_fn(|_| {
        let product = products.next();
        product.map_or(0.0, |(beta, feature)| beta * feature.unit)
    })
}

/// Out of line, since few chips have an instruction for it.
#[inline(never)]
fn nearest(number: f32) -> i32 {
    libm::rintf(number) as i32
}

/// The best of several offers; among equals each with the same probability. This is how a policy chooses, and what
/// random numbers it draws for it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Best<K, T> {
    leader: Option<(K, T)>,
    ties: u32,
}

impl<K: PartialOrd + Copy, T: Copy> Best<K, T> {
    /// Nothing was offered yet.
    #[allow(clippy::new_without_default, reason = "nothing needs one")]
    pub const fn new() -> Self {
        Best {
            leader: None,
            ties: 0,
        }
    }

    /// Offers `value`, which is worth `key`. Offers below the best so far draw no random number.
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

    /// The best of all offers, if there was any.
    pub fn choice(&self) -> Option<T> {
        self.leader.map(|(_, value)| value)
    }
}
