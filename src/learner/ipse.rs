//! Iterative policy-space expansion: one learner, and then another (the paper's section 4).
//!
//! IPSE learns directions first, and then weights in a policy space that grows around them. [`Then`] does the same
//! with any pair of learners.

use super::labels::{Hard, Soft};
use super::m_learning::{Regularisation, Scaling, Schedule};
use super::{
    Choice, Learner, Lfd, MLearning, Parameters, Past, Phase, Prior, ResumableLearner, Tally,
};
use crate::codec::Codec;
use crate::direction::Direction;
use crate::environment::{Environment, PerFeature, Resumable};
use crate::invalid::Invalid;
use crate::rollout::{RolloutPolicy, Rollouts};
use rand_core::Rng;

/// Iterative policy-space expansion: [directions](Lfd), and then [weights](MLearning) with a schedule.
///
/// ```
/// use ipse::prelude::*;
/// use ipse::tetris::Tetris10x10;
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// // What works on tasks that nobody has seen; `Ipse::paper()` is the paper to the letter.
/// let ipse = Ipse::new().memory::<50>().check()?;
/// let mut agent = Agent::new(Tetris10x10::default(), ipse, &mut rng);
/// agent.step(&mut rng);
/// # Ok::<(), Invalid>(())
/// ```
pub type Ipse<const N: usize = 100, L = Hard> = Then<Lfd, MLearning<N, Schedule, L>>;

/// A learner of directions, followed by another learner.
///
/// ```
/// use ipse::prelude::*;
///
/// // Directions, and then weights without a penalty.
/// let learner = Lfd::new().then(MLearning::unregularised()).cap(30).check()?;
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Then<A, B> {
    /// The first learner.
    pub first: A,
    /// The second learner.
    pub second: B,
    /// The maximum number of iterations of the first phase. It ends earlier if the first learner is finished.
    pub cap: Option<u32>,
    /// What becomes of features that are undecided then.
    pub undecided: Undecided,
    /// Whether the second learner learns from the choices of the first phase as well. Then the iterations of the
    /// first phase count for how many choices it looks back at.
    pub reuse_choices: bool,
}

/// What becomes of a feature that is undecided when the second learner begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Undecided {
    /// It has no weight until the votes decide it: the first learner goes on.
    Wait,
    /// It starts from the majority of its votes, and takes the weight that the data gives it. Without a majority it
    /// starts at zero, and is shrunk toward zero and not toward the others.
    Free,
}

impl Undecided {
    /// The sign of a feature in a fit.
    pub(crate) fn sign(self, direction: Direction) -> f32 {
        match (direction, self) {
            (Direction::Undecided, Undecided::Free) => 1.0,
            _ => direction.sign().into(),
        }
    }

    /// Multiplies the units of features by their signs, and tells which features are free.
    #[inline(never)]
    pub(crate) fn direct(self, directions: &[Direction], units: &mut [f32], free: &mut [bool]) {
        for ((unit, free), direction) in units.iter_mut().zip(free).zip(directions) {
            *unit *= self.sign(*direction);
            *free = self == Undecided::Free && !direction.is_decided();
        }
    }

    /// The weights of features, from those of features multiplied by their signs.
    #[inline(never)]
    pub(crate) fn signed(self, beta: &[f32], directions: &[Direction], weights: &mut [f32]) {
        for ((weight, beta), direction) in weights.iter_mut().zip(beta).zip(directions) {
            *weight = self.sign(*direction) * beta;
        }
    }

    pub(crate) fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        let mut is_free = *self == Undecided::Free;
        codec.bool(&mut is_free)?;
        *self = match is_free {
            true => Undecided::Free,
            false => Undecided::Wait,
        };
        Ok(())
    }
}

/// The default cap on the first phase. On many tasks some feature hardly ever varies, and would be undecided for
/// ever.
pub const CAP: u32 = 50;

impl Ipse {
    /// The default, for tasks that nobody has tried before. It differs from [`paper`](Self::paper) in three
    /// parameters: a [cap](Self::cap) on the first phase, [undecided](Self::undecided) features that may take any
    /// weight, and states with a single legal action, which are [passed over](Rollouts::pass_over).
    pub fn new() -> Self {
        Lfd::new().then(MLearning::scheduled())
    }

    /// The paper to the letter.
    pub fn paper() -> Self {
        let second = MLearning::scheduled().rollouts(Rollouts::paper());
        Then {
            cap: None,
            undecided: Undecided::Wait,
            ..Lfd::paper().then(second)
        }
    }
}

impl Default for Ipse {
    fn default() -> Self {
        Self::new()
    }
}

