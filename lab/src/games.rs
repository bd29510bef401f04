//! Whole games: one step by step, or many at once on all cores.

use crate::summary::Estimate;
use crate::task::Task;
use crate::{parallel, progress};
use indicatif::{HumanCount, ProgressBar, ProgressState};
use ipse::environment::{Action, Environment};
use ipse::policy::Policy;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A game under way.
pub struct Game<'a, E: Environment> {
    task: &'a E,
    policy: &'a Policy<E::Features>,
    state: E::State,
    rng: XorShiftRng,
    /// Rows removed so far.
    pub rows: u64,
}

impl<'a, E: Environment> Game<'a, E> {
    pub fn new(task: &'a E, policy: &'a Policy<E::Features>, seed: u64) -> Self {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        let state = task.reset(&mut rng);
        Game {
            task,
            policy,
            state,
            rng,
            rows: 0,
        }
    }

    /// Places one piece. Returns where, in which state, or `None` if the game is over.
    pub fn step(&mut self) -> Option<(E::State, Action)> {
        let before = self.state;
        let action = self.policy.choose(self.task, &before, &mut self.rng)?;
        let (after, rows) = self.task.step(&before, action, &mut self.rng);
        self.state = after;
        self.rows += u64::from(rows.unsigned_abs());
        Some((before, action))
    }
}

/// The seeds of the games that one seed stands for. Each game has its own, so that it does not
/// depend on how long the others last or on who plays them.
pub fn seeds(seed: u64) -> impl Iterator<Item = u64> + Send {
    let mut rng = XorShiftRng::seed_from_u64(seed);
    std::iter::repeat_with(move || rng.next_u64())
}

/// How many games to play, and how.
#[derive(Clone, Copy)]
pub struct Series {
    pub games: u64,
    pub seed: u64,
    pub max_rows: Option<u64>,
    pub threads: u64,
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub rows: u64,
    /// Whether it was ended at the maximum of rows rather than lost.
    pub cut: bool,
}

/// So many rows a game is played between two signs of life.
const STRETCH: u64 = 10_000;

impl Series {
    /// Plays all games.
    pub fn play<E: Task>(
        &self,
        task: &E,
        policy: &Policy<E::Features>,
        progress: &Progress,
    ) -> Vec<Played> {
        let seeds = seeds(self.seed).zip(0..self.games);
        parallel::map(self.threads.min(self.games), seeds, |(seed, _)| {
            let played = self.play_one(Game::new(task, policy, seed), &progress.rows);
            progress.bar.inc(1);
            played
        })
    }

    /// The mean rows of all games.
    pub fn score<E: Task>(&self, task: &E, policy: &Policy<E::Features>) -> Estimate {
        let played = self.play(task, policy, &Progress::hidden());
        let rows: Vec<f64> = played.iter().map(|played| played.rows as f64).collect();
        Estimate::of(&rows)
    }

    fn play_one<E: Environment>(&self, mut game: Game<E>, total: &AtomicU64) -> Played {
        let limit = self.max_rows.unwrap_or(u64::MAX);
        let mut over = false;
        while !over && game.rows < limit {
            let start = game.rows;
            let pause = limit.min(start.saturating_add(STRETCH));
            while !over && game.rows < pause {
                over = game.step().is_none();
            }
            total.fetch_add(game.rows - start, Ordering::Relaxed);
        }
        Played {
            rows: game.rows.min(limit),
            cut: !over,
        }
    }
}

/// How far a series of games has come.
pub struct Progress {
    pub bar: ProgressBar,
    rows: Arc<AtomicU64>,
}

impl Progress {
    /// A bar with the games and the rows.
    pub fn new(games: u64) -> Self {
        let rows = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&rows);
        let template = "{bar:24.cyan/dim} {human_pos} of {human_len} games, {rows} rows{left}";
        let style = progress::style(template).with_key(
            "rows",
            move |_: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{}", HumanCount(shown.load(Ordering::Relaxed)));
            },
        );
        Progress {
            bar: progress::bar(games, style),
            rows,
        }
    }

    /// Nothing to be seen.
    pub fn hidden() -> Self {
        Progress {
            bar: ProgressBar::hidden(),
            rows: Arc::default(),
        }
    }
}
