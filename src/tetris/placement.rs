//! Every placement of a piece on a board, and its features.
//!
//! All features but the first two are sums over columns, over the seams between columns, and over
//! wells, which are a matter of three columns. So a board can be measured by walking over it one
//! column at a time, from the left, from the right, or from both sides at once. [`Side`] is what
//! such a walk has gathered. The walks over the board as it is are made once; a placement goes on
//! from the one that ends at the piece, over the columns of the piece, and joins the one that comes
//! from the other side.
//!
//! That holds unless a row is completed. Then the board is settled and measured as a whole, and so
//! it is when the piece sticks out above the board, which only a completed row can make good.
//! Together those are about one placement in twenty-five.

use super::board::{Board, Removed, Rule};
use super::column::{Column, Profile};
use super::piece::{Piece, Shape};
use super::skyline::Skyline;
use super::{Eight, Landing, PLACEMENTS};
use crate::environment::{Action, Outcome};

/// What a walk over columns, from either wall, has gathered.
#[derive(Clone, Copy)]
struct Side<S> {
    /// The rows in which all cells are full.
    full: u32,
    /// The rows in which some cell is a hole.
    holes: u32,
    /// The sum over all columns.
    profile: Profile,
    /// Row transitions in the lower half of the word; wells in the upper, short of those in the
    /// last column, which depend on the next.
    seams: u32,
    /// The last column.
    last: u32,
    /// The cells of the last column that are wells if the next column is full there.
    lee: u32,
    /// What else is wanted of the heights.
    skyline: S,
}

impl<S: Skyline> Side<S> {
    /// Nothing but the wall, which is full.
    const fn wall(height: usize) -> Self {
        let wall = (1 << height) - 1;
        Side {
            full: wall,
            holes: 0,
            profile: Profile::ZERO,
            seams: 0,
            last: wall,
            lee: 0,
            skyline: S::WALL,
        }
    }

    /// The walk, past one more column. `top` is above every hole of that column.
    #[inline(always)]
    fn past<C: Column>(self, column: u32, top: u32) -> Self {
        let profile = C::profile(column);
        Side {
            full: self.full & column,
            holes: self.holes | (top - 1) & !column,
            profile: self.profile.plus(profile),
            seams: self.seams
                + C::count(self.last ^ column)
                + (C::run_sum(self.lee & column) << 16),
            last: column,
            lee: self.last & !column,
            skyline: self.skyline.past(profile.height()),
        }
    }

    /// Two walks that meet. The other one has come from the right, and its skyline is mirrored.
    #[inline(always)]
    fn join<C: Column>(self, other: &Self) -> Self {
        let wells = C::run_sum(self.lee & other.last) + C::run_sum(other.lee & self.last);
        Side {
            full: self.full & other.full,
            holes: self.holes | other.holes,
            profile: self.profile.plus(other.profile),
            seams: self.seams + other.seams + C::count(self.last ^ other.last) + (wells << 16),
            skyline: self.skyline.join(other.skyline),
            ..self
        }
    }

    /// A walk over the whole board.
    #[inline(never)]
    fn of<const W: usize, const H: usize, C: Column>(board: &Board<W, H, C>) -> Self {
        let walk = board.columns.iter().fold(Self::wall(H), |side, column| {
            let cells = C::clip(column.cells());
            side.past::<C>(cells, C::profile(cells).top())
        });
        walk.join::<C>(&Self::wall(H))
    }
}

/// One placement, packed.
#[derive(Clone, Copy)]
pub(super) struct Sketch {
    profile: Profile,
    /// From the lowest bit: row transitions (8 bits), pattern diversity (8) and wells.
    seams: u32,
    /// From the lowest bit: twice the landing height (6 bits), rows with holes (5), eroded piece
    /// cells (7), rows removed (5), and the action.
    rest: u32,
}

/// The legal placements of a piece.
pub(super) type Sketches = heapless::Vec<Sketch, PLACEMENTS>;

impl Sketch {
    #[inline(always)]
    fn new<C: Column, S: Skyline>(action: usize, landing: u32, side: &Side<S>) -> Sketch {
        let rows_with_holes = C::count(C::clip(side.holes));
        let rest = landing | rows_with_holes << 6 | (action as u32) << 23;
        Sketch {
            profile: side.profile,
            seams: side.seams | side.skyline.diversity() << 8,
            rest,
        }
    }

    fn removing(mut self, removed: &Removed) -> Sketch {
        self.rest |= (removed.cells * removed.rows) << 11 | removed.rows << 18;
        self
    }

    /// The pattern diversity, if the skyline knew it.
    #[inline(always)]
    pub fn diversity(&self) -> i16 {
        (self.seams >> 8 & 0xff) as i16
    }

