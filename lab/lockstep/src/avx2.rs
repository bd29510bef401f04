//! A sheet of sixteen games, by AVX2.
//!
//! # Layout
//!
//! A vector has sixteen values of 16 bits, one for each game: `cells[2 + x]` are the sixteen columns x, each as an
//! integer with the bottom row in bit 0. Two walls on each side, full like those of the engine, save every question
//! about borders. Measures are numbers in the same places. Only scores have 32 bits, in two vectors.
//!
//! # A placement
//!
//! A shape is a constant, so that its loops unroll and its shifts are instructions with a constant. It comes to lie on
//! row y = max(height − bottom) over its columns; `base` is that row as a bit. Then, unless a row is completed,
//!
//! - a column's gap is y + bottom − height: so many holes are new, and a column with a gap has two transitions more;
//! - every hole below the piece, old or new, lies deeper by the piece's cells in its column;
//! - in each of its rows the piece has two sides; a side costs a row transition if its neighbour is empty, and saves one
//!   if it is full;
//! - a row has a hole if it had one or if it is in a gap;
//! - wells change in the columns of the piece and in those beside it, and are counted there anew.
//!
//! Where a row is completed, `completed` measures the board that is left. A piece that sticks out without completing a
//! row is not legal under either rule; the few that complete one are left to the engine.

mod completed;
mod gathered;
mod score;
mod vector;

use crate::Game;
use crate::sheet::{ILLEGAL, Known, Sheet, place};
use bytemuck::must_cast;
use gathered::Gathered;
use ipse::tetris::{Piece, SHAPES, Shape, Tetris10x10};
use multiversion::multiversion;
use multiversion::target::match_target;
use score::{Features, Scales};
use vector::{
    Vector, add, all, all32, and, and_not, below, count8, equal, equal32, greater, greater32,
    lower, max, max32, or, run_sum, select, shift_left, shift_right, sub, sum8, times, upper, zero,
};

const WIDTH: usize = 10;
const HEIGHT: u32 = 10;
const WALL: u16 = (1 << HEIGHT) - 1;

