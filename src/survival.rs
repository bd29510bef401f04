//! Survival search: how much features weigh, learned on the brink of losing.
//!
//! This goes beyond the paper. Once the directions are known, what tells good weights from better
//! ones is whether they survive, and that shows soonest in states from which an episode was about to
//! end. So the agent goes on with its episode under the mean weights m, and keeps the states that
//! came some twenty placements before each end. From those, candidates m ± σz play on, all with the
//! same random numbers, until they fail, are safe, or have held out for long enough. The mean then
//! moves toward the candidates that failed least: an evolution strategy with mirrored samples,
//! without a covariance. What it has learned is the average of m over the later part of the search.
//!
//! Candidates that have acted alike so far are in the same state and share a branch of the trial: what
//! several of them do next is simulated once.

mod saved;
pub(crate) use saved::Saved;

use crate::environment::{Action, Environment};
use crate::policy::{Best, Policy};
use crate::random::below;
use heapless::Vec;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Survival {
    /// How often the generative model may be called, for directions and in the search together.
    pub calls: u32,
    /// How many actions the agent takes in its own episode in each generation.
    pub episode: u16,
    /// How many trials each candidate has in a generation.
    pub trials: u16,
    /// How many actions a trial lasts at the most.
    pub horizon: u16,
}

impl Default for Survival {
    /// As many calls as the paper allows: 400 iterations with 34 actions, 10 rollouts and 10 steps.
    fn default() -> Self {
        Survival {
            calls: 1_360_000,
            episode: 300,
            trials: 30,
            horizon: 80,
        }
    }
}

/// After so many iterations directions have been learned for long enough, as a rule.
pub const LFD_CAP: u32 = 50;

/// The candidates of a generation come in mirrored pairs.
const PAIRS: usize = 6;
const CANDIDATES: usize = 2 * PAIRS;

/// How much each of the better half of the candidates counts, the best first: in proportion to
/// ln 6.5 − ln rank.
const RANK_WEIGHTS: [f32; PAIRS] = [0.4024, 0.2534, 0.1662, 0.1044, 0.0564, 0.0172];

/// How far candidates are from the mean, of length one, and how far the mean moves: at the
/// beginning of the search, and at its end.
const SIGMA: [f32; 2] = [0.15, 0.12];
const RATE: [f32; 2] = [1.0, 0.5];

/// The average leaves out this share of the search, at its beginning.
const UNSETTLED: f32 = 0.3;

/// So many states are wanted before the first trial.
const FIRST_BRINKS: usize = 8;

/// So many actions of the agent's own episode make a slice.
const SLICE: u16 = 10;

/// The search, with `N` states to play on from.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Search<S, const P: usize, const N: usize> {
    /// m, of length one.
    mean: [f32; P],
    average: [f32; P],
    /// Over how many generations.
    averaged: u32,
    /// The calls that the search may use, and those that it has used.
    budget: u32,
    used: u32,
    brinks: Brinks<S, N>,
    trail: Trail<S>,
    /// What happened in this generation so far.
    generation: Generation,
    /// How many actions of the agent's own episode were in it.
    acted: u16,
    /// How many trials were.
    tried: u16,
    /// z for each pair of candidates.
    steps: [[f32; P]; PAIRS],
    candidates: [Policy<P>; CANDIDATES],
    failures: [u16; CANDIDATES],
    trial: Option<Trial<S>>,
}

/// What happened in a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Generation {
    /// The calls of the generative model.
    pub calls: u32,
    /// The rewards in the agent's own episode.
    pub reward: i16,
    /// Whether that ended, at least once.
    pub episode_ended: bool,
}

impl<S: Copy, const P: usize, const N: usize> Search<S, P, N> {
    /// A search with as many calls, around no weights at all.
    pub const fn new(calls: u32) -> Self {
        const { assert!(N > 0 && N <= 256, "from 1 to 256 states to play on from") };
        Search {
            mean: [0.0; P],
            average: [0.0; P],
            averaged: 0,
            budget: calls,
            used: 0,
            brinks: Brinks::new(),
            trail: Trail::OF_EPISODE,
            generation: Generation::NONE,
            acted: 0,
            tried: 0,
            steps: [[0.0; P]; PAIRS],
            candidates: [Policy::RANDOM; CANDIDATES],
            failures: [0; CANDIDATES],
            trial: None,
        }
    }

    /// Begins to search around `weights`, with as many calls.
    pub fn begin(&mut self, weights: &[f32; P], calls: u32) {
        self.mean = *weights;
        normalise(&mut self.mean);
        self.budget = calls;
    }

