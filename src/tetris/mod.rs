//! Tetris: a piece drops straight down, full rows go, and the game ends when nothing fits.
//!
//! The task of the paper's section 5. A state is a board and the piece to place on it; an action is an orientation
//! and a column; the reward is the number of rows removed. The eight features are those of Thiery and Scherrer;
//! [`diverse`] has a ninth.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "columns, rows and shapes are bounded by constants, and all is compared with a twin"
)]

mod board;
mod column;
pub mod diverse;
mod piece;
mod placement;
mod saved;
mod skyline;

pub use board::{AboveBoard, Board, Rule};
pub use column::{Column, Profile};
pub use piece::{Piece, SHAPES, Shape};

use crate::array::Array;
use crate::direction::Direction;
use crate::environment::{Action, Canvas, Environment, Feature, Outcome, PerFeature};
use core::marker::PhantomData;
use placement::Sketches;
use rand_core::Rng;

/// The largest number of placements of a piece, on a board of ten columns.
const PLACEMENTS: usize = 34;

/// The eight features, as integers.
type Eight = [i16; 8];

/// The weights of BCTS, the controller that Thiery and Scherrer built by cross-entropy search.
pub const BCTS: <Eight as Array>::Of<f32> = [
    -12.629, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087,
];

/// The directions of the features, which are the signs of [`BCTS`].
pub const DIRECTIONS: <Eight as Array>::Of<Direction> = {
    use Direction::{Con, Pro};
    [Con, Pro, Con, Con, Con, Con, Con, Con]
};

/// The game on the paper's board.
pub type Tetris10x10 = Tetris<10, 10, u16>;
/// The game on the board of the classic benchmark.
pub type Tetris10x20 = Tetris<10, 20, u32>;

/// A board and the piece to place on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct State<const W: usize = 10, const H: usize = 10, C = u16> {
    /// The board.
    pub board: Board<W, H, C>,
    /// The piece.
    pub piece: Piece,
}

/// What a placement leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Placed<const W: usize = 10, const H: usize = 10, C = u16> {
    /// The four cells of the piece where it came to lie, as column and row, before full rows were
    /// removed. A row may be above the board.
    pub cells: [(u8, u8); 4],
    /// The board after full rows were removed.
    pub board: Board<W, H, C>,
    /// The number of rows removed.
    pub rows: u8,
}

/// The game on a board of `W` columns and `H` rows.
///
/// ```
/// use ipse::environment::Environment;
/// use ipse::policy::Policy;
/// use ipse::tetris::{BCTS, Rule, Tetris10x10};
/// use rand_core::SeedableRng;
/// use rand_xorshift::XorShiftRng;
///
/// let tetris = Tetris10x10::new(Rule::AfterRemoval);
/// let policy = Policy::new::<Tetris10x10>(&BCTS).unwrap();
/// let mut rng = XorShiftRng::seed_from_u64(1);
///
/// let mut rows = 0;
/// let mut state = tetris.reset(&mut rng);
/// while let Some(action) = policy.choose(&tetris, &state, &mut rng) {
///     let (next, reward) = tetris.step(&state, action, &mut rng);
///     state = next;
///     rows += i32::from(reward);
/// }
/// assert!(rows > 100);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tetris<const W: usize = 10, const H: usize = 10, C = u16> {
    rule: Rule,
    columns: PhantomData<C>,
}

impl<const W: usize, const H: usize, C: Column> Tetris<W, H, C> {
    /// Everything that is packed has room: see [`Profile`] for the sums over columns; the landing
    /// height has 6 bits, rows with holes and rows removed have 5, row transitions 8.
    const PACKS: () = {
        assert!(
            4 <= W && 4 * W - 6 <= PLACEMENTS,
            "from four to ten columns"
        );
        assert!(
            4 <= H && H <= C::MAX_HEIGHT,
            "from four rows to what the integer holds"
        );
        assert!(
            W * (H + 1) < 1 << 8 && W * (H * H / 4) < 1 << 10,
            "too high"
        );
        assert!(2 * H + 3 < 1 << 6 && H < 1 << 5, "too high");
        assert!((W + 1) * H < 1 << 8, "too high");
    };

    /// The game under `rule`.
    pub const fn new(rule: Rule) -> Self {
        const { Self::PACKS };
        Tetris {
            rule,
            columns: PhantomData,
        }
    }

    /// Places the piece of `state`, or `None` if `action` is not legal.
    pub fn place(&self, state: &State<W, H, C>, action: Action) -> Option<Placed<W, H, C>> {
        let landing = self.landing(state, action)?;
        let (board, rows) = self.settle(state, &landing)?;
        Some(Placed {
            cells: landing.shape.cells_at(landing.column, landing.base),
            board,
            rows,
        })
    }

    /// What [`outcomes`](Environment::outcomes) tells about one action, or `None` if it is not legal.
    pub fn outcome(&self, state: &State<W, H, C>, action: Action) -> Option<Outcome<Eight>> {
        let landing = self.landing(state, action)?;
        let sketch = placement::single(&state.board, &landing, action, self.rule)?;
        Some(sketch.outcome())
    }