impl<A, B> Then<A, B> {
    /// The first learner for at most [`CAP`] iterations, and then the second.
    pub const fn of(first: A, second: B) -> Self {
        Then {
            first,
            second,
            cap: Some(CAP),
            undecided: Undecided::Free,
            reuse_choices: false,
        }
    }

    /// Sets the maximum number of iterations of the first phase; `None` for no maximum.
    #[must_use]
    pub fn cap(self, cap: impl Into<Option<u32>>) -> Self {
        let cap = cap.into();
        Then { cap, ..self }
    }

    /// Sets what becomes of features that are undecided then.
    #[must_use]
    pub fn undecided(self, undecided: Undecided) -> Self {
        Then { undecided, ..self }
    }

    /// Sets whether the second learner learns from the choices of the first phase as well.
    #[must_use]
    pub fn reuse_choices(self, reuse_choices: bool) -> Self {
        Then {
            reuse_choices,
            ..self
        }
    }

    fn with_second<C>(self, change: impl FnOnce(B) -> C) -> Then<A, C> {
        Then {
            first: self.first,
            second: change(self.second),
            cap: self.cap,
            undecided: self.undecided,
            reuse_choices: self.reuse_choices,
        }
    }
}

/// The builders of both phases.
impl<const N: usize, R, L> Then<Lfd, MLearning<N, R, L>> {
    /// Sets how actions are evaluated, in both phases.
    #[must_use]
    pub fn rollouts(self, rollouts: Rollouts) -> Self {
        Then {
            first: self.first.rollouts(rollouts),
            second: self.second.rollouts(rollouts),
            ..self
        }
    }

    /// Sets whether dominated actions are left out, in both phases.
    #[must_use]
    pub fn dominance_filter(self, dominance_filter: bool) -> Self {
        Then {
            first: self.first.dominance_filter(dominance_filter),
            second: self.second.dominance_filter(dominance_filter),
            ..self
        }
    }

    /// Sets the p-value below which a direction is decided.
    #[must_use]
    pub fn alpha(self, alpha: f32) -> Self {
        Then {
            first: self.first.alpha(alpha),
            ..self
        }
    }

    /// Sets whether rollouts of the first phase prefer actions that promise a reward.
    #[must_use]
    pub fn reward_first(self, reward_first: bool) -> Self {
        Then {
            first: self.first.reward_first(reward_first),
            ..self
        }
    }
}

/// The builders of the second phase.
impl<A, const N: usize, R, L> Then<A, MLearning<N, R, L>> {
    /// Sets the number of choices that are remembered.
    #[must_use]
    pub fn memory<const M: usize>(self) -> Then<A, MLearning<M, R, L>> {
        self.with_second(MLearning::memory)
    }

    /// Remembers how good every action was; see [`MLearning::soft_labels`].
    #[must_use]
    pub fn soft_labels(self, temperature: f32) -> Then<A, MLearning<N, R, Soft>> {
        self.with_second(|second| second.soft_labels(temperature))
    }

    /// Sets the strength of the penalty.
    #[must_use]
    pub fn regularisation<Q: Regularisation>(
        self,
        regularisation: Q,
    ) -> Then<A, MLearning<N, Q, L>> {
        self.with_second(|second| second.regularisation(regularisation))
    }

    /// Sets what the strength of the penalty is relative to.
    #[must_use]
    pub fn scaling(self, scaling: Scaling) -> Self {
        self.with_second(|second| second.scaling(scaling))
    }

    /// Sets whether what was learned is the mean over all iterations of the second phase.
    #[must_use]
    pub fn average(self, average: bool) -> Self {
        self.with_second(|second| second.average(average))
    }
}

impl<A: Parameters, B: Parameters> Parameters for Then<A, B> {
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        self.first.validate()?;
        self.second.validate()?;
        Invalid::outside("cap", self.cap.unwrap_or(u32::MAX), 1, u32::MAX)
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        let Then {
            first,
            second,
            cap,
            mut undecided,
            mut reuse_choices,
        } = *self;
        codec.text("then");
        first.identify(codec)?;
        second.identify(codec)?;
        codec.bool(&mut cap.is_some())?;
        codec.u32("cap", &mut cap.unwrap_or(0), 0..=u32::MAX)?;
        undecided.code(codec)?;
        codec.bool(&mut reuse_choices)
    }
}

/// What two learners, one after the other, have learned.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stages<A, B> {
    first: A,
    second: B,
    /// The number of iterations of the first phase.
    first_phase: u32,
    is_second: bool,
}

impl<A, B> Stages<A, B> {
    /// What the first has learned.
    pub fn first(&self) -> &A {
        &self.first
    }

    /// What the second has learned.
    pub fn second(&self) -> &B {
        &self.second
    }

    /// The number of iterations of the first phase, once it is over.
    pub fn switched_after(&self) -> Option<u32> {
        self.is_second.then_some(self.first_phase)
    }
}

