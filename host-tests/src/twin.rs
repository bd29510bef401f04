//! The game, cell by cell: the slow, obvious twin of `ipse::tetris`.
//!
//! It follows the sentences of the specification one by one and shares no code with the core, so
//! that the two can only agree by both being right. Read [`features`] beside the table of features.

pub mod features;
pub mod pieces;

use std::fmt;

/// The number of columns.
pub const WIDTH: usize = 10;

/// One row of cells, from left to right; `true` is full.
pub type Row = [bool; WIDTH];

/// The column and the row of each of a piece's cells, sorted.
pub type Cells = [(usize, usize); 4];

/// A row in which nothing lies.
const EMPTY: Row = [false; WIDTH];

/// A board of any height.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    /// The rows, from the bottom up.
    pub rows: Vec<Row>,
}

/// When a placement is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// If everything fits on the board after full rows are removed.
    AfterRemoval,
    /// If everything fits on the board before full rows are removed.
    BeforeRemoval,
}

/// A legal placement, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Where the piece locked, before full rows were removed.
    pub cells: Cells,
    /// The eight features, the landing height doubled.
    pub features: [i32; 8],
    /// The reward.
    pub rows_removed: usize,
    /// The board after full rows were removed.
    pub board: Board,
}

impl Placement {
    /// The nine surface features, the landing height doubled.
    pub fn surface(&self) -> [i32; 9] {
        let [landing, eroded, rows, columns, .., rows_with_holes] = self.features;
        let board = &self.board.rows;
        [
            landing,
            eroded,
            rows,
            columns,
            features::weighted_holes(board),
            features::top_column(board),
            features::open_wells(board),
            features::fit(&self.board),
            rows_with_holes,
        ]
    }
}

/// Every legal placement of `piece`, given by its letter: each orientation in each column.
pub fn placements(board: &Board, piece: char, rule: Rule) -> Vec<Placement> {
    let mut placements = Vec::new();
    for shape in pieces::orientations(piece) {
        for column in 0..=WIDTH - pieces::width(&shape) {
            let cells = drop(board, &shape, column);
            placements.extend(lock(board, cells, rule));
        }
    }
    placements
}

/// The piece starts above the board and falls row by row, until something is in the way.
fn drop(board: &Board, shape: &Cells, column: usize) -> Cells {
    let at = |row| shape.map(|(x, y)| (column + x, row + y));
    let is_free = |row| at(row).iter().all(|&(x, y)| !board.is_full(x, y));
    let mut row = board.rows.len();
    while row > 0 && is_free(row - 1) {
        row -= 1;
    }
    at(row)
}

/// The piece becomes part of the board, and full rows are removed. `None` if that is not legal.
fn lock(board: &Board, piece: Cells, rule: Rule) -> Option<Placement> {
    let height = board.rows.len();
    let mut rows = board.rows.clone();
    rows.resize(height + 4, EMPTY);
    for (x, y) in piece {
        rows[y][x] = true;
    }
    let fits = |rows: &[Row]| rows.iter().skip(height).all(|row| *row == EMPTY);

    if rule == Rule::BeforeRemoval && !fits(&rows) {
        return None;
    }
    let removed: Vec<usize> = (0..rows.len()).filter(|&y| is_complete(&rows[y])).collect();
    rows.retain(|row| !is_complete(row));
    if !fits(&rows) {
        return None;
    }
    rows.resize(height, EMPTY);

    Some(Placement {
        cells: piece,
        features: [
            features::landing_height_doubled(&piece),
            features::eroded_piece_cells(&piece, &removed),
            features::row_transitions(&rows),
            features::column_transitions(&rows),
            features::holes(&rows),
            features::board_wells(&rows),
            features::hole_depth(&rows),
            features::rows_with_holes(&rows),
        ],
        rows_removed: removed.len(),
        board: Board { rows },
    })
}

fn is_complete(row: &Row) -> bool {
    row.iter().all(|&full| full)
}

impl Board {
    /// The board on which a game starts.
    pub fn empty(height: usize) -> Self {
        Board {
            rows: vec![EMPTY; height],
        }
    }

    /// The board with these columns, the bottom row in bit 0.
    pub fn from_columns(height: usize, columns: [u32; WIDTH]) -> Self {
        let row = |y| columns.map(|column| column >> y & 1 == 1);
        Board {
            rows: (0..height).map(row).collect(),
        }
    }

    /// The columns, the bottom row in bit 0.
    pub fn columns(&self) -> [u32; WIDTH] {
        std::array::from_fn(|x| {
            (0..self.rows.len())
                .map(|y| u32::from(self.rows[y][x]) << y)
                .sum()
        })
    }

    /// Whether a cell is full. Above the board nothing is.
    pub fn is_full(&self, x: usize, y: usize) -> bool {
        y < self.rows.len() && self.rows[y][x]
    }
}

/// A drawing, with the columns as integers below it.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows.iter().rev() {
            let cells: String = row
                .iter()
                .map(|&full| if full { '#' } else { '.' })
                .collect();
            writeln!(f, "|{cells}|")?;
        }
        write!(f, "{:?}", self.columns())
    }
}
