//! Positions on standard input.

use crate::error::Result;
use crate::{input, json};
use ipse::tetris::{Board, Column, Piece, State};
use serde::Deserialize;
use std::io::{self, Write};

pub const EXPECTED: &str = r#"{"columns":[10 integers],"piece":"S"}"#;
/// The longest line, in bytes.
pub const LONGEST: usize = 1 << 16;
const WIDTH: usize = 10;

#[derive(Deserialize)]
struct Position {
    columns: Vec<u64>,
    piece: String,
}

/// Answers every position on standard input on standard output.
pub fn answer_each<const H: usize, C: Column>(
    answer: impl FnMut(&State<WIDTH, H, C>, &mut dyn Write) -> io::Result<()>,
) -> Result {
    input::answer_each(EXPECTED, LONGEST, parse, answer)
}

/// Reads a line.
pub fn parse<const H: usize, C: Column>(line: &[u8]) -> Result<State<WIDTH, H, C>, String> {
    let position: Position = json::object(line, EXPECTED)?;
    let columns: [u64; WIDTH] = position
        .columns
        .try_into()
        .map_err(|columns: Vec<u64>| format!("{} columns; a board has 10", columns.len()))?;
    if let Some(x) = columns.iter().position(|column| column >> H != 0) {
        let (top, column) = ((1u64 << H) - 1, columns[x]);
        return Err(format!(
            "column {} is {column}, which reaches above the board; {H} rows go up to {top}",
            x + 1
        ));
    }
    let full = columns.iter().fold(u64::MAX, |all, column| all & column);
    if full != 0 {
        let row = full.trailing_zeros() + 1;
        return Err(format!(
            "row {row} is full in all {WIDTH} columns; on a board full rows have been removed"
        ));
    }
    let board = Board::from_columns(columns.map(|column| column as u32))
        .map_err(|error| error.to_string())?;
    let mut letters = position.piece.chars();
    match (letters.next().and_then(Piece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(State { board, piece }),
        _ => Err(format!(
            "unknown piece {:?}; pieces are I, O, S, Z, T, L and J",
            position.piece
        )),
    }
}
