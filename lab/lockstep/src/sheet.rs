//! What sixteen games come to with each placement of their piece.

use crate::{Eight, Game, LANES};
use ipse::best::Best;
use ipse::environment::Action;
use ipse::policy::Policy;
use ipse::prelude::*;
use ipse::tetris::{Board, Piece, SHAPES, Tetris10x10};

/// The most placements of a piece.
const PLACEMENTS: usize = <Tetris10x10 as Environment>::Actions::LEN;

/// The score of a placement that is not legal. Scores of a policy are above −2³⁰.
pub const ILLEGAL: i32 = i32::MIN;

/// Instead of a row: this placement was left to the engine.
const ASKED: i16 = -1;
/// Instead of a row, the number of a placement that completes rows, less than this.
const COMPLETED: i16 = -2;

/// A value for each game, in the order of their lanes; if it has 16 bits, in the order of [`place`].
pub type Row<T> = [T; LANES];

/// The place of a lane in a vector of 16-bit values. Instructions that make 32 bits out of 16 take four values of the
/// lower half and four of the upper, so that the inner two of four groups change places.
pub const fn place(lane: usize) -> usize {
    lane & 3 | (lane & 4) << 1 | (lane & 8) >> 1
}

/// What a game remembers for its next decision.
pub struct Memory {
    pub weights: Weights,
    pub known: Known,
}

impl Memory {
    /// At the beginning of a game.
    pub fn new(policy: &Policy<Eight>) -> Self {
        Memory {
            weights: Weights::of(policy),
            known: Known::EMPTY,
        }
    }
}

/// The features that are carried from one board to the next, where a placement only adds to them: row transitions, column
/// transitions, holes and hole depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known(pub [i16; Known::LEN]);

impl Known {
    pub const LEN: usize = 4;

    /// Of the empty board: each row meets two walls, each column the floor.
    const EMPTY: Known = Known([20, 10, 0, 0]);

    /// Among all features of a placement.
    pub fn of(features: &Eight) -> Self {
        let [_, _, rows, columns, holes, _, depth, _] = *features;
        Known([rows, columns, holes, depth])
    }
}

/// The weights of a policy, cut for products of 16 bits: w = 2¹⁵ · high + low with 0 ≤ low < 2¹⁵. On this board a
/// weight has no more than 21 bits, so that both halves fit. Each word has the halves of two features, and a score is
/// 2¹⁵ · Σ high·φ + Σ low·φ, exactly.
#[derive(Clone, Copy)]
pub struct Weights {
    pub low: [u32; 4],
    pub high: [u32; 4],
}

impl Weights {
    fn of(policy: &Policy<Eight>) -> Self {
        let [
            landing,
            eroded,
            rows,
            columns,
            holes,
            wells,
            depth,
            rows_with_holes,
        ] = *policy.weights();
        let pairs = [
            [landing, rows],
            [columns, holes],
            [wells, depth],
            [rows_with_holes, eroded],
        ];
        let halves = |half: fn(i32) -> i32| {
            pairs.map(|[a, b]| half(a) as u32 & 0xffff | (half(b) as u32) << 16)
        };
        Weights {
            low: halves(|w| w & 0x7fff),
            high: halves(|w| w >> 15),
        }
    }
}

/// Up to sixteen placements that complete rows.
pub struct Completed {
    /// The boards without those rows.
    pub columns: [Row<u16>; 10],
    /// The number of those rows.
    pub removed: Row<u16>,
    pub known: [Row<i16>; Known::LEN],
}

/// The scores of all placements, and what is known of the boards that they leave behind.
pub struct Sheet {
    /// The number of placements.
    pub placements: usize,
    /// The number of the shape, and the column of its left edge.
    pub places: [(usize, usize); PLACEMENTS],
    pub scores: [Row<i32>; PLACEMENTS],
    /// The row on which the piece lies, or [`ASKED`], or, counted down from [`COMPLETED`], the number of the placement
    /// among those that complete rows.
    pub rows: [Row<i16>; PLACEMENTS],
    /// The rows that are completed.
    pub full: [Row<u16>; PLACEMENTS],
    pub known: [[Row<i16>; Known::LEN]; PLACEMENTS],
    /// The placements that complete rows.
    pub completed: Vec<Completed>,
    /// The highest score, the first placement that has it, and whether a random number was drawn on the way to it.
    pub best: Row<i32>,
    pub first: Row<i32>,
    pub is_tied: Row<i32>,
}

