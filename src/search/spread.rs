//! The spread of each feature, and weights on its scale.
//!
//! A step of σ in every weight turns a feature that varies by a hundred among the actions of a state into nearly all of
//! the score, and one that varies by one into nothing. On the scale of spreads,
//!
//! weightᵢ = xᵢ / √(spreadᵢ / largest spread),
//!
//! where the search is for x, and the spread of a feature is its standard deviation among the actions of a state. The
//! ratio is taken as at least [`LEAST_RATIO`].

use crate::array::Array;
use crate::codec::Codec;
use crate::environment::{Environment, PerFeature};
use crate::invalid::Invalid;
use crate::math::sqrt;

/// The smallest ratio of a spread to the largest one that is told apart from a smaller one.
const LEAST_RATIO: f32 = 0.02;

/// The number of states in which spreads are measured.
pub const STATES: u16 = 200;

/// The variance of each feature among the actions of a state, summed over states. Zero as long as none was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Spreads<F: Array>(F::Of<f32>);

impl<F: Array<Item = i16>> Spreads<F> {
    pub fn none() -> Self {
        Spreads(F::filled(0.0))
    }

    /// Adds the variances in a state.
    #[inline(never)]
    pub fn add<E: Environment<Features = F>>(&mut self, task: &E, state: &E::State) {
        let mut count = 0i64;
        let (mut sums, mut squares) = (F::filled(0i64), F::filled(0i64));
        task.outcomes(state, |outcome| {
            count = count.wrapping_add(1);
            let features = outcome.features.as_ref().iter();
            let totals = sums.as_mut().iter_mut().zip(squares.as_mut());
            for (x, (sum, square)) in features.zip(totals) {
                let x = i64::from(*x);
                *sum = sum.wrapping_add(x);
                *square = square.wrapping_add(x.wrapping_mul(x));
            }
        });
        if count < 2 {
            return;
        }
        let squared_count = count.wrapping_mul(count) as f32;
        let totals = sums.as_ref().iter().zip(squares.as_ref());
        for (variance, (sum, square)) in self.0.as_mut().iter_mut().zip(totals) {
            // n Σx² − (Σx)² is n² times the variance, and exact.
            let exact = count.wrapping_mul(*square);
            let exact = exact.wrapping_sub(sum.wrapping_mul(*sum));
            *variance += exact as f32 / squared_count;
        }
    }

    /// What x is divided by for each weight: one if no spread was measured.
    #[inline(never)]
    pub fn divisors<E: Environment<Features = F>>(&self) -> PerFeature<E, f32> {
        let mut divisors = F::filled(1.0);
        if self.0.as_ref().iter().all(|variance| *variance == 0.0) {
            return divisors;
        }
        let features = E::FEATURES;
        let measured = self.0.as_ref().iter().zip(features.as_ref());
        let spreads = measured.map(|(variance, feature)| sqrt(*variance) * feature.unit.abs());
        let mut largest = 0.0f32;
        for (divisor, spread) in divisors.as_mut().iter_mut().zip(spreads) {
            *divisor = spread;
            largest = largest.max(spread);
        }
        for divisor in divisors.as_mut() {
            *divisor = sqrt((*divisor / largest).max(LEAST_RATIO));
        }
        divisors
    }

    pub fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        let mut variances = self.0.as_mut().iter_mut();
        variances.try_for_each(|variance| codec.f32("spread", variance))
    }

    /// Refuses variances that no features have.
    pub fn plausible(&self, is_measured: bool) -> Result<(), Invalid> {
        // No feature is farther than 2¹⁵ from the middle of its range.
        let most = match is_measured {
            true => f32::from(STATES) * (1u32 << 30) as f32,
            false => 0.0,
        };
        for (index, variance) in self.0.as_ref().iter().enumerate() {
            if !(*variance >= 0.0 && *variance <= most) {
                let allowed = "0 before it is measured, and then the sum of 200 variances";
                return Err(Invalid::real("spread", *variance, allowed).at(index));
            }
        }
        Ok(())
    }
}

/// The weights of which x is the search's own.
pub fn divided<F: Array>(x: &F::Of<f32>, divisors: &F::Of<f32>) -> F::Of<f32> {
    let mut both = x.as_ref().iter().zip(divisors.as_ref());
    F::from_fn(|_| both.next().map_or(0.0, |(x, divisor)| x / divisor))
}
