//! The value of an action by simulation: Algorithm 2 of the paper.
//!
//! Values are fixed-point sums of discounted rewards. So two actions that earned the same rewards at the same times
//! have exactly the same value, whatever the order of their rollouts.

use crate::array::{Array, List};
use crate::best::Best;
use crate::codec::Codec;
use crate::direction::{Direction, undominated};
use crate::environment::{Action, Environment};
use crate::invalid::Invalid;
use crate::policy::Policy;
use core::fmt::Debug;
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
    /// γ, the discount factor per action.
    pub discount: f32,
    /// Whether the task draws the same random numbers in the rollouts of every action.
    pub common_random_numbers: bool,
    /// The number of states with a single legal action that are passed over in one iteration.
    ///
    /// There is nothing to choose in such a state, so that the action is taken without rollouts and not learned
    /// from. With 0, these states are treated like all others, as in the paper.
    pub pass_over: u16,
}

impl Default for Rollouts {
    /// M = 10, T = 10, γ = 0.995, independent rollouts, and 100 states that are passed over.
    fn default() -> Self {
        Rollouts {
            pass_over: 100,
            ..Rollouts::paper()
        }
    }
}

impl Rollouts {
    /// The longest rollout. One rollout is a slice of work, and a slice must not take long, even if a task has 256
    /// actions.
    pub const LENGTH_MAX: u16 = 1000;

    /// The longest rollout with a dominance filter, which may compare every action with every other.
    pub const FILTERED_LENGTH_MAX: u16 = 20;

    /// M = 10, T = 10, γ = 0.995, independent rollouts, and choices with a single action like all others.
    pub const fn paper() -> Self {
        Rollouts {
            count: 10,
            length: 10,
            discount: 0.995,
            common_random_numbers: false,
            pass_over: 0,
        }
    }

    /// The most calls of the generative model that it takes to evaluate so many actions.
    pub(crate) fn most_calls(&self, actions: usize) -> u32 {
        let each = u32::from(self.count).saturating_mul(self.length.into());
        each.saturating_mul(u32::try_from(actions).unwrap_or(u32::MAX))
    }

    /// Refuses the first parameter that is out of range, for rollouts with or without a dominance filter.
    #[inline(always)]
    pub fn validate(&self, dominance_filter: bool) -> Result<(), Invalid> {
        Invalid::outside("rollouts.count", self.count.into(), 1, u16::MAX.into())?;
        let longest = match dominance_filter {
            true => Self::FILTERED_LENGTH_MAX,
            false => Self::LENGTH_MAX,
        };
        Invalid::outside("rollouts.length", self.length.into(), 1, longest.into())?;
        match (0.0..=1.0).contains(&self.discount) {
            true => Ok(()),
            false => Err(Invalid::real(
                "rollouts.discount",
                self.discount,
                "from 0 to 1",
            )),
        }
    }

    /// Writes every parameter.
    pub fn identify(mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u16("rollouts.count", &mut self.count, 0..=u16::MAX)?;
        codec.u16("rollouts.length", &mut self.length, 0..=u16::MAX)?;
        codec.f32("rollouts.discount", &mut self.discount)?;
        codec.bool(&mut self.common_random_numbers)?;
        codec.u16("rollouts.pass_over", &mut self.pass_over, 0..=u16::MAX)
    }
}

/// The policy that rollouts follow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RolloutPolicy<F: Array<Item = i16>> {
    /// The policy.
    pub policy: Policy<F>,
    /// Whether an action that promises a reward comes before any that does not.
    pub reward_first: bool,
    /// The directions under which dominated actions are never taken, if there is a filter.
    pub filter: Option<F::Of<Direction>>,
}

impl<F: Array<Item = i16>> From<Policy<F>> for RolloutPolicy<F> {
    fn from(policy: Policy<F>) -> Self {
        RolloutPolicy {
            policy,
            reward_first: false,
            filter: None,
        }
    }
}

impl<F: Array<Item = i16>> RolloutPolicy<F> {
    fn choose<E: Environment<Features = F>, R: Rng + ?Sized>(
        &self,
        task: &E,
        state: &E::State,
        rng: &mut R,
    ) -> Option<Action> {
        match &self.filter {
            None if self.reward_first => self.policy.choose_reward_first(task, state, rng),
            None => self.policy.choose(task, state, rng),
            Some(directions) => self.choose_undominated(directions, task, state, rng),
        }
    }

