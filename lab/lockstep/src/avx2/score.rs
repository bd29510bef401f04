//! The scores of sixteen placements.

use super::vector::{_mm256_slli_epi32, Vector, add32, lower, products, upper, zero};
use crate::sheet::Known;

/// The features of sixteen placements.
pub struct Features {
    pub landing: Vector,
    pub known: [Vector; Known::LEN],
    pub wells: Vector,
    pub rows_with_holes: Vector,
    pub eroded: Vector,
}

/// The weights of sixteen policies, cut as in [`Weights`](crate::sheet::Weights): two in each 32 bits; for each pair,
/// the lanes of both halves.
pub struct Scales {
    pub low: [[Vector; 2]; 4],
    pub high: [[Vector; 2]; 4],
}

impl Scales {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn weigh(&self, features: &Features) -> [Vector; 2] {
        let [rows, columns, holes, depth] = features.known;
        let pairs = [
            [features.landing, rows],
            [columns, holes],
            [features.wells, depth],
            [features.rows_with_holes, features.eroded],
        ];
        let (mut low, mut high) = ([zero(); 2], [zero(); 2]);
        for (i, [a, b]) in pairs.into_iter().enumerate() {
            for (half, pair) in [lower(a, b), upper(a, b)].into_iter().enumerate() {
                low[half] = add32(low[half], products(pair, self.low[i][half]));
                high[half] = add32(high[half], products(pair, self.high[i][half]));
            }
        }
        [
            add32(_mm256_slli_epi32::<15>(high[0]), low[0]),
            add32(_mm256_slli_epi32::<15>(high[1]), low[1]),
        ]
    }
}
