//! The exponential function by integers alone.
//!
//! A fit needs it for every action of every choice set. Without floating point in hardware that would
//! take most of its time, and like this it is the same on every processor by construction.

/// Fractional bits of an exponent.
const EXPONENT_BITS: u32 = 24;
/// One, as an exponent.
pub const EXPONENT_ONE: f32 = (1 << EXPONENT_BITS) as f32;
/// Fractional bits of a power.
pub const POWER_BITS: u32 = 31;

/// The polynomial of degree 5 that is closest to 2⁻ᶠ for f from 0 to 1, with alternating signs: its
/// relative error is below 2⁻²³ everywhere (found by Remez' algorithm).
const COEFFICIENTS: [u32; 6] = [
    2_147_483_487,
    1_488_511_653,
    515_765_849,
    118_712_300,
    19_732_393,
    2_016_033,
];

/// 2⁻ᵗ.
pub fn power_of_half(t: u32) -> u32 {
    let whole = t >> EXPONENT_BITS;
    let fraction = u64::from(t << (u32::BITS - EXPONENT_BITS));
    let [first, others @ ..] = COEFFICIENTS;
    let mut tail = 0;
    for coefficient in others.into_iter().rev() {
        tail = multiply(coefficient.wrapping_sub(tail), fraction);
    }
    first.wrapping_sub(tail).checked_shr(whole).unwrap_or(0)
}

/// The product with a fraction of 32 bits.
fn multiply(value: u32, fraction: u64) -> u32 {
    (u64::from(value).wrapping_mul(fraction) >> u32::BITS) as u32
}