impl<A, B> Then<A, B> {
    /// Goes on from the first learner to the second.
    fn switch<E: Environment>(&self, memory: &mut Stages<A::Memory, B::Memory>)
    where
        A: Learner<E, Values = ()>,
        B: Learner<E>,
    {
        memory.is_second = true;
        let prior = self.prior(&memory.first);
        self.second.inform(&mut memory.second, &prior);
    }

    /// What the first learner hands on.
    fn prior<E: Environment>(&self, first: &A::Memory) -> Prior<E::Features>
    where
        A: Learner<E>,
    {
        Prior {
            directions: match self.undecided {
                Undecided::Wait => self.first.directions(first),
                Undecided::Free => self.first.leanings(first),
            },
            undecided: self.undecided,
        }
    }

    /// Returns whether the second learner has been told anything. Before that, it is blank.
    fn has_told_second<S, T>(&self, memory: &Stages<S, T>) -> bool {
        memory.is_second || self.reuse_choices && memory.first_phase > 0
    }

    /// Returns whether the first learner goes on beside the second, for what it has left undecided.
    fn goes_on<E: Environment>(&self, memory: &Stages<A::Memory, B::Memory>) -> bool
    where
        A: Learner<E>,
        B: Learner<E>,
    {
        self.undecided == Undecided::Wait && !self.first.is_finished(&memory.first)
    }

    /// Lets the first learner see a choice of the second, and hands on what it has decided since. The policy space
    /// grows around what was decided before, so that this stays.
    fn decide_more<E: Environment>(
        &self,
        memory: &mut Stages<A::Memory, B::Memory>,
        task: &E,
        choice: Choice<E::State, ()>,
    ) where
        A: Learner<E, Values = ()>,
        B: Learner<E>,
    {
        let before = self.first.directions(&memory.first);
        self.first.observe(&mut memory.first, task, choice);
        let mut prior = self.prior(&memory.first);
        if prior.directions == before {
            return;
        }
        let known = self.second.directions(&memory.second);
        let directions = prior.directions.as_mut().iter_mut();
        for (direction, known) in directions.zip(known.as_ref()) {
            if known.is_decided() {
                *direction = *known;
            }
        }
        self.second.inform(&mut memory.second, &prior);
    }
}

impl<E, A, B> Learner<E> for Then<A, B>
where
    E: Environment,
    A: Learner<E, Values = ()>,
    B: Learner<E>,
{
    const NAME: &'static str = match A::THEN {
        Some(name) => name,
        None => B::NAME,
    };

    type Memory = Stages<A::Memory, B::Memory>;
    type Values = B::Values;

    #[inline(never)]
    fn blank(&self) -> Self::Memory {
        Stages {
            first: self.first.blank(),
            second: self.second.blank(),
            first_phase: 0,
            is_second: false,
        }
    }

    #[inline(never)]
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Memory {
        Stages {
            first: self.first.start(rng),
            second: self.second.blank(),
            first_phase: 0,
            is_second: false,
        }
    }

    fn inform(&self, memory: &mut Self::Memory, prior: &Prior<E::Features>) {
        self.first.inform(&mut memory.first, prior);
    }

    /// What happens while another learner is in charge belongs to neither phase.
    fn begin(&self, memory: &mut Self::Memory, in_charge: bool) {
        if !in_charge {
            return;
        }
        // The first learner may have had nothing to learn.
        if !memory.is_second && self.first.is_finished(&memory.first) {
            self.switch(memory);
        }
        if memory.is_second {
            if self.goes_on(memory) {
                self.first.begin(&mut memory.first, false);
            }
            return self.second.begin(&mut memory.second, true);
        }
        memory.first_phase = memory.first_phase.saturating_add(1);
        self.first.begin(&mut memory.first, true);
        if self.reuse_choices {
            self.second.begin(&mut memory.second, false);
        }
    }

    fn rollouts(&self, memory: &Self::Memory) -> Rollouts {
        match memory.is_second {
            true => self.second.rollouts(&memory.second),
            false => self.first.rollouts(&memory.first),
        }
    }

    fn rollout_policy(&self, memory: &Self::Memory) -> RolloutPolicy<E::Features> {
        if !memory.is_second {
            return self.first.rollout_policy(&memory.first);
        }
        let mut policy = self.second.rollout_policy(&memory.second);
        // A majority of the votes is no reason to leave out an action.
        if let Some(filter) = &mut policy.filter {
            *filter = self.directions(memory);
        }
        policy
    }

    fn learn(&self, memory: &mut Self::Memory, task: &E, choice: Choice<E::State, Self::Values>) {
        let for_first = Choice {
            state: choice.state,
            action: choice.action,
            values: &(),
        };
        if memory.is_second {
            if self.goes_on(memory) {
                self.decide_more(memory, task, for_first);
            }
            return self.second.learn(&mut memory.second, task, choice);
        }
        self.first.learn(&mut memory.first, task, for_first);
        if self.reuse_choices {
            self.second.observe(&mut memory.second, task, choice);
        }
    }

    fn slice(&self, memory: &mut Self::Memory, task: &E) -> bool {
        match memory.is_second {
            true => self.second.slice(&mut memory.second, task),
            false => self.first.slice(&mut memory.first, task),
        }
    }

    fn end(&self, memory: &mut Self::Memory) {
        if memory.is_second {
            return self.second.end(&mut memory.second);
        }
        self.first.end(&mut memory.first);
        let is_capped = self.cap.is_some_and(|cap| memory.first_phase >= cap);
        if is_capped || self.first.is_finished(&memory.first) {
            self.switch(memory);
        }
    }

    fn weights(&self, memory: &Self::Memory) -> PerFeature<E, f32> {
        match memory.is_second {
            true => self.second.weights(&memory.second),
            false => self.first.weights(&memory.first),
        }
    }

    fn phase(&self, memory: &Self::Memory) -> Phase {
        match memory.is_second {
            true => self.second.phase(&memory.second),
            false => self.first.phase(&memory.first),
        }
    }

    fn is_finished(&self, memory: &Self::Memory) -> bool {
        memory.is_second && self.second.is_finished(&memory.second)
    }

    /// What the first learner has decided; what waits for more votes is decided later.
    fn directions(&self, memory: &Self::Memory) -> PerFeature<E, Direction> {
        match memory.is_second && self.undecided == Undecided::Wait {
            true => self.second.directions(&memory.second),
            false => self.first.directions(&memory.first),
        }
    }

    fn leanings(&self, memory: &Self::Memory) -> PerFeature<E, Direction> {
        self.first.leanings(&memory.first)
    }

    fn tallies(&self, memory: &Self::Memory) -> PerFeature<E, Tally> {
        self.first.tallies(&memory.first)
    }
}

