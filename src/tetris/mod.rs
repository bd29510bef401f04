//! Tetris: a piece drops straight down, full rows go, and the game ends when nothing fits.
//!
//! A state is a board and the piece to place on it. An action is an orientation and a column. The
//! reward is the number of rows removed. The eight features are those of Thiery and Scherrer, which
//! the paper's section 5 uses.

mod column;
mod piece;
mod placement;

pub use column::Column;
pub use piece::Piece;

use crate::environment::{Action, Environment, Outcome};
use core::fmt;
use core::marker::PhantomData;
use placement::{Settled, Survey};
use rand_core::Rng;

/// The number of features.
pub const FEATURES: usize = 8;

/// The largest number of placements that a piece can have on a board of ten columns.
pub const PLACEMENTS: usize = 34;

/// The names of the features, in their order.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "landing height",
    "eroded piece cells",
    "row transitions",
    "column transitions",
    "holes",
    "board wells",
    "hole depth",
    "rows with holes",
];

/// The weights of Thiery and Scherrer's BCTS controller.
pub const BCTS: [f32; FEATURES] =
    [-12.629, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087];

/// The game on the paper's board, 10 × 10.
pub type Tetris10x10 = Tetris<10, 10, u16>;
/// The game on the board of the classic benchmark, 10 × 20.
pub type Tetris10x20 = Tetris<10, 20, u32>;

/// When a placement that reaches above the board is legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// If everything is on the board after full rows are removed.
    #[default]
    AfterRemoval,
    /// Never: everything must be on the board before full rows are removed.
    BeforeRemoval,
}

/// `W` columns of `H` rows, each column an integer of type `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<const W: usize = 10, const H: usize = 10, C = u16> {
    columns: [C; W],
}

/// A column with a cell above the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl<const W: usize, const H: usize, C: Column> Board<W, H, C> {
    /// The board on which a game starts.
    pub fn empty() -> Self {
        Board { columns: [C::from_cells(0); W] }
    }

    /// The board with these columns, the bottom row in bit 0.
    pub fn from_columns(columns: [u32; W]) -> Result<Self, AboveBoard> {
        match columns.iter().position(|cells| cells >> H != 0) {
            Some(column) => Err(AboveBoard { column }),
            None => Ok(Board { columns: columns.map(C::from_cells) }),
        }
    }

    /// The columns, the bottom row in bit 0.
    pub fn columns(&self) -> [u32; W] {
        self.columns.map(C::cells)
    }
}

/// A board and the piece to place on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const W: usize = 10, const H: usize = 10, C = u16> {
    /// The board.
    pub board: Board<W, H, C>,
    /// The piece.
    pub piece: Piece,
}

/// What a placement leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<const W: usize = 10, const H: usize = 10, C = u16> {
    /// The four cells of the piece where it came to lie, as column and row, before full rows were
    /// removed. A row may be above the board.
    pub cells: [(u8, u8); 4],
    /// The board after full rows were removed.
    pub board: Board<W, H, C>,
    /// The number of rows removed.
    pub rows: u8,
}

/// The game on a board of `W` columns and `H` rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tetris<const W: usize = 10, const H: usize = 10, C = u16> {
    rule: Rule,
    columns: PhantomData<C>,
}

impl<const W: usize, const H: usize, C: Column> Tetris<W, H, C> {
    /// The game under `rule`.
    pub const fn new(rule: Rule) -> Self {
        Tetris { rule, columns: PhantomData }
    }

    /// Places the piece of `state`, or `None` if `action` is not legal.
    pub fn place(&self, state: &State<W, H, C>, action: Action) -> Option<Placed<W, H, C>> {
        let (settled, shape, column, y) = self.settle(state, action)?;
        let mut cells = [(0, 0); 4];
        let mut free = cells.iter_mut();
        for (x, &piece) in shape.cells.iter().enumerate() {
            for row in 0..shape.height {
                if piece & 1 << row != 0 && let Some(cell) = free.next() {
                    *cell = ((column + x) as u8, (y + row) as u8);
                }
            }
        }
        Some(Placed { cells, board: settled.board, rows: settled.rows as u8 })
    }

    fn settle(
        &self,
        state: &State<W, H, C>,
        action: Action,
    ) -> Option<(Settled<W, H, C>, &'static piece::Shape, usize, u32)> {
        let mut column = usize::from(action);
        for shape in state.piece.shapes() {
            let columns = W - shape.width + 1;
            if column < columns {
                let mut y = 0;
                for j in 0..shape.width {
                    let h = C::profile(state.board.columns[column + j].cells()).height();
                    y = y.max(h as i32 - shape.bottom[j] as i32);
                }
                let y = y as u32;
                let settled = placement::settle(&state.board, shape, column, y, self.rule)?;
                return Some((settled, shape, column, y));
            }
            column -= columns;
        }
        None
    }
}

impl<const W: usize, const H: usize, C: Column> Environment<FEATURES, PLACEMENTS>
    for Tetris<W, H, C>
{
    type State = State<W, H, C>;

    const UNITS: [f32; FEATURES] = [0.5, 1., 1., 1., 1., 1., 1., 1.];
    const BOUNDS: [i16; FEATURES] = [300; FEATURES];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        State { board: Board::empty(), piece: Piece::draw(rng) }
    }

    #[inline(always)]
    fn outcomes(&self, state: &Self::State, visit: impl FnMut(Outcome<FEATURES>)) {
        Survey::of(&state.board).each(state.piece, self.rule, visit);
    }

    /// An action that is not legal leaves the state as it is.
    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16) {
        match self.settle(state, action) {
            Some((settled, ..)) => {
                (State { board: settled.board, piece: Piece::draw(rng) }, settled.rows as i16)
            }
            None => (*state, 0),
        }
    }
}
