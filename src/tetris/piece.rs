//! The seven pieces and the ways they can lie.

use crate::policy::below;
use rand_core::Rng;

/// One of the seven pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// The shapes of the piece, one for each orientation.
    pub(super) fn shapes(self) -> &'static [Shape] {
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

/// A piece in one orientation. In each of its columns its cells are contiguous, so the row that the
/// lowest of them is in, counted from the piece's own lowest row, and their number say it all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub width: usize,
    pub height: u32,
    /// Where each column starts.
    pub bottom: [u32; 4],
    /// The cells of each column, its lowest in bit 0 of the piece's own lowest row.
    pub cells: [u32; 4],
}

/// The nineteen shapes, in the order of [`Piece::ALL`], each drawn as it lies.
pub(super) static SHAPES: [Shape; 19] = [
    shape(&["####"]),
    shape(&["#", "#", "#", "#"]),
    shape(&["##", "##"]),
    shape(&[".##", "##."]),
    shape(&["#.", "##", ".#"]),
    shape(&["##.", ".##"]),
    shape(&[".#", "##", "#."]),
    shape(&[".#.", "###"]),
    shape(&["#.", "##", "#."]),
    shape(&["###", ".#."]),
    shape(&[".#", "##", ".#"]),
    shape(&["..#", "###"]),
    shape(&["#.", "#.", "##"]),
    shape(&["###", "#.."]),
    shape(&["##", ".#", ".#"]),
    shape(&["#..", "###"]),
    shape(&["##", "#.", "#."]),
    shape(&["###", "..#"]),
    shape(&[".#", ".#", "##"]),
];

/// Reads a drawing, its highest row first.
const fn shape(rows: &[&str]) -> Shape {
    let width = rows[0].len();
    let mut cells = [0u32; 4];
    let mut bottom = [0; 4];
    let mut column = 0;
    while column < width {
        let mut row = 0;
        while row < rows.len() {
            if rows[rows.len() - 1 - row].as_bytes()[column] == b'#' {
                cells[column] |= 1 << row;
            }
            row += 1;
        }
        bottom[column] = cells[column].trailing_zeros();
        column += 1;
    }
    Shape { width, height: rows.len() as u32, bottom, cells }
}