impl<E, A, B> ResumableLearner<E> for Then<A, B>
where
    E: Resumable,
    A: ResumableLearner<E, Values = ()>,
    B: ResumableLearner<E>,
{
    const BITS: usize = A::BITS.saturating_add(B::BITS).saturating_add(33);

    fn code(
        &self,
        memory: &mut Self::Memory,
        task: &E,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid> {
        codec.bool(&mut memory.is_second)?;
        codec.u32("first phase", &mut memory.first_phase, 0..=u32::MAX)?;
        self.first.code(&mut memory.first, task, codec)?;
        if self.has_told_second(memory) {
            self.second.code(&mut memory.second, task, codec)?;
        } else if codec.is_reading() {
            memory.second = self.second.blank();
        }
        if codec.is_reading() && memory.is_second {
            let prior = self.prior(&memory.first);
            self.second.rejoin(&mut memory.second, &prior)?;
        }
        Ok(())
    }

    fn rejoin(&self, memory: &mut Self::Memory, prior: &Prior<E::Features>) -> Result<(), Invalid> {
        self.first.rejoin(&mut memory.first, prior)
    }

    fn plausible(&self, memory: &Self::Memory, task: &E, past: Past) -> Result<(), Invalid> {
        let iterations = past.in_charge;
        let first_phase = memory.first_phase;
        let cap = self.cap.unwrap_or(u32::MAX);
        let is_over = first_phase >= cap || self.first.is_finished(&memory.first);
        let second_phase = match (memory.is_second, iterations) {
            // It cannot be told any more.
            (true, u32::MAX) => u32::MAX,
            (true, _) => iterations.saturating_sub(first_phase),
            (false, _) => 0,
        };
        match memory.is_second {
            true => Invalid::outside("first phase", first_phase, 0, iterations.min(cap))?,
            false => Past::demand(iterations, "first phase", first_phase)?,
        }
        // Behind another learner, it is not asked before that one is finished.
        let is_ahead = iterations == 0 && !memory.is_second;
        if memory.is_second != is_over && !is_ahead {
            let allowed = "over if all directions are decided or the cap is reached, and else not";
            return Err(Invalid::text("first phase", first_phase, allowed));
        }
        let observed = match memory.is_second && self.undecided == Undecided::Wait {
            true => second_phase,
            false => 0,
        };
        let past = Past {
            in_charge: first_phase,
            observed,
        };
        self.first.plausible(&memory.first, task, past)?;
        if !self.has_told_second(memory) {
            return Ok(());
        }
        let observed = if self.reuse_choices { first_phase } else { 0 };
        let past = Past {
            in_charge: second_phase,
            observed,
        };
        self.second.plausible(&memory.second, task, past)
    }
}
