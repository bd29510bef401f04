//! The eight features, in the order of the specification's table, and a ninth.
//!
//! All but the first two are measured on the board after full rows were removed.

use super::{Cells, Row, WIDTH};

/// Side walls and the floor count as full.
const WALL: bool = true;
const FLOOR: bool = true;
/// Above the board all is empty.
const SKY: bool = false;

/// 1. Row index (0 = bottom) of the piece's lowest cell when it locks, before removal, plus (piece
///    height − 1) / 2; a multiple of one half. Twice that, to have an integer.
pub fn landing_height_doubled(piece: &Cells) -> i32 {
    let rows = piece.map(|(_, y)| y as i32);
    let lowest = *rows.iter().min().unwrap();
    let piece_height = 1 + rows.iter().max().unwrap() - lowest;
    2 * lowest + (piece_height - 1)
}

/// 2. Rows removed × cells of this piece in those rows.
pub fn eroded_piece_cells(piece: &Cells, removed: &[usize]) -> i32 {
    let cells = piece.iter().filter(|(_, y)| removed.contains(y)).count();
    (removed.len() * cells) as i32
}

/// 3. Full/empty changes along each row, both side walls full; every row of the board counts, so
///    an empty row adds 2.
pub fn row_transitions(board: &[Row]) -> i32 {
    let mut changes = 0;
    for row in board {
        let mut last = WALL;
        for &cell in row {
            changes += i32::from(cell != last);
            last = cell;
        }
        changes += i32::from(WALL != last);
    }
    changes
}

/// 4. Full/empty changes along each column from the floor (full) up to the top (empty above): an
///    empty column adds 1.
pub fn column_transitions(board: &[Row]) -> i32 {
    let mut changes = 0;
    for x in 0..WIDTH {
        let mut last = FLOOR;
        for row in board {
            changes += i32::from(row[x] != last);
            last = row[x];
        }
        changes += i32::from(SKY != last);
    }
    changes
}

/// 5. Empty cells with at least one full cell above them in the column.
pub fn holes(board: &[Row]) -> i32 {
    find_holes(board).len() as i32
}

/// 6. A well cell is empty with both neighbours full (walls are full), covered or not; each maximal
///    vertical run of k well cells adds 1 + 2 + … + k.
pub fn board_wells(board: &[Row]) -> i32 {
    let mut wells = 0;
    for x in 0..WIDTH {
        let mut run = 0;
        for row in board {
            run = if is_well(row, x) { run + 1 } else { 0 };
            wells += run;
        }
    }
    wells
}

/// 7. For every hole, the number of full cells above it in its column, summed.
pub fn hole_depth(board: &[Row]) -> i32 {
    find_holes(board).iter().map(|hole| hole.full_above).sum()
}

/// 8. Rows that contain at least one hole.
pub fn rows_with_holes(board: &[Row]) -> i32 {
    let holes = find_holes(board);
    let has_hole = |row: &usize| holes.iter().any(|hole| hole.row == *row);
    (0..board.len()).filter(has_hole).count() as i32
}

/// 9. The number of distinct values from −2 to 2 among the differences in height of neighbouring
///    columns; the height of a column is the number of its highest full cell, counted from 1.
pub fn pattern_diversity(board: &[Row]) -> i32 {
    let heights: Vec<i32> = (0..WIDTH)
        .map(|x| board.iter().rposition(|row| row[x]))
        .map(|highest| highest.map_or(0, |row| row as i32 + 1))
        .collect();
    let is_there = |value: &i32| heights.windows(2).any(|pair| pair[1] - pair[0] == *value);
    (-2..=2).filter(is_there).count() as i32
}

struct Hole {
    row: usize,
    /// The number of full cells above it in its column.
    full_above: i32,
}

/// Looks down every column from the top.
fn find_holes(board: &[Row]) -> Vec<Hole> {
    let mut holes = Vec::new();
    for x in 0..WIDTH {
        let mut full_above = 0;
        for row in (0..board.len()).rev() {
            if board[row][x] {
                full_above += 1;
            } else if full_above > 0 {
                holes.push(Hole { row, full_above });
            }
        }
    }
    holes
}

fn is_well(row: &Row, x: usize) -> bool {
    let left = if x == 0 { WALL } else { row[x - 1] };
    let right = if x == WIDTH - 1 { WALL } else { row[x + 1] };
    !row[x] && left && right
}
