//! Some of the candidates of a generation.

use super::CANDIDATES;

/// Some of the candidates, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Members(u16);

impl Members {
    pub const ALL: Members = Members((1 << CANDIDATES) - 1);

    pub fn contains(self, i: usize) -> bool {
        self.0 >> i & 1 == 1
    }

    pub fn first(self) -> Option<usize> {
        (self.0 != 0).then_some(self.0.trailing_zeros() as usize)
    }

    pub fn filter(self, keep: impl Fn(usize) -> bool) -> Members {
        let kept = self.into_iter().filter(|&i| keep(i));
        Members(kept.fold(0, |bits, i| bits | 1 << i))
    }

    pub fn with(self, others: Members) -> Members {
        Members(self.0 | others.0)
    }

    pub fn without(self, others: Members) -> Members {
        Members(self.0 & !others.0)
    }
}

impl IntoIterator for Members {
    type Item = usize;
    type IntoIter = Each;

    fn into_iter(self) -> Each {
        Each(self)
    }
}

/// The candidates that are left, the first one first.
pub struct Each(Members);

impl Iterator for Each {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(first)
    }
}
