//! Every placement of a piece on a board, and its eight features.
//!
//! A piece touches at most four columns and comes to lie on top of them, so nearly everything about
//! the board after a placement was true before it. [`Survey`] sums up, for every column, what lies
//! to the left and to the right of it; a placement adds the columns that it touches.
//!
//! | feature | changes in |
//! |---|---|
//! | column transitions, holes, hole depth | the columns of the piece |
//! | row transitions | the seams between those columns, and the seams to the two beside them |
//! | wells | those columns and the two beside them |
//! | rows with holes | the columns of the piece, and holes never disappear |
//!
//! That holds unless a row is completed. Then the board is [settled](settle) and measured as a whole,
//! and so is it when the piece sticks out above the board, which only a completed row can make good.
//! Together those are about one placement in thirty.

use super::column::{Column, Profile};
use super::piece::{Piece, SHAPES, Shape};
use super::{Board, FEATURES, Rule};
use crate::environment::{Action, Outcome};

/// Two wall columns stand on either side of the board, so that every column of the board, and each
/// wall beside it, has two neighbours.
const PAD: usize = 2;
/// The widest board, in columns, walls included.
const SPAN: usize = 16;

/// Row transitions and wells, in the lower and the upper half of a word.
type Seams = u32;

#[inline(always)]
fn seam<C: Column>(left: u32, right: u32) -> Seams {
    C::count(left ^ right)
}

#[inline(always)]
fn well<C: Column>(left: u32, column: u32, right: u32) -> Seams {
    C::run_sum(left & !column & right) << 16
}

/// What lies on one side of a column.
#[derive(Clone, Copy)]
struct Side {
    /// The rows that are full over all columns there.
    full: u32,
    profile: Profile,
    seams: Seams,
}

impl Side {
    const NOTHING: Side = Side { full: u32::MAX, profile: Profile::ZERO, seams: 0 };
}

/// What all placements on one board have in common.
pub(super) struct Survey<const W: usize, const H: usize, C> {
    columns: [u32; SPAN],
    heights: [u32; SPAN],
    /// Of the columns, and of the seams and wells that no piece to the right of them can change.
    left: [Side; SPAN],
    /// The same on the other side.
    right: [Side; SPAN],
    rows_with_holes: u32,
    board: Board<W, H, C>,
}

impl<const W: usize, const H: usize, C: Column> Survey<W, H, C> {
    const WALL: u32 = (1 << H) - 1;

    #[inline(always)]
    pub fn of(board: &Board<W, H, C>) -> Self {
        let mut survey = Survey {
            columns: [Self::WALL; SPAN],
            heights: [0; SPAN],
            left: [Side::NOTHING; SPAN],
            right: [Side::NOTHING; SPAN],
            rows_with_holes: 0,
            board: *board,
        };
        for (x, column) in board.columns.iter().enumerate() {
            survey.columns[PAD + x] = column.cells();
        }
        let columns = &survey.columns;
        let mut side = Side::NOTHING;
        for x in PAD..PAD + W {
            survey.left[x] = side;
            let column = columns[x];
            let profile = C::profile(column);
            let height = profile.height();
            survey.heights[x] = height;
            survey.rows_with_holes |= ((1 << height) - 1) & !column;
            side.full &= column;
            side.profile = side.profile.plus(profile);
            side.seams += seam::<C>(columns[x - 1], column);
            if x > PAD { side.seams += well::<C>(columns[x - 2], columns[x-1], column); }
        }
        let mut side = Side::NOTHING;
        for x in (PAD..PAD + W).rev() {
            survey.right[x] = side;
            let column = columns[x];
            side.full &= column;
            side.profile = side.profile.plus(C::profile(column));
            side.seams += seam::<C>(column, columns[x + 1]);
            if x + 1 < PAD + W { side.seams += well::<C>(column, columns[x + 1], columns[x + 2]); }
        }
        survey
    }

    #[inline(always)]
    pub fn each(&self, piece: Piece, rule: Rule, mut visit: impl FnMut(Outcome<FEATURES>)) {
        let v = &mut visit;
        match piece {
            Piece::I => { let a = self.slide::<0>(0, rule, v); self.slide::<1>(a, rule, v); }
            Piece::O => { self.slide::<2>(0, rule, v); }
            Piece::S => { let a = self.slide::<3>(0, rule, v); self.slide::<4>(a, rule, v); }
            Piece::Z => { let a = self.slide::<5>(0, rule, v); self.slide::<6>(a, rule, v); }
            Piece::T => {
                let a = self.slide::<7>(0, rule, v); let a = self.slide::<8>(a, rule, v);
                let a = self.slide::<9>(a, rule, v); self.slide::<10>(a, rule, v);
            }
            Piece::L => {
                let a = self.slide::<11>(0, rule, v); let a = self.slide::<12>(a, rule, v);
                let a = self.slide::<13>(a, rule, v); self.slide::<14>(a, rule, v);
            }
            Piece::J => {
                let a = self.slide::<15>(0, rule, v); let a = self.slide::<16>(a, rule, v);
                let a = self.slide::<17>(a, rule, v); self.slide::<18>(a, rule, v);
            }
        }
    }

