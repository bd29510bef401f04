//! The board: columns of cells, a piece that comes to lie on them, and rows that go.

use super::column::Column;
use super::piece::Shape;
use core::fmt;

/// When a placement that reaches above the board is legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Rule {
    /// If everything is on the board after full rows are removed.
    #[default]
    AfterRemoval,
    /// Never: everything must be on the board before full rows are removed.
    BeforeRemoval,
}

/// `W` columns of `H` rows, each column an integer of type `C`.
///
/// The alignment lets a board be copied word by word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(align(4))]
pub struct Board<const W: usize = 10, const H: usize = 10, C = u16> {
    pub(super) columns: [C; W],
}

/// A column with a cell above the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AboveBoard {
    /// Which column, counted from 0.
    pub column: usize,
}

impl fmt::Display for AboveBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {} has a cell above the board", self.column + 1)
    }
}

impl core::error::Error for AboveBoard {}

/// The full rows that a placement made, which are gone.
pub(super) struct Removed {
    pub rows: u32,
    /// The cells of the piece that were in those rows.
    pub cells: u32,
}

impl<const W: usize, const H: usize, C: Column> Board<W, H, C> {
    const FITS: () = assert!(
        H <= C::MAX_HEIGHT,
        "the board is too high for its columns' integer"
    );

    /// The board on which a game starts.
    pub fn empty() -> Self {
        const { Self::FITS };
        Board {
            columns: [C::from_cells(0); W],
        }
    }

    /// The board with these columns, each with its bottom row in bit 0.
    pub fn from_columns(columns: [u32; W]) -> Result<Self, AboveBoard> {
        const { Self::FITS };
        match columns.iter().position(|cells| cells >> H != 0) {
            Some(column) => Err(AboveBoard { column }),
            None => Ok(Board {
                columns: columns.map(C::from_cells),
            }),
        }
    }

    /// The columns, each with its bottom row in bit 0.
    pub fn columns(&self) -> [u32; W] {
        self.columns.map(C::cells)
    }

    /// The board with a piece that lies with its left edge in `column` and its lowest row at `row`, and with the rows
    /// that it completes. `None` if it is not on the board.
    pub fn with_piece(&self, shape: &Shape, column: usize, row: u32) -> Option<Self> {
        let is_on_board = column + shape.width <= W && row + shape.height <= H as u32;
        is_on_board.then(|| {
            let mut board = *self;
            board.put(shape, column, 1 << row);
            board
        })
    }

    #[inline(always)]
    fn put(&mut self, shape: &Shape, column: usize, base: u32) {
        for (to, piece) in self.columns.iter_mut().skip(column).zip(shape.cells) {
            *to = C::from_cells(to.cells() | (piece * base));
        }
    }

    /// The row in which the lowest row of a piece comes to lie that is dropped with its left edge in `column`.
    pub(super) fn landing(&self, shape: &Shape, column: usize) -> u32 {
        let heights = self
            .columns
            .iter()
            .skip(column)
            .map(|c| C::profile(c.lifted()).height() - C::LIFT);
        let rests = heights
            .zip(shape.bottom)
            .take(shape.width)
            .map(|(height, bottom)| height.saturating_sub(bottom.into()));
        rests.fold(0, u32::max)
    }

    /// Puts a piece down with its lowest row in `row`, and removes the full rows. `None` if that is not legal; then
    /// the board is of no use any more.
    #[inline(never)]
    pub(super) fn settle(
        &mut self,
        shape: &Shape,
        column: usize,
        row: u32,
        rule: Rule,
    ) -> Option<Removed> {
        let base = 1 << row;
        let sticks_out = row + shape.height > H as u32;
        if sticks_out && rule == Rule::BeforeRemoval {
            return None;
        }
        self.put(shape, column, base);
        let mut full = self
            .columns
            .iter()
            .fold(u32::MAX, |full, column| full & column.cells());
        let mut removed = Removed { rows: 0, cells: 0 };
        while full != 0 {
            let row = full & full.wrapping_neg();
            for piece in shape.cells {
                removed.cells += u32::from((piece * base) & (row << removed.rows) != 0);
            }
            for column in &mut self.columns {
                let cells = column.cells();
                *column = C::from_cells(cells & (row - 1) | cells >> 1 & !(row - 1));
            }
            full = (full ^ row) >> 1;
            removed.rows += 1;
        }
        let fits = !sticks_out || self.columns.iter().all(|column| column.cells() >> H == 0);
        fits.then_some(removed)
    }
}
