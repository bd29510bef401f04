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

use super::board::{Board, Rule};
use super::column::{Column, Profile};
use super::piece::{Piece, Shape};
use super::skyline::Skyline;
use super::{Eight, Landing, PLACEMENTS};
use crate::environment::{Action, Outcome};

/// What a walk over columns, from either wall, has gathered. All cells are lifted.
#[derive(Clone, Copy)]
struct Side<S> {
    /// The rows in which all cells are full.
    full: u32,
    /// The sum over all columns.
    profile: Profile,
    edge: Edge<S>,
}

/// The part of it that depends on the order of columns.
#[derive(Clone, Copy)]
struct Edge<S> {
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
    #[inline(always)]
    fn wall<C: Column>(height: usize) -> Self {
        let wall = ((1 << height) - 1) << C::LIFT;
        Side {
            full: wall,
            profile: Profile::ZERO,
            edge: Edge {
                seams: 0,
                last: wall,
                lee: 0,
                skyline: S::WALL,
            },
        }
    }

    /// The walk, past one more column.
    #[inline(always)]
    fn past<C: Column>(self, column: u32) -> Self {
        Side {
            full: self.full & column,
            profile: self.profile.plus(C::profile(column)),
            edge: self.edge.past::<C>(column),
        }
    }
}

impl<S: Skyline> Edge<S> {
    /// The walk, past one more column.
    #[inline(always)]
    fn past<C: Column>(self, column: u32) -> Self {
        Edge {
            seams: self.sheltered::<C>(column) + C::count(self.last ^ column),
            last: column,
            lee: self.last & !column,
            skyline: self.skyline.past(C::profile(column).height() - C::LIFT),
        }
    }

    /// The seams if `column` is next, with the wells that it makes of the last column, but without its own seam.
    #[inline(always)]
    fn sheltered<C: Column>(&self, column: u32) -> u32 {
        self.seams + (C::run_sum(self.lee & column) << 16)
    }

    /// Two walks that meet. The other one has come from the right, and its skyline is mirrored.
    #[inline(always)]
    fn join<C: Column>(self, other: &Self) -> Self {
        let wells = C::run_sum(self.lee & other.last) + C::run_sum(other.lee & self.last);
        Edge {
            seams: self.seams + other.seams + C::count(self.last ^ other.last) + (wells << 16),
            skyline: self.skyline.join(other.skyline),
            ..self
        }
    }
}

/// The lowest cell above a column of a lifted height, as a bit. There is none above a column that is as high as it can
/// be: what is returned then is below the board.
#[inline(always)]
fn above(height: u32) -> u32 {
    1u32.wrapping_shl(height)
}

/// The holes of a column, given the bit above it. What is below the board may be set, too.
#[inline(always)]
fn holes<C: Column>(column: u32, top: u32) -> u32 {
    top.wrapping_sub(1 << C::LIFT) & !column
}

/// A board as a whole: a walk from wall to wall, and the rows that have holes.
struct Whole<S> {
    side: Side<S>,
    holes: u32,
}

impl<S: Skyline> Whole<S> {
    #[inline(never)]
    fn of<const W: usize, const H: usize, C: Column>(board: &Board<W, H, C>) -> Self {
        let wall = Side::<S>::wall::<C>(H);
        let start = Whole {
            side: wall,
            holes: 0,
        };
        let walk = board.columns.iter().fold(start, |whole, column| {
            let column = column.lifted();
            Whole {
                side: whole.side.past::<C>(column),
                holes: whole.holes | holes::<C>(column, above(C::profile(column).height())),
            }
        });
        Whole {
            side: Side {
                edge: walk.side.edge.join::<C>(&wall.edge),
                ..walk.side
            },
            ..walk
        }
    }
}

/// One placement, as it is measured.
pub(super) struct Placement {
    pub action: usize,
    /// From the lowest bit: twice the landing height (16 bits), eroded piece cells (8) and rows removed (5).
    pub rest: u32,
    pub profile: Profile,
    /// Row transitions in the lower half of the word, wells in the upper.
    pub seams: u32,
    pub rows_with_holes: u32,
    /// The pattern diversity, if the skyline knew it.
    pub diversity: u32,
}

