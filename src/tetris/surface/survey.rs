//! Every placement of a piece on a board, and its surface features.
//!
//! As long as no row is completed, a placement changes a board only where the piece lies: what is to its left and to its
//! right adds up to what it did before. So one [`Walk`] over the board measures it, and what it has gathered on the way
//! is remembered for each column; a placement measures anew the columns of the piece and those next to it.
//!
//! A placement that completes a row, or sticks out above the board, is settled, and its board is walked over as a whole.

use super::super::PLACEMENTS;
use super::super::board::{Board, Removed, Rule};
use super::super::column::Column;
use super::super::piece::{Piece, Shape};
use super::fit::{self, Step};
use super::{Eight, weights};
use crate::environment::{Action, Outcome};

/// The height of a wall: so far above any board that the step to it is a cliff.
const WALL: u32 = 40;

/// A sum of packed measures: row transitions in the lower half of the word, squared depths of wells in the upper.
type Seams = u32;

/// A sum of packed measures: column transitions from bit 8, weighted holes from bit 16.
type Covers = u32;

/// The highest hole of a column, and its height: the row above that hole from bit 5, or 0, and the height below. The
/// greatest of all columns has the top column in its lower bits.
type Crown = u32;

const CROWN: u32 = 5;

#[inline(always)]
fn crown(above_hole: u32, height: u32) -> Crown {
    above_hole << CROWN | height
}

/// The lifted cells of a column that is full up to `height`.
#[inline(always)]
fn full<C: Column>(height: usize) -> u32 {
    ((1 << height) - 1) << C::LIFT
}

/// The depth of a column below both its neighbours.
#[inline(always)]
fn depth(left: u32, own: u32, right: u32) -> u32 {
    left.min(right).saturating_sub(own)
}

/// What a walk over columns from the left wall has gathered. All cells are lifted, and heights are not.
#[derive(Clone, Copy)]
struct Walk {
    /// The rows in which all cells are full.
    full: u32,
    /// The rows in which some cell is a hole.
    holes: u32,
    covers: Covers,
    crown: Crown,
    /// Up to the last column, without its well, which depends on the next.
    seams: Seams,
    /// The depth of the deepest well, without that of the last column.
    deepest: u32,
    places: u32,
    /// The cells of the last column.
    cells: u32,
    /// The heights of the last column and of the one before it.
    heights: [u32; 2],
    step: Step,
    /// The row above the highest hole of the last column.
    above_hole: u32,
}

impl Walk {
    /// Nothing but the wall, which is full.
    fn wall<C: Column>(height: usize) -> Self {
        let wall = full::<C>(height);
        Walk {
            full: wall,
            holes: 0,
            covers: 0,
            crown: 0,
            seams: 0,
            deepest: 0,
            places: 0,
            cells: wall,
            heights: [WALL; 2],
            step: fit::CLIFF,
            above_hole: 0,
        }
    }

    /// The walk, past a column in which each hole counts `weight`.
    #[inline(always)]
    fn past<C: Column>(self, cells: u32, weight: u32) -> Self {
        let profile = C::profile(cells);
        let height = profile.height() - C::LIFT;
        let holes = full::<C>(height as usize) & !cells;
        let above_hole = C::profile(holes).height() - C::LIFT;
        let covers =
            (profile.transitions() as u32) << 8 | (weight * (profile.holes() as u32)) << 16;
        let crown = match above_hole {
            0 => 0,
            _ => crown(above_hole, height),
        };
        Walk {
            full: self.full & cells,
            holes: self.holes | holes,
            covers: self.covers + covers,
            crown: self.crown.max(crown),
            above_hole,
            ..self.over::<C>(cells, height)
        }
    }

    /// The walk, past a column that has no holes and is not to be counted, such as a wall.
    #[inline(always)]
    fn over<C: Column>(self, cells: u32, height: u32) -> Self {
        let [before, last] = self.heights;
        let well = depth(before, last, height);
        let step = fit::step(last, height);
        Walk {
            seams: self.seams + C::count(self.cells ^ cells) + ((well * well) << 16),
            deepest: self.deepest.max(well),
            places: self.places + fit::places(self.step, step),
            cells,
            heights: [last, height],
            step,
            ..self
        }
    }