    /// The weights that have been learned so far.
    pub fn weights(&self) -> &[f32; P] {
        match self.averaged {
            0 => &self.mean,
            _ => &self.average,
        }
    }

    /// Whether it has used its calls and told of the last of them.
    pub fn is_over(&self) -> bool {
        self.is_spent() && self.is_between_generations()
    }

    /// Whether there are no calls left to learn from.
    fn is_spent(&self) -> bool {
        // A trial may branch into as many states as there are candidates.
        self.budget.saturating_sub(self.used) < CANDIDATES as u32
    }

    /// Whether there is nothing to remember of a generation under way.
    pub(crate) fn is_between_generations(&self) -> bool {
        self.trial.is_none() && self.acted == 0 && self.generation == Generation::NONE
    }

    /// The states to play on from.
    pub fn brinks(&self) -> &[S] {
        &self.brinks.states
    }

    /// Does a small part of a generation: a few actions in the agent's own episode, whose state is
    /// `state`, or one action of every candidate. Says what happened when the generation is done.
    /// When the search is over, each generation is a single action.
    pub fn slice<E: Environment<P, A, State = S>, const A: usize, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        state: &mut S,
        settings: &Survival,
        rng: &mut R,
    ) -> Option<Generation> {
        if self.is_spent() {
            self.act(task, state, &self.policy::<E, A>(), rng);
            self.trial = None;
            return Some(self.finish());
        }
        match &mut self.trial {
            None => self.go_on(task, state, settings, rng),
            Some(trial) => {
                let (calls, brink) = trial.advance(task, &self.candidates, &mut self.failures, rng);
                if let Some(brink) = brink {
                    self.brinks.add(brink);
                }
                if trial.is_over(settings) {
                    self.tried = self.tried.saturating_add(1);
                    self.trial = None;
                    if self.tried < settings.trials {
                        self.begin_trial(task, rng);
                    }
                }
                self.count(calls);
                if self.trial.is_some() {
                    return None;
                }
                self.learn();
                Some(self.finish())
            }
        }
    }

    /// The policy with the weights that have been learned so far.
    fn policy<E: Environment<P, A, State = S>, const A: usize>(&self) -> Policy<P> {
        Policy::scaled(self.weights(), &E::UNITS, &E::BOUNDS).0
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

    /// Goes on with the agent's own episode under m. When that was enough, draws the candidates and
    /// begins their first trial. As long as there are too few states to play on from, a generation
    /// has no trials, and the first of them begins as soon as there are enough.
    fn go_on<E: Environment<P, A, State = S>, const A: usize, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        state: &mut S,
        settings: &Survival,
        rng: &mut R,
    ) -> Option<Generation> {
        let policy = Policy::scaled(&self.mean, &E::UNITS, &E::BOUNDS).0;
        for _ in 0..SLICE {
            if self.is_spent() {
                return None;
            }
            let had_enough = self.has_brinks();
            self.act(task, state, &policy, rng);
            self.count(1);
            self.acted = self.acted.saturating_add(1);
            let is_long = self.acted >= settings.episode;
            let was_wanting = !had_enough && self.used >= settings.episode.into();
            if self.has_brinks() && (is_long || was_wanting) {
                self.draw::<E, A, R>(rng);
                self.begin_trial(task, rng);
                return None;
            }
            if is_long {
                return Some(self.finish());
            }
        }
        None
    }

    /// Whether there are states enough for trials.
    fn has_brinks(&self) -> bool {
        self.brinks.states.len() >= FIRST_BRINKS.min(N)
    }

    /// Takes one action in the agent's own episode.
    fn act<E: Environment<P, A, State = S>, const A: usize, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        state: &mut S,
        policy: &Policy<P>,
        rng: &mut R,
    ) {
        match policy.choose(task, state, rng) {
            Some(action) => {
                self.trail.pass(state);
                let (next, reward) = task.step(state, action, rng);
                *state = next;
                self.generation.reward = self.generation.reward.saturating_add(reward);
            }
            None => {
                let trail = core::mem::replace(&mut self.trail, Trail::OF_EPISODE);
                if let Some(brink) = trail.earlier.or(trail.later) {
                    self.brinks.add(brink);
                }
                *state = task.reset(rng);
                self.generation.episode_ended = true;
            }
        }
    }

    /// How far the search has come, from 0 to 1.
    fn progress(&self) -> f32 {
        progress(self.used, self.budget)
    }

    /// What is at one value at the beginning of the search and at another at its end.
    fn now(&self, [from, to]: [f32; 2]) -> f32 {
        from + (to - from) * self.progress()
    }

    /// Draws the candidates.
    fn draw<E: Environment<P, A, State = S>, const A: usize, R: Rng + ?Sized>(
        &mut self,
        rng: &mut R,
    ) {
        let sigma = self.now(SIGMA);
        let pairs = self.candidates.chunks_exact_mut(2).zip(&mut self.steps);
        for (pair, step) in pairs {
            *step = core::array::from_fn(|_| normal(rng));
            for (candidate, sign) in pair.iter_mut().zip(SIGNS) {
                let mut weights = self.mean;
                for (weight, z) in weights.iter_mut().zip(step.iter()) {
                    *weight += sign * sigma * z;
                }
                *candidate = Policy::scaled(&weights, &E::UNITS, &E::BOUNDS).0;
            }
        }
        self.failures = [0; CANDIDATES];
    }

    fn begin_trial<E: Environment<P, A, State = S>, const A: usize, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        rng: &mut R,
    ) {
        let start = self.brinks.draw(rng);
        self.trial = start.map(|state| Trial::new(task, *state, rng));
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
                for (mean, z) in self.mean.iter_mut().zip(step) {
                    *mean += stride * weight * sign * z;
                }
            }
            if let Some(taken) = self.failures.get_mut(best) {
                *taken = u16::MAX;
            }
        }
        normalise(&mut self.mean);
        if self.progress() > UNSETTLED {
            self.averaged = self.averaged.saturating_add(1);
            for (average, mean) in self.average.iter_mut().zip(&self.mean) {
                *average += (mean - *average) / self.averaged as f32;
            }
        }
    }
}