    #[inline(always)]
    fn slide<const S: usize>(&self, first: Action, rule: Rule, visit: &mut impl FnMut(Outcome<FEATURES>)) -> Action {
        let shape = const { SHAPES[S] };
        let w = shape.width;
        for column in 0..=W - w {
            let x = PAD + column;
            let mut y = 0;
            for j in 0..w {
                y = y.max(self.heights[x + j] as i32 - shape.bottom[j] as i32);
            }
            let y = y as u32;

            let mut new = [0; 4];
            let mut covered = 0;
            let mut full = self.left[x].full & self.right[x + w - 1].full;
            for j in 0..w {
                let old = self.columns[x + j];
                new[j] = old | shape.cells[j] << y;
                covered |= ((1 << shape.bottom[j] << y) - 1) & !old;
                full &= new[j];
            }
            let action = first + column as Action;
            let outcome = if y + shape.height <= H as u32 && full == 0 {
                let mut profile = self.left[x].profile.plus(self.right[x + w - 1].profile);
                let mut seams = self.left[x].seams + self.right[x + w - 1].seams;
                let (mut a, mut b) = (self.columns[x - 2], self.columns[x - 1]);
                for j in 0..w {
                    profile = profile.plus(C::profile(new[j]));
                    seams += seam::<C>(b, new[j]) + well::<C>(a, b, new[j]);
                    (a, b) = (b, new[j]);
                }
                let (c, d) = (self.columns[x + w], self.columns[x + w + 1]);
                seams += seam::<C>(b, c) + well::<C>(a, b, c) + well::<C>(b, c, d);
                Outcome {
                    action,
                    reward: 0,
                    features: [
                        (2 * y + shape.height - 1) as i16,
                        0,
                        (seams & 0xffff) as i16,
                        profile.transitions(),
                        profile.holes(),
                        (seams >> 16) as i16,
                        profile.hole_depth(),
                        C::count(self.rows_with_holes | covered) as i16,
                    ],
                }
            } else {
                match settle(&self.board, &SHAPES[S], column, y, rule) {
                    Some(settled) => settled.outcome(action),
                    None => continue,
                }
            };
            visit(outcome);
        }
        first + (W - w + 1) as Action
    }
}

/// A board after a placement, in full.
pub(super) struct Settled<const W: usize, const H: usize, C> {
    pub board: Board<W, H, C>,
    pub rows: u32,
    landing: u32,
    eroded: u32,
}

/// Puts a piece down with its lowest row at `y` and removes the full rows.
#[inline(never)]
pub(super) fn settle<const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    shape: &Shape,
    column: usize,
    y: u32,
    rule: Rule,
) -> Option<Settled<W, H, C>> {
    if rule == Rule::BeforeRemoval && y + shape.height > H as u32 {
        return None;
    }
    let mut cells = board.columns.map(C::cells);
    let mut full = u32::MAX;
    for (x, c) in cells.iter_mut().enumerate() {
        if let Some(&piece) = shape.cells.get(x.wrapping_sub(column)) {
            *c |= piece << y;
        }
        full &= *c;
    }
    let mut eroded = 0;
    for piece in shape.cells {
        eroded += (full & piece << y).count_ones();
    }
    let rows = full.count_ones();
    let mut board = Board { columns: [C::from_cells(0); W] };
    for (to, mut cells) in board.columns.iter_mut().zip(cells) {
        let mut gone = full;
        while gone != 0 {
            let above = u32::MAX << (31 - gone.leading_zeros());
            cells = cells & !above | cells >> 1 & above;
            gone &= !above;
        }
        if cells >> H != 0 {
            return None;
        }
        *to = C::from_cells(cells);
    }
    Some(Settled { board, rows, landing: 2 * y + shape.height - 1, eroded: eroded * rows })
}

impl<const W: usize, const H: usize, C: Column> Settled<W, H, C> {
    fn outcome(&self, action: Action) -> Outcome<FEATURES> {
        let wall = (1 << H) - 1;
        let mut profile = Profile::ZERO;
        let mut seams = 0;
        let mut covered = 0;
        let (mut a, mut b) = (wall, wall);
        for column in self.board.columns {
            let c = column.cells();
            let p = C::profile(c);
            profile = profile.plus(p);
            covered |= ((1 << p.height()) - 1) & !c;
            seams += seam::<C>(b, c) + well::<C>(a, b, c);
            (a, b) = (b, c);
        }
        seams += seam::<C>(b, wall) + well::<C>(a, b, wall);
        Outcome {
            action,
            reward: self.rows as i16,
            features: [
                self.landing as i16,
                self.eroded as i16,
                (seams & 0xffff) as i16,
                profile.transitions(),
                profile.holes(),
                (seams >> 16) as i16,
                profile.hole_depth(),
                C::count(covered) as i16,
            ],
        }
    }
}
