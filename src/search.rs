//! Survival search: a search for weights that survive from states near the end of an episode.
//!
//! This goes beyond the paper, and it is not Algorithm 3: there are no choices to learn from. Once the directions
//! are known, what tells good weights from better ones is whether they survive, and that shows soonest in states
//! from which an episode was about to end. So the search goes on with its own episode under the mean weights m,
//! and keeps the states that came some twenty actions before each end. From those, candidates m ± σz play on, all
//! with the same random numbers, until they fail, are safe, or have held out for long enough. The mean then moves
//! toward the candidates that failed least: an evolution strategy with mirrored samples, without a covariance.
//! What is learned is the average of m over the later part of the search.
//!
//! Candidates that have acted alike so far are in the same state and share a branch of the trial: what several of
//! them do next is simulated once.

use crate::agent::Agent;
use crate::array::Array;
use crate::codec::Codec;
use crate::direction::{Direction, equal_weights};
use crate::driver::{Driver, Progress, ResumableDriver, Step};
use crate::environment::{Action, Environment, PerFeature, Resumable};
use crate::invalid::Invalid;
use crate::learner::{Checked, Learner, Lfd, Parameters, Phase, ipse};
use crate::math::{ROUNDING, normalise, squared_length};
use crate::policy::{Best, Policy};
use crate::random::below;
use crate::ring::Ring;
use crate::rollout::Rollouts;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// The parameters of a search.
///
/// ```
/// use ipse::prelude::*;
/// use ipse::search::{Search, Searcher};
/// use ipse::tetris::Tetris10x10;
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let search = Search::survival().calls(20_000).cap(2).check()?;
/// let mut searcher = Searcher::<_, 50>::new(Tetris10x10::default(), search, &mut rng);
/// while !searcher.progress().is_finished {
///     searcher.step(&mut rng);
/// }
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Search {
    /// The learner of the directions that the search starts from.
    pub lfd: Lfd,
    /// The maximum number of iterations of the first phase. Features that are undecided then start from the majority of
    /// their votes.
    pub cap: u32,
    /// The number of calls of the generative model, for directions and in the search together.
    pub calls: u32,
    /// The number of actions of its own episode in each generation.
    pub episode: u16,
    /// The number of trials of each candidate in a generation.
    pub trials: u16,
    /// The largest number of actions of a trial.
    pub horizon: u16,
}

impl Search {
    /// Weights that survive, with as many calls as the paper allows: 400 iterations with 34 actions, 10 rollouts
    /// and 10 steps.
    pub const fn survival() -> Self {
        Search {
            lfd: Lfd::paper(),
            cap: ipse::CAP,
            calls: 1_360_000,
            episode: 300,
            trials: 30,
            horizon: 80,
        }
    }

    /// Sets the learner of directions.
    #[must_use]
    pub const fn lfd(self, lfd: Lfd) -> Self {
        Search { lfd, ..self }
    }

    /// Sets the maximum number of iterations of the first phase.
    #[must_use]
    pub const fn cap(self, cap: u32) -> Self {
        Search { cap, ..self }
    }

    /// Sets the number of calls of the generative model.
    #[must_use]
    pub const fn calls(self, calls: u32) -> Self {
        Search { calls, ..self }
    }

    /// Sets the number of actions of its own episode in each generation.
    #[must_use]
    pub const fn episode(self, episode: u16) -> Self {
        Search { episode, ..self }
    }

    /// Sets the number of trials of each candidate in a generation.
    #[must_use]
    pub const fn trials(self, trials: u16) -> Self {
        Search { trials, ..self }
    }

    /// Sets the largest number of actions of a trial.
    #[must_use]
    pub const fn horizon(self, horizon: u16) -> Self {
        Search { horizon, ..self }
    }

    /// Sets how actions are evaluated while directions are learned.
    #[must_use]
    pub const fn rollouts(self, rollouts: Rollouts) -> Self {
        let lfd = self.lfd.rollouts(rollouts);
        Search { lfd, ..self }
    }
}

