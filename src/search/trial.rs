//! A trial: all candidates play on from one state, with the same random numbers.
//!
//! Candidates that are in the same state share a branch of the trial: what several of them do next is simulated once.

use super::CANDIDATES;
use super::members::Members;
use super::parameters::Objective;
use super::trail::Trail;
use crate::best::Best;
use crate::environment::{Action, Environment};
use crate::policy::Policy;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// What each candidate has lost in its trials: the fewer, the better.
pub type Losses = [i32; CANDIDATES];

impl Objective {
    /// What a candidate loses if its episode ends.
    fn loss_of_end(self) -> i32 {
        match self {
            Objective::Failures => 1,
            Objective::Return => 0,
        }
    }

    /// What a candidate loses by a reward.
    fn loss_of(self, reward: i16) -> i32 {
        match self {
            Objective::Failures => 0,
            Objective::Return => i32::from(reward).wrapping_neg(),
        }
    }
}

/// A trial of all candidates.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Trial<S> {
    /// Where the random numbers of each action come from.
    seed: u64,
    acted: u16,
    objective: Objective,
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

impl<S: Copy + PartialEq> Trial<S> {
    pub fn new<E: Environment<State = S>, R: Rng + ?Sized>(
        task: &E,
        state: S,
        objective: Objective,
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
            objective,
            trail: Trail::of_trial(rng),
            ends_in_safety: objective == Objective::Failures && !task.is_safe(&state),
            branches,
        }
    }

    /// Returns whether all candidates have come to an end or are safe, or have acted often enough.
    pub fn is_over(&self, horizon: u16) -> bool {
        self.acted >= horizon || self.branches.iter().all(Option::is_none)
    }

    /// Takes one action for every candidate that is still on trial, and counts what it loses by that.
    /// Returns the number of calls, and a state from which the first candidate was about to fail.
    pub fn advance<E: Environment<State = S>, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        policies: &[Policy<E::Features>; CANDIDATES],
        losses: &mut Losses,
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
                    count(self.objective.loss_of_end(), alike, losses);
                    continue;
                };
                let (state, reward) = task.step(&branch.state, action, &mut common.clone());
                calls = calls.saturating_add(1);
                count(self.objective.loss_of(reward), alike, losses);
                let survived = self.ends_in_safety && task.is_safe(&state);
                if let Some(free) = self.branches.get_mut(first) {
                    let candidates = alike;
                    *free = (!survived).then_some(Branch { state, candidates });
                }
            }
        }
        if self.objective == Objective::Return {
            self.merge();
        }
        self.acted = self.acted.saturating_add(1);
        (calls, brink)
    }

    /// Merges branches whose states have become equal. A trial for a return is long enough for candidates to meet
    /// again: a battery is full, or a queue empty.
    #[inline(never)]
    fn merge(&mut self) {
        for place in 1..CANDIDATES {
            let Some((earlier, rest)) = self.branches.split_at_mut_checked(place) else {
                return;
            };
            let Some(later) = rest.first_mut() else {
                return;
            };
            let Some(branch) = later else {
                continue;
            };
            let mut earlier = earlier.iter_mut().flatten();
            if let Some(same) = earlier.find(|earlier| earlier.state == branch.state) {
                same.candidates = same.candidates.with(branch.candidates);
                *later = None;
            }
        }
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

/// Adds a loss to those of some candidates.
fn count(loss: i32, members: Members, losses: &mut Losses) {
    if loss == 0 {
        return;
    }
    for i in members {
        if let Some(sum) = losses.get_mut(i) {
            *sum = sum.saturating_add(loss);
        }
    }
}