    #[inline(never)]
    fn choose_undominated<E: Environment<Features = F>, R: Rng + ?Sized>(
        &self,
        directions: &F::Of<Direction>,
        task: &E,
        state: &E::State,
        rng: &mut R,
    ) -> Option<Action> {
        let mut best = Best::new();
        for outcome in undominated(directions.as_ref(), &task.list(state)) {
            let promise = match self.reward_first {
                true => outcome.promise.max(0),
                false => 0,
            };
            let key = (promise, self.policy.score(&outcome.features));
            best.offer(key, outcome.action, rng);
        }
        best.choice()
    }
}

/// One as a fixed-point number.
const ONE: i64 = 1 << SHIFT;
const SHIFT: u32 = 30;

/// The evaluation of all actions of one state, one rollout at a time.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Deliberation<A: Array<Item = Action>, V> {
    actions: A::List<Action>,
    /// The number of rollouts of the last of `actions` so far, and the sum of their values.
    done: u16,
    sum: i64,
    best: Best<i64, Action>,
    values: V,
    /// The seed of the random numbers that the rollouts of every action have in common.
    common_seed: Option<u64>,
    calls: u32,
}

impl<A: Array<Item = Action>, V: Valuation<A>> Deliberation<A, V> {
    /// Begins to evaluate the actions of `state`; with a filter, those that are not dominated.
    pub fn new<E: Environment<Actions = A>, R: Rng + ?Sized>(
        task: &E,
        state: &E::State,
        policy: &RolloutPolicy<E::Features>,
        rollouts: &Rollouts,
        rng: &mut R,
    ) -> Self {
        let outcomes = task.list(state);
        let mut actions = A::List::default();
        match &policy.filter {
            None => outcomes.iter().for_each(|o| actions.add(o.action)),
            Some(directions) => {
                undominated(directions.as_ref(), &outcomes).for_each(|o| actions.add(o.action));
            }
        }
        let mut values = V::blank();
        let mut evaluated = actions.iter().peekable();
        for outcome in outcomes.iter() {
            values.expect(evaluated.next_if_eq(&&outcome.action).is_some());
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
    pub fn advance<E: Environment<Actions = A>, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        state: &E::State,
        policy: &RolloutPolicy<E::Features>,
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
            self.actions.take_last();
            self.values
                .settle(|| self.sum as f32 / (ONE as f32 * f32::from(rollouts.count)));
            (self.done, self.sum) = (0, 0);
        }
        self.actions.is_empty()
    }

    fn rollout<E: Environment<Actions = A>, R: Rng + ?Sized>(
        &mut self,
        task: &E,
        state: &E::State,
        mut action: Action,
        policy: &RolloutPolicy<E::Features>,
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
                let end = discount.wrapping_mul(gamma) >> SHIFT;
                value = value.saturating_add(end.saturating_mul(task.value(&next).into()));
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

    /// The values of all actions, as far as they were asked for.
    pub fn values(&self) -> &V {
        &self.values
    }

    /// The number of calls of the generative model.
    pub fn calls(&self) -> u32 {
        self.calls
    }
}

/// The part of the values of all actions that a deliberation keeps: nothing, `()`, or all of them, [`Values`].
pub trait Valuation<A: Array>: Clone + Debug + sealed::Sealed {
    /// No values.
    fn blank() -> Self;

    /// The next action of the list will be evaluated, or was left out by a filter.
    fn expect(&mut self, is_evaluated: bool);

    /// The value of the last action that is expected and has none.
    fn settle(&mut self, value: impl FnOnce() -> f32);
}

impl<A: Array> Valuation<A> for () {
    fn blank() {}
    fn expect(&mut self, _: bool) {}
    fn settle(&mut self, _: impl FnOnce() -> f32) {}
}

/// The estimated value of each action, in the order of [`Environment::outcomes`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Values<A: Array> {
    values: A::Of<f32>,
    /// The number of actions.
    count: usize,
}

/// A value that is not known yet.
const AHEAD: f32 = f32::INFINITY;

impl<A: Array> Values<A> {
    /// The values. An action that was not evaluated, and an entry without an action, has −∞.
    pub fn as_array(&self) -> &A::Of<f32> {
        &self.values
    }
}

impl<A: Array> Valuation<A> for Values<A> {
    fn blank() -> Self {
        Values {
            values: A::filled(f32::NEG_INFINITY),
            count: 0,
        }
    }

    fn expect(&mut self, is_evaluated: bool) {
        if let Some(value) = self.values.as_mut().get_mut(self.count)
            && is_evaluated
        {
            *value = AHEAD;
        }
        self.count = self.count.saturating_add(1);
    }

    fn settle(&mut self, value: impl FnOnce() -> f32) {
        // Actions are evaluated from the last to the first.
        let values = self.values.as_mut().iter_mut();
        if let Some(last) = values.rev().find(|value| **value == AHEAD) {
            *last = value();
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl<A: super::Array> Sealed for super::Values<A> {}
}