impl Parameters for Search {
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        self.lfd.validate()?;
        let most = u16::MAX.into();
        Invalid::outside("cap", self.cap, 1, u32::MAX)?;
        Invalid::outside("calls", self.calls, 1, u32::MAX)?;
        Invalid::outside("trials", self.trials.into(), 1, most)?;
        Invalid::outside("horizon", self.horizon.into(), 1, most)
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        let Search {
            lfd,
            mut cap,
            mut calls,
            mut episode,
            mut trials,
            mut horizon,
        } = *self;
        codec.text("search");
        lfd.identify(codec)?;
        codec.u32("cap", &mut cap, 0..=u32::MAX)?;
        codec.u32("calls", &mut calls, 0..=u32::MAX)?;
        for field in [&mut episode, &mut trials, &mut horizon] {
            codec.u16("search", field, 0..=u16::MAX)?;
        }
        Ok(())
    }
}

/// The candidates of a generation come in mirrored pairs.
const PAIRS: usize = 6;
const CANDIDATES: usize = 2 * PAIRS;

/// The weight of each of the better half of the candidates, the best first: in proportion to ln 6.5 − ln rank.
const RANK_WEIGHTS: [f32; PAIRS] = [0.4024, 0.2534, 0.1662, 0.1044, 0.0564, 0.0172];

/// How far candidates are from the mean, of length one, and how far the mean moves: at the
/// beginning of the search, and at its end.
const SIGMA: [f32; 2] = [0.15, 0.12];
const RATE: [f32; 2] = [1.0, 0.5];

/// The average leaves out this share of the search, at its beginning.
const UNSETTLED: f32 = 0.3;

/// The number of states that are wanted before the first trial.
const FIRST_BRINKS: usize = 8;

/// The number of actions of its own episode in a slice.
const SLICE: u16 = 10;

/// A search for the weights of the task `E`, with `N` states to play on from, at most 256.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Searcher<E: Environment, const N: usize = 100> {
    /// The agent that learns the directions. Its episode goes on in the search.
    agent: Agent<E, Lfd>,
    search: Search,
    /// Whether directions have been learned for long enough.
    is_searching: bool,
    /// The number of complete generations.
    generations: u32,
    /// m, of length one.
    mean: PerFeature<E, f32>,
    average: PerFeature<E, f32>,
    /// The number of generations that the average is over.
    averaged: u32,
    /// The calls that the directions have left for the search, and those that it has used.
    budget: u32,
    used: u32,
    brinks: Ring<E::State, N>,
    trail: Trail<E::State>,
    /// What happened in this generation so far.
    generation: Generation,
    /// The number of actions of its own episode in it.
    acted: u16,
    /// The number of its trials so far.
    tried: u16,
    /// z for each pair of candidates.
    steps: [PerFeature<E, f32>; PAIRS],
    candidates: [Policy<E::Features>; CANDIDATES],
    failures: [u16; CANDIDATES],
    trial: Option<Trial<E::State>>,
}

/// What happened in a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Generation {
    /// The calls of the generative model.
    calls: u32,
    /// The rewards in its own episode.
    reward: i32,
    /// Whether that ended, at least once.
    episode_ended: bool,
}

impl<E: Environment, const N: usize> Searcher<E, N> {
    /// Creates a search that has learned nothing.
    #[inline(never)]
    pub fn new<R: Rng + ?Sized>(task: E, search: Checked<Search>, rng: &mut R) -> Self {
        const { assert!(N > 0 && N <= 256, "from 1 to 256 states to play on from") };
        let search = *search;
        let mut searcher = Searcher {
            agent: Agent::new(task, lfd(&search), rng),
            search,
            is_searching: false,
            generations: 0,
            mean: E::Features::filled(0.0),
            average: E::Features::filled(0.0),
            averaged: 0,
            budget: 0,
            used: 0,
            brinks: Ring::new(),
            trail: Trail::OF_EPISODE,
            generation: Generation::default(),
            acted: 0,
            tried: 0,
            steps: [E::Features::filled(0.0); PAIRS],
            candidates: [Policy::random(); CANDIDATES],
            failures: [0; CANDIDATES],
            trial: None,
        };
        searcher.go_on_to_search();
        searcher
    }

    /// Goes on from directions to weights when it is time: when all are decided, at the cap, or when the calls
    /// would not last for another choice.
    fn go_on_to_search(&mut self) {
        let Progress {
            iterations,
            calls,
            is_finished,
            ..
        } = self.agent.progress();
        let left = self.search.calls.saturating_sub(calls);
        let is_affordable = left >= self.most_calls_of_a_choice();
        if is_affordable && !is_finished && iterations < self.search.cap {
            return;
        }
        self.is_searching = true;
        self.budget = left;
        self.mean = self.start();
    }

