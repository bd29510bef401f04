//! Whole games: one step by step, or many at once on all cores.

use crate::summary::Estimate;
use crate::task::{Measure, Rule, Task};
use crate::{parallel, progress};
use indicatif::{HumanCount, ProgressBar, ProgressState};
use ipse::environment::Action;
use ipse::policy::Policy;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whoever decides what to do.
pub enum Mind<'a, E: Task> {
    Policy(&'a Policy<E::Features>),
    Rule(&'a Rule<E>),
}

impl<E: Task> Clone for Mind<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Task> Copy for Mind<'_, E> {}

impl<E: Task> Mind<'_, E> {
    /// The action in a state, if there is one.
    #[inline(always)]
    fn choose(&self, task: &E, state: &E::State, rng: &mut XorShiftRng) -> Option<Action> {
        match self {
            Mind::Policy(policy) => policy.choose(task, state, rng),
            Mind::Rule(_) if task.is_terminal(state) => None,
            Mind::Rule(rule) => Some(rule(task, state, rng)),
        }
    }
}

/// A game under way.
pub struct Game<'a, E: Task> {
    task: &'a E,
    mind: Mind<'a, E>,
    pub state: E::State,
    rng: XorShiftRng,
    /// The sum of all rewards so far.
    pub reward: i64,
    /// The actions so far.
    pub actions: u64,
}

impl<'a, E: Task> Game<'a, E> {
    pub fn new(task: &'a E, mind: Mind<'a, E>, seed: u64) -> Self {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        let state = task.reset(&mut rng);
        Game {
            task,
            mind,
            state,
            rng,
            reward: 0,
            actions: 0,
        }
    }

    /// Takes one action. Returns which, in which state, or `None` if the game is over.
    pub fn step(&mut self) -> Option<(E::State, Action)> {
        let before = self.state;
        let action = self.mind.choose(self.task, &before, &mut self.rng)?;
        let (after, reward) = self.task.step(&before, action, &mut self.rng);
        self.state = after;
        self.reward += i64::from(reward);
        self.actions += 1;
        Some((before, action))
    }

    /// Begins another episode in the same game.
    fn restart(&mut self) {
        self.state = self.task.reset(&mut self.rng);
    }
}

/// The seeds of the games that one seed stands for. Each game has its own, so that it does not
/// depend on how long the others last or on who plays them.
pub fn seeds(seed: u64) -> impl Iterator<Item = u64> + Send {
    let mut rng = XorShiftRng::seed_from_u64(seed);
    std::iter::repeat_with(move || rng.next_u64())
}

/// How many games to play.
#[derive(Clone, Copy)]
pub struct Series {
    pub games: u64,
    pub seed: u64,
    pub threads: u64,
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    pub score: f64,
    /// Whether it was ended at its limit rather than lost.
    pub cut: bool,
}

/// So many actions a game is played between two signs of life.
const STRETCH: u64 = 10_000;

impl Series {
    /// Plays all games.
    pub fn play<E: Task>(
        &self,
        task: &E,
        mind: Mind<E>,
        measure: &Measure,
        progress: &Progress,
    ) -> Vec<Played> {
        let seeds = seeds(self.seed).zip(0..self.games);
        parallel::map(self.threads.min(self.games), seeds, |(seed, _)| {
            let played = measure.play(Game::new(task, mind, seed), &progress.actions);
            progress.bar.inc(1);
            played
        })
    }

    /// The mean score of all games.
    pub fn score<E: Task>(&self, task: &E, mind: Mind<E>, measure: &Measure) -> Estimate {
        let played = self.play(task, mind, measure, &Progress::hidden());
        let scores: Vec<f64> = played.iter().map(|played| played.score).collect();
        Estimate::of(&scores)
    }
}

impl Measure {
    /// The game to its end, or to its limit.
    fn play<E: Task>(&self, mut game: Game<E>, total: &AtomicU64) -> Played {
        let limit = self.highest();
        let last = self.actions.unwrap_or(u64::MAX);
        let (mut over, mut restarted) = (false, None);
        while !over && game.reward < limit && game.actions < last {
            let start = game.actions;
            let pause = last.min(start.saturating_add(STRETCH));
            while !over && game.reward < limit && game.actions < pause {
                over = game.step().is_none();
                // An episode that begins where nothing is legal ends it all the same.
                if over && self.per.is_some() && restarted != Some(game.actions) {
                    restarted = Some(game.actions);
                    game.restart();
                    over = false;
                }
            }
            total.fetch_add(game.actions - start, Ordering::Relaxed);
        }
        let reward = game.reward.min(limit) as f64;
        Played {
            score: match self.per {
                Some(per) => reward * per as f64 / game.actions.max(1) as f64,
                None => reward,
            },
            cut: !over && self.per.is_none(),
        }
    }
}

/// How far a series of games has come.
pub struct Progress {
    pub bar: ProgressBar,
    actions: Arc<AtomicU64>,
}

impl Progress {
    /// A bar with the games and the actions.
    pub fn new(games: u64) -> Self {
        let actions = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&actions);
        let template =
            "{bar:24.cyan/dim} {human_pos} of {human_len} games, {actions} actions{left}";
        let style = progress::style(template).with_key(
            "actions",
            move |_: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{}", HumanCount(shown.load(Ordering::Relaxed)));
            },
        );
        Progress {
            bar: progress::bar(games, style),
            actions,
        }
    }

    /// Nothing to be seen.
    pub fn hidden() -> Self {
        Progress {
            bar: ProgressBar::hidden(),
            actions: Arc::default(),
        }
    }
}