    /// A walk over the whole board, and the wall at its end.
    #[inline(never)]
    fn of<const W: usize, const H: usize, C: Column>(board: &Board<W, H, C>) -> Self {
        let weights = const { weights::<W>() };
        let mut walk = Self::wall::<C>(H);
        for (column, weight) in board.columns.iter().zip(weights) {
            walk = walk.past::<C>(column.lifted(), weight);
        }
        walk.over::<C>(full::<C>(H), WALL)
    }

    #[inline(always)]
    fn measured(&self) -> Measured {
        Measured {
            covers: self.covers,
            crown: self.crown,
            seams: self.seams,
            deepest: self.deepest,
            places: self.places,
            holes: self.holes,
        }
    }

    #[inline(always)]
    fn outside(&self) -> Outside {
        Outside {
            places: self.places,
            seams: self.seams,
            full: self.full,
            deepest: self.deepest,
        }
    }
}

/// What is on one side of a placement, and does not change by it.
#[derive(Clone, Copy)]
struct Outside {
    places: u32,
    seams: Seams,
    full: u32,
    deepest: u32,
}

/// One placement, packed.
#[derive(Clone, Copy)]
pub struct Sketch {
    /// From the lowest bit: row transitions (8 bits), column transitions (8), weighted holes.
    covers: u32,
    /// From the lowest bit: open wells (16 bits), the top column (5), the fit (5), rows with holes.
    surface: u32,
    /// From the lowest bit: twice the landing height (8 bits), eroded piece cells (8), rows removed (8), and the action.
    rest: u32,
}

/// The legal placements of a piece.
pub type Sketches = heapless::Vec<Sketch, PLACEMENTS>;

impl Sketch {
    #[inline(always)]
    pub fn outcome(&self) -> Outcome<Eight> {
        let byte = |word: u32, from: u32| (word >> from & 0xff) as i16;
        let five = |from: u32| (self.surface >> from & 0x1f) as i16;
        Outcome {
            action: (self.rest >> 24) as Action,
            promise: byte(self.rest, 16),
            features: [
                byte(self.rest, 0),
                byte(self.rest, 8),
                byte(self.covers, 0),
                byte(self.covers, 8),
                (self.covers >> 16) as i16,
                five(16),
                self.surface as i16,
                five(21),
            ],
        }
    }

    fn removing(mut self, removed: &Removed) -> Sketch {
        self.rest |= (removed.cells * removed.rows) << 8 | removed.rows << 16;
        self
    }

    /// The rows with holes, if they were asked for.
    #[inline(always)]
    pub fn rows_with_holes(&self) -> i16 {
        (self.surface >> 26) as i16
    }
}

/// What is measured of a board after a placement.
struct Measured {
    covers: Covers,
    crown: Crown,
    seams: Seams,
    deepest: u32,
    places: u32,
    holes: u32,
}

impl Measured {
    #[inline(always)]
    fn sketch<const ROWS: bool, C: Column>(self, action: usize, landing: u32) -> Sketch {
        let wells = 2 * (self.seams >> 16) - self.deepest * self.deepest;
        let top = match self.crown >> CROWN {
            0 => 0,
            _ => self.crown & ((1 << CROWN) - 1),
        };
        let mut surface = wells | top << 16 | fit::points(self.places) << 21;
        if ROWS {
            surface |= C::count(self.holes) << 26;
        }
        Sketch {
            covers: self.covers + (self.seams & 0xff),
            surface,
            rest: landing | (action as u32) << 24,
        }
    }
}

/// The most columns of a board, and those of the walls that a placement may look at.
const MOST: usize = 10;