    /// Equal weights in the directions that most votes are for, at length one.
    fn start(&self) -> PerFeature<E, f32> {
        let votes = self.agent.memory();
        let mut weights = equal_weights::<E::Features>(&votes.leanings());
        normalise(weights.as_mut());
        weights
    }

    fn most_calls_of_a_choice(&self) -> u32 {
        self.search.lfd.rollouts.most_calls(E::Actions::LEN)
    }

    /// Does a bounded part of an iteration: one rollout, a few actions in its own episode, or one action of every
    /// candidate. Returns what happened when the iteration is complete. When the search is over, each iteration
    /// is a single action.
    pub fn slice<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        if !self.is_searching {
            let step = self.agent.slice(rng)?;
            self.go_on_to_search();
            let weights = self.weights();
            return Some(Step { weights, ..step });
        }
        let generation = self.search(rng)?;
        self.generations = self.generations.saturating_add(1);
        Some(Step {
            iteration: self.progress().iterations,
            phase: Phase::Search,
            action: None,
            reward: generation.reward,
            episode_ended: generation.episode_ended,
            calls: generation.calls,
            directions: self.agent.directions(),
            tallies: Learner::<E>::tallies(self.agent.learner(), self.agent.memory()),
            weights: self.weights(),
        })
    }

    /// Does one iteration.
    pub fn step<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Step<E::Features> {
        Driver::step(self, rng)
    }

    /// What has been learned so far, as weights.
    pub fn weights(&self) -> PerFeature<E, f32> {
        match (self.is_searching, self.averaged) {
            (false, _) => self.agent.weights(),
            (true, 0) => self.mean,
            (true, _) => self.average,
        }
    }

    /// The progress of the run.
    pub fn progress(&self) -> Progress {
        let progress = self.agent.progress();
        Progress {
            phase: match self.is_searching {
                true => Phase::Search,
                false => progress.phase,
            },
            iterations: progress.iterations.saturating_add(self.generations),
            calls: progress.calls.saturating_add(self.used),
            budget: Some(self.search.calls),
            is_finished: self.is_searching && self.is_spent() && self.is_between_generations(),
        }
    }

    /// The agent that has learned the directions.
    pub fn agent(&self) -> &Agent<E, Lfd> {
        &self.agent
    }

    /// The states to play on from.
    pub fn brinks(&self) -> &[E::State] {
        self.brinks.as_slice()
    }

    /// Returns whether there are no calls left to learn from.
    fn is_spent(&self) -> bool {
        // A trial may branch into as many states as there are candidates.
        self.budget.saturating_sub(self.used) < CANDIDATES as u32
    }

    /// Returns whether there is nothing to remember of a generation under way.
    fn is_between_generations(&self) -> bool {
        self.trial.is_none() && self.acted == 0 && self.generation == Generation::default()
    }

    /// A slice of a generation.
    fn search<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Generation> {
        if self.is_spent() {
            let policy = Policy::of::<E>(&self.weights());
            self.act(&policy, rng);
            self.trial = None;
            return Some(self.finish());
        }
        let Some(trial) = &mut self.trial else {
            return self.go_on(rng);
        };
        let task = self.agent.task();
        let (calls, brink) = trial.advance(task, &self.candidates, &mut self.failures, rng);
        if let Some(brink) = brink {
            self.brinks.push(brink);
        }
        if trial.is_over(self.search.horizon) {
            self.tried = self.tried.saturating_add(1);
            self.trial = None;
            if self.tried < self.search.trials {
                self.begin_trial(rng);
            }
        }
        self.count(calls);
        if self.trial.is_some() {
            return None;
        }
        self.learn();
        Some(self.finish())
    }

    fn count(&mut self, calls: u32) {
        self.used = self.used.saturating_add(calls);
        self.generation.calls = self.generation.calls.saturating_add(calls);
    }

    /// What happened in this generation; the next one is about to begin.
    fn finish(&mut self) -> Generation {
        (self.acted, self.tried) = (0, 0);
        core::mem::take(&mut self.generation)
    }

    /// Goes on with its own episode under m. When that was enough, draws the candidates and begins their first
    /// trial. As long as there are too few states to play on from, a generation has no trials, and the first of
    /// them begins as soon as there are enough.
    fn go_on<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Generation> {
        let policy = Policy::of::<E>(&self.mean);
        let episode = self.search.episode;
        for _ in 0..SLICE {
            if self.is_spent() {
                return None;
            }
            let had_enough = self.has_brinks();
            self.act(&policy, rng);
            self.count(1);
            self.acted = self.acted.saturating_add(1);
            let is_long = self.acted >= episode;
            let was_wanting = !had_enough && self.used >= episode.into();
            if self.has_brinks() && (is_long || was_wanting) {
                self.draw(rng);
                self.begin_trial(rng);
                return None;
            }
            if is_long {
                return Some(self.finish());
            }
        }
        None
    }

    /// Returns whether there are states enough for trials.
    fn has_brinks(&self) -> bool {
        self.brinks.as_slice().len() >= FIRST_BRINKS.min(N)
    }

    /// Takes one action in its own episode.
    fn act<R: Rng + ?Sized>(&mut self, policy: &Policy<E::Features>, rng: &mut R) {
        let (task, state) = self.agent.episode();
        match policy.choose(task, state, rng) {
            Some(action) => {
                self.trail.pass(state);
                let (next, reward) = task.step(state, action, rng);
                *state = next;
                self.generation.reward = self.generation.reward.saturating_add(reward.into());
            }
            None => {
                let trail = core::mem::replace(&mut self.trail, Trail::OF_EPISODE);
                if let Some(brink) = trail.earlier.or(trail.later) {
                    self.brinks.push(brink);
                }
                *state = task.reset(rng);
                self.generation.episode_ended = true;
            }
        }
    }

    /// The share of its calls that the search has used, from 0 to 1.
    fn share(&self) -> f32 {
        (self.used as f32 / self.budget.max(1) as f32).min(1.0)
    }

    /// What is at one value at the beginning of the search and at another at its end.
    fn now(&self, [from, to]: [f32; 2]) -> f32 {
        from + (to - from) * self.share()
    }

    /// Draws the candidates.
    fn draw<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let sigma = self.now(SIGMA);
        let pairs = self.candidates.chunks_exact_mut(2).zip(&mut self.steps);
        for (pair, step) in pairs {
            *step = E::Features::from_fn(|_| normal(rng));
            for (candidate, sign) in pair.iter_mut().zip(SIGNS) {
                let mut weights = self.mean;
                for (weight, z) in weights.as_mut().iter_mut().zip(step.as_ref()) {
                    *weight += sign * sigma * z;
                }
                *candidate = Policy::of::<E>(&weights);
            }
        }
        self.failures = [0; CANDIDATES];
    }

    fn begin_trial<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let brinks = self.brinks.as_slice();
        let start = brinks.get(below(rng, brinks.len() as u32) as usize);
        self.trial = start.map(|state| Trial::new(self.agent.task(), *state, rng));
    }

    /// Moves the mean toward the candidates that failed least.
    fn learn(&mut self) {
        // σ has hardly changed since the candidates were drawn.
        let stride = self.now(RATE) * self.now(SIGMA);
        for weight in RANK_WEIGHTS {
            let fewest = (0..)
                .zip(&self.failures)
                .min_by_key(|&(_, failures)| *failures);
            let Some((best, _)) = fewest else { return };
            let step = self.steps.get(best / 2);
            let sign = SIGNS.get(best % 2);
            if let (Some(step), Some(sign)) = (step, sign) {
                for (mean, z) in self.mean.as_mut().iter_mut().zip(step.as_ref()) {
                    *mean += stride * weight * sign * z;
                }
            }
            if let Some(taken) = self.failures.get_mut(best) {
                *taken = u16::MAX;
            }
        }
        normalise(self.mean.as_mut());
        if self.share() > UNSETTLED {
            self.averaged = self.averaged.saturating_add(1);
            let averages = self.average.as_mut().iter_mut();
            for (average, mean) in averages.zip(self.mean.as_ref()) {
                *average += (mean - *average) / self.averaged as f32;
            }
        }
    }
}

