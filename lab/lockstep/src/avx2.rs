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
//! Lanes in which a row is completed are left to the engine. A piece that sticks out without completing a row is not
//! legal under either rule.

use crate::sheet::{ILLEGAL, Known, Sheet, place};
use crate::{Game, LANES};
use bytemuck::must_cast;
use core::arch::x86_64::{
    __m256i as Vector, _mm_cvtsi32_si128, _mm256_add_epi8 as add8, _mm256_add_epi16 as add,
    _mm256_add_epi32 as add32, _mm256_and_si256 as and, _mm256_andnot_si256 as and_not,
    _mm256_blendv_epi8 as select, _mm256_cmpeq_epi16 as equal, _mm256_cmpeq_epi32 as equal32,
    _mm256_cmpgt_epi16 as greater, _mm256_cmpgt_epi32 as greater32, _mm256_madd_epi16 as products,
    _mm256_maddubs_epi16 as products8, _mm256_max_epi16 as max, _mm256_max_epi32 as max32,
    _mm256_movemask_epi8, _mm256_mullo_epi16 as times, _mm256_or_si256 as or,
    _mm256_set1_epi8 as all8, _mm256_set1_epi16 as all, _mm256_set1_epi32 as all32,
    _mm256_setzero_si256 as zero, _mm256_shuffle_epi8 as look_up, _mm256_sll_epi16,
    _mm256_slli_epi32, _mm256_srl_epi16, _mm256_srli_epi16, _mm256_sub_epi16 as sub,
    _mm256_testz_si256, _mm256_unpackhi_epi16 as upper, _mm256_unpacklo_epi16 as lower,
};
use ipse::tetris::{Piece, SHAPES, Shape, Tetris10x10};
use multiversion::multiversion;
use multiversion::target::match_target;

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
    let boards = Boards::of(games);
    let mut page = Page {
        boards: &boards,
        task,
        games,
        sheet,
        leaders: Leaders::none(),
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
    let Leaders { best, first, tied } = page.leaders;
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
    /// Of two features in each 32 bits; for each pair, the lanes of both halves.
    low: [[Vector; 2]; 4],
    high: [[Vector; 2]; 4],
}

