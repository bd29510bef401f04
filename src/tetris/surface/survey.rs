//! Every placement of a piece on a board, and its surface features.
//!
//! As long as no row is completed, a placement changes a board only where the piece lies: what is to its left and to its
//! right adds up to what it did before. So one [`Walk`] over the board measures it, and what it has gathered on the way
//! is remembered for each column; a placement measures anew the columns of the piece and those next to it.
//!
//! A placement that completes a row, or sticks out above the board, is settled, and its board is walked over as a whole.

use super::super::PLACEMENTS;
use super::super::board::{Board, Removed, Rule};
use super::super::column::{CROWN, Column, Crown, Profile};
use super::super::piece::{Piece, SHAPES, Shape};
use super::fit::{self, Step};
use super::{Eight, weights};
use crate::environment::{Action, Outcome};

/// The height of a wall: so far above any board that the step to it is a cliff.
const WALL: u32 = 40;

/// A sum of packed measures: row transitions in the lower half of the word, squared depths of wells in the upper.
type Seams = u32;

/// A sum of packed measures: column transitions from bit 8, weighted holes from bit 16.
type Covers = u32;

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
    /// The sum over all columns.
    profile: Profile,
    weighted_holes: u32,
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
}

impl Walk {
    /// Nothing but the wall, which is full.
    #[inline(always)]
    fn wall<C: Column>(height: usize) -> Self {
        let wall = ((1 << height) - 1) << C::LIFT;
        Walk {
            full: wall,
            holes: 0,
            profile: Profile::ZERO,
            weighted_holes: 0,
            crown: 0,
            seams: 0,
            deepest: 0,
            places: 0,
            cells: wall,
            heights: [WALL; 2],
            step: fit::CLIFF,
        }
    }