/// Fills a sheet. Where there is no AVX2, nothing is done.
#[multiversion(targets("x86_64+avx2"))]
pub fn fill(sheet: &mut Sheet, task: &Tetris10x10, piece: Piece, games: &[Box<Game<'_>>]) {
    let _ = (&sheet, task, piece, games);
    match_target! {
        "x86_64+avx2" => fill_avx2(sheet, task, piece, games),
        _ => unreachable!("lanes are used only if they are available"),
    }
}

#[target_feature(enable = "avx2")]
fn fill_avx2(sheet: &mut Sheet, task: &Tetris10x10, piece: Piece, games: &[Box<Game<'_>>]) {
    let mut boards = Boards::of(games);
    boards.survey();
    let mut page = Page {
        boards: &boards,
        sheet,
    };
    page.sheet.placements = 0;
    match piece {
        Piece::I => {
            page.slide::<0>();
            page.slide::<1>();
        }
        Piece::O => page.slide::<2>(),
        Piece::S => {
            page.slide::<3>();
            page.slide::<4>();
        }
        Piece::Z => {
            page.slide::<5>();
            page.slide::<6>();
        }
        Piece::T => {
            page.slide::<7>();
            page.slide::<8>();
            page.slide::<9>();
            page.slide::<10>();
        }
        Piece::L => {
            page.slide::<11>();
            page.slide::<12>();
            page.slide::<13>();
            page.slide::<14>();
        }
        Piece::J => {
            page.slide::<15>();
            page.slide::<16>();
            page.slide::<17>();
            page.slide::<18>();
        }
    }
    completed::measure(sheet, task, games);
    let mut leaders = Leaders::none();
    for (action, scores) in sheet.scores[..sheet.placements].iter().enumerate() {
        leaders.offer(must_cast(*scores), action);
    }
    let Leaders { best, first, tied } = leaders;
    sheet.best = must_cast(best);
    sheet.first = must_cast(first);
    sheet.is_tied = must_cast(tied);
}

/// A shape as a constant.
const fn shape<const SHAPE: usize>() -> &'static Shape {
    const { &SHAPES[SHAPE] }
}

/// The leading placement of each lane so far.
struct Leaders {
    best: [Vector; 2],
    first: [Vector; 2],
    /// Whether some placement was as good as the leader of its time.
    tied: [Vector; 2],
}

impl Leaders {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn none() -> Self {
        Leaders {
            best: [all32(ILLEGAL); 2],
            first: [zero(); 2],
            tied: [zero(); 2],
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn offer(&mut self, scores: [Vector; 2], action: usize) {
        let action = all32(action as i32);
        for (half, score) in scores.into_iter().enumerate() {
            let best = self.best[half];
            let better = greater32(score, best);
            self.tied[half] = or(self.tied[half], equal32(score, best));
            self.first[half] = select(self.first[half], action, better);
            self.best[half] = max32(best, score);
        }
    }
}

/// What all placements on sixteen boards have in common.
struct Boards {
    cells: [Vector; 2 + WIDTH + 2],
    /// The lowest cell above each column, as a bit.
    tops: [Vector; WIDTH],
    heights: [Vector; WIDTH],
    /// The holes of each column.
    holes: [Vector; WIDTH],
    hole_rows: Vector,
    /// The rows that are full in all columns before x, and from x on.
    left: [Vector; WIDTH + 1],
    right: [Vector; WIDTH + 1],
    /// The wells of all columns before x.
    wells: [Vector; WIDTH + 1],
    known: [Vector; Known::LEN],
    scales: Scales,
}

impl Boards {
    #[target_feature(enable = "avx2")]
    fn of(games: &[Box<Game<'_>>]) -> Self {
        // Lanes without a game have an empty board.
        let mut gathered = Gathered::NOTHING;
        for (lane, game) in games.iter().enumerate() {
            let columns = game.state.board.columns().map(|column| column as u16);
            let [rows, transitions, holes, depth] = must_cast(game.memory.known.0);
            let more = [rows, transitions, holes, depth, 0, 0];
            gathered.set(place(lane), columns, more, &game.memory.weights);
        }
        let (columns, [known @ .., _, _]) = gathered.words();
        let mut cells = [all(WALL as i16); 2 + WIDTH + 2];
        cells[2..2 + WIDTH].copy_from_slice(&columns);
        Boards {
            cells,
            tops: [zero(); WIDTH],
            heights: [zero(); WIDTH],
            holes: [zero(); WIDTH],
            hole_rows: zero(),
            left: [all(WALL as i16); WIDTH + 1],
            right: [all(WALL as i16); WIDTH + 1],
            wells: [zero(); WIDTH + 1],
            known,
            scales: gathered.scales(),
        }
    }

    #[target_feature(enable = "avx2")]
    fn survey(&mut self) {
        for x in 0..WIDTH {
            let [before, column, after] = [self.cells[1 + x], self.cells[2 + x], self.cells[3 + x]];
            let below = below(column);
            let holes = and_not(column, below);
            self.tops[x] = add(below, all(1));
            self.heights[x] = sum8(count8(below));
            self.holes[x] = sum8(count8(holes));
            self.hole_rows = or(self.hole_rows, holes);
            self.left[x + 1] = and(self.left[x], column);
            let mut well = [and(and_not(column, before), after)];
            self.wells[x + 1] = add(self.wells[x], run_sum(&mut well));
        }
        for x in (0..WIDTH).rev() {
            self.right[x] = and(self.right[x + 1], self.cells[2 + x]);
        }
    }
}

/// A sheet that is being filled.
struct Page<'a> {
    boards: &'a Boards,
    sheet: &'a mut Sheet,
}

impl Page<'_> {
    /// All placements of a shape, from left to right.
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    fn slide<const SHAPE: usize>(&mut self) {
        let shape = shape::<SHAPE>();
        for x in 0..WIDTH + 1 - shape.width {
            let placed = self.boards.place::<SHAPE>(x);
            let mut scores = self.boards.scales.weigh(&placed.features);
            for (half, score) in scores.iter_mut().enumerate() {
                let sticks_out = match half {
                    0 => lower(placed.sticks_out, placed.sticks_out),
                    _ => upper(placed.sticks_out, placed.sticks_out),
                };
                *score = select(*score, all32(ILLEGAL), sticks_out);
            }
            let action = self.sheet.placements;
            self.sheet.placements += 1;
            self.sheet.places[action] = (SHAPE, x);
            self.sheet.scores[action] = must_cast(scores);
            self.sheet.rows[action] = must_cast(placed.row);
            self.sheet.full[action] = must_cast(placed.full);
            self.sheet.known[action] = must_cast(placed.features.known);
        }
    }
}

/// A placement on sixteen boards.
struct Placed {
    row: Vector,
    /// Where it completes no row.
    features: Features,
    /// The rows that it completes.
    full: Vector,
    /// All ones where the piece reaches above the board.
    sticks_out: Vector,
}

impl Boards {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn place<const SHAPE: usize>(&self, x: usize) -> Placed {
        let shape = shape::<SHAPE>();
        let (mut base, mut y) = (zero(), all(-1));
        for j in 0..shape.width {
            let bottom = u32::from(shape.bottom[j]);
            base = max(base, shift_right(self.tops[x + j], bottom));
            y = max(y, sub(self.heights[x + j], all(bottom as i16)));
        }
        let [rows, columns, mut holes, mut depth] = self.known;
        let mut closed = zero();
        let mut hole_rows = self.hole_rows;
        let mut full = and(self.left[x], self.right[x + shape.width]);
        // The columns from two before the piece to two behind it.
        let mut around = [zero(); 8];
        around[..shape.width + 4].copy_from_slice(&self.cells[x..x + shape.width + 4]);
        for j in 0..shape.width {
            let (bottom, cells) = (u32::from(shape.bottom[j]), shape.cells[j]);
            let gap = sub(add(y, all(bottom as i16)), self.heights[x + j]);
            holes = add(holes, gap);
            closed = sub(closed, equal(gap, zero()));
            let deeper = times(add(self.holes[x + j], gap), all(cells.count_ones() as i16));
            depth = add(depth, deeper);
            let start = shift_left(base, bottom);
            hole_rows = or(hole_rows, sub(start, self.tops[x + j]));
            around[2 + j] = or(around[2 + j], times(base, all(cells as i16)));
            full = and(full, around[2 + j]);
        }
        let width = all(2 * shape.width as i16);
        let columns = sub(add(columns, width), add(closed, closed));
        let landing = add(add(y, y), all(shape.height as i16 - 1));
        Placed {
            row: y,
            features: Features {
                landing,
                known: [
                    add(rows, self.new_row_transitions::<SHAPE>(x, base)),
                    columns,
                    holes,
                    depth,
                ],
                wells: self.wells_with::<SHAPE>(x, &around),
                rows_with_holes: sum8(count8(hole_rows)),
                eroded: zero(),
            },
            full,
            sticks_out: greater(base, all(1 << (HEIGHT - shape.height))),
        }
    }

    /// Each of the two sides of each row of the piece costs one if it is empty, and saves one if it is full.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn new_row_transitions<const SHAPE: usize>(&self, x: usize, base: Vector) -> Vector {
        let shape = shape::<SHAPE>();
        let mut empty = zero();
        for row in 0..shape.height {
            let has = |j: &usize| shape.cells[*j] >> row & 1 == 1;
            let first = (0..shape.width).find(has).unwrap_or(0);
            let last = (0..shape.width).rfind(has).unwrap_or(0);
            let row = shift_left(base, row);
            for side in [self.cells[2 + x + first - 1], self.cells[2 + x + last + 1]] {
                empty = sub(empty, equal(and(side, row), zero()));
            }
        }
        let sides = all(2 * shape.height as i16);
        sub(add(empty, empty), sides)
    }

    /// The wells of all columns, if those around the piece are as given.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn wells_with<const SHAPE: usize>(&self, x: usize, around: &[Vector; 8]) -> Vector {
        let shape = shape::<SHAPE>();
        let mut wells = [zero(); 6];
        for j in 0..shape.width + 2 {
            wells[j] = and(and_not(around[j + 1], around[j]), around[j + 2]);
        }
        let (from, to) = (x.saturating_sub(1), (x + shape.width + 1).min(WIDTH));
        let others = sub(self.wells[WIDTH], sub(self.wells[to], self.wells[from]));
        add(others, run_sum(&mut wells[..shape.width + 2]))
    }
}
