//! Uniform draws, by integers alone.

use rand_core::Rng;

/// A uniform number below `n`, which is at most 256.
///
/// The upper 24 bits of a draw, scaled. Over all 2²⁴ of them no result comes up more than once more
/// often than another.
#[inline(always)]
pub fn below<R: Rng + ?Sized>(rng: &mut R, n: u32) -> u32 {
    (rng.next_u32() >> 8).wrapping_mul(n) >> 24
}

/// A uniform number from 1 to `most`, or 1 if that is 0.
pub fn up_to<R: Rng + ?Sized>(rng: &mut R, most: u16) -> u16 {
    let scaled = u64::from(rng.next_u32()).wrapping_mul(most.into());
    ((scaled >> 32) as u16).saturating_add(1)
}
