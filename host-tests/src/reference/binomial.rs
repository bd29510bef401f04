//! The two-sided binomial test with probability one half, in exact arithmetic.

use num_bigint::BigUint;

/// The sequences of some number of tosses of a coin, counted by their heads.
pub struct Tosses {
    by_heads: Vec<BigUint>,
}

impl Tosses {
    /// Before the first toss there is one sequence, without heads.
    pub fn none() -> Self {
        Tosses {
            by_heads: vec![BigUint::from(1u32)],
        }
    }

    /// Tosses once more: a sequence with j heads grows out of one with j or one with j − 1.
    pub fn toss(&mut self) {
        self.by_heads.push(BigUint::ZERO);
        for j in (1..self.by_heads.len()).rev() {
            let fewer = self.by_heads[j - 1].clone();
            self.by_heads[j] += fewer;
        }
    }

    /// The number of tosses.
    pub fn count(&self) -> usize {
        self.by_heads.len() - 1
    }

    /// How many of the 2ⁿ sequences are at least as one-sided as one with so many heads, for every
    /// number of heads. Divided by 2ⁿ, that is the p-value.
    pub fn at_least_as_one_sided(&self) -> Vec<BigUint> {
        let n = self.count();
        let mut counts = vec![BigUint::ZERO; n + 1];
        let mut so_far = BigUint::ZERO;
        for more in (n.div_ceil(2)..=n).rev() {
            let less = n - more;
            so_far += &self.by_heads[more];
            if less != more {
                so_far += &self.by_heads[less];
            }
            counts[more] = so_far.clone();
            counts[less] = so_far.clone();
        }
        counts
    }
}
