//! Whole games: one step by step, or many at once on all cores.

use crate::summary::Estimate;
use crate::task::{Measure, Rule, Setup, Task};
use crate::{parallel, progress};
use indicatif::{HumanCount, ProgressBar, ProgressState};
use ipse::environment::Action;
use ipse::policy::Policy;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

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

impl Series {
    /// Plays all games.
    pub fn play<E: Task>(
        &self,
        setup: &Setup<E>,
        mind: Mind<E>,
        measure: &Measure,
        progress: &Progress,
    ) -> Vec<Played> {
        self.play_each(setup, &[mind], measure, progress)
    }

    /// The mean score of all games.
    pub fn score<E: Task>(&self, setup: &Setup<E>, mind: Mind<E>, measure: &Measure) -> Estimate {
        let played = self.play(setup, mind, measure, &Progress::hidden());
        estimate(&played)
    }

    /// The mean score of all games for each of several policies. The more games are played at the same time, the faster.
    pub fn scores<E: Task>(
        &self,
        setup: &Setup<E>,
        policies: &[Policy<E::Features>],
        measure: &Measure,
    ) -> Vec<Estimate> {
        let minds: Vec<Mind<E>> = policies.iter().map(Mind::Policy).collect();
        let played = self.play_each(setup, &minds, measure, &Progress::hidden());
        let chunks = played.chunks(self.games.max(1) as usize);
        chunks.map(estimate).collect()
    }

    /// All games of the first mind, then all of the second, and so on.
    fn play_each<E: Task>(
        &self,
        setup: &Setup<E>,
        minds: &[Mind<E>],
        measure: &Measure,
        progress: &Progress,
    ) -> Vec<Played> {
        let seeds: Vec<u64> = seeds(self.seed).take(self.games as usize).collect();
        let games = minds.len() * seeds.len();
        let threads = self.threads.clamp(1, games.max(1) as u64);
        let taken = AtomicUsize::new(0);
        let done = parallel::map(threads, 0..threads, |_| {
            let mut games = Games {
                minds,
                seeds: &seeds,
                taken: &taken,
                share: games.div_ceil(threads as usize),
                progress,
                actions: 0,
                done: Vec::new(),
            };
            setup.arena.play(&setup.task, measure, &mut games);
            games.tell();
            games.done
        });
        let mut done: Vec<(usize, Played)> = done.into_iter().flatten().collect();
        done.sort_unstable_by_key(|&(number, _)| number);
        done.into_iter().map(|(_, played)| played).collect()
    }
}

fn estimate(played: &[Played]) -> Estimate {
    let scores: Vec<f64> = played.iter().map(|played| played.score).collect();
    Estimate::of(&scores)
}

/// A way to play many games. Each is the same as it would be alone.
pub trait Arena<E: Task>: Send + Sync {
    /// Plays the games that `games` hands out, until there are no more.
    fn play<'a>(&self, task: &'a E, measure: &'a Measure, games: &mut Games<'a, E>);
}

/// One game after the other.
pub struct OneByOne;

impl<E: Task> Arena<E> for OneByOne {
    fn play<'a>(&self, task: &'a E, measure: &'a Measure, games: &mut Games<'a, E>) {
        while let Some(lot) = games.next() {
            lot.play(task, measure, games);
        }
    }
}

/// The games of a series, as one of its threads sees them.
pub struct Games<'a, E: Task> {
    minds: &'a [Mind<'a, E>],
    seeds: &'a [u64],
    /// The number of games that some thread has taken.
    taken: &'a AtomicUsize,
    /// The most games that a thread should take before it has played one, so that none is left for the others.
    pub share: usize,
    progress: &'a Progress,
    /// Those that nobody was told of.
    actions: u64,
    done: Vec<(usize, Played)>,
}

/// A game that is to be played.
#[derive(Clone, Copy)]
pub struct Lot<'a, E: Task> {
    pub number: usize,
    pub mind: Mind<'a, E>,
    pub seed: u64,
}

/// So many actions are played between two signs of life.
const STRETCH: u64 = 10_000;

impl<'a, E: Task> Games<'a, E> {
    /// The next game. The last minds go first: of one that learns they play the longest games, and the last games of all
    /// had better be short.
    pub fn next(&mut self) -> Option<Lot<'a, E>> {
        let taken = self.taken.fetch_add(1, Ordering::Relaxed);
        let number = (self.minds.len() * self.seeds.len()).checked_sub(taken + 1)?;
        Some(Lot {
            number,
            mind: self.minds[number / self.seeds.len()],
            seed: self.seeds[number % self.seeds.len()],
        })
    }

    /// Takes the result of a game.
    pub fn played(&mut self, number: usize, played: Played) {
        self.done.push((number, played));
        self.progress.bar.inc(1);
    }

    /// Hears of actions. From time to time, everyone does.
    pub fn acted(&mut self, actions: u64) {
        self.actions += actions;
        if self.actions >= STRETCH {
            self.tell();
        }
    }

    fn tell(&mut self) {
        let actions = std::mem::take(&mut self.actions);
        self.progress.actions.fetch_add(actions, Ordering::Relaxed);
    }
}

impl<'a, E: Task> Lot<'a, E> {
    /// Plays the game alone, to its end or to its limit.
    pub fn play(self, task: &'a E, measure: &Measure, games: &mut Games<'a, E>) {
        let mut game = Game::new(task, self.mind, self.seed);
        let (limit, last) = (measure.highest(), measure.most_actions());
        let (mut over, mut restarted) = (false, None);
        while !over && game.reward < limit && game.actions < last {
            over = game.step().is_none();
            // An episode that begins where nothing is legal ends it all the same.
            if over && measure.per.is_some() && restarted != Some(game.actions) {
                restarted = Some(game.actions);
                game.restart();
                over = false;
            } else if !over {
                games.acted(1);
            }
        }
        games.played(self.number, measure.played(game.reward, game.actions, over));
    }
}

impl Measure {
    /// The score of a game that was lost, or ended at its limit.
    pub(crate) fn played(&self, reward: i64, actions: u64, over: bool) -> Played {
        let reward = reward.min(self.highest()) as f64;
        Played {
            score: match self.per {
                Some(per) => reward * per as f64 / actions.max(1) as f64,
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
