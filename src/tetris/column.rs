//! One column of the board as an integer, and what can be read off it.
//!
//! Bit 0 is the bottom row. A column is measured some tens of millions of times a second, so for
//! boards of up to ten rows every measure is a look-up in a table of 2¹⁰ entries; for higher
//! boards it is computed. The tables are filled by the same functions.
//!
//! What is measured is lifted to the top of a word of 32 bits: an index into a table is then a single shift,
//! which the compiler knows to be within the table.

/// The integer that holds a column: `u16` or `u32`.
pub trait Column: Copy + PartialEq + Default + core::fmt::Debug + sealed::Sealed {
    /// The highest board that this integer can hold. Four rows above it must fit as well, for a
    /// piece that sticks out until full rows are removed.
    const MAX_HEIGHT: usize;

    /// The column with these cells.
    fn from_cells(cells: u32) -> Self;
    /// The cells of the column.
    fn cells(self) -> u32;

    /// The bit of the bottom row in lifted cells.
    const LIFT: u32 = 32 - Self::MAX_HEIGHT as u32;
    /// The cells of the column, the row below the limit of [`MAX_HEIGHT`](Self::MAX_HEIGHT) in the highest bit.
    #[inline(always)]
    fn lifted(self) -> u32 {
        self.cells() << Self::LIFT
    }

    /// The number of ones among lifted cells.
    fn count(lifted: u32) -> u32;
    /// The sum of 1 + 2 + … + k over all runs of k ones among lifted cells.
    fn run_sum(lifted: u32) -> u32;
    /// The measures of lifted cells that are added up over columns.
    fn profile(lifted: u32) -> Profile;
    /// The highest hole among lifted cells, and the height of the column.
    fn crown(lifted: u32) -> Crown;
}

/// A highest hole: the row above it from bit [`CROWN`], or 0, and the height of the column below. Without a hole it is
/// 0. The greatest of several columns is the one with the highest hole; of equals, the highest column.
pub(super) type Crown = u32;

pub(super) const CROWN: u32 = 5;

const fn crown(cells: u32) -> Crown {
    let height = 32 - cells.leading_zeros();
    let holes = !cells & ((1 << height) - 1);
    match 32 - holes.leading_zeros() {
        0 => 0,
        above => above << CROWN | height,
    }
}

/// Four measures of a column in one word. Adding two profiles adds the first three, as long as the
/// sums stay below 2⁸, 2⁸ and 2¹⁰; the height is meant for a single column, and its overflow falls
/// out at the top of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Profile(u32);

impl Profile {
    pub(super) const ZERO: Profile = Profile(0);

    const fn of(cells: u32, lift: u32) -> Profile {
        let height = 32 - cells.leading_zeros();
        let holes = height - cells.count_ones();
        // The floor below is full; every change along the column leaves a one in the difference.
        let transitions = (cells << 1 | 1) ^ cells;
        let mut depth = 0;
        let mut above = cells;
        let mut row = 0;
        while row < height {
            above &= !(1 << row);
            if cells & 1 << row == 0 {
                depth += above.count_ones();
            }
            row += 1;
        }
        Profile(holes | transitions.count_ones() << 8 | depth << 16 | (lift + height) << 26)
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Profile) -> Profile {
        Profile(self.0.wrapping_add(other.0))
    }

    /// The sum without a part of it.
    #[inline(always)]
    pub(super) fn less(self, part: Profile) -> Profile {
        Profile(self.0.wrapping_sub(part.0))
    }

    #[inline(always)]
    pub(super) fn holes(self) -> i16 {
        (self.0 & 0xff) as i16
    }

    /// The height of a single column, lifted.
    #[inline(always)]
    pub(super) fn height(self) -> u32 {
        self.0 >> 26
    }

    #[inline(always)]
    pub(super) fn transitions(self) -> i16 {
        (self.0 >> 8 & 0xff) as i16
    }

    #[inline(always)]
    pub(super) fn hole_depth(self) -> i16 {
        (self.0 >> 16 & 0x3ff) as i16
    }

    /// The sums, as bytes: holes, transitions, and two of which the lower ten bits are the hole depth.
    #[inline(always)]
    pub(super) fn to_bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }
}

/// Wearing one cell off the top of every run, again and again, leaves k, k − 1, …, 1 cells of a run
/// of k.
const fn run_sum(mut cells: u32) -> u32 {
    let mut sum = 0;
    while cells != 0 {
        sum += cells.count_ones();
        cells &= cells >> 1;
    }
    sum
}

const ENTRIES: usize = 1 << <u16 as Column>::MAX_HEIGHT;

static COUNT: [u8; ENTRIES] = {
    let mut table = [0; ENTRIES];
    let mut cells = 0;
    while cells < ENTRIES {
        table[cells] = cells.count_ones() as u8;
        cells += 1;
    }
    table
};

static RUN_SUM: [u8; ENTRIES] = {
    let mut table = [0; ENTRIES];
    let mut cells = 0;
    while cells < ENTRIES {
        table[cells] = run_sum(cells as u32) as u8;
        cells += 1;
    }
    table
};

static PROFILE: [Profile; ENTRIES] = {
    let mut table = [Profile::ZERO; ENTRIES];
    let mut cells = 0;
    while cells < ENTRIES {
        table[cells] = Profile::of(cells as u32, <u16 as Column>::LIFT);
        cells += 1;
    }
    table
};

static CROWNS: [u16; ENTRIES] = {
    let mut table = [0; ENTRIES];
    let mut cells = 0;
    while cells < ENTRIES {
        table[cells] = crown(cells as u32) as u16;
        cells += 1;
    }
    table
};

/// The entry of lifted cells. The mask changes nothing; it is there for the compiler.
#[inline(always)]
fn entry(lifted: u32) -> usize {
    (lifted >> <u16 as Column>::LIFT) as usize % ENTRIES
}

impl Column for u16 {
    const MAX_HEIGHT: usize = 10;

    #[inline(always)]
    fn from_cells(cells: u32) -> Self {
        cells as u16
    }
    #[inline(always)]
    fn cells(self) -> u32 {
        self.into()
    }
    #[inline(always)]
    fn count(lifted: u32) -> u32 {
        COUNT[entry(lifted)].into()
    }
    #[inline(always)]
    fn run_sum(lifted: u32) -> u32 {
        RUN_SUM[entry(lifted)].into()
    }
    #[inline(always)]
    fn profile(lifted: u32) -> Profile {
        PROFILE[entry(lifted)]
    }
    #[inline(always)]
    fn crown(lifted: u32) -> Crown {
        CROWNS[entry(lifted)].into()
    }
}

impl Column for u32 {
    const MAX_HEIGHT: usize = 28;

    #[inline(always)]
    fn from_cells(cells: u32) -> Self {
        cells
    }
    #[inline(always)]
    fn cells(self) -> u32 {
        self
    }
    #[inline(always)]
    fn count(lifted: u32) -> u32 {
        (lifted >> Self::LIFT).count_ones()
    }
    #[inline(always)]
    fn run_sum(lifted: u32) -> u32 {
        run_sum(lifted)
    }
    #[inline(always)]
    fn profile(lifted: u32) -> Profile {
        Profile::of(lifted >> Self::LIFT, Self::LIFT)
    }
    #[inline(always)]
    fn crown(lifted: u32) -> Crown {
        crown(lifted >> Self::LIFT)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}
