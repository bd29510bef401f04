//! The eight features, in the order of the specification's table, a ninth, and the surface features.
//!
//! All but the first two are measured on the board after full rows were removed.

use super::{Board, Cells, Row, WIDTH, drop, pieces};

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
    let heights: Vec<i32> = (0..WIDTH).map(|x| height(board, x)).collect();
    let is_there = |value: &i32| heights.windows(2).any(|pair| pair[1] - pair[0] == *value);
    (-2..=2).filter(is_there).count() as i32
}

/// Surface 5. Each hole counts 6 in columns 0 and 9, 5 in 1, 2, 7 and 8, and 4 elsewhere.
pub fn weighted_holes(board: &[Row]) -> i32 {
    let weight = |hole: &Hole| match hole.column {
        0 | 9 => 6,
        1 | 2 | 7 | 8 => 5,
        _ => 4,
    };
    find_holes(board).iter().map(weight).sum()
}

/// Surface 6. In the highest row that has a hole, the greatest height among columns with a hole in that row; 0 without
/// holes.
pub fn top_column(board: &[Row]) -> i32 {
    let holes = find_holes(board);
    let highest = holes.iter().map(|hole| hole.row).max();
    let in_that_row = holes.iter().filter(|hole| Some(hole.row) == highest);
    let heights = in_that_row.map(|hole| height(board, hole.column));
    heights.max().unwrap_or(0)
}

/// Surface 7. Per column d = max(0, min(left, right) − own height), walls infinitely high; 2 Σd² − max d².
pub fn open_wells(board: &[Row]) -> i32 {
    let mut squares = Vec::new();
    for x in 0..WIDTH {
        let left = (x > 0).then(|| height(board, x - 1));
        let right = (x + 1 < WIDTH).then(|| height(board, x + 1));
        let lower = left.into_iter().chain(right).min().unwrap();
        let depth = (lower - height(board, x)).max(0);
        squares.push(depth * depth);
    }
    2 * squares.iter().sum::<i32>() - squares.iter().max().unwrap()
}

/// Surface 8. For each of O T S Z L J, 0, 2 or 3 points for no, one or several places where it would leave no new hole,
/// each orientation in each column being a place.
pub fn fit(board: &Board) -> i32 {
    let mut points = 0;
    for piece in "OTSZLJ".chars() {
        let mut places = 0;
        for shape in pieces::orientations(piece) {
            for column in 0..=WIDTH - pieces::width(&shape) {
                let cells = drop(board, &shape, column);
                let rests = |&(x, y): &(usize, usize)| {
                    y == 0 || board.is_full(x, y - 1) || cells.contains(&(x, y - 1))
                };
                places += i32::from(cells.iter().all(rests));
            }
        }
        points += match places {
            0 => 0,
            1 => 2,
            _ => 3,
        };
    }
    points
}

/// The number of the highest full cell of a column, counted from 1.
fn height(board: &[Row], x: usize) -> i32 {
    let highest = board.iter().rposition(|row| row[x]);
    highest.map_or(0, |row| row as i32 + 1)
}

struct Hole {
    column: usize,
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
                holes.push(Hole {
                    column: x,
                    row,
                    full_above,
                });
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