/// The learner of directions, which was checked with the search.
fn lfd(search: &Search) -> Checked<Lfd> {
    Checked::assume(search.lfd)
}

/// On which side of the mean the candidates of a pair are.
const SIGNS: [f32; 2] = [1.0, -1.0];

/// A draw with mean 0 and variance 1 that is all but normal: the sum of twelve uniform ones.
fn normal<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    let sum = (0..12).fold(0u32, |sum, _| sum.wrapping_add(rng.next_u32() >> 8));
    sum as f32 / (1u32 << 24) as f32 - 6.0
}

/// The recent past: two states, [`Trail::INTERVAL`] actions apart, so that at the end the earlier one
/// is from that many to twice as many actions back.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Trail<S> {
    earlier: Option<S>,
    later: Option<S>,
    /// The age of the later one.
    age: u8,
}

impl<S: Copy> Trail<S> {
    const INTERVAL: u8 = 20;

    /// Begins with the first state, so that even the shortest episode leaves something.
    const OF_EPISODE: Self = Self::new(Self::INTERVAL.saturating_sub(1));

    /// Begins after `INTERVAL - age` actions.
    const fn new(age: u8) -> Self {
        Trail {
            earlier: None,
            later: None,
            age,
        }
    }

    /// Of a trial. It begins at any time, so that it tells of any state with the same probability,
    /// but not with the first, which is known.
    fn of_trial<R: Rng + ?Sized>(rng: &mut R) -> Self {
        Self::new(below(rng, Self::INTERVAL.saturating_sub(1).into()) as u8)
    }

