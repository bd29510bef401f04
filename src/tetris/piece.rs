//! The seven pieces and the ways they can lie.

use crate::random::below;
use rand_core::Rng;

/// One of the seven pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Piece {
    /// Four in a row.
    I,
    /// The square.
    O,
    /// `.##/##.`
    S,
    /// `##./.##`
    Z,
    /// `.#./###`
    T,
    /// `..#/###`
    L,
    /// `#../###`
    J,
}

impl Piece {
    /// All pieces.
    pub const ALL: [Piece; 7] = [
        Piece::I,
        Piece::O,
        Piece::S,
        Piece::Z,
        Piece::T,
        Piece::L,
        Piece::J,
    ];

    /// Draws a piece; all are equally likely.
    pub fn draw<R: Rng + ?Sized>(rng: &mut R) -> Piece {
        Piece::ALL[below(rng, 7) as usize]
    }

    /// The letter that names the piece.
    pub const fn letter(self) -> char {
        b"IOSZTLJ"[self as usize] as char
    }

    /// The piece that a letter names.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL
            .into_iter()
            .find(|piece| piece.letter() == letter)
    }

    /// The shapes of the piece, one for each orientation.
    pub fn shapes(self) -> &'static [Shape] {
        match self {
            Piece::I => &SHAPES[0..2],
            Piece::O => &SHAPES[2..3],
            Piece::S => &SHAPES[3..5],
            Piece::Z => &SHAPES[5..7],
            Piece::T => &SHAPES[7..11],
            Piece::L => &SHAPES[11..15],
            Piece::J => &SHAPES[15..19],
        }
    }
}

/// A piece in one orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Shape {
    /// The piece.
    pub piece: Piece,
    /// The columns that it takes.
    pub width: usize,
    /// The rows that it takes.
    pub height: u32,
    /// The cells of each column, the piece's own lowest row in bit 0.
    pub cells: [u32; 4],
    /// The lowest row in which each column has a cell.
    pub bottom: [u8; 4],
    /// The lowest row above all cells of each column.
    pub top: [u8; 4],
}

impl Shape {
    /// The cells of a piece that lies with its left edge in `column` and its lowest row in `lowest`, as column and
    /// row.
    pub fn cells_at(&self, column: usize, lowest: u32) -> [(u8, u8); 4] {
        let mut at = [(0, 0); 4];
        let mut next = at.iter_mut();
        for (x, cells) in (column..).zip(self.cells) {
            for row in 0..self.height {
                if cells >> row & 1 == 1
                    && let Some(cell) = next.next()
                {
                    *cell = (x as u8, (lowest + row) as u8);
                }
            }
        }
        at
    }
}

/// The nineteen shapes, in the order of [`Piece::ALL`], each drawn as it lies.
pub static SHAPES: [Shape; 19] = [
    shape(Piece::I, &["####"]),
    shape(Piece::I, &["#", "#", "#", "#"]),
    shape(Piece::O, &["##", "##"]),
    shape(Piece::S, &[".##", "##."]),
    shape(Piece::S, &["#.", "##", ".#"]),
    shape(Piece::Z, &["##.", ".##"]),
    shape(Piece::Z, &[".#", "##", "#."]),
    shape(Piece::T, &[".#.", "###"]),
    shape(Piece::T, &["#.", "##", "#."]),
    shape(Piece::T, &["###", ".#."]),
    shape(Piece::T, &[".#", "##", ".#"]),
    shape(Piece::L, &["..#", "###"]),
    shape(Piece::L, &["#.", "#.", "##"]),
    shape(Piece::L, &["###", "#.."]),
    shape(Piece::L, &["##", ".#", ".#"]),
    shape(Piece::J, &["#..", "###"]),
    shape(Piece::J, &["##", "#.", "#."]),
    shape(Piece::J, &["###", "..#"]),
    shape(Piece::J, &[".#", ".#", "##"]),
];

/// Reads a drawing, its highest row first.
const fn shape(piece: Piece, rows: &[&str]) -> Shape {
    let width = rows[0].len();
    let mut cells = [0u32; 4];
    let mut bottom = [0; 4];
    let mut top = [0; 4];
    let mut column = 0;
    while column < width {
        let mut row = 0;
        while row < rows.len() {
            if rows[rows.len() - 1 - row].as_bytes()[column] == b'#' {
                cells[column] |= 1 << row;
            }
            row += 1;
        }
        bottom[column] = cells[column].trailing_zeros() as u8;
        top[column] = (u32::BITS - cells[column].leading_zeros()) as u8;
        column += 1;
    }
    Shape {
        piece,
        width,
        height: rows.len() as u32,
        cells,
        bottom,
        top,
    }
}
