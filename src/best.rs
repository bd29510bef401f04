//! The best of several offers, and the score by which actions are compared.

use crate::array::Array;
use crate::random::below;
use rand_core::Rng;

/// The score Σ wᵢφᵢ of integer features.
#[inline(always)]
pub(crate) fn score<F: Array<Item = i16>>(weights: &F::Of<i32>, features: &F) -> i32 {
    let pairs = weights.as_ref().iter().zip(features.as_ref());
    let products = pairs.map(|(&w, &f)| w.wrapping_mul(f.into()));
    products.fold(0, i32::wrapping_add)
}

/// The best of several offers; among equals each with the same probability.
///
/// A random number is drawn for each offer that ties with the best so far, and for no other.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Best<K, T> {
    leader: Option<(K, T)>,
    ties: u32,
}

impl<K: PartialOrd + Copy, T: Copy> Best<K, T> {
    /// No offer.
    #[allow(clippy::new_without_default, reason = "no offer is nobody's default")]
    pub const fn new() -> Self {
        Best {
            leader: None,
            ties: 0,
        }
    }

    /// Takes `value` if its key is higher than all before. If it is as high as the highest, draws which of them to keep.
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

    /// The highest key so far.
    pub fn key(&self) -> Option<K> {
        self.leader.map(|(key, _)| key)
    }

    /// The best so far.
    pub fn choice(&self) -> Option<T> {
        self.leader.map(|(_, value)| value)
    }
}