impl Sheet {
    pub fn new() -> Self {
        Sheet {
            placements: 0,
            places: [(0, 0); PLACEMENTS],
            scores: [[0; LANES]; PLACEMENTS],
            rows: [[0; LANES]; PLACEMENTS],
            full: [[0; LANES]; PLACEMENTS],
            known: [[[0; LANES]; Known::LEN]; PLACEMENTS],
            completed: Vec::new(),
            best: [ILLEGAL; LANES],
            first: [0; LANES],
            is_tied: [0; LANES],
        }
    }

    /// The choice in a lane, or `None` if nothing is legal.
    pub fn choice(&self, lane: usize, rng: &mut XorShiftRng) -> Option<Action> {
        match self.is_tied[lane] == 0 {
            true => (self.best[lane] != ILLEGAL).then_some(self.first[lane] as Action),
            false => self.offered(lane, rng),
        }
    }

    /// The choice if every legal placement is offered.
    #[inline(never)]
    fn offered(&self, lane: usize, rng: &mut XorShiftRng) -> Option<Action> {
        let mut best = Best::new();
        for (action, scores) in (0..).zip(&self.scores[..self.placements]) {
            if scores[lane] != ILLEGAL {
                best.offer(scores[lane], action, rng);
            }
        }
        best.choice()
    }

    /// The board after a placement and the rows that it removes, unless it was left to the engine.
    pub fn board(&self, lane: usize, board: &Board, action: Action) -> Option<(Board, i64)> {
        match self.completed(lane, action) {
            Some((completed, place)) => {
                let columns = completed.columns.map(|column| column[place].into());
                let board = Board::from_columns(columns).ok()?;
                Some((board, completed.removed[place].into()))
            }
            None => {
                let action = usize::from(action);
                let (shape, column) = self.places[action];
                let row = u32::try_from(self.rows[action][place(lane)]).ok()?;
                Some((board.with_piece(&SHAPES[shape], column, row)?, 0))
            }
        }
    }

    /// What is known of the board that a placement leaves behind.
    pub fn known(&self, lane: usize, action: Action) -> Known {
        let (known, place) = match self.completed(lane, action) {
            Some((completed, place)) => (&completed.known, place),
            None => (&self.known[usize::from(action)], place(lane)),
        };
        Known(std::array::from_fn(|i| known[i][place]))
    }

    /// Where a placement is among those that complete rows, if it does.
    fn completed(&self, lane: usize, action: Action) -> Option<(&Completed, usize)> {
        let number = COMPLETED - self.rows[usize::from(action)][place(lane)];
        let number = usize::try_from(number).ok()?;
        Some((self.completed.get(number / LANES)?, number % LANES))
    }

    /// Enters placements that complete rows: their actions and lanes, and their scores, each at its [`place`].
    pub fn enter(&mut self, completed: Completed, of: &[(usize, usize)], scores: &Row<i32>) {
        let first = COMPLETED - (self.completed.len() * LANES) as i16;
        self.completed.push(completed);
        for (n, &(action, lane)) in of.iter().enumerate() {
            self.scores[action][lane] = scores[place(n)];
            self.rows[action][place(lane)] = first - n as i16;
        }
    }

    /// Enters what the engine says of one placement.
    #[cold]
    pub fn ask(&mut self, task: &Tetris10x10, lane: usize, game: &Game, action: usize) {
        let outcome = task.outcome(&game.state, action as Action);
        self.scores[action][lane] = ILLEGAL;
        self.rows[action][place(lane)] = ASKED;
        if let Some(outcome) = outcome {
            self.scores[action][lane] = game.job.policy.score(&outcome.features);
            let Known(known) = Known::of(&outcome.features);
            for (row, known) in self.known[action].iter_mut().zip(known) {
                row[place(lane)] = known;
            }
        }
    }

    /// Fills the sheet for games that have `piece` to place.
    pub fn fill(&mut self, task: &Tetris10x10, piece: Piece, games: &[Box<Game>]) {
        #[cfg(target_arch = "x86_64")]
        crate::avx2::fill(self, task, piece, games);
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (task, piece, games);
    }
}
