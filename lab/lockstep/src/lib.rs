//! Many games of Tetris at once on the paper's board, sixteen decisions in each step, by vector instructions.
//!
//! A lab plays millions of games of policies that do not change. Games do not depend on each other, so that those that
//! have the same piece to place can be decided together, one in each lane of a vector: `avx2` does that. Each game
//! keeps its own random numbers, and lanes in which something rare happens are left to the engine, so that every game
//! is to the last random number what [`Policy::choose`] and `step` make of it one decision at a time.
//!
//! # Who is decided next
//!
//! A game waits in the list of its piece. The longest list goes next, up to sixteen games of it. With 128 games
//! under way some list always has sixteen (7 × 15 < 128). Towards the end, when no new game begins, lanes stay empty;
//! a step costs about as much as three decisions of the engine, which therefore plays the last games.
#![forbid(unsafe_code)]
#![allow(
    clippy::vec_box,
    reason = "a game goes from list to list with every decision"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "without vectors no sheet is filled")
)]
mod sheet;

use ipse::environment::Action;
use ipse::policy::Policy;
use ipse::prelude::*;
use ipse::tetris::{Board, Piece, State, Tetris10x10};
use sheet::{Memory, Sheet};

/// The features of the paper.
pub type Eight = <Tetris10x10 as Environment>::Features;

/// The games of a step.
const LANES: usize = 16;
/// The games under way at the same time.
const SEATS: usize = 128;
/// A step with fewer games than this would be slower than the engine.
const FEWEST: usize = 3;

/// Returns whether this machine can do it.
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// When a game ends at the latest, and how many games go on at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The sum of rewards of a game.
    pub reward: i64,
    /// The number of actions of a game.
    pub actions: u64,
    /// The number of games under way.
    pub games: usize,
}

/// A game to play.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The number by which its result is told.
    pub number: usize,
    /// The policy that plays it.
    pub policy: &'a Policy<Eight>,
    /// The seed of its random numbers.
    pub seed: u64,
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The sum of all rewards.
    pub reward: i64,
    /// The number of actions.
    pub actions: u64,
    /// Whether the game was lost, and not ended at its limit.
    pub is_over: bool,
}

/// Where games come from, and where their results go.
pub trait Club<'a> {
    /// The next game to play, if there is any. Not asked again after the first `None`.
    fn next(&mut self) -> Option<Job<'a>>;

    /// Takes the result of the game with this number.
    fn played(&mut self, number: usize, played: Played);

    /// Hears of the actions that were taken since it last heard, from time to time.
    fn acted(&mut self, _actions: u64) {}
}

/// Plays all games of a club. Where vectors are not [available](is_available), one after the other.
pub fn play<'a>(task: &'a Tetris10x10, limit: Limit, club: &mut impl Club<'a>) {
    let mut table = Table {
        task,
        limit,
        waiting: Default::default(),
        playing: 0,
        hand: Vec::with_capacity(LANES),
        sheet: Sheet::new(),
    };
    let (room, fewest) = match is_available() {
        true => (limit.games.clamp(1, SEATS), FEWEST),
        false => (1, usize::MAX),
    };
    let mut jobs = true;
    loop {
        while jobs && table.playing < room {
            match club.next() {
                Some(job) => table.welcome(Game::new(task, job), club),
                None => jobs = false,
            }
        }
        if table.playing == 0 {
            return;
        }
        match table.longest() {
            (list, games) if games >= fewest => table.step(list, club),
            _ => table.finish(club),
        }
    }
}

/// The games under way.
struct Table<'a> {
    task: &'a Tetris10x10,
    limit: Limit,
    /// By the piece that is to be placed.
    waiting: [Vec<Box<Game<'a>>>; Piece::ALL.len()],
    playing: usize,
    /// Empty between two steps.
    hand: Vec<Box<Game<'a>>>,
    sheet: Sheet,
}

