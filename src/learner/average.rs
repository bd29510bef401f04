//! The mean of the weights of one iteration after another.
//!
//! A fit to the last choices is as noisy as they are; the mean of many fits is not. Only the ratios of weights
//! matter, so each is scaled to unit length first.

use crate::array::Array;
use crate::codec::Codec;
use crate::invalid::Invalid;
use crate::math::{ROUNDING, normalise, squared_length};

/// A running mean of weights at unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Average<F: Array> {
    mean: F::Of<f32>,
    count: u32,
}

impl<F: Array> Average<F> {
    /// The bits that it is written in.
    pub(crate) const BITS: usize = 32usize.saturating_mul(F::LEN.saturating_add(1));

    /// The mean of nothing.
    pub fn empty() -> Self {
        Average {
            mean: F::filled(0.0),
            count: 0,
        }
    }

    /// Returns whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The mean.
    pub fn mean(&self) -> &F::Of<f32> {
        &self.mean
    }

    /// Adds weights, unless they are all zero and say nothing. Once the count has reached its maximum, old ones
    /// fade.
    pub fn add(&mut self, mut weights: F::Of<f32>) {
        let weights = weights.as_mut();
        if weights.iter().all(|weight| *weight == 0.0) {
            return;
        }
        normalise(weights);
        self.count = self.count.saturating_add(1);
        let share = 1.0 / self.count as f32;
        for (mean, weight) in self.mean.as_mut().iter_mut().zip(weights) {
            *mean += (*weight - *mean) * share;
        }
    }

    pub(crate) fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        for mean in self.mean.as_mut() {
            codec.f32("average", mean)?;
        }
        codec.u32("average.count", &mut self.count, 0..=u32::MAX)
    }

    /// Refuses what is not the mean of at most so many iterations.
    pub(crate) fn plausible(&self, iterations: u32) -> Result<(), Invalid> {
        Invalid::outside("average.count", self.count, 0, iterations)?;
        let squared = squared_length(self.mean.as_ref());
        // The mean of nothing is zero, and that of weights at unit length is no longer than one.
        let longest = if self.is_empty() { 0.0 } else { 1.0 + ROUNDING };
        match squared <= longest {
            true => Ok(()),
            false => Err(Invalid::real(
                "squared length of the average",
                squared,
                "at most 1, and 0 before there is an average",
            )),
        }
    }
}