    /// Where the piece of `state` comes to lie, if there is an action with this number.
    fn landing(&self, state: &State<W, H, C>, action: Action) -> Option<Landing> {
        let mut column = usize::from(action);
        for shape in state.piece.shapes() {
            let columns = W + 1 - shape.width;
            if column < columns {
                return Some(Landing {
                    shape,
                    column,
                    base: state.board.landing(shape, column),
                });
            }
            column -= columns;
        }
        None
    }

    /// The board after full rows were removed, and their number, or `None` if the placement is not legal.
    fn settle(&self, state: &State<W, H, C>, landing: &Landing) -> Option<(Board<W, H, C>, u8)> {
        let mut board = state.board;
        let Landing {
            shape,
            column,
            base,
        } = landing;
        let removed = board.settle(shape, *column, *base, self.rule)?;
        Some((board, removed.rows as u8))
    }
}

/// A piece that has come to lie: its lowest row is `base`, a single bit.
struct Landing {
    shape: &'static piece::Shape,
    column: usize,
    base: u32,
}

impl<const W: usize, const H: usize, C: Column> Default for Tetris<W, H, C> {
    fn default() -> Self {
        Self::new(Rule::default())
    }
}

impl<const W: usize, const H: usize, C: Column> Environment for Tetris<W, H, C> {
    type State = State<W, H, C>;
    type Features = Eight;
    type Actions = [Action; PLACEMENTS];

    const NAME: &'static str = "tetris";

    /// Landing height comes in halves. The bounds hold for any board, even if rows of it are full before the
    /// placement:
    /// - a piece of height h, at most 4, lies no higher than on row H: 2H + h − 1;
    /// - it has four cells, and no more than H + 1 rows can go, the last of them above a board that is no wider
    ///   than the piece;
    /// - along a row there is one change at each of the W + 1 seams, and their number is even, since both walls
    ///   are full;
    /// - along a column there is one change at each of the H + 1 seams;
    /// - the highest cell of a column is no hole if there is a hole in it;
    /// - a well has neighbours that are no wells, and none is deeper than 1 + 2 + … + H;
    /// - k full cells above H − k holes give a depth of k(H − k), at most H²/4;
    /// - no hole is in the highest row.
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("landing height", (2 * H + 3) as i16).unit(0.5),
        Feature::new("eroded piece cells", (4 * (H + 1)) as i16),
        Feature::new("row transitions", (W.div_ceil(2) * 2 * H) as i16),
        Feature::new("column transitions", (W * (H + 1)) as i16),
        Feature::new("holes", (W * (H - 1)) as i16),
        Feature::new("board wells", (W.div_ceil(2) * (H * (H + 1) / 2)) as i16),
        Feature::new("hole depth", (W * (H * H / 4)) as i16),
        Feature::new("rows with holes", (H - 1) as i16),
    ];

    // Rare, and asked for in many places.
    #[inline(never)]
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        State {
            board: Board::empty(),
            piece: Piece::draw(rng),
        }
    }

    #[inline(always)]
    fn outcomes(&self, state: &Self::State, mut visit: impl FnMut(Outcome<Eight>)) {
        let mut sketches = Sketches::new();
        placement::sketch::<(), W, H, C>(&state.board, state.piece, self.rule, &mut sketches);
        for sketch in &sketches {
            visit(sketch.outcome());
        }
    }

    /// An action that is not legal leaves the state as it is.
    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16) {
        let landing = self.landing(state, action);
        match landing.and_then(|landing| self.settle(state, &landing)) {
            Some((board, rows)) => {
                let piece = Piece::draw(rng);
                (State { board, piece }, rows.into())
            }
            None => (*state, 0),
        }
    }

    /// Looks for a placement that is legal, and no further.
    fn is_terminal(&self, state: &Self::State) -> bool {
        let is_illegal = |action| match self.landing(state, action) {
            Some(landing) => self.settle(state, &landing).is_none(),
            None => true,
        };
        (0..PLACEMENTS as Action).all(is_illegal)
    }

    /// Low, with no more than one hole.
    fn is_safe(&self, state: &Self::State) -> bool {
        const SAFE: usize = 4;
        let mut holes = 0;
        for column in &state.board.columns {
            let cells = column.cells();
            holes += C::profile(cells).holes();
            if cells >> SAFE != 0 || holes > 1 {
                return false;
            }
        }
        true
    }

    /// The board, four pixels a cell, within its walls.
    const PICTURE: (u16, u16) = (CELL * W as u16 + 4, CELL * H as u16 + 2);

    fn draw(&self, state: &Self::State, canvas: &mut impl Canvas) {
        let (width, height) = Self::PICTURE;
        canvas.fill(0, 0, 1, height);
        canvas.fill(width - 1, 0, 1, height);
        canvas.fill(0, height - 1, width, 1);
        for (x, column) in (0..).zip(&state.board.columns) {
            for y in (0..H as u16).filter(|y| column.cells() >> y & 1 == 1) {
                let top = CELL * (H as u16 - 1 - y);
                canvas.fill(2 + CELL * x, top, CELL - 1, CELL - 1);
            }
        }
    }
}

/// The pixels of a cell in a picture, and of the gap to the next.
const CELL: u16 = 4;