    /// The walk, past a column in which each hole counts `weight`.
    #[inline(always)]
    fn past<const ROWS: bool, C: Column>(self, cells: u32, weight: u32) -> Self {
        let profile = C::profile(cells);
        let height = profile.height() - C::LIFT;
        let holes = match ROWS {
            true => (((1 << height) - 1) << C::LIFT) & !cells,
            false => 0,
        };
        Walk {
            full: self.full & cells,
            holes: self.holes | holes,
            profile: self.profile.plus(profile),
            weighted_holes: self.weighted_holes + weight * profile.holes() as u32,
            crown: self.crown.max(C::crown(cells)),
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
    fn of<const ROWS: bool, const W: usize, const H: usize, C: Column>(
        board: &Board<W, H, C>,
    ) -> Measured {
        let weights = const { weights::<W>() };
        let wall = Self::wall::<C>(H);
        let mut walk = wall;
        for (column, weight) in board.columns.iter().zip(weights) {
            walk = walk.past::<ROWS, C>(column.lifted(), weight);
        }
        walk.over::<C>(wall.cells, WALL).measured()
    }

    #[inline(always)]
    fn measured(&self) -> Measured {
        Measured {
            covers: (self.profile.transitions() as u32) << 8 | self.weighted_holes << 16,
            crown: self.crown,
            seams: self.seams,
            deepest: self.deepest,
            places: self.places,
            holes: self.holes,
        }
    }
}

/// What a walk adds up. What is to the right of a column is what it lacks there of the whole.
#[derive(Clone, Copy)]
struct Sums {
    places: u32,
    seams: Seams,
}

/// What is on one side of a placement, and does not change by it.
#[derive(Clone, Copy)]
struct Side {
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
#[derive(Clone, Copy)]
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

/// The most columns of a board.
const MOST: usize = 10;

/// What all placements on one board have in common. A list that has room for walls begins with them.
struct Survey<'a, const W: usize, const H: usize, C> {
    board: &'a Board<W, H, C>,
    rule: Rule,
    /// The whole board.
    whole: Measured,
    /// The cells of each column, which are not lifted, between two walls.
    cells: [u32; MOST + 2],
    /// The height of each column, between two walls on each side.
    heights: [u8; MOST + 4],
    /// The step to each column from the one before, after one that is not there and before two of which one is not.
    steps: [Step; MOST + 3],
    /// The crown of each column, without its height.
    crowns: [u16; MOST],
    /// Up to each column and without it, and twice more with the wall at the end.
    sums: [Sums; MOST + 3],
    /// To the left of each column.
    left: [Side; W],
    /// To the right of each column; wells without that of the next, which a placement may change.
    right: [Side; W],
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
    let survey = Survey::<W, H, C>::new::<ROWS>(board, rule);
    match piece {
        Piece::I => {
            survey.slide::<ROWS, 0>(sketches);
            survey.slide::<ROWS, 1>(sketches);
        }
        Piece::O => survey.slide::<ROWS, 2>(sketches),
        Piece::S => {
            survey.slide::<ROWS, 3>(sketches);
            survey.slide::<ROWS, 4>(sketches);
        }
        Piece::Z => {
            survey.slide::<ROWS, 5>(sketches);
            survey.slide::<ROWS, 6>(sketches);
        }
        Piece::T => {
            survey.slide::<ROWS, 7>(sketches);
            survey.slide::<ROWS, 8>(sketches);
            survey.slide::<ROWS, 9>(sketches);
            survey.slide::<ROWS, 10>(sketches);
        }
        Piece::L => {
            survey.slide::<ROWS, 11>(sketches);
            survey.slide::<ROWS, 12>(sketches);
            survey.slide::<ROWS, 13>(sketches);
            survey.slide::<ROWS, 14>(sketches);
        }
        Piece::J => {
            survey.slide::<ROWS, 15>(sketches);
            survey.slide::<ROWS, 16>(sketches);
            survey.slide::<ROWS, 17>(sketches);
            survey.slide::<ROWS, 18>(sketches);
        }
    }
}

impl<'a, const W: usize, const H: usize, C: Column> Survey<'a, W, H, C> {
    const WEIGHTS: [u32; W] = weights::<W>();

    #[inline(always)]
    fn new<const ROWS: bool>(board: &'a Board<W, H, C>, rule: Rule) -> Self {
        let wall = Walk::wall::<C>(H);
        let mut walk = wall;
        let mut cells = [wall.cells >> C::LIFT; MOST + 2];
        let mut heights = [WALL as u8; MOST + 4];
        let mut steps = [fit::CLIFF; MOST + 3];
        let mut crowns = [0; MOST];
        let mut sums = [Sums {
            places: 0,
            seams: 0,
        }; MOST + 3];
        let mut left = [Side {
            full: wall.full,
            deepest: 0,
        }; W];
        let mut right = left;
        for x in 0..W {
            sums[x] = Sums {
                places: walk.places,
                seams: walk.seams,
            };
            left[x] = Side {
                full: walk.full,
                deepest: walk.deepest,
            };
            let column = board.columns[x].lifted();
            walk = walk.past::<ROWS, C>(column, Self::WEIGHTS[x]);
            cells[x + 1] = column >> C::LIFT;
            heights[x + 2] = walk.heights[1] as u8;
            steps[x + 1] = walk.step;
            crowns[x] = (C::crown(column) >> CROWN << CROWN) as u16;
        }
        sums[W] = Sums {
            places: walk.places,
            seams: walk.seams,
        };
        walk = walk.over::<C>(wall.cells, WALL);
        sums[W + 1] = Sums {
            places: walk.places,
            seams: walk.seams,
        };
        sums[W + 2] = sums[W + 1];
        for x in (0..W - 1).rev() {
            let beyond = right[x + 1];
            let well = match x + 2 < W {
                true => depth(
                    heights[x + 3].into(),
                    heights[x + 4].into(),
                    heights[x + 5].into(),
                ),
                false => 0,
            };
            right[x] = Side {
                full: beyond.full & board.columns[x + 1].lifted(),
                deepest: beyond.deepest.max(well),
            };
        }
        Survey {
            board,
            rule,
            whole: walk.measured(),
            cells,
            heights,
            steps,
            crowns,
            sums,
            left,
            right,
        }
    }

    /// Adds the legal placements of a shape, from left to right. The shape is known when this is compiled, so that
    /// what does not matter for it is not computed.
    #[inline(never)]
    fn slide<const ROWS: bool, const SHAPE: usize>(&self, sketches: &mut Sketches) {
        let shape = const { &SHAPES[SHAPE] };
        let width = const { SHAPES[SHAPE].width };
        let outline = const { Outline::of(&SHAPES[SHAPE]) };
        for column in 0..W + 1 - width {
            let action = const { first_action(SHAPE, W) } + column;
            let height = |x: usize| u32::from(self.heights[column + x]);
            // The highest column decides.
            let mut row = 0;
            for j in 0..width {
                row = row.max(height(j + 2).saturating_sub(shape.bottom[j].into()));
            }
            let landing = 2 * row + shape.height - 1;
            let (left, right) = (&self.left[column], &self.right[column + width - 1]);
            let sticks_out = row + shape.height > H as u32;
            let beside = left.full & right.full;
            if sticks_out || beside != 0 && self.completes(shape, column, row, beside) {
                // Above the board, only a piece as wide as the board fills a row.
                if (beside != 0 || width == W)
                    && let Some(sketch) = self.settled::<ROWS>(shape, column, row, action)
                {
                    let _ = sketches.push(sketch);
                }
                continue;
            }
            let mut measured = self.whole;
            let mut beside = 0;
            for j in 0..width {
                let cells = |x: usize| self.cells[column + x] >> row;
                beside |= cells(j) & outline.left[j];
                beside |= (cells(j + 2) & outline.right[j]) << shape.height;
            }
            // Two for each row of the piece, less two for each of its neighbours that is full.
            let rows = self.whole.seams + 2 * shape.height - 2 * C::count(beside << C::LIFT);
            for j in 0..width {
                let floor = row + u32::from(shape.bottom[j]);
                let own = height(j + 2);
                let gap = floor - own;
                let crown = match gap {
                    0 => self.crowns[column + j].into(),
                    _ => floor << CROWN,
                };
                measured.covers += u32::from(gap > 0) << 9;
                measured.covers += gap * (Self::WEIGHTS[column + j] << 16);
                measured.crown = measured.crown.max(crown | (row + u32::from(shape.top[j])));
                if ROWS {
                    measured.holes |= ((1 << floor) - (1 << own)) << C::LIFT;
                }
            }
            let (first, last) = (
                row + u32::from(shape.top[0]),
                row + u32::from(shape.top[width - 1]),
            );
            let (before, after) = (height(1), height(width + 2));
            let mut deepest = left.deepest.max(right.deepest);
            let (here, beyond) = (&self.sums[column], &self.sums[column + width + 2]);
            let mut squares = (self.whole.seams >> 16) + (here.seams >> 16) - (beyond.seams >> 16);
            let mut well = |depth: u32| {
                deepest = deepest.max(depth);
                squares += depth * depth;
            };
            well(depth(height(0), before, first));
            well(depth(last, after, height(width + 3)));
            if width == 1 {
                well(depth(before, first, after));
            } else {
                // On the piece, a well is no deeper than the step to its next column.
                if outline.rise > 0 {
                    well(before.saturating_sub(first).min(outline.rise));
                }
                if outline.fall > 0 {
                    well(after.saturating_sub(last).min(outline.fall));
                }
            }
            measured.seams = rows & 0xffff | squares << 16;
            measured.deepest = deepest;
            let (up, down) = (fit::step(before, first), fit::step(last, after));
            let on_top = match width {
                1 => fit::places(up, down),
                _ => {
                    fit::places(up, outline.first)
                        + outline.places
                        + fit::places(outline.last, down)
                }
            };
            measured.places = self.whole.places + here.places - beyond.places
                + fit::places(self.steps[column], up)
                + on_top
                + fit::places(down, self.steps[column + width + 2]);
            // There is room: no piece has more than `PLACEMENTS` placements.
            let _ = sketches.push(measured.sketch::<ROWS, C>(action, landing));
        }
    }

    /// Whether a piece that lies in `row` fills what its columns lack of the rows that are full `beside` it.
    #[inline(never)]
    fn completes(&self, shape: &Shape, column: usize, row: u32, beside: u32) -> bool {
        let columns = &self.cells[column + 1..];
        let cells = columns.iter().zip(shape.cells).take(shape.width);
        cells.fold(beside, |full, (column, piece)| {
            full & (column | piece << row) << C::LIFT
        }) != 0
    }

    // Few placements come here: it must not take registers from the others.
    #[cold]
    #[inline(never)]
    fn settled<const ROWS: bool>(
        &self,
        shape: &Shape,
        column: usize,
        row: u32,
        action: usize,
    ) -> Option<Sketch> {
        let mut board = *self.board;
        let removed = board.settle(shape, column, row, self.rule)?;
        let landing = 2 * row + shape.height - 1;
        let measured = Walk::of::<ROWS, W, H, C>(&board);
        Some(
            measured
                .sketch::<ROWS, C>(action, landing)
                .removing(&removed),
        )
    }
}

/// The action that puts a shape into the first columns of a board of `width` columns.
const fn first_action(shape: usize, width: usize) -> usize {
    let (mut action, mut i) = (0, shape);
    while i > 0 && SHAPES[i - 1].piece as u8 == SHAPES[shape].piece as u8 {
        i -= 1;
        action += width + 1 - SHAPES[i].width;
    }
    action
}

/// What is known of a shape wherever it lies.
struct Outline {
    /// By column, its cells that may have a full neighbour on the left: all in the first, in the others those lower
    /// than the column before. Every row of a shape has one cell of this kind at most.
    left: [u32; 4],
    /// The same on the right.
    right: [u32; 4],
    /// How much higher the second column is than the first.
    rise: u32,
    /// How much higher the last column but one is than the last.
    fall: u32,
    /// The first step on top of it, and the last.
    first: Step,
    last: Step,
    /// The places that the steps after the first add.
    places: u32,
}

impl Outline {
    const fn of(shape: &Shape) -> Self {
        let Shape {
            width,
            cells,
            bottom,
            top,
            ..
        } = *shape;
        let mut outline = Outline {
            left: cells,
            right: cells,
            rise: 0,
            fall: 0,
            first: fit::CLIFF,
            last: fit::CLIFF,
            places: 0,
        };
        let mut x = 1;
        while x < width {
            let (before, height) = (top[x - 1] as u32, top[x] as u32);
            let step = fit::step(before, height);
            outline.left[x] &= (1 << bottom[x - 1]) - 1;
            outline.right[x - 1] &= (1 << bottom[x]) - 1;
            outline.fall = before.saturating_sub(height);
            if x == 1 {
                outline.rise = height.saturating_sub(before);
                outline.first = step;
            } else {
                outline.places += fit::places(outline.last, step);
            }
            outline.last = step;
            x += 1;
        }
        outline
    }
}