/// What all placements on one board have in common. Where a list has room for walls, the first column is preceded by as
/// many as the name of its constant says.
struct Survey<'a, const W: usize, const H: usize, C> {
    board: &'a Board<W, H, C>,
    rule: Rule,
    /// The whole board.
    whole: Walk,
    /// The cells of each column, between two walls.
    cells: [u32; MOST + 2],
    /// The height of each column, between two walls on each side.
    heights: [u8; MOST + 4],
    /// The step to each column from the one before, after one that is not there and before two of which one is not.
    steps: [Step; MOST + 3],
    /// The row above the highest hole of each column.
    above_holes: [u8; MOST],
    /// To the left of each column: what a placement that begins there does not change.
    left: [Outside; W],
    /// To the right of each column: what a placement that ends there does not change.
    right: [Outside; W],
}

/// Adds the legal placements of `piece` to `sketches`, in the order of their actions; with their rows with holes, if
/// `ROWS` says so.
#[inline(never)]
pub fn sketch<const ROWS: bool, const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    piece: Piece,
    rule: Rule,
    sketches: &mut Sketches,
) {
    let survey = Survey::<W, H, C>::new(board, rule);
    let mut action = 0;
    for shape in piece.shapes() {
        match shape.width {
            1 => survey.slide::<ROWS, 1>(shape, action, sketches),
            2 => survey.slide::<ROWS, 2>(shape, action, sketches),
            3 => survey.slide::<ROWS, 3>(shape, action, sketches),
            _ => survey.slide::<ROWS, 4>(shape, action, sketches),
        }
        action += W + 1 - shape.width;
    }
}

impl<'a, const W: usize, const H: usize, C: Column> Survey<'a, W, H, C> {
    const WEIGHTS: [u32; W] = weights::<W>();

    #[inline(always)]
    fn new(board: &'a Board<W, H, C>, rule: Rule) -> Self {
        let mut walk = Walk::wall::<C>(H);
        let mut cells = [full::<C>(H); MOST + 2];
        let mut heights = [WALL as u8; MOST + 4];
        let mut steps = [fit::CLIFF; MOST + 3];
        let mut above_holes = [0; MOST];
        let mut left = [walk.outside(); W];
        let mut right = left;
        for x in 0..W {
            left[x] = walk.outside();
            let column = board.columns[x].lifted();
            walk = walk.past::<C>(column, Self::WEIGHTS[x]);
            cells[x + 1] = column;
            heights[x + 2] = walk.heights[1] as u8;
            steps[x + 1] = walk.step;
            above_holes[x] = walk.above_hole as u8;
        }
        // What is to the right of x: columns from x + 1 on, seams from x + 2, wells from x + 2, pairs of steps from
        // that to x + 3.
        for x in (0..W - 1).rev() {
            let beyond = right[x + 1];
            let well = depth(
                heights[x + 3].into(),
                heights[x + 4].into(),
                heights[(x + 5).min(MOST + 3)].into(),
            );
            right[x] = Outside {
                places: beyond.places + fit::places(steps[x + 3], steps[(x + 4).min(MOST + 2)]),
                seams: beyond.seams + C::count(cells[x + 2] ^ cells[x + 3]) + ((well * well) << 16),
                full: beyond.full & cells[x + 2],
                deepest: beyond.deepest.max(well),
            };
        }
        Survey {
            board,
            rule,
            whole: walk,
            cells,
            heights,
            steps,
            above_holes,
            left,
            right,
        }
    }