impl Boards {
    #[target_feature(enable = "avx2")]
    fn of(games: &[Box<Game<'_>>]) -> Self {
        // Lanes without a game have an empty board.
        let mut cells = [[0; LANES]; 2 + WIDTH + 2];
        for wall in [0, 1, 2 + WIDTH, 3 + WIDTH] {
            cells[wall] = [WALL; LANES];
        }
        let mut known = [[0i16; LANES]; Known::LEN];
        let mut low = [[0u32; LANES]; 4];
        let mut high = low;
        for (lane, game) in games.iter().enumerate() {
            let place = place(lane);
            for (to, column) in cells[2..].iter_mut().zip(game.state.board.columns()) {
                to[place] = column as u16;
            }
            for (to, number) in known.iter_mut().zip(game.memory.known.0) {
                to[place] = number;
            }
            for i in 0..4 {
                low[i][lane] = game.memory.weights.low[i];
                high[i][lane] = game.memory.weights.high[i];
            }
        }
        let cells = must_cast(cells);
        let mut boards = Boards {
            cells,
            tops: [zero(); WIDTH],
            heights: [zero(); WIDTH],
            holes: [zero(); WIDTH],
            hole_rows: zero(),
            left: [all(WALL as i16); WIDTH + 1],
            right: [all(WALL as i16); WIDTH + 1],
            wells: [zero(); WIDTH + 1],
            known: must_cast(known),
            low: must_cast(low),
            high: must_cast(high),
        };
        boards.survey();
        boards
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
struct Page<'a, 'g> {
    boards: &'a Boards,
    task: &'a Tetris10x10,
    games: &'a [Box<Game<'g>>],
    sheet: &'a mut Sheet,
    leaders: Leaders,
}

/// The features of a placement, but for eroded cells.
struct Features {
    landing: Vector,
    known: [Vector; Known::LEN],
    wells: Vector,
    rows_with_holes: Vector,
}

impl Page<'_, '_> {
    /// All placements of a shape, from left to right.
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    fn slide<const SHAPE: usize>(&mut self) {
        let shape = shape::<SHAPE>();
        for x in 0..WIDTH + 1 - shape.width {
            let placed = self.boards.place::<SHAPE>(x);
            let mut scores = self.boards.score(&placed.features);
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
            self.sheet.known[action] = must_cast(placed.features.known);
            if _mm256_testz_si256(placed.full, placed.full) == 0 {
                self.ask(placed.full, action);
                scores = must_cast(self.sheet.scores[action]);
            }
            self.leaders.offer(scores, action);
        }
    }

    /// Lets the engine measure the lanes in which a row is full.
    #[target_feature(enable = "avx2")]
    fn ask(&mut self, full: Vector, action: usize) {
        // Two bits a place.
        let none = _mm256_movemask_epi8(equal(full, zero()));
        let mut some = !none as u32;
        while some != 0 {
            let lane = place(some.trailing_zeros() as usize / 2);
            self.sheet.ask(self.task, lane, &self.games[lane], action);
            some &= some - 1;
            some &= some - 1;
        }
    }
}

/// A placement on sixteen boards.
struct Placed {
    row: Vector,
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

    /// The scores of the policies.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn score(&self, features: &Features) -> [Vector; 2] {
        let [rows, columns, holes, depth] = features.known;
        let pairs = [
            [features.landing, rows],
            [columns, holes],
            [features.wells, depth],
            [features.rows_with_holes, zero()],
        ];
        let (mut low, mut high) = ([zero(); 2], [zero(); 2]);
        for (i, [a, b]) in pairs.into_iter().enumerate() {
            for (half, pair) in [lower(a, b), upper(a, b)].into_iter().enumerate() {
                low[half] = add32(low[half], products(pair, self.low[i][half]));
                high[half] = add32(high[half], products(pair, self.high[i][half]));
            }
        }
        [
            add32(_mm256_slli_epi32::<15>(high[0]), low[0]),
            add32(_mm256_slli_epi32::<15>(high[1]), low[1]),
        ]
    }
}

/// All cells below the highest of a column, and that one.
#[target_feature(enable = "avx2")]
#[inline]
fn below(column: Vector) -> Vector {
    let mut below = or(column, _mm256_srli_epi16::<1>(column));
    below = or(below, _mm256_srli_epi16::<2>(below));
    below = or(below, _mm256_srli_epi16::<4>(below));
    or(below, _mm256_srli_epi16::<8>(below))
}

/// The number of ones in each byte, by a look-up for each half of it.
#[target_feature(enable = "avx2")]
#[inline]
fn count8(cells: Vector) -> Vector {
    const ONES: [u8; 32] = {
        let mut ones = [0; 32];
        let mut i = 0;
        while i < 32 {
            ones[i] = (i as u8 % 16).count_ones() as u8;
            i += 1;
        }
        ones
    };
    let (ones, half) = (must_cast(ONES), all8(0xf));
    let upper = and(_mm256_srli_epi16::<4>(cells), half);
    add8(look_up(ones, and(cells, half)), look_up(ones, upper))
}

/// The sum of the two bytes of each value.
#[target_feature(enable = "avx2")]
#[inline]
fn sum8(bytes: Vector) -> Vector {
    products8(bytes, all8(1))
}

/// The sum of 1 + 2 + … + k over all runs of k ones in wells of neighbouring columns. Wearing one cell off every run,
/// again and again, leaves k, k − 1, …, 1 cells of a run of k. Two neighbours are never wells in the same row, and are
/// counted as one.
#[target_feature(enable = "avx2")]
#[inline]
fn run_sum(wells: &mut [Vector]) -> Vector {
    let mut sum = zero();
    loop {
        let mut left = zero();
        for pair in wells.chunks_mut(2) {
            let both = pair.iter().fold(zero(), |both, well| or(both, *well));
            sum = add8(sum, count8(both));
            for well in pair {
                *well = and(*well, _mm256_srli_epi16::<1>(*well));
                left = or(left, *well);
            }
        }
        if _mm256_testz_si256(left, left) == 1 {
            return sum8(sum);
        }
    }
}

/// By a number that is a constant where this is inlined.
#[target_feature(enable = "avx2")]
#[inline]
fn shift_left(vector: Vector, by: u32) -> Vector {
    _mm256_sll_epi16(vector, _mm_cvtsi32_si128(by as i32))
}

#[target_feature(enable = "avx2")]
#[inline]
fn shift_right(vector: Vector, by: u32) -> Vector {
    _mm256_srl_epi16(vector, _mm_cvtsi32_si128(by as i32))
}
