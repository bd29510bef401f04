//! The value of an action by simulation: Algorithm 2 of the paper.
//!
//! Values are fixed-point sums of discounted rewards, so that two actions that earned the same at
//! the same times tie exactly, in whatever order it came.

use crate::direction::{Direction, undominated};
use crate::environment::{Action, Environment, Outcome};
use crate::label::Label;
use crate::policy::{Best, Policy};
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// How actions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rollouts {
    /// M, the number of rollouts of each action.
    pub count: u16,
    /// T, the length of a rollout, the action itself included.
    pub length: u16,
    /// γ, by which a reward is worth less with each action before it.
    pub discount: f32,
    /// Whether the task draws the same random numbers in the rollouts of every action.
    pub common_random_numbers: bool,
}

impl Default for Rollouts {
    /// M = 10, T = 10, γ = 0.995, and every rollout on its own.
    fn default() -> Self {
        Rollouts {
            count: 10,
            length: 10,
            discount: 0.995,
            common_random_numbers: false,
        }
    }
}

impl Rollouts {
    /// The calls of the generative model that it takes to evaluate so many actions, at the most.
    pub(crate) fn most_calls(&self, actions: usize) -> u32 {
        let each = u32::from(self.count).saturating_mul(self.length.into());
        each.saturating_mul(u32::try_from(actions).unwrap_or(u32::MAX))
    }
}

/// What is followed in a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RolloutPolicy<const P: usize> {
    /// The policy.
    pub policy: Policy<P>,
    /// Whether an action that promises a reward comes before any that does not.
    pub reward_first: bool,
    /// If there are directions here, actions that are dominated under them are never taken.
    pub filter: Option<[Direction; P]>,
}

impl<const P: usize> RolloutPolicy<P> {
    /// Takes any legal action.
    pub const RANDOM: Self = RolloutPolicy {
        policy: Policy::RANDOM,
        reward_first: false,
        filter: None,
    };

    fn choose<E: Environment<P, A>, const A: usize, R: Rng + ?Sized>(
        &self,
        task: &E,
        state: &E::State,
        rng: &mut R,
    ) -> Option<Action> {
        match &self.filter {
            None if self.reward_first => self.policy.choose_reward_first(task, state, rng),
            None => self.policy.choose(task, state, rng),
            Some(directions) => {
                let mut best = Best::new();
                for outcome in undominated(directions, &task.list(state)) {
                    let reward = if self.reward_first {
                        outcome.reward.max(0)
                    } else {
                        0
                    };
                    let key = (reward, self.policy.score(&outcome.features));
                    best.offer(key, outcome.action, rng);
                }
                best.choice()
            }
        }
    }
}

/// One as a fixed-point number.
const ONE: i64 = 1 << SHIFT;
const SHIFT: u32 = 30;

/// The evaluation of all actions of one state, one rollout at a time, with room for `L` values.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Deliberation<const A: usize, const L: usize = 0> {
    actions: heapless::Vec<Action, A>,
    /// How many rollouts of the last of `actions` are done, and what they brought.
    done: u16,
    sum: i64,
    best: Best<i64, Action>,
    /// What each action of the state is worth; [`AHEAD`] if it is yet to be found out, and −∞ if it
    /// will not be.
    values: [f32; L],
    /// Where the random numbers start from that the rollouts of every action have in common.
    common_seed: Option<u64>,
    calls: u32,
}

/// A value that is not yet known.
const AHEAD: f32 = f32::INFINITY;

impl<const A: usize, const L: usize> Deliberation<A, L> {
    /// Begins to evaluate the actions of `state`; with a filter, those that are not dominated.
    pub fn new<E: Environment<P, A>, const P: usize, R: Rng + ?Sized>(
        task: &E,
        state: &E::State,
        policy: &RolloutPolicy<P>,
        rollouts: &Rollouts,
        rng: &mut R,
    ) -> Self {
        const {
            assert!(
                L == 0 || L == A,
                "a soft label has a share for every action"
            )
        };
        let outcomes = task.list(state);
        let mut actions = heapless::Vec::new();
        // There is room: a list of outcomes is no longer.
        let mut add = |outcome: &Outcome<P>| _ = actions.push(outcome.action);
        match &policy.filter {
            None => outcomes.iter().for_each(&mut add),
            Some(directions) => undominated(directions, &outcomes).for_each(&mut add),
        }
        let mut values = [f32::NEG_INFINITY; L];
        let mut evaluated = actions.iter().peekable();
        for (value, outcome) in values.iter_mut().zip(&outcomes) {
            if evaluated.next_if_eq(&&outcome.action).is_some() {
                *value = AHEAD;
            }
        }
        Deliberation {
            actions,
            done: 0,
            sum: 0,
            best: Best::new(),
            values,
            common_seed: rollouts.common_random_numbers.then(|| rng.next_u64()),
            calls: 0,
        }
    }

    /// Does one more rollout. Returns whether that was the last of them.
    #[inline(never)]
    pub fn advance<E: Environment<P, A>, const P: usize, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        state: &E::State,
        policy: &RolloutPolicy<P>,
        rollouts: &Rollouts,
        rng: &mut R,
    ) -> bool {
        let Some(&action) = self.actions.last() else {
            return true;
        };
        let value = self.rollout(task, state, action, policy, rollouts, rng);
        self.sum = self.sum.saturating_add(value);
        self.done = self.done.saturating_add(1);
        if self.done >= rollouts.count {
            self.best.offer(self.sum, action, rng);
            self.actions.pop();
            // From the last to the first.
            if let Some(value) = self.values.iter_mut().rfind(|value| **value == AHEAD) {
                *value = self.sum as f32 / (ONE as f32 * f32::from(rollouts.count));
            }
            (self.done, self.sum) = (0, 0);
        }
        self.actions.is_empty()
    }

    fn rollout<E: Environment<P, A>, const P: usize, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        state: &E::State,
        mut action: Action,
        policy: &RolloutPolicy<P>,
        rollouts: &Rollouts,
        rng: &mut R,
    ) -> i64 {
        let common_seed = self
            .common_seed
            .map(|seed| seed.wrapping_add(self.done.into()));
        let mut common = common_seed.map(XorShiftRng::seed_from_u64);
        let gamma = (rollouts.discount.clamp(0.0, 1.0) * ONE as f32) as i64;
        let mut discount = ONE;
        let mut value = 0i64;
        let mut state = *state;
        for left in (0..rollouts.length).rev() {
            let (next, reward) = match &mut common {
                Some(common) => task.step(&state, action, common),
                None => task.step(&state, action, rng),
            };
            self.calls = self.calls.saturating_add(1);
            value = value.saturating_add(discount.saturating_mul(reward.into()));
            if left == 0 {
                break;
            }
            let Some(choice) = policy.choose(task, &next, rng) else {
                break;
            };
            (state, action) = (next, choice);
            discount = discount.wrapping_mul(gamma) >> SHIFT;
        }
        value
    }

    /// The best action, if there is any.
    pub fn choice(&self) -> Option<Action> {
        self.best.choice()
    }

    /// What to remember of it: the best action, or with a temperature above zero how good each was.
    pub fn label(&self, temperature: f32) -> Option<Label<L>> {
        let action = self.choice()?;
        Some(match temperature > 0.0 {
            true => Label::soft(action, &self.values, temperature),
            false => action.into(),
        })
    }

    /// How often the generative model was called.
    pub fn calls(&self) -> u32 {
        self.calls
    }
}