    /// An action is taken in `state`.
    fn pass(&mut self, state: &S) {
        self.age = self.age.saturating_add(1);
        if self.age >= Self::INTERVAL {
            (self.earlier, self.later) = (self.later, Some(*state));
            self.age = 0;
        }
    }
}

/// A trial of all candidates, from the same state and with the same random numbers.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Trial<S> {
    /// Where the random numbers of each action come from.
    seed: u64,
    acted: u16,
    /// The recent past of the first candidate.
    trail: Trail<S>,
    /// Whether a candidate that is safe has survived: not if the trial began in a safe state.
    ends_in_safety: bool,
    /// Each in the place of the first of its candidates.
    branches: [Option<Branch<S>>; CANDIDATES],
}

/// A state of a trial, and which candidates are in it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Branch<S> {
    state: S,
    candidates: Members,
}

impl<S: Copy> Trial<S> {
    fn new<E: Environment<State = S>, R: Rng + ?Sized>(task: &E, state: S, rng: &mut R) -> Self {
        let mut branches = [None; CANDIDATES];
        if let Some(first) = branches.first_mut() {
            *first = Some(Branch {
                state,
                candidates: Members::ALL,
            });
        }
        Trial {
            seed: rng.next_u64(),
            acted: 0,
            trail: Trail::of_trial(rng),
            ends_in_safety: !task.is_safe(&state),
            branches,
        }
    }

    /// Whether all candidates have failed or are safe, or have held out for long enough.
    fn is_over(&self, horizon: u16) -> bool {
        self.acted >= horizon || self.branches.iter().all(Option::is_none)
    }

    /// Takes one action for every candidate that is still on trial, and counts those that fail.
    /// Returns the number of calls, and a state from which the first candidate was about to fail.
    fn advance<E: Environment<State = S>, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        policies: &[Policy<E::Features>; CANDIDATES],
        failures: &mut [u16; CANDIDATES],
        rng: &mut R,
    ) -> (u32, Option<S>) {
        let mut brink = None;
        let common = XorShiftRng::seed_from_u64(self.seed.wrapping_add(self.acted.into()));
        let mut calls = 0u32;
        // From the last to the first: a branch that splits off goes to a later place than the one
        // that it comes from, where the turn has been.
        for place in (0..CANDIDATES).rev() {
            let Some(branch) = self.branches.get_mut(place).and_then(Option::take) else {
                continue;
            };
            let choices = branch.choices(task, policies, rng);
            let mut left = branch.candidates;
            let choice_of = |candidate: usize| choices.get(candidate).and_then(Best::choice);
            while let Some(first) = left.first() {
                let choice = choice_of(first);
                let alike = left.filter(|candidate| choice_of(candidate) == choice);
                left = left.without(alike);
                if alike.contains(0) {
                    match choice {
                        Some(_) => self.trail.pass(&branch.state),
                        None => brink = self.trail.earlier,
                    }
                }
                let Some(action) = choice else {
                    count(alike, failures);
                    continue;
                };
                let (state, _) = task.step(&branch.state, action, &mut common.clone());
                calls = calls.saturating_add(1);
                let survived = self.ends_in_safety && task.is_safe(&state);
                if let Some(free) = self.branches.get_mut(first) {
                    let candidates = alike;
                    *free = (!survived).then_some(Branch { state, candidates });
                }
            }
        }
        self.acted = self.acted.saturating_add(1);
        (calls, brink)
    }
}

