//! Boards that no careful player would get into, but that are boards all the same.
//!
//! Everything is drawn from the given generator, so a seed gives the same boards again.

use crate::twin::{Board, WIDTH};
use rand_core::Rng;

/// A board of one of the kinds below, each as likely as the others.
pub fn any<R: Rng>(height: usize, rng: &mut R) -> Board {
    let kinds = [rubble, brimming, nearly_complete, with_full_rows];
    kinds[below(kinds.len(), rng)](height, rng)
}

/// Cells strewn at random up to some row, thinly or densely: full of holes.
pub fn rubble<R: Rng>(height: usize, rng: &mut R) -> Board {
    let mut board = Board::empty(height);
    let percent = 5 + below(91, rng);
    for row in &mut board.rows[..below(height + 1, rng)] {
        row.fill_with(|| below(100, rng) < percent);
    }
    board
}

/// Columns that end within four rows of the top, with a hole here and there: nearly terminal.
pub fn brimming<R: Rng>(height: usize, rng: &mut R) -> Board {
    let mut board = Board::empty(height);
    for x in 0..WIDTH {
        for y in 0..height - below(5, rng) {
            board.rows[y][x] = below(8, rng) > 0;
        }
    }
    board
}

/// Rows that lack a few neighbouring cells, most of them below an open shaft: a piece that falls in
/// completes some of them, and near the top of the board it may stick out before they go.
pub fn nearly_complete<R: Rng>(height: usize, rng: &mut R) -> Board {
    let mut board = Board::empty(height);
    let top = if below(2, rng) == 0 {
        height
    } else {
        1 + below(height, rng)
    };
    let depth = 1 + below(4, rng);
    let shaft = below(WIDTH, rng);
    let is_ragged = below(2, rng) == 0;
    for (y, row) in board.rows[..top].iter_mut().enumerate() {
        *row = [true; WIDTH];
        if y + depth < top {
            row[below(WIDTH, rng)] = false;
        } else {
            let width = if is_ragged { 1 + below(3, rng) } else { 1 };
            row.iter_mut()
                .skip(shaft)
                .take(width)
                .for_each(|cell| *cell = false);
        }
    }
    board
}

/// Another board with some rows filled up: no game leaves such a board, but a caller may.
pub fn with_full_rows<R: Rng>(height: usize, rng: &mut R) -> Board {
    let kinds = [rubble, brimming, nearly_complete];
    let mut board = kinds[below(kinds.len(), rng)](height, rng);
    for _ in 0..=below(4, rng) {
        board.rows[below(height, rng)] = [true; WIDTH];
    }
    board
}

/// A random number below `n`.
pub fn below<R: Rng>(n: usize, rng: &mut R) -> usize {
    rng.next_u32() as usize % n
}
