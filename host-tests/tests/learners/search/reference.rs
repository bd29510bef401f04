//! A search without a single idea: every candidate plays every trial alone, all states and means are kept, and what is
//! needed of them is looked up.
//!
//! It is written for tasks in which two actions never have the same score, so that no candidate draws a random number
//! to choose between them. Then nothing but the calls depends on who shares a branch with whom, and the calls are
//! counted from what was done.

use ipse::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What happened in a generation.
#[derive(Debug, PartialEq)]
pub struct Report {
    pub calls: u32,
    pub reward: i32,
    pub episode_ended: bool,
    pub weights: Vec<f32>,
}

/// A search whose directions have been learned.
pub struct Reference<E: Environment> {
    task: E,
    search: Search<(), 0>,
    /// The number of brinks that are kept.
    memory: usize,
    rng: XorShiftRng,
    state: E::State,
    /// The states of its own episode in which it has acted.
    passed: Vec<E::State>,
    brinks: Vec<E::State>,
    /// All brinks that there have ever been.
    pushed: usize,
    mean: Vec<f32>,
    /// The mean after each generation with trials, and the share of the calls that was used.
    means: Vec<(f32, Vec<f32>)>,
    /// The summed variances of each feature.
    variances: Vec<f32>,
    generations: u32,
    /// The number of generations in which all candidates around the mean did alike.
    pub explored: u32,
    budget: u32,
    used: u32,
    report: Report,
}

/// The most that a feature's weight is enlarged.
const LEAST_RATIO: f32 = 0.02;
const MEASURED: u32 = 200;
const CANDIDATES: usize = 12;
const FIRST_BRINKS: usize = 8;

/// The calls are used up.
struct Spent;