    /// Adds the legal placements of a shape, from left to right, the first of them as `action`. The
    /// width is known when this is compiled, so that its loops unroll.
    #[inline(never)]
    fn slide<const ROWS: bool, const WIDTH: usize>(
        &self,
        shape: &Shape,
        action: usize,
        sketches: &mut Sketches,
    ) {
        let outline = Outline::of::<WIDTH>(shape);
        for column in 0..W + 1 - WIDTH {
            let height = |x: usize| u32::from(self.heights[column + x]);
            // The highest column decides.
            let mut row = 0;
            for j in 0..WIDTH {
                row = row.max(height(j + 2).saturating_sub(shape.bottom[j].into()));
            }
            let top = |j: usize| row + u32::from(shape.top[j]);
            let landing = 2 * row + shape.height - 1;
            let (left, right) = (&self.left[column], &self.right[column + WIDTH - 1]);
            let mut full = left.full & right.full;
            let mut seams = left.seams + right.seams;
            let mut last = self.cells[column];
            for j in 0..WIDTH {
                let cells = self.cells[column + j + 1] | shape.cells[j] << row << C::LIFT;
                seams += C::count(last ^ cells);
                full &= cells;
                last = cells;
            }
            seams += C::count(last ^ self.cells[column + WIDTH + 1]);
            let sticks_out = row + shape.height > H as u32;
            if full != 0 || sticks_out {
                // Above the board, only a piece as wide as the board fills a row.
                if (full != 0 || WIDTH == W)
                    && let Some((walk, removed)) = self.settled(shape, column, row)
                {
                    let sketch = walk.measured().sketch::<ROWS, C>(action + column, landing);
                    let _ = sketches.push(sketch.removing(&removed));
                }
                continue;
            }
            let mut measured = Measured {
                seams,
                ..self.whole.measured()
            };
            for j in 0..WIDTH {
                let (floor, own) = (row + u32::from(shape.bottom[j]), height(j + 2));
                let gap = floor - own;
                let above_hole = match gap {
                    0 => self.above_holes[column + j].into(),
                    _ => floor,
                };
                measured.covers += u32::from(gap > 0) << 9;
                measured.covers += gap * (Self::WEIGHTS[column + j] << 16);
                measured.crown = measured.crown.max(crown(above_hole, top(j)));
                if ROWS {
                    measured.holes |= ((1 << floor) - (1 << own)) << C::LIFT;
                }
            }
            let steps = &self.steps;
            let (first, last) = (top(0), top(WIDTH - 1));
            let mut deepest = left.deepest.max(right.deepest);
            let mut well = |left, own, right| {
                let depth = depth(left, own, right);
                deepest = deepest.max(depth);
                measured.seams += (depth * depth) << 16;
            };
            let (before, after) = (height(1), height(WIDTH + 2));
            well(height(0), before, first);
            well(last, after, height(WIDTH + 3));
            match WIDTH {
                1 => well(before, first, after),
                _ => {
                    well(before, first, top(1));
                    well(top(WIDTH - 2), last, after);
                }
            }
            measured.deepest = deepest;
            let (up, down) = (fit::step(before, first), fit::step(last, after));
            measured.places = left.places
                + right.places
                + fit::places(steps[column], up)
                + outline.places::<WIDTH>(up, down)
                + fit::places(down, steps[column + WIDTH + 2]);
            // There is room: no piece has more than `PLACEMENTS` placements.
            let _ = sketches.push(measured.sketch::<ROWS, C>(action + column, landing));
        }
    }

    // Few placements come here: it must not take registers from the others.
    #[cold]
    #[inline(never)]
    fn settled(&self, shape: &Shape, column: usize, row: u32) -> Option<(Walk, Removed)> {
        let mut board = *self.board;
        let removed = board.settle(shape, column, row, self.rule)?;
        Some((Walk::of(&board), removed))
    }
}

/// The steps on top of a shape: the first, the last, and the places that those after the first add.
struct Outline {
    first: Step,
    last: Step,
    places: u32,
}

impl Outline {
    #[inline(always)]
    fn of<const WIDTH: usize>(shape: &Shape) -> Self {
        let step = |x: usize| fit::step(shape.top[x].into(), shape.top[x + 1].into());
        let first = if WIDTH > 1 { step(0) } else { fit::CLIFF };
        let (mut last, mut places) = (first, 0);
        for x in 1..WIDTH.max(2) - 1 {
            let next = step(x);
            places += fit::places(last, next);
            last = next;
        }
        Outline {
            first,
            last,
            places,
        }
    }

    /// The places that its steps and the one after it add, the step to it being `up` and the one after it `down`.
    #[inline(always)]
    fn places<const WIDTH: usize>(&self, up: Step, down: Step) -> u32 {
        match WIDTH {
            1 => fit::places(up, down),
            _ => fit::places(up, self.first) + self.places + fit::places(self.last, down),
        }
    }
}