impl<S: Copy> Branch<S> {
    /// What each of its candidates would do.
    #[inline(never)]
    fn choices<E: Environment<State = S>, R: Rng + ?Sized>(
        &self,
        task: &E,
        policies: &[Policy<E::Features>; CANDIDATES],
        rng: &mut R,
    ) -> [Best<i32, Action>; CANDIDATES] {
        let mut choices = [Best::new(); CANDIDATES];
        task.outcomes(&self.state, |outcome| {
            for i in self.candidates {
                if let (Some(best), Some(policy)) = (choices.get_mut(i), policies.get(i)) {
                    best.offer(policy.score(&outcome.features), outcome.action, rng);
                }
            }
        });
        choices
    }
}

fn count(failed: Members, failures: &mut [u16; CANDIDATES]) {
    for i in failed {
        if let Some(failures) = failures.get_mut(i) {
            *failures = failures.saturating_add(1);
        }
    }
}

/// Some of the candidates, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Members(u16);

impl Members {
    const ALL: Members = Members((1 << CANDIDATES) - 1);

    fn contains(self, i: usize) -> bool {
        self.0 >> i & 1 == 1
    }

    fn first(self) -> Option<usize> {
        (self.0 != 0).then_some(self.0.trailing_zeros() as usize)
    }

    fn filter(self, keep: impl Fn(usize) -> bool) -> Members {
        let kept = self.into_iter().filter(|&i| keep(i));
        Members(kept.fold(0, |bits, i| bits | 1 << i))
    }

    fn without(self, others: Members) -> Members {
        Members(self.0 & !others.0)
    }
}

impl IntoIterator for Members {
    type Item = usize;
    type IntoIter = Each;

    fn into_iter(self) -> Each {
        Each(self)
    }
}

/// The candidates that are left, the first one first.
struct Each(Members);

impl Iterator for Each {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(first)
    }
}

impl<E: Environment, const N: usize> Driver for Searcher<E, N> {
    type Task = E;

    const NAME: &'static str = "survival search";

    fn slice<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        Searcher::slice(self, rng)
    }

    fn weights(&self) -> PerFeature<E, f32> {
        Searcher::weights(self)
    }

    fn directions(&self) -> PerFeature<E, Direction> {
        self.agent.directions()
    }

    fn progress(&self) -> Progress {
        Searcher::progress(self)
    }

    fn is_between_iterations(&self) -> bool {
        self.agent.is_between_iterations() && self.is_between_generations()
    }

    fn task(&self) -> &E {
        self.agent.task()
    }

    fn state(&self) -> &E::State {
        self.agent.state()
    }
}