/// One placement, packed so that nearly every feature is a byte of its own.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
pub(super) struct Sketch {
    profile: [u8; 4],
    /// Row transitions, the action, and wells in two bytes.
    seams: [u8; 4],
    /// Twice the landing height, rows with holes, eroded piece cells, and a byte with the rows removed in its lower
    /// five bits and the pattern diversity in the others.
    rest: [u8; 4],
}

/// The legal placements of a piece.
pub(super) type Sketches = heapless::Vec<Sketch, PLACEMENTS>;

impl Sketch {
    #[inline(always)]
    fn new(placement: &Placement) -> Sketch {
        let &Placement {
            action,
            rest,
            profile,
            seams,
            rows_with_holes,
            diversity,
        } = placement;
        Sketch {
            profile: profile.to_bytes(),
            seams: (seams | (action as u32) << 8).to_le_bytes(),
            rest: (rest | rows_with_holes << 8 | diversity << 29).to_le_bytes(),
        }
    }

    /// The pattern diversity, if the skyline knew it.
    #[inline(always)]
    pub fn diversity(&self) -> i16 {
        (self.rest[3] >> 5).into()
    }

    /// The placement with its first eight features, unpacked.
    #[inline(always)]
    pub fn outcome(&self) -> Outcome<Eight> {
        let [holes, transitions, depth @ ..] = self.profile;
        let [row_transitions, action, wells @ ..] = self.seams;
        let [landing, rows_with_holes, eroded, removed] = self.rest;
        Outcome {
            action,
            promise: (removed & 0x1f).into(),
            features: [
                landing.into(),
                eroded.into(),
                row_transitions.into(),
                transitions.into(),
                holes.into(),
                i16::from_le_bytes(wells),
                i16::from_le_bytes(depth) & 0x3ff,
                rows_with_holes.into(),
            ],
        }
    }
}

/// What is known of a column, and of all that is on the left of it.
#[derive(Clone, Copy)]
struct Stand<S> {
    cells: u32,
    /// The height, lifted.
    height: u32,
    /// The lowest cell above the column, as a bit.
    top: u32,
    /// The walk from the left wall up to the column, without it.
    left: Side<S>,
    /// The seams of that walk, and the wells on the near side of this column.
    sheltered: u32,
}

impl<S: Skyline> Stand<S> {
    /// Nothing on the floor.
    #[inline(always)]
    fn before<C: Column>(left: Side<S>) -> Self {
        Stand {
            cells: 0,
            height: C::LIFT,
            top: 1 << C::LIFT,
            left,
            sheltered: 0,
        }
    }
}

/// What all placements on one board have in common.
struct Survey<'a, const W: usize, const H: usize, C, S> {
    board: &'a Board<W, H, C>,
    rule: Rule,
    /// The rows that have holes.
    holes: u32,
    stands: &'a [Stand<S>; W],
    /// The walk from the right wall past so many columns, its skyline mirrored.
    right: &'a [Side<S>; W],
}

/// What becomes of the legal placements of a piece, which come in the order of their actions.
///
/// A placement that completes no row comes in two parts, the cheap one first; a visitor that has no use for it then
/// spares the rest.
pub(super) trait Visitor<S> {
    /// What it remembers of the first part.
    type Part;

    /// The board as it is: row transitions and wells, packed as in [`Side`], and the number of rows with holes.
    fn survey(&mut self, seams: u32, rows_with_holes: u32);

    /// The shape of the placements that follow.
    fn turn(&mut self, shape: &Shape);

    /// The first part of a placement: twice its landing height, its profile, and the seams and wells that it leaves
    /// as they are. Returns `None` if the rest does not matter.
    fn begin(&self, landing: u32, profile: Profile, kept: u32) -> Option<Self::Part>;

    /// The rest.
    fn end(&mut self, part: Self::Part, placement: &Placement);

    /// A placement that completed rows.
    fn completed(&mut self, sketch: &Sketch);
}

/// Keeps all of them.
impl<S> Visitor<S> for Sketches {
    type Part = ();

    #[inline(always)]
    fn survey(&mut self, _: u32, _: u32) {}

