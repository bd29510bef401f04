//! Sixteen words each of sixteen boards, and the weights of their policies, as vectors.
//!
//! In memory, what belongs to a board is side by side; in vectors, what is alike. So it is copied in pieces of eight
//! words and then transposed.

use super::WIDTH;
use super::score::Scales;
use super::vector::{Vector, lower, upper};
use crate::sheet::Weights;
use bytemuck::must_cast;

/// Eight words of sixteen boards: those of place p are half p / 8 of vector p % 8, since unpacking stays within halves.
type Eights = [[[u16; 8]; 2]; 8];

/// What was gathered so far.
pub struct Gathered {
    left: Eights,
    right: Eights,
    low: Eights,
    high: Eights,
}

impl Gathered {
    pub const NOTHING: Gathered = {
        const ZERO: Eights = [[[0; 8]; 2]; 8];
        Gathered {
            left: ZERO,
            right: ZERO,
            low: ZERO,
            high: ZERO,
        }
    };

    /// Ten columns, and six words more.
    #[inline]
    pub fn set(&mut self, place: usize, columns: [u16; WIDTH], more: [u16; 6], weights: &Weights) {
        let mut words = [0; 16];
        words[..WIDTH].copy_from_slice(&columns);
        words[WIDTH..].copy_from_slice(&more);
        let [left, right] = must_cast(words);
        let (vector, half) = (place % 8, place / 8 % 2);
        self.left[vector][half] = left;
        self.right[vector][half] = right;
        self.low[vector][half] = must_cast(weights.low);
        self.high[vector][half] = must_cast(weights.high);
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn words(&self) -> ([Vector; WIDTH], [Vector; 6]) {
        let [a, b, c, d, e, f, g, h] = transposed(must_cast(self.left));
        let [i, j, more @ ..] = transposed(must_cast(self.right));
        ([a, b, c, d, e, f, g, h, i, j], more)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn scales(&self) -> Scales {
        let [low, high] = [&self.low, &self.high].map(|words| {
            let [a, b, c, d, e, f, g, h] = transposed(must_cast(*words));
            [[a, b], [c, d], [e, f], [g, h]].map(|[a, b]| [lower(a, b), upper(a, b)])
        });
        Scales { low, high }
    }
}

/// Vector w of the result has word w of all places.
///
/// Take the number of a vector and that of a word within its half, three bits each, as one number of six bits. Each
/// round rotates it by one: the first bit of the vector's number becomes the last of the word's, and the first bit of
/// the word's number the last of the vector's.
#[target_feature(enable = "avx2")]
#[inline]
fn transposed(mut vectors: [Vector; 8]) -> [Vector; 8] {
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = vectors;
        vectors = [
            lower(a, e),
            upper(a, e),
            lower(b, f),
            upper(b, f),
            lower(c, g),
            upper(c, g),
            lower(d, h),
            upper(d, h),
        ];
    }
    vectors
}