impl<E: Environment> Reference<E>
where
    E::State: Ord,
{
    /// A search with these parameters and this number of calls left, that begins in `state` with the mean `start`.
    pub fn new<L: Copy, const N: usize>(
        task: E,
        search: Search<L, N>,
        (state, start): (E::State, &[f32]),
        budget: u32,
        rng: XorShiftRng,
    ) -> Self {
        Reference {
            task,
            search: search.directions(()).memory(),
            memory: N,
            rng,
            state,
            passed: Vec::new(),
            brinks: Vec::new(),
            pushed: 0,
            mean: start.to_vec(),
            means: Vec::new(),
            variances: vec![0.; start.len()],
            generations: 0,
            explored: 0,
            budget,
            used: 0,
            report: Self::nothing(),
        }
    }

    pub fn rng(&self) -> &XorShiftRng {
        &self.rng
    }

    pub fn brinks(&self) -> &[E::State] {
        &self.brinks
    }

    fn nothing() -> Report {
        Report {
            calls: 0,
            reward: 0,
            episode_ended: false,
            weights: Vec::new(),
        }
    }

    /// A whole generation. Without calls left, one action.
    pub fn generation(&mut self) -> Report {
        self.report = Self::nothing();
        if self.try_generation().is_err() {
            let policy = self.policy(&self.learned());
            self.act(&policy);
        }
        self.generations += 1;
        self.report.weights = self.weights(&self.learned());
        std::mem::replace(&mut self.report, Self::nothing())
    }

    fn try_generation(&mut self) -> Result<(), Spent> {
        if self.search.scale == Scale::Spread && self.generations == 0 {
            return self.measure();
        }
        if self.walk()? {
            let candidates = self.draw();
            let losses = self.trials(&candidates)?;
            let is_even = losses.iter().all(|loss| *loss == losses[0]);
            if is_even && self.search.objective == Objective::Return {
                self.explored += 1;
                self.explore()?;
            } else {
                self.follow(&candidates, &losses);
            }
            self.normalise();
        }
        Ok(())
    }

    /// What each candidate has lost in all trials.
    fn trials(&mut self, candidates: &[(Vec<f32>, Vec<f32>)]) -> Result<[i32; CANDIDATES], Spent> {
        let mut losses = [0; CANDIDATES];
        let policies: Vec<_> = candidates.iter().map(|(_, x)| self.policy(x)).collect();
        for _ in 0..self.search.trials {
            self.trial(&policies, &mut losses)?;
        }
        Ok(losses)
    }

    /// Two candidates around the mean, and ten from anywhere. If one of these is better than the two, it is the mean.
    fn explore(&mut self) -> Result<(), Spent> {
        let mut candidates = self.draw();
        for (z, x) in &mut candidates[2..] {
            x.clone_from(z);
        }
        let losses = self.trials(&candidates)?;
        let near = losses[0].min(losses[1]);
        let far = (2..CANDIDATES)
            .min_by_key(|candidate| losses[*candidate])
            .unwrap();
        if losses[far] < near {
            self.mean.clone_from(&candidates[far].1);
        }
        Ok(())
    }

    fn spend(&mut self, calls: u32) {
        self.used += calls;
        self.report.calls += calls;
    }

    /// With fewer calls than there are candidates it is over.
    fn demand_calls(&self) -> Result<(), Spent> {
        let is_spent = self.budget - self.used < CANDIDATES as u32;
        if is_spent { Err(Spent) } else { Ok(()) }
    }

    fn measure(&mut self) -> Result<(), Spent> {
        for _ in 0..MEASURED {
            self.demand_calls()?;
            let outcomes = self.task.list(&self.state);
            for (feature, variance) in self.variances.iter_mut().enumerate() {
                let values = outcomes.iter().map(|o| o.features.as_ref()[feature]);
                let values: Vec<i64> = values.map(i64::from).collect();
                let count = values.len() as i64;
                let sum: i64 = values.iter().sum();
                let squares: i64 = values.iter().map(|x| x * x).sum();
                if count > 1 {
                    *variance += (count * squares - sum * sum) as f32 / (count * count) as f32;
                }
            }
            self.act(&Policy::random());
            self.spend(1);
        }
        Ok(())
    }

    /// Goes on with its own episode. Returns whether there are states to begin trials in.
    fn walk(&mut self) -> Result<bool, Spent> {
        self.demand_calls()?;
        let length = match self.search.starts {
            Starts::Brinks => u64::from(self.search.episode),
            _ => 1 + ((u64::from(self.rng.next_u32()) * u64::from(self.search.episode)) >> 32),
        };
        let policy = self.policy(&self.mean);
        let mut acted = 0;
        loop {
            self.demand_calls()?;
            let had_enough = self.has_starts();
            self.act(&policy);
            self.spend(1);
            acted += 1;
            let is_first = !had_enough && self.used >= self.search.episode.into();
            if self.has_starts() && (acted >= length || is_first) {
                break;
            }
            if acted >= length {
                return Ok(false);
            }
        }
        if self.is_own_start() && self.task.is_terminal(&self.state) {
            self.act(&policy);
            self.spend(1);
        }
        Ok(true)
    }

    fn has_starts(&self) -> bool {
        let waits = (Starts::Brinks, Objective::Failures);
        (self.search.starts, self.search.objective) != waits
            || self.brinks.len() >= FIRST_BRINKS.min(self.memory)
    }

    fn is_own_start(&self) -> bool {
        self.search.starts == Starts::Visited || self.brinks.is_empty()
    }

    /// One action of its own episode. When that ends, the state is kept that is the last in a multiple of twenty
    /// actions after its beginning and at least as many before its end; in a shorter episode the first one.
    fn act(&mut self, policy: &Policy<E::Features>) {
        match policy.choose(&self.task, &self.state, &mut self.rng) {
            Some(action) => {
                self.passed.push(self.state);
                let (next, reward) = self.task.step(&self.state, action, &mut self.rng);
                self.state = next;
                self.report.reward += i32::from(reward);
            }
            None => {
                let passed = std::mem::take(&mut self.passed);
                let twenties = passed.iter().step_by(20).rev();
                let earlier = twenties.clone().nth(1).or(twenties.last());
                if let Some(brink) = earlier {
                    self.keep(*brink);
                }
                self.state = self.task.reset(&mut self.rng);
                self.report.episode_ended = true;
            }
        }
    }

    fn keep(&mut self, brink: E::State) {
        if self.search.starts == Starts::Visited || self.memory == 0 {
            return;
        }
        if self.brinks.len() < self.memory {
            self.brinks.push(brink);
        } else {
            self.brinks[self.pushed % self.memory] = brink;
        }
        self.pushed += 1;
    }

    /// z and x = m ± σz for each candidate.
    fn draw(&mut self) -> Vec<(Vec<f32>, Vec<f32>)> {
        let sigma = self.search.sigma.at(self.share());
        let mut candidates = Vec::new();
        for _ in 0..CANDIDATES / 2 {
            let z: Vec<f32> = self.mean.iter().map(|_| normal(&mut self.rng)).collect();
            for sign in [1., -1.] {
                let z: Vec<f32> = z.iter().map(|z| sign * z).collect();
                let x = self.mean.iter().zip(&z).map(|(m, z)| m + sigma * z);
                candidates.push((z.clone(), x.collect()));
            }
        }
        candidates
    }

    /// All candidates play on from one state, each for itself.
    fn trial(
        &mut self,
        policies: &[Policy<E::Features>],
        losses: &mut [i32; CANDIDATES],
    ) -> Result<(), Spent> {
        let start = match self.is_own_start() {
            true => self.state,
            false => self.brinks[below(&mut self.rng, self.brinks.len())],
        };
        let seed = self.rng.next_u64();
        let first_mark = 19 - below(&mut self.rng, 19);
        let by_failures = self.search.objective == Objective::Failures;
        let ends_in_safety = by_failures && !self.task.is_safe(&start);
        let mut players: Vec<Player<E>> = policies.iter().map(|_| Player::new(start)).collect();
        for time in 0..u64::from(self.search.horizon) {
            if players.iter().all(|player| player.is_out) {
                break;
            }
            self.demand_calls()?;
            let mut simulated = BTreeSet::new();
            let candidates = players.iter_mut().zip(policies).enumerate();
            for (candidate, (player, policy)) in candidates.filter(|(_, (p, _))| !p.is_out) {
                let mut rng = self.rng.clone();
                let Some(action) = policy.choose(&self.task, &player.state, &mut rng) else {
                    losses[candidate] += i32::from(by_failures);
                    player.is_out = true;
                    continue;
                };
                assert_eq!(rng, self.rng, "two actions have the same score");
                let mut common = XorShiftRng::seed_from_u64(seed + time);
                let (next, reward) = self.task.step(&player.state, action, &mut common);
                player.past.push((player.state, action));
                // Who has always acted alike shares a branch; by returns, whoever is in the same state does.
                let past = match by_failures {
                    true => player.past.clone(),
                    false => vec![(player.state, action)],
                };
                simulated.insert(past);
                losses[candidate] -= if by_failures { 0 } else { i32::from(reward) };
                player.state = next;
                player.is_out = ends_in_safety && self.task.is_safe(&next);
            }
            self.spend(simulated.len() as u32);
        }
        // A state of the first candidate from 20 to 40 actions before it failed.
        let first = &players[0];
        if first.is_out && !(ends_in_safety && self.task.is_safe(&first.state)) {
            let mut marks = first.past.iter().skip(first_mark).step_by(20).rev();
            if let Some((brink, _)) = marks.nth(1) {
                self.keep(*brink);
            }
        }
        Ok(())
    }

    /// Moves the mean by the ranks of the candidates.
    fn follow(&mut self, candidates: &[(Vec<f32>, Vec<f32>)], losses: &[i32; CANDIDATES]) {
        let share = self.share();
        let rate = 1. - 0.5 * share;
        let stride = rate * self.search.sigma.at(share);
        let mut ranking: Vec<usize> = (0..CANDIDATES).collect();
        ranking.sort_by_key(|candidate| losses[*candidate]);
        for (weight, candidate) in rank_weights().into_iter().zip(ranking) {
            let (z, _) = &candidates[candidate];
            for (mean, z) in self.mean.iter_mut().zip(z) {
                *mean += stride * weight * z;
            }
        }
    }

    /// Gives the mean length one, and keeps it.
    fn normalise(&mut self) {
        let share = self.share();
        let length = self.mean.iter().map(|x| x * x).sum::<f32>().sqrt();
        self.mean.iter_mut().for_each(|x| *x /= length);
        self.means.push((share, self.mean.clone()));
    }

    fn share(&self) -> f32 {
        self.used as f32 / self.budget as f32
    }

    /// The average of the means of the last 70 % of the calls. Before that, the last mean.
    fn learned(&self) -> Vec<f32> {
        let settled = self.means.iter().filter(|(share, _)| *share > 0.3);
        let mut average = vec![0.; self.mean.len()];
        let mut count = 0.;
        for (_, mean) in settled {
            count += 1.;
            for (average, mean) in average.iter_mut().zip(mean) {
                *average += (mean - *average) / count;
            }
        }
        if count == 0. {
            return self.mean.clone();
        }
        if self.search.shrinkage > 0. {
            // At length one, each weight gets a share of an equal one, which is 1/√P.
            let length = average.iter().map(|x| x * x).sum::<f32>().sqrt();
            let equal = self.search.shrinkage / (average.len() as f32).sqrt();
            for weight in &mut average {
                *weight /= length;
                *weight += match weight.total_cmp(&0.) {
                    _ if *weight == 0. => 0.,
                    Ordering::Less => -equal,
                    _ => equal,
                };
            }
        }
        average
    }

    /// x on the scale of the spreads.
    fn weights(&self, x: &[f32]) -> Vec<f32> {
        let features = E::FEATURES;
        let units = features.as_ref().iter().map(|feature| feature.unit);
        let spreads = self.variances.iter().zip(units);
        let spreads: Vec<f32> = spreads.map(|(v, unit)| v.sqrt() * unit).collect();
        let largest = spreads.iter().copied().fold(0., f32::max);
        let weigh = |(x, spread): (&f32, &f32)| match largest {
            0. => *x,
            _ => x / (spread / largest).max(LEAST_RATIO).sqrt(),
        };
        x.iter().zip(&spreads).map(weigh).collect()
    }

    fn policy(&self, x: &[f32]) -> Policy<E::Features> {
        let weights = self.weights(x);
        Policy::new::<E>(&E::Features::from_fn(|i| weights[i])).unwrap()
    }
}

/// A candidate on trial.
struct Player<E: Environment> {
    state: E::State,
    /// Where it has been, and what it did there.
    past: Vec<(E::State, Action)>,
    is_out: bool,
}

impl<E: Environment> Player<E> {
    fn new(state: E::State) -> Self {
        Player {
            state,
            past: Vec::new(),
            is_out: false,
        }
    }
}

/// The better half of twelve, in proportion to ln 6.5 − ln rank, with four decimals.
fn rank_weights() -> Vec<f32> {
    let weights = (1..=6).map(|rank| 6.5f64.ln() - f64::from(rank).ln());
    let sum: f64 = weights.clone().sum();
    let rounded = weights.map(|weight| (weight / sum * 1e4).round() / 1e4);
    rounded.map(|weight| weight as f32).collect()
}

/// The sum of twelve uniform numbers, less its mean.
fn normal(rng: &mut XorShiftRng) -> f32 {
    let sum: u32 = (0..12).map(|_| rng.next_u32() >> 8).sum();
    sum as f32 / 16_777_216. - 6.
}

/// A uniform number from 24 bits.
fn below(rng: &mut XorShiftRng, n: usize) -> usize {
    ((rng.next_u32() as usize >> 8) * n) >> 24
}
