//! Vectors of sixteen values of 16 bits: short names for instructions, and what is made of them.

use bytemuck::must_cast;
pub use core::arch::x86_64::{
    __m256i as Vector, _mm_cvtsi32_si128, _mm256_add_epi8 as add8, _mm256_add_epi16 as add,
    _mm256_add_epi32 as add32, _mm256_and_si256 as and, _mm256_andnot_si256 as and_not,
    _mm256_blendv_epi8 as select, _mm256_cmpeq_epi16 as equal, _mm256_cmpeq_epi32 as equal32,
    _mm256_cmpgt_epi16 as greater, _mm256_cmpgt_epi32 as greater32, _mm256_madd_epi16 as products,
    _mm256_maddubs_epi16 as products8, _mm256_max_epi16 as max, _mm256_max_epi32 as max32,
    _mm256_movemask_epi8, _mm256_mullo_epi16 as times, _mm256_or_si256 as or,
    _mm256_set1_epi8 as all8, _mm256_set1_epi16 as all, _mm256_set1_epi32 as all32,
    _mm256_setzero_si256 as zero, _mm256_shuffle_epi8 as look_up, _mm256_sll_epi16,
    _mm256_slli_epi32, _mm256_srl_epi16, _mm256_srli_epi16, _mm256_sub_epi16 as sub,
    _mm256_testz_si256, _mm256_unpackhi_epi16 as upper, _mm256_unpacklo_epi16 as lower,
    _mm256_xor_si256 as xor,
};

/// All cells below the highest of a column, and that one.
#[target_feature(enable = "avx2")]
#[inline]
pub fn below(column: Vector) -> Vector {
    let mut below = or(column, _mm256_srli_epi16::<1>(column));
    below = or(below, _mm256_srli_epi16::<2>(below));
    below = or(below, _mm256_srli_epi16::<4>(below));
    or(below, _mm256_srli_epi16::<8>(below))
}

/// The lower and the upper half of each byte.
#[target_feature(enable = "avx2")]
#[inline]
pub fn nibbles(bytes: Vector) -> [Vector; 2] {
    let nibble = all8(0xf);
    [
        and(bytes, nibble),
        and(_mm256_srli_epi16::<4>(bytes), nibble),
    ]
}

/// A table to look up nibbles in.
#[derive(Clone, Copy)]
pub struct Table([u8; 32]);

impl Table {
    /// An instruction looks things up in each half of a vector by itself.
    pub const fn new(entries: [u8; 16]) -> Self {
        let mut table = [0; 32];
        let mut i = 0;
        while i < 32 {
            table[i] = entries[i % 16];
            i += 1;
        }
        Table(table)
    }

    /// The number of ones.
    pub const ONES: Table = Table::new([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]);

    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn of(self, nibbles: Vector) -> Vector {
        look_up(must_cast(self.0), nibbles)
    }
}

/// The number of ones in each byte.
#[target_feature(enable = "avx2")]
#[inline]
pub fn count8(cells: Vector) -> Vector {
    let [low, high] = nibbles(cells);
    add8(Table::ONES.of(low), Table::ONES.of(high))
}

/// The sum of the two bytes of each value.
#[target_feature(enable = "avx2")]
#[inline]
pub fn sum8(bytes: Vector) -> Vector {
    products8(bytes, all8(1))
}

/// The sum of 1 + 2 + … + k over all runs of k ones in wells of neighbouring columns. Wearing one cell off every run,
/// again and again, leaves k, k − 1, …, 1 cells of a run of k. Two neighbours are never wells in the same row, and are
/// counted as one.
#[target_feature(enable = "avx2")]
#[inline]
pub fn run_sum(wells: &mut [Vector]) -> Vector {
    let mut sum = zero();
    loop {
        let mut left = zero();
        for pair in wells.chunks_mut(2) {
            let both = pair.iter().fold(zero(), |both, well| or(both, *well));
            sum = add8(sum, count8(both));
            for well in pair {
                *well = and(*well, _mm256_srli_epi16::<1>(*well));
                left = or(left, *well);
            }
        }
        if is_zero(left) {
            return sum8(sum);
        }
    }
}

/// Returns whether all values are 0.
#[target_feature(enable = "avx2")]
#[inline]
pub fn is_zero(vector: Vector) -> bool {
    _mm256_testz_si256(vector, vector) == 1
}

/// The places of the values that are not 0.
#[target_feature(enable = "avx2")]
#[inline]
pub fn places(vector: Vector) -> Places {
    Places(!_mm256_movemask_epi8(equal(vector, zero())) as u32)
}

/// Places that are left, two bits each.
pub struct Places(u32);

impl Iterator for Places {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros() / 2;
        self.0 &= self.0.checked_sub(1)?;
        self.0 &= self.0.wrapping_sub(1);
        Some(place as usize)
    }
}

/// By a number that is a constant where this is inlined.
#[target_feature(enable = "avx2")]
#[inline]
pub fn shift_left(vector: Vector, by: u32) -> Vector {
    _mm256_sll_epi16(vector, _mm_cvtsi32_si128(by as i32))
}

#[target_feature(enable = "avx2")]
#[inline]
pub fn shift_right(vector: Vector, by: u32) -> Vector {
    _mm256_srl_epi16(vector, _mm_cvtsi32_si128(by as i32))
}
