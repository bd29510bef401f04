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

/// The whole part of a number that is not negative: what `as` makes of it.
#[inline(always)]
pub fn whole(x: f32) -> u32 {
    match IS_ARMV6M {
        true => whole_by_bits(x),
        false => x as u32,
    }
}

/// 2⁻ᵗ.
pub fn power_of_half(t: u32) -> u32 {
    let [first, others @ ..] = COEFFICIENTS;
    let mut tail = 0;
    for coefficient in others.into_iter().rev() {
        tail = times_fraction(coefficient.wrapping_sub(tail), t);
    }
    let whole = t >> EXPONENT_BITS;
    first.wrapping_sub(tail).checked_shr(whole).unwrap_or(0)
}

/// The product of a value below 2³¹ and the fraction of an exponent, rounded down.
#[inline(always)]
fn times_fraction(value: u32, t: u32) -> u32 {
    match IS_ARMV6M {
        true => by_half_words(value, t),
        false => by_words(value, t),
    }
}

/// Whether this is ARMv6-M, the only ARM without compare-and-swap. It has no long products and no floating point, and what
/// would be called instead takes three times as long as [`whole_by_bits`] and [`by_half_words`].
const IS_ARMV6M: bool = cfg!(all(target_arch = "arm", not(target_has_atomic = "32")));

/// The same as `as`, for numbers that are not negative.
#[inline(always)]
const fn whole_by_bits(x: f32) -> u32 {
    const FRACTION: u32 = f32::MANTISSA_DIGITS - 1;
    const ONE: u32 = 1.0f32.to_bits() >> FRACTION;
    const HIGHEST: u32 = u32::BITS - 1;
    let bits = x.to_bits();
    let mantissa = bits << (HIGHEST - FRACTION) | 1 << HIGHEST;
    match (bits >> FRACTION).wrapping_sub(ONE) {
        scale @ ..=HIGHEST => mantissa >> HIGHEST.wrapping_sub(scale),
        _ if x >= 1.0 => u32::MAX,
        _ => 0,
    }
}

#[inline(always)]
const fn by_words(value: u32, t: u32) -> u32 {
    let fraction = t << (u32::BITS - EXPONENT_BITS);
    ((value as u64).wrapping_mul(fraction as u64) >> u32::BITS) as u32
}

/// The same by four products, none of which has more than 32 bits. Since the value is below 2³¹ and the fraction below
/// 2²⁴, neither has the sum of those in the middle.
#[inline(always)]
const fn by_half_words(value: u32, t: u32) -> u32 {
    let (high, low) = (value >> 16, value & 0xffff);
    let (above, below) = (t >> 16 & 0xff, t & 0xffff);
    let middle = high
        .wrapping_mul(below)
        .wrapping_add(low.wrapping_mul(above))
        .wrapping_add(low.wrapping_mul(below) >> 16);
    (high.wrapping_mul(above) << 8).wrapping_add(middle >> 8)
}

// Both give the same product: for the largest value and for others, with fractions of every size.
const _: () = {
    let mut t = u32::MAX;
    while t != 0 {
        let largest = u32::MAX >> 1;
        let other = t.wrapping_mul(2_654_435_769) >> 1;
        assert!(by_words(largest, t) == by_half_words(largest, t));
        assert!(by_words(other, t) == by_half_words(other, t));
        t = t.saturating_sub(t >> 4 | 1);
    }
};

// And the same whole part, of numbers of every size.
const _: () = {
    let mut bits = 0;
    while bits <= f32::INFINITY.to_bits() {
        let x = f32::from_bits(bits);
        assert!(whole_by_bits(x) == x as u32);
        bits += 0x0012_3457;
    }
    assert!(whole_by_bits(f32::NAN) == 0);
};