    /// The placement with its first eight features, unpacked.
    #[inline(always)]
    pub fn outcome(&self) -> Outcome<Eight> {
        let rest = |from: u32, bits: u32| (self.rest >> from & ((1 << bits) - 1)) as i16;
        Outcome {
            action: (self.rest >> 23) as Action,
            promise: rest(18, 5),
            features: [
                rest(0, 6),
                rest(11, 7),
                (self.seams & 0xff) as i16,
                self.profile.transitions(),
                self.profile.holes(),
                (self.seams >> 16) as i16,
                self.profile.hole_depth(),
                rest(6, 5),
            ],
        }
    }
}

/// What all placements on one board have in common.
struct Survey<'a, const W: usize, const H: usize, C, S> {
    board: &'a Board<W, H, C>,
    rule: Rule,
    /// The lowest cell above each column, as a bit.
    tops: [u32; W],
    /// The walk from the left wall up to each column, without it.
    left: [Side<S>; W],
    /// The walk from the right wall, its skyline mirrored.
    right: [Side<S>; W],
}

/// Adds the legal placements of `piece` to `sketches`, in the order of their actions.
#[inline(never)]
pub(super) fn sketch<S: Skyline, const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    piece: Piece,
    rule: Rule,
    sketches: &mut Sketches,
) {
    let survey = Survey::<W, H, C, S>::new(board, rule);
    let mut action = 0;
    for shape in piece.shapes() {
        match shape.width {
            1 => survey.slide::<1>(shape, action, sketches),
            2 => survey.slide::<2>(shape, action, sketches),
            3 => survey.slide::<3>(shape, action, sketches),
            _ => survey.slide::<4>(shape, action, sketches),
        }
        action += W + 1 - shape.width;
    }
}

/// One placement, or `None` if it is not legal.
pub(super) fn single<const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    landing: &Landing,
    action: Action,
    rule: Rule,
) -> Option<Sketch> {
    let Landing {
        shape,
        column,
        base,
    } = landing;
    let mut board = *board;
    let removed = board.settle(shape, *column, *base, rule)?;
    let height = 2 * base.trailing_zeros() + shape.height - 1;
    let sketch = Sketch::new::<C, ()>(action.into(), height, &Side::of(&board));
    Some(sketch.removing(&removed))
}

impl<'a, const W: usize, const H: usize, C: Column, S: Skyline> Survey<'a, W, H, C, S> {
    #[inline(always)]
    fn new(board: &'a Board<W, H, C>, rule: Rule) -> Self {
        let columns = board.columns.map(|column| C::clip(column.cells()));
        let tops = columns.map(|cells| C::profile(cells).top());
        let mut left = [Side::<S>::wall(H); W];
        let mut right = left;
        for x in 1..W {
            left[x] = left[x - 1].past::<C>(columns[x - 1], tops[x - 1]);
        }
        for x in (0..W - 1).rev() {
            right[x] = right[x + 1].past::<C>(columns[x + 1], tops[x + 1]);
        }
        for side in &mut right {
            side.skyline = side.skyline.mirrored();
        }
        Survey {
            board,
            rule,
            tops,
            left,
            right,
        }
    }

    /// Adds the legal placements of a shape, from left to right, the first of them as `action`. The
    /// width is known when this is compiled, so that its loops unroll.
    #[inline(never)]
    fn slide<const WIDTH: usize>(&self, shape: &Shape, action: usize, sketches: &mut Sketches) {
        let highest = 1 << (H as u32 - shape.height);
        for column in 0..W + 1 - WIDTH {
            // The highest column decides. In bits: 1 << max(h − b) is the maximum of 1 << h >> b.
            let mut base = 0;
            for j in 0..WIDTH {
                base = base.max(self.tops[column + j] >> shape.bottom[j]);
            }
            let mut side = self.left[column];
            for j in 0..WIDTH {
                let cells = self.board.columns[column + j].cells() | (shape.cells[j] * base);
                side = side.past::<C>(C::clip(cells), base << shape.bottom[j]);
            }
            side = side.join::<C>(&self.right[column + WIDTH - 1]);

            let row = C::count(C::clip(base - 1));
            let landing = 2 * row + shape.height - 1;
            let sketch = if base <= highest && side.full == 0 {
                Sketch::new::<C, S>(action + column, landing, &side)
            } else if side.full == 0 && WIDTH < W {
                // It sticks out, and no row goes: above the board, only a piece as wide as the board fills one.
                continue;
            } else if let Some((side, removed)) = self.settled(shape, column, base) {
                Sketch::new::<C, S>(action + column, landing, &side).removing(&removed)
            } else {
                continue;
            };
            // There is room: no piece has more than `PLACEMENTS` placements.
            let _ = sketches.push(sketch);
        }
    }

    // Few placements come here: it must not take registers from the others.
    #[cold]
    #[inline(never)]
    fn settled(&self, shape: &Shape, column: usize, base: u32) -> Option<(Side<S>, Removed)> {
        let mut board = *self.board;
        let removed = board.settle(shape, column, base, self.rule)?;
        Some((Side::of(&board), removed))
    }
}
