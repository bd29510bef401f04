//! The functions of real numbers of which a fit needs a few: from `libm`, or with the feature
//! `fast-math` from `micromath`, which gives up digits for speed. Neither asks the processor, so that
//! both are the same everywhere.

/// Always exact: a root that is wrong by some hundredths makes poor steps, and a fit by such steps
/// takes longer in the end.
pub use libm::sqrtf as sqrt;

#[cfg(not(feature = "fast-math"))]
pub use libm::{logf as ln, powf};

#[cfg(feature = "fast-math")]
pub use fast::{ln, powf};

#[cfg(feature = "fast-math")]
mod fast {
    use micromath::F32;

    /// Wrong by a thousandth at the most.
    pub fn ln(x: f32) -> f32 {
        F32(x).ln().0
    }

    pub fn powf(x: f32, exponent: f32) -> f32 {
        F32(x).powf(F32(exponent)).0
    }
}
