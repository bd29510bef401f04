//! Placements that complete rows, sixteen at a time.
//!
//! Two lanes rarely complete a row with the same placement, so that a vector for each placement would be almost empty.
//! Instead, all such placements are collected, whatever their shapes and lanes, and sixteen of them fill the lanes of a
//! batch. Full rows are removed there, and the boards that are left are measured as a whole.

use super::gathered::Gathered;
use super::score::Features;
use super::vector::{
    _mm256_srli_epi16, Table, Vector, add, add8, all, and, and_not, below, count8, is_zero,
    nibbles, or, places, products8, run_sum, sub, sum8, times, xor, zero,
};
use super::{WALL, WIDTH};
use crate::sheet::{Completed, ILLEGAL, Sheet, place};
use crate::{Game, LANES};
use bytemuck::must_cast;
use ipse::tetris::{SHAPES, Tetris10x10};

/// Enters all placements of a sheet that complete rows. Those that stick out are left to the engine, which knows the
/// rule by which they are legal or not.
#[target_feature(enable = "avx2")]
pub fn measure(sheet: &mut Sheet, task: &Tetris10x10, games: &[Box<Game<'_>>]) {
    sheet.completed.clear();
    let mut batch = Batch::new();
    for action in 0..sheet.placements {
        for at in places(must_cast(sheet.full[action])) {
            let lane = place(at);
            let game = &games[lane];
            if sheet.scores[action][lane] == ILLEGAL {
                sheet.ask(task, lane, game, action);
                continue;
            }
            batch.push(sheet, action, lane, game);
            if batch.placements == LANES {
                batch.enter(sheet);
            }
        }
    }
    if batch.placements > 0 {
        batch.enter(sheet);
    }
}

/// Placements that are to be measured.
struct Batch {
    placements: usize,
    /// Their actions and lanes.
    of: [(usize, usize); LANES],
    /// The ten columns with the piece in them, the piece alone in up to four columns, the full rows, and twice the
    /// landing height.
    gathered: Gathered,
}

impl Batch {
    fn new() -> Self {
        Batch {
            placements: 0,
            of: [(0, 0); LANES],
            gathered: Gathered::NOTHING,
        }
    }

    fn push(&mut self, sheet: &Sheet, action: usize, lane: usize, game: &Game) {
        let (shape, x) = sheet.places[action];
        let shape = &SHAPES[shape];
        let full = sheet.full[action][place(lane)];
        let row = sheet.rows[action][place(lane)];
        let landing = 2 * row + shape.height as i16 - 1;
        let piece = shape.cells.map(|cells| (cells << row) as u16);
        let mut columns = game.state.board.columns().map(|column| column as u16);
        for (column, cells) in columns[x..].iter_mut().zip(piece) {
            *column |= cells;
        }
        let [a, b, c, d] = piece;
        let more = [a, b, c, d, full, landing as u16];
        self.of[self.placements] = (action, lane);
        let weights = &game.memory.weights;
        self.gathered.set(self.placements, columns, more, weights);
        self.placements += 1;
    }

    /// Enters the placements into the sheet, and begins anew.
    #[target_feature(enable = "avx2")]
    fn enter(&mut self, sheet: &mut Sheet) {
        let (columns, [piece @ .., full, landing]) = self.gathered.words();
        let mut cells = [all(WALL as i16); 1 + WIDTH + 1];
        cells[1..=WIDTH].copy_from_slice(&columns);
        remove(full, &mut cells[1..=WIDTH]);
        let removed = sum8(count8(full));
        let eroded = piece
            .iter()
            .fold(zero(), |sum, cells| add8(sum, count8(and(*cells, full))));
        let features = features(&cells, landing, times(removed, sum8(eroded)));
        let scores = must_cast(self.gathered.scales().weigh(&features));
        let [_, columns @ .., _] = cells;
        let completed = Completed {
            columns: must_cast(columns),
            removed: must_cast(removed),
            known: must_cast(features.known),
        };
        sheet.enter(completed, &self.of[..self.placements], &scores);
        self.placements = 0;
    }
}

/// Removes full rows from the columns. What is above them moves down, the lowest row first.
#[target_feature(enable = "avx2")]
#[inline]
fn remove(mut full: Vector, columns: &mut [Vector]) {
    while !is_zero(full) {
        // Lanes without a full row have no row, and all of the column is below it.
        let row = and(full, sub(zero(), full));
        let below = add(row, all(-1));
        for column in &mut *columns {
            let above = and_not(below, _mm256_srli_epi16::<1>(*column));
            *column = or(and(*column, below), above);
        }
        full = _mm256_srli_epi16::<1>(xor(full, row));
    }
}

/// Measures boards between their walls.
#[target_feature(enable = "avx2")]
#[inline]
fn features(cells: &[Vector; 1 + WIDTH + 1], landing: Vector, eroded: Vector) -> Features {
    let (mut holes, mut hole_rows, mut rises, mut falls) = (zero(), zero(), zero(), zero());
    let mut wells = [zero(); WIDTH];
    for x in 0..WIDTH {
        let [before, column, after] = [cells[x], cells[x + 1], cells[x + 2]];
        wells[x] = and(and_not(column, before), after);
        let hole = and_not(column, below(column));
        holes = add8(holes, count8(hole));
        hole_rows = or(hole_rows, hole);
        // From an empty cell to a full one above it.
        let rise = and_not(column, _mm256_srli_epi16::<1>(column));
        rises = add8(rises, count8(rise));
    }
    // From a full cell to an empty one on its right. No row has two of them side by side, so that those of two columns
    // are counted as one. The last column is followed by the wall.
    for x in (0..WIDTH).step_by(2) {
        let [before, column, after] = [cells[x], cells[x + 1], cells[x + 2]];
        let fall = or(and_not(column, before), and_not(after, column));
        falls = add8(falls, count8(fall));
    }
    let (falls, rises) = (sum8(falls), sum8(rises));
    Features {
        landing,
        known: [
            // Between two walls, every fall is followed by a rise.
            add(falls, falls),
            // A column begins on the floor and ends empty: one fall more than rises.
            add(add(rises, rises), all(WIDTH as i16)),
            sum8(holes),
            hole_depth(&cells[1..=WIDTH]),
        ],
        wells: run_sum(&mut wells),
        rows_with_holes: sum8(count8(hole_rows)),
        eroded,
    }
}

/// The pairs of an empty cell and a full one above it, in all columns: those within a nibble by look-up, and those of
/// two nibbles as a product.
#[target_feature(enable = "avx2")]
#[inline]
fn hole_depth(columns: &[Vector]) -> Vector {
    const EMPTY: Table = Table::new([4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0]);
    const PAIRS: Table = Table::new([0, 0, 1, 0, 2, 1, 2, 0, 3, 2, 3, 1, 4, 2, 3, 0]);
    let (mut within, mut across) = (zero(), zero());
    for column in columns {
        let [low, high] = nibbles(*column);
        within = add8(within, add8(PAIRS.of(low), PAIRS.of(high)));
        across = add(across, products8(EMPTY.of(low), Table::ONES.of(high)));
        // The upper byte above the lower.
        let full = count8(*column);
        let empty = sub(all(8), and(full, all(0xff)));
        across = add(across, times(_mm256_srli_epi16::<8>(full), empty));
    }
    add(sum8(within), across)
}
