//! What a walk over columns gathers of their heights for pattern diversity, or nothing.
//!
//! Whether it is wanted is a matter of types, so that a task without it pays nothing.

/// What is known of the heights of the columns that a walk has passed.
pub(super) trait Skyline: Copy {
    /// Nothing but the wall.
    const WALL: Self;

    /// The same, past one more column.
    fn past(self, height: u32) -> Self;

    /// What a walk from the right has gathered, as one from the left would have.
    fn mirrored(self) -> Self;

    /// Two walks that meet: one from the left, and one from the right that is mirrored.
    fn join(self, right: Self) -> Self;

    /// The number of distinct differences seen.
    fn diversity(self) -> u32;
}

/// Heights do not matter.
impl Skyline for () {
    const WALL: Self = ();

    #[inline(always)]
    fn past(self, _: u32) {}

    #[inline(always)]
    fn mirrored(self) {}

    #[inline(always)]
    fn join(self, (): ()) {}

    #[inline(always)]
    fn diversity(self) -> u32 {
        0
    }
}

/// The differences of neighbouring heights, as far as they are small.
#[derive(Clone, Copy)]
pub(super) struct Differences {
    /// Bit d + 2 tells whether the difference d was seen, for d from −2 to 2.
    seen: u8,
    /// The height of the last column.
    last: u8,
}

/// The bit of the difference `to − from`, or none. Neither has to be on the board; what is said then
/// is not used.
#[inline(always)]
fn difference(from: u32, to: u32) -> u8 {
    (4u32.wrapping_shl(to).wrapping_shr(from) & 0b11111) as u8
}

impl Skyline for Differences {
    /// So high that no difference from it, up or down, is small: see [`difference`].
    const WALL: Self = Differences { seen: 0, last: 31 };

    #[inline(always)]
    fn past(self, height: u32) -> Self {
        Differences {
            seen: self.seen | difference(self.last.into(), height),
            last: height as u8,
        }
    }

    #[inline(always)]
    fn mirrored(self) -> Self {
        Differences {
            seen: self.seen.reverse_bits() >> 3,
            ..self
        }
    }

    #[inline(always)]
    fn join(self, right: Self) -> Self {
        Differences {
            seen: self.seen | right.seen | difference(self.last.into(), right.last.into()),
            ..self
        }
    }

    #[inline(always)]
    fn diversity(self) -> u32 {
        self.seen.count_ones()
    }
}