impl Generation {
    const NONE: Self = Generation {
        calls: 0,
        reward: 0,
        episode_ended: false,
    };
}

/// On which side of the mean the candidates of a pair are.
const SIGNS: [f32; 2] = [1.0, -1.0];

/// A draw with mean 0 and variance 1 that is all but normal: the sum of twelve uniform ones.
fn normal<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    let sum = (0..12).fold(0u32, |sum, _| sum.wrapping_add(rng.next_u32() >> 8));
    sum as f32 / (1u32 << 24) as f32 - 6.0
}

/// The share of its calls that a search has used.
fn progress(used: u32, budget: u32) -> f32 {
    (used as f32 / budget.max(1) as f32).min(1.0)
}

/// The most that rounding can do to the square of a length of one.
pub(crate) const ROUNDING: f32 = 0.001;

pub(crate) fn squared_length<const P: usize>(weights: &[f32; P]) -> f32 {
    weights.iter().map(|weight| weight * weight).sum()
}

/// Gives `weights` the length one, unless they are all zero.
pub(crate) fn normalise<const P: usize>(weights: &mut [f32; P]) {
    let length = libm::sqrtf(squared_length(weights));
    if length > 0.0 {
        for weight in weights {
            *weight /= length;
        }
    }
}

/// States from which an episode was about to end. A new one takes the place of the oldest.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Brinks<S, const N: usize> {
    states: Vec<S, N>,
    /// Where the oldest is once there are `N`.
    oldest: usize,
}

impl<S, const N: usize> Brinks<S, N> {
    const fn new() -> Self {
        Brinks {
            states: Vec::new(),
            oldest: 0,
        }
    }

    fn add(&mut self, state: S) {
        if let Err(state) = self.states.push(state)
            && let Some(oldest) = self.states.get_mut(self.oldest)
        {
            *oldest = state;
            self.oldest = self.oldest.wrapping_add(1).checked_rem(N).unwrap_or(0);
        }
    }

    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<&S> {
        let index = below(rng, self.states.len() as u32);
        self.states.get(index as usize)
    }
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
    /// Whether who is safe has survived. Who was safe from the start has not.
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
    fn new<E: Environment<P, A, State = S>, const P: usize, const A: usize, R: Rng + ?Sized>(
        task: &E,
        state: S,
        rng: &mut R,
    ) -> Self {
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
    fn is_over(&self, settings: &Survival) -> bool {
        self.acted >= settings.horizon || self.branches.iter().all(Option::is_none)
    }

    /// Takes one action for every candidate that is still on trial, and counts those that fail.
    /// Returns the number of calls, and a state from which the first candidate was about to fail.
    fn advance<E: Environment<P, A, State = S>, const P: usize, const A: usize, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        policies: &[Policy<P>; CANDIDATES],
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
    fn choices<E: Environment<P, A, State = S>, const P: usize, const A: usize, R: Rng + ?Sized>(
        &self,
        task: &E,
        policies: &[Policy<P>; CANDIDATES],
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
