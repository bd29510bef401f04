//! The functions of real numbers that a fit needs: from `libm`, or with the feature `fast-math` from
//! `micromath`, which gives up digits for speed. Neither asks the processor, so that both give the same bits
//! everywhere.

/// Always exact: a root that is wrong by some hundredths makes poor steps, and a fit takes more of them.
pub use libm::sqrtf as sqrt;

/// Whether the bits are those of `micromath`.
pub const IS_FAST: bool = cfg!(feature = "fast-math");

/// The natural logarithm.
// Out of line, since it is needed in several places, and rarely.
#[inline(never)]
pub fn ln(x: f32) -> f32 {
    #[cfg(not(feature = "fast-math"))]
    return libm::logf(x);
    // Wrong by a thousandth at the most.
    #[cfg(feature = "fast-math")]
    return micromath::F32(x).ln().0;
}

/// x to the power of an exponent, for x of at least 1 and an exponent of at least 0.
///
/// By multiplication for its whole part and by roots for the bits of its fraction: root after root is x to the power
/// of 1/2, 1/4, 1/8, … Each step increases with x even after rounding, so that the power does, too.
#[inline(never)]
pub fn power(x: f32, exponent: f32) -> f32 {
    // Nothing but 1 has a finite power beyond this.
    let exponent = exponent.min(128.0);
    let whole = exponent as u32;
    let mut power = (0..whole).fold(1.0, |power, _| power * x);
    let mut fraction = exponent - whole as f32;
    let mut root = x;
    for _ in 0..f32::MANTISSA_DIGITS {
        root = sqrt(root);
        fraction *= 2.0;
        if fraction >= 1.0 {
            fraction -= 1.0;
            power *= root;
        }
    }
    power
}

/// The most that rounding can do to the square of a length of one.
pub const ROUNDING: f32 = 0.001;

pub fn squared_length(vector: &[f32]) -> f32 {
    vector.iter().map(|x| x * x).sum()
}

/// Gives a vector the length one, unless it is zero.
pub fn normalise(vector: &mut [f32]) {
    let length = libm::sqrtf(squared_length(vector));
    if length > 0.0 {
        for x in vector {
            *x /= length;
        }
    }
}