impl<'a> Table<'a> {
    /// Lets a new game wait for its first decision.
    fn welcome(&mut self, game: Game<'a>, club: &mut impl Club<'a>) {
        self.playing += 1;
        self.go_on(Box::new(game), club);
    }

    /// Lets a game wait for its next decision, unless its limit is reached.
    fn go_on(&mut self, game: Box<Game<'a>>, club: &mut impl Club<'a>) {
        match game.is_within(&self.limit) {
            true => self.waiting[game.state.piece as usize].push(game),
            false => self.end(&game, false, club),
        }
    }

    fn end(&mut self, game: &Game<'a>, is_over: bool, club: &mut impl Club<'a>) {
        self.playing -= 1;
        let played = Played {
            reward: game.reward,
            actions: game.actions,
            is_over,
        };
        club.played(game.job.number, played);
    }

    /// The longest list, and its length.
    fn longest(&self) -> (usize, usize) {
        let lengths = self.waiting.iter().map(Vec::len).enumerate();
        lengths.max_by_key(|&(_, length)| length).unwrap_or((0, 0))
    }

    /// One decision in each of up to sixteen games that have the same piece to place.
    fn step(&mut self, list: usize, club: &mut impl Club<'a>) {
        let waiting = &mut self.waiting[list];
        let mut hand = std::mem::take(&mut self.hand);
        hand.extend(waiting.drain(waiting.len().saturating_sub(LANES)..));
        self.sheet.fill(self.task, Piece::ALL[list], &hand);
        let mut actions = 0;
        for (lane, mut game) in hand.drain(..).enumerate() {
            match self.sheet.choice(lane, &mut game.rng) {
                Some(action) => {
                    game.memory.known = self.sheet.known(lane, action);
                    match self.sheet.board(lane, &game.state.board, action) {
                        Some((board, rows)) => game.place(board, rows),
                        None => game.act(self.task, action),
                    }
                    actions += 1;
                    self.go_on(game, club);
                }
                None => self.end(&game, true, club),
            }
        }
        club.acted(actions);
        self.hand = hand;
    }

    /// Plays what is waiting to its end, one game after the other.
    fn finish(&mut self, club: &mut impl Club<'a>) {
        for list in 0..self.waiting.len() {
            while let Some(mut game) = self.waiting[list].pop() {
                let is_over = game.finish(self.task, &self.limit, club);
                self.end(&game, is_over, club);
            }
        }
    }
}

/// A game under way.
struct Game<'a> {
    job: Job<'a>,
    state: State,
    rng: XorShiftRng,
    reward: i64,
    actions: u64,
    memory: Memory,
}

impl<'a> Game<'a> {
    fn new(task: &Tetris10x10, job: Job<'a>) -> Self {
        let mut rng = XorShiftRng::seed_from_u64(job.seed);
        Game {
            job,
            state: task.reset(&mut rng),
            rng,
            reward: 0,
            actions: 0,
            memory: Memory::new(job.policy),
        }
    }

    fn is_within(&self, limit: &Limit) -> bool {
        self.reward < limit.reward && self.actions < limit.actions
    }

    fn act(&mut self, task: &Tetris10x10, action: Action) {
        let (state, reward) = task.step(&self.state, action, &mut self.rng);
        self.state = state;
        self.reward += i64::from(reward);
        self.actions += 1;
    }

    /// The same for an action that leaves `board` and removes so many rows.
    fn place(&mut self, board: Board, rows: i64) {
        let piece = Piece::draw(&mut self.rng);
        self.state = State { board, piece };
        self.reward += rows;
        self.actions += 1;
    }

    /// Plays on by the engine. Returns whether the game was lost.
    fn finish(&mut self, task: &Tetris10x10, limit: &Limit, club: &mut impl Club<'a>) -> bool {
        while self.is_within(limit) {
            match self.job.policy.choose(task, &self.state, &mut self.rng) {
                Some(action) => self.act(task, action),
                None => return true,
            }
            club.acted(1);
        }
        false
    }
}
