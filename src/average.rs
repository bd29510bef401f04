//! The mean of what an agent has learned in one iteration after another.
//!
//! A fit to the last choices is as noisy as they are; the mean of many fits is not. Only the ratios of
//! weights matter, so all are given the same length before.

use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::survival::{ROUNDING, normalise, squared_length};

/// A running mean of weights at unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Average<const P: usize> {
    mean: [f32; P],
    count: u32,
}

impl<const P: usize> Average<P> {
    /// Of nothing.
    pub const EMPTY: Self = Average {
        mean: [0.0; P],
        count: 0,
    };

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn mean(&self) -> &[f32; P] {
        &self.mean
    }

    /// Adds weights, unless they are all zero and say nothing. Once the count is at its end, old ones
    /// fade.
    pub fn add(&mut self, mut weights: [f32; P]) {
        if weights == [0.0; P] {
            return;
        }
        normalise(&mut weights);
        self.count = self.count.saturating_add(1);
        let share = 1.0 / self.count as f32;
        for (mean, weight) in self.mean.iter_mut().zip(weights) {
            *mean += (weight - *mean) * share;
        }
    }

    /// Whether it could be of so many iterations at the most.
    pub fn check(&self, iterations: u32) -> Result<(), Flaw> {
        // What is not a number is not within.
        let is_short = squared_length(&self.mean) <= 1.0 + ROUNDING;
        let is_mean = is_short && self.count <= iterations;
        let is_something = !self.is_empty() || self.mean == [0.0; P];
        Flaw::unless(is_mean && is_something, "an average that is none")
    }
}

impl<const P: usize> Bytes for Average<P> {
    const SIZE: usize = <[f32; P]>::SIZE.saturating_add(u32::SIZE);

    fn write(&self, to: &mut impl Sink) {
        self.mean.write(to);
        self.count.write(to);
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        Ok(Average {
            mean: Bytes::read(from)?,
            count: u32::read(from)?,
        })
    }
}