    #[inline(always)]
    fn turn(&mut self, _: &Shape) {}

    #[inline(always)]
    fn begin(&self, _: u32, _: Profile, _: u32) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn end(&mut self, (): (), placement: &Placement) {
        // There is room: no piece has more than `PLACEMENTS` placements.
        let _ = self.push(Sketch::new(placement));
    }

    #[inline(always)]
    fn completed(&mut self, sketch: &Sketch) {
        let _ = self.push(*sketch);
    }
}

/// Shows the legal placements of `piece` to `visitor`.
#[inline(never)]
pub(super) fn visit<S: Skyline, V: Visitor<S>, const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    piece: Piece,
    rule: Rule,
    visitor: &mut V,
) {
    let wall = Side::wall::<C>(H);
    let mut stands = [Stand::before::<C>(wall); W];
    let mut right = [wall; W];
    let (seams, holes) = measure(board, &mut stands, &mut right);
    visitor.survey(seams, C::count(holes));
    let survey = Survey::<W, H, C, S> {
        board,
        rule,
        holes,
        stands: &stands,
        right: &right,
    };
    let mut action = 0;
    for shape in piece.shapes() {
        visitor.turn(shape);
        match shape.width {
            1 => survey.slide::<1, V>(shape, action, visitor),
            2 => survey.slide::<2, V>(shape, action, visitor),
            3 => survey.slide::<3, V>(shape, action, visitor),
            _ => survey.slide::<4, V>(shape, action, visitor),
        }
        action += W + 1 - shape.width;
    }
}

/// Walks over the board as it is. Returns its row transitions and wells, and its holes.
///
/// One walk is made, from the left. What it lacks of the whole are the sums of the one from the right.
#[inline(never)]
fn measure<S: Skyline, const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    stands: &mut [Stand<S>; W],
    rights: &mut [Side<S>; W],
) -> (u32, u32) {
    let wall = Side::<S>::wall::<C>(H);
    let (mut left, mut right) = (wall, wall);
    let mut all_holes = 0;
    for (column, stand) in board.columns.iter().zip(&mut *stands) {
        let cells = column.lifted();
        let height = C::profile(cells).height();
        let top = above(height);
        *stand = Stand {
            cells,
            height,
            top,
            left,
            sheltered: left.edge.sheltered::<C>(cells),
        };
        left = left.past::<C>(cells);
        all_holes |= holes::<C>(cells, top);
    }
    let mut sheltered = left.edge.sheltered::<C>(wall.full);
    let seams = left.edge.past::<C>(wall.full).seams;
    for (stand, here) in stands.iter().rev().zip(rights) {
        *here = right;
        here.edge.skyline = right.edge.skyline.mirrored();
        right = Side {
            full: right.full & stand.cells,
            profile: left.profile.less(stand.left.profile),
            edge: Edge {
                seams: seams - sheltered,
                last: stand.cells,
                lee: right.edge.last & !stand.cells,
                skyline: right.edge.skyline.past(stand.height - C::LIFT),
            },
        };
        sheltered = stand.sheltered;
    }
    (seams, all_holes)
}

