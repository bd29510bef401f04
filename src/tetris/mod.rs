//! Tetris: a piece drops straight down, full rows go, and the game ends when nothing fits.
//!
//! The task of the paper's section 5. A state is a board and the piece to place on it; an action is
//! an orientation and a column; the reward is the number of rows removed. The eight features are
//! those of Thiery and Scherrer; [`diverse`] has a ninth.

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
pub use piece::Piece;

use crate::direction::Direction;
use crate::environment::{Action, Environment, Outcome};
use core::marker::PhantomData;
use placement::Sketches;
use rand_core::Rng;

/// The number of features.
pub const FEATURES: usize = 8;

/// The largest number of placements of a piece, on a board of ten columns.
pub const PLACEMENTS: usize = 34;

/// The names of the features, in their order.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "landing height",
    "eroded piece cells",
    "row transitions",
    "column transitions",
    "holes",
    "board wells",
    "hole depth",
    "rows with holes",
];

/// The weights of BCTS, the controller that Thiery and Scherrer built by cross-entropy search.
pub const BCTS: [f32; FEATURES] = [
    -12.629, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087,
];

/// The directions of the features, which are the signs of [`BCTS`].
pub const DIRECTIONS: [Direction; FEATURES] = {
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
/// let policy = Policy::new::<Tetris10x10, _>(&BCTS).unwrap();
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
        let mut column = usize::from(action);
        for shape in state.piece.shapes() {
            let columns = W + 1 - shape.width;
            if column < columns {
                let base = state.board.landing(shape, column);
                let mut board = state.board;
                let removed = board.settle(shape, column, base, self.rule)?;
                let cells = shape.cells_at(column, base);
                return Some(Placed {
                    cells,
                    board,
                    rows: removed.rows as u8,
                });
            }
            column -= columns;
        }
        None
    }
}

impl<const W: usize, const H: usize, C: Column> Default for Tetris<W, H, C> {
    fn default() -> Self {
        Self::new(Rule::default())
    }
}

impl<const W: usize, const H: usize, C: Column> Environment<FEATURES, PLACEMENTS>
    for Tetris<W, H, C>
{
    type State = State<W, H, C>;

    /// Landing height comes in halves.
    const UNITS: [f32; FEATURES] = [0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

    /// Whatever the board, and even if rows of it are full before the placement:
    /// - a piece of height h, at most 4, lies no higher than on row H: 2H + h − 1;
    /// - it has four cells, and no more than H + 1 rows can go, the last of them above a board that
    ///   is no wider than the piece;
    /// - along a row there is one change at each of the W + 1 seams, and their number is even, since
    ///   both walls are full;
    /// - along a column there is one change at each of the H + 1 seams;
    /// - the highest cell of a column is no hole if there is a hole in it;
    /// - a well has neighbours that are no wells, and none is deeper than 1 + 2 + … + H;
    /// - k full cells above H − k holes give a depth of k(H − k), at most H²/4;
    /// - no hole is in the highest row.
    const BOUNDS: [i16; FEATURES] = [
        (2 * H + 3) as i16,
        (4 * (H + 1)) as i16,
        (W.div_ceil(2) * 2 * H) as i16,
        (W * (H + 1)) as i16,
        (W * (H - 1)) as i16,
        (W.div_ceil(2) * (H * (H + 1) / 2)) as i16,
        (W * (H * H / 4)) as i16,
        (H - 1) as i16,
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
    fn outcomes(&self, state: &Self::State, mut visit: impl FnMut(Outcome<FEATURES>)) {
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
        match self.place(state, action) {
            Some(Placed { board, rows, .. }) => (
                State {
                    board,
                    piece: Piece::draw(rng),
                },
                rows.into(),
            ),
            None => (*state, 0),
        }
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
}