impl<E: Resumable, const N: usize> ResumableDriver for Searcher<E, N> {
    const BITS: usize = <Agent<E, Lfd> as ResumableDriver>::BITS
        .saturating_add(64usize.saturating_mul(E::Features::LEN))
        .saturating_add(Ring::<E::State, N>::bits(E::STATE_BITS))
        .saturating_add(2usize.saturating_mul(E::STATE_BITS))
        .saturating_add(160);

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u32("memory", &mut (N as u32), 0..=u32::MAX)?;
        self.search.identify(codec)
    }

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.agent.code(codec)?;
        codec.bool(&mut self.is_searching)?;
        codec.u32("generations", &mut self.generations, 0..=u32::MAX)?;
        for weight in self.mean.as_mut() {
            codec.f32("mean", weight)?;
        }
        for weight in self.average.as_mut() {
            codec.f32("average", weight)?;
        }
        codec.u32("averaged", &mut self.averaged, 0..=u32::MAX)?;
        codec.u32("budget", &mut self.budget, 0..=u32::MAX)?;
        codec.u32("used", &mut self.used, 0..=u32::MAX)?;
        let (task, example) = (self.agent.task(), *self.agent.state());
        self.brinks.code("brinks", example, codec, |state, codec| {
            task.code_state(state, codec)
        })?;
        self.trail.code(task, example, codec)?;
        if codec.is_reading() {
            self.generation = Generation::default();
            (self.acted, self.tried) = (0, 0);
            self.trial = None;
        }
        Ok(())
    }

    fn plausible(&self) -> Result<(), Invalid> {
        self.agent.plausible()?;
        let Progress {
            iterations,
            calls,
            is_finished,
            ..
        } = self.agent.progress();
        let left = self.search.calls.saturating_sub(calls);
        Invalid::outside("calls", calls, 0, self.search.calls)?;
        Invalid::outside("iterations", iterations, 0, self.search.cap)?;
        let is_affordable = left >= self.most_calls_of_a_choice();
        let is_over = !is_affordable || is_finished || iterations >= self.search.cap;
        if self.is_searching != is_over {
            let allowed = "followed by a search if all directions are decided, at the cap, or without calls left";
            return Err(Invalid::text("iterations", iterations, allowed));
        }
        if !self.is_searching {
            Invalid::outside("generations", self.generations, 0, 0)?;
        }
        let budget = if self.is_searching { left } else { 0 };
        Invalid::outside("budget", self.budget, budget, budget)?;
        Invalid::outside("used", self.used, 0, budget)?;
        Invalid::outside("averaged", self.averaged, 0, self.generations)?;
        self.plausible_weights()?;
        if self.generations == 0 {
            Invalid::outside("used", self.used, 0, 0)?;
            Invalid::outside("brinks", self.brinks.as_slice().len() as u32, 0, 0)?;
            Invalid::outside("trail", self.trail.later.is_some().into(), 0, 0)?;
        }
        Ok(())
    }

    fn forget<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        self.agent.forget(rng);
        self.is_searching = false;
        (self.generations, self.averaged, self.budget, self.used) = (0, 0, 0, 0);
        self.mean.as_mut().fill(0.0);
        self.average.as_mut().fill(0.0);
        self.brinks = Ring::new();
        self.trail = Trail::OF_EPISODE;
        self.generation = Generation::default();
        (self.acted, self.tried) = (0, 0);
        self.trial = None;
        self.go_on_to_search();
    }
}

impl<E: Resumable, const N: usize> Searcher<E, N> {
    /// Refuses weights that no search comes to.
    fn plausible_weights(&self) -> Result<(), Invalid> {
        let start = match self.is_searching {
            true => self.start(),
            false => E::Features::filled(0.0),
        };
        let is_blank = squared_length(start.as_ref()) == 0.0;
        let mean = squared_length(self.mean.as_ref());
        let is_unit = (mean - 1.0).abs() <= ROUNDING;
        if !(is_unit && self.is_searching || mean == 0.0 && is_blank) {
            return Err(Invalid::real(
                "squared length of the mean",
                mean,
                "1 in a search, and 0 before",
            ));
        }
        if self.generations == 0 && self.mean != start {
            return Err(Invalid::real(
                "squared length of the mean",
                mean,
                "1, in the directions of the votes",
            ));
        }
        let average = squared_length(self.average.as_ref());
        let holds = match self.averaged {
            0 => average == 0.0,
            _ => average > 0.0 && average <= 1.0 + ROUNDING && self.share() > UNSETTLED,
        };
        match holds {
            true => Ok(()),
            false => {
                let allowed = "at most 1, and 0 before there is an average";
                Err(Invalid::real(
                    "squared length of the average",
                    average,
                    allowed,
                ))
            }
        }
    }
}

impl<S: Copy> Trail<S> {
    fn code<E: Resumable<State = S>>(
        &mut self,
        task: &E,
        example: S,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid> {
        codec.u8(
            "trail.age",
            &mut self.age,
            0..=Self::INTERVAL.saturating_sub(1),
        )?;
        let is_new = self.age == Self::OF_EPISODE.age;
        for state in [&mut self.later, &mut self.earlier] {
            let mut is_there = state.is_some();
            codec.bool(&mut is_there)?;
            if !is_there {
                *state = None;
                continue;
            }
            let mut coded = state.unwrap_or(example);
            task.code_state(&mut coded, codec)?;
            *state = Some(coded);
        }
        let age = self.age.into();
        match (self.later.is_some(), self.earlier.is_some()) {
            (false, true) => Err(Invalid::text(
                "trail.age",
                age,
                "of a later state, since there is an earlier one",
            )),
            (false, false) if !is_new => Err(Invalid::text(
                "trail.age",
                age,
                "19 if there are no states yet",
            )),
            _ => Ok(()),
        }
    }
}