impl<const W: usize, const H: usize, C: Column, S: Skyline> Survey<'_, W, H, C, S> {
    /// Shows the legal placements of a shape, from left to right, the first of them as `action`. The
    /// width is known when this is compiled, so that its loops unroll.
    #[inline(never)]
    fn slide<const WIDTH: usize, V: Visitor<S>>(
        &self,
        shape: &Shape,
        action: usize,
        visitor: &mut V,
    ) {
        let highest = C::LIFT + H as u32 - shape.height;
        // In one word, which stays in a register.
        let bottoms = u32::from_le_bytes(shape.bottom);
        for column in 0..W + 1 - WIDTH {
            // The highest column decides.
            let mut base = 0;
            for j in 0..WIDTH {
                let bottom = bottoms >> (8 * j) & 0xff;
                base = base.max(self.stands[column + j].height - bottom);
            }
            let action = action + column;
            let is_plain =
                base <= highest && self.lay::<WIDTH, V>(shape, column, base, action, visitor);
            if !is_plain && let Some(sketch) = self.settled(shape, column, base, action) {
                visitor.completed(&sketch);
            }
        }
    }

    /// The rows that are full to the left and to the right of a piece.
    #[inline(always)]
    fn full_beside<const WIDTH: usize>(&self, column: usize) -> u32 {
        self.stands[column].left.full & self.right[W - WIDTH - column].full
    }

    /// Shows the placement of a piece that does not stick out. Returns whether it completes no row; if it does,
    /// nothing was shown.
    #[inline(always)]
    fn lay<const WIDTH: usize, V: Visitor<S>>(
        &self,
        shape: &Shape,
        column: usize,
        base: u32,
        action: usize,
        visitor: &mut V,
    ) -> bool {
        let (left, right) = (&self.stands[column].left, &self.right[W - WIDTH - column]);
        let mut full = self.full_beside::<WIDTH>(column);
        let mut profile = left.profile.plus(right.profile);
        let mut columns = [0; WIDTH];
        for (j, cells) in columns.iter_mut().enumerate() {
            *cells = self.stands[column + j].cells | shape.cells[j] << base;
            full &= *cells;
            profile = profile.plus(C::profile(*cells));
        }
        if full != 0 {
            return false;
        }
        let landing = (2 * base).wrapping_add(shape.height.wrapping_sub(1 + 2 * C::LIFT));
        let Some(part) = visitor.begin(landing, profile, left.edge.seams + right.edge.seams) else {
            return true;
        };
        let mut edge = left.edge;
        let mut holes = self.holes;
        for (j, cells) in columns.into_iter().enumerate() {
            edge = edge.past::<C>(cells);
            // No hole vanishes unless a row does, and what is below the piece is new: the bits from the one above
            // the column up to the piece, which is what is left of the difference without the piece itself.
            let piece = shape.cells[j] << base;
            holes |= piece.wrapping_sub(self.stands[column + j].top) & !piece;
        }
        edge = edge.join::<C>(&right.edge);
        visitor.end(
            part,
            &Placement {
                action,
                rest: landing,
                profile,
                seams: edge.seams,
                rows_with_holes: C::count(holes),
                diversity: edge.skyline.diversity(),
            },
        );
        true
    }

    /// A placement that completes a row, or sticks out above the board, or `None` if it is not legal.
    // Out of line, for the registers of the others.
    #[cold]
    #[inline(never)]
    fn settled(&self, shape: &Shape, column: usize, base: u32, action: usize) -> Option<Sketch> {
        let row = base - C::LIFT;
        if row + shape.height > H as u32 && shape.width < W {
            // Above the board, only a piece as wide as the board fills a row.
            let left = &self.stands.get(column)?.left;
            let right = self.right.get(W.wrapping_sub(shape.width + column))?;
            if left.full & right.full == 0 {
                return None;
            }
        }
        let landing = Landing { shape, column, row };
        settled::<S, W, H, C>(self.board, &landing, action, self.rule)
    }
}

/// A placement by its board after full rows were removed, or `None` if it is not legal.
// Few placements come here: it must not take registers from the others.
#[cold]
#[inline(never)]
fn settled<S: Skyline, const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    landing: &Landing<'_>,
    action: usize,
    rule: Rule,
) -> Option<Sketch> {
    let &Landing { shape, column, row } = landing;
    let mut board = *board;
    let removed = board.settle(shape, column, row, rule)?;
    let Whole { side, holes } = Whole::<S>::of(&board);
    let landing = 2 * row + shape.height - 1;
    let eroded = removed.cells * removed.rows;
    Some(Sketch::new(&Placement {
        action,
        rest: landing | eroded << 16 | removed.rows << 24,
        profile: side.profile,
        seams: side.edge.seams,
        rows_with_holes: C::count(holes),
        diversity: side.edge.skyline.diversity(),
    }))
}

/// One placement, or `None` if it is not legal.
pub(super) fn single<const W: usize, const H: usize, C: Column>(
    board: &Board<W, H, C>,
    landing: &Landing<'_>,
    action: Action,
    rule: Rule,
) -> Option<Sketch> {
    settled::<(), W, H, C>(board, landing, action.into(), rule)
}
