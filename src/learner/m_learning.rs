//! M-learning: choose by rollouts, remember the choice, and fit the policy to what is remembered.
//!
//! Algorithm 3 of the paper with logistic regression as its learning procedure, in the four versions of
//! section 5: without regularisation, with a cross-validated strength, with a schedule, and with a schedule and
//! [known](super::Known) directions.

use super::average::Average;
use super::choices::Choices;
use super::labels::{Hard, Label, Labels, Soft};
use super::stew::{ChoiceSets, Fit, Objective, Visit};
use super::{Choice, Learner, Parameters, Past, Prior, ResumableLearner, Undecided};
use crate::array::Array;
use crate::codec::Codec;
use crate::direction::{Direction, code_all, equal_weights};
use crate::environment::{Environment, Outcome, Outcomes, PerFeature, Resumable, reach};
use crate::invalid::Invalid;
use crate::math;
use crate::policy::Policy;
use crate::random::below;
use crate::rollout::{RolloutPolicy, Rollouts};
use core::fmt::Debug;
use core::ops::Range;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// The learner of weights, from the last `N` choices.
///
/// ```
/// use ipse::prelude::*;
/// use ipse::tetris::Tetris10x10;
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let learner = MLearning::scheduled().memory::<50>().average(true).check()?;
/// let mut agent = Agent::new(Tetris10x10::default(), learner, &mut rng);
/// agent.step(&mut rng);
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct MLearning<const N: usize = 100, R = Schedule, L = Hard> {
    /// How actions are evaluated.
    pub rollouts: Rollouts,
    /// The strength of the penalty.
    pub regularisation: R,
    /// What the strength is relative to.
    pub scaling: Scaling,
    /// What is remembered of a choice.
    pub labels: L,
    /// Whether the learned weights are the mean over all fits, each at unit length, instead of the last fit. Rollouts
    /// follow the last fit all the same.
    pub average: bool,
    /// Whether actions that are dominated under known or learned directions are left out. Directions that are
    /// drawn at random dominate nothing.
    pub dominance_filter: bool,
}

impl MLearning {
    /// The paper's third version: the schedule λₖ = 5/k.
    pub fn scheduled() -> Self {
        Self::with(Schedule::PAPER)
    }
}

impl MLearning<100, Unregularised> {
    /// The paper's first version.
    pub fn unregularised() -> Self {
        Self::with(Unregularised)
    }
}

impl MLearning<100, CrossValidated> {
    /// The paper's second version.
    pub fn cross_validated() -> Self {
        Self::with(CrossValidated)
    }
}

impl<const N: usize, R> MLearning<N, R> {
    /// A learner with this regularisation.
    pub fn with(regularisation: R) -> Self {
        MLearning {
            rollouts: Rollouts::default(),
            regularisation,
            scaling: Scaling::PerInstance,
            labels: Hard,
            average: false,
            dominance_filter: false,
        }
    }
}

impl<const N: usize, R, L> MLearning<N, R, L> {
    /// Sets how actions are evaluated.
    #[must_use]
    pub fn rollouts(self, rollouts: Rollouts) -> Self {
        MLearning { rollouts, ..self }
    }

    /// Sets the number of choices that are remembered.
    #[must_use]
    pub fn memory<const M: usize>(self) -> MLearning<M, R, L> {
        let (regularisation, labels, rest) = self.apart();
        rest.with(regularisation, labels)
    }

    /// Remembers how good every action was, as the softmax of their values at this temperature, in the unit of
    /// rewards. Takes one byte more for each action of each choice.
    #[must_use]
    pub fn soft_labels(self, temperature: f32) -> MLearning<N, R, Soft> {
        let (regularisation, _, rest) = self.apart();
        rest.with(regularisation, Soft { temperature })
    }

    /// Sets the strength of the penalty.
    #[must_use]
    pub fn regularisation<Q>(self, regularisation: Q) -> MLearning<N, Q, L> {
        let (_, labels, rest) = self.apart();
        rest.with(regularisation, labels)
    }

    /// The parts whose types can change, and the rest.
    fn apart(self) -> (R, L, Rest) {
        let rest = Rest {
            rollouts: self.rollouts,
            scaling: self.scaling,
            average: self.average,
            dominance_filter: self.dominance_filter,
        };
        (self.regularisation, self.labels, rest)
    }

    /// Sets what the strength of the penalty is relative to.
    #[must_use]
    pub fn scaling(self, scaling: Scaling) -> Self {
        MLearning { scaling, ..self }
    }

    /// Sets whether what was learned is the mean over all iterations.
    #[must_use]
    pub fn average(self, average: bool) -> Self {
        MLearning { average, ..self }
    }

    /// Sets whether dominated actions are left out.
    #[must_use]
    pub fn dominance_filter(self, dominance_filter: bool) -> Self {
        MLearning {
            dominance_filter,
            ..self
        }
    }
}

/// The parameters that have nothing to do with the type of the learner.
struct Rest {
    rollouts: Rollouts,
    scaling: Scaling,
    average: bool,
    dominance_filter: bool,
}

impl Rest {
    fn with<const N: usize, R, L>(self, regularisation: R, labels: L) -> MLearning<N, R, L> {
        MLearning {
            rollouts: self.rollouts,
            regularisation,
            scaling: self.scaling,
            labels,
            average: self.average,
            dominance_filter: self.dominance_filter,
        }
    }
}

impl<const N: usize, R: Regularisation, L: Labels> Parameters for MLearning<N, R, L> {
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        self.rollouts.validate(self.dominance_filter)?;
        self.regularisation.validate()?;
        self.labels.validate()
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        let MLearning {
            rollouts,
            regularisation,
            scaling,
            labels,
            mut average,
            mut dominance_filter,
        } = *self;
        codec.text("m-learning");
        codec.u32("memory", &mut (N as u32), 0..=u32::MAX)?;
        rollouts.identify(codec)?;
        regularisation.identify(codec)?;
        codec.bool(&mut (scaling == Scaling::Total))?;
        labels.identify(codec)?;
        codec.bool(&mut average)?;
        codec.bool(&mut dominance_filter)
    }
}

/// What the strength of the penalty is relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Scaling {
    /// The mean loss: n·λ over n choices together.
    #[default]
    PerInstance,
    /// The sum of the losses.
    Total,
}

impl Scaling {
    fn total(self, lambda: f32, instances: usize) -> f32 {
        match self {
            Scaling::PerInstance => lambda * instances as f32,
            Scaling::Total => lambda,
        }
    }
}

/// The strength of the penalty: [`Unregularised`], [`CrossValidated`] or a [`Schedule`].
pub trait Regularisation: Copy + Debug + sealed::Sealed {
    /// The work that finds the strength, if it takes any.
    type Work<F: Array<Item = i16>>: Clone + Debug;

    /// Begins to find the strength in iteration `k`, counted from 1, for a fit that starts from `beta`.
    fn begin<F: Array<Item = i16>>(&self, k: u32, beta: &F::Of<f32>) -> Strength<Self::Work<F>>;

    /// Does a part of the work. Returns the strength when it is found.
    fn slice<E: Environment, L: Label, const N: usize>(
        work: &mut Self::Work<E::Features>,
        recent: &Recent<E, L, N>,
    ) -> Option<f32>;

    /// Refuses a parameter that is out of range.
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }

    /// Writes all parameters.
    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid>;
}

/// A strength λ, or the work that finds it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Strength<W> {
    /// λ.
    Known(f32),
    /// The work.
    Sought(W),
}

/// No penalty but the [ridge](super::stew::RIDGE).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unregularised;

impl Regularisation for Unregularised {
    type Work<F: Array<Item = i16>> = ();

    fn begin<F: Array<Item = i16>>(&self, _: u32, _: &F::Of<f32>) -> Strength<()> {
        Strength::Known(0.0)
    }

    fn slice<E: Environment, L: Label, const N: usize>(
        (): &mut (),
        _: &Recent<E, L, N>,
    ) -> Option<f32> {
        Some(0.0)
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.text("unregularised");
        Ok(())
    }
}

/// A strength for each iteration that never increases: λₖ = c / kᵉ.
///
/// The policy space is a sphere around the equal weights whose radius falls with λ. Since no schedule increases,
/// no policy space shrinks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Schedule {
    /// c, the strength in the first iteration.
    pub start: f32,
    /// e, the exponent.
    pub exponent: f32,
}

impl Schedule {
    /// The paper's schedule: λₖ = 5/k.
    pub const PAPER: Schedule = Schedule {
        start: 5.0,
        exponent: 1.0,
    };

    /// The strength in iteration `k`, counted from 1.
    pub fn lambda(&self, k: u32) -> f32 {
        let k = k.max(1) as f32;
        if self.exponent == 1.0 {
            self.start / k
        } else {
            self.start / math::power(k, self.exponent)
        }
    }
}

impl Regularisation for Schedule {
    type Work<F: Array<Item = i16>> = ();

    fn begin<F: Array<Item = i16>>(&self, k: u32, _: &F::Of<f32>) -> Strength<()> {
        Strength::Known(self.lambda(k))
    }

    fn slice<E: Environment, L: Label, const N: usize>(
        (): &mut (),
        _: &Recent<E, L, N>,
    ) -> Option<f32> {
        Some(0.0)
    }

    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        let fields = [
            ("schedule.start", self.start),
            ("schedule.exponent", self.exponent),
        ];
        for (field, value) in fields {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Invalid::real(field, value, "0 or more, and finite"));
            }
        }
        Ok(())
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        let Schedule {
            mut start,
            mut exponent,
        } = *self;
        codec.text("schedule");
        codec.f32("schedule.start", &mut start)?;
        codec.f32("schedule.exponent", &mut exponent)
    }
}

/// The strength that predicts left-out choices best.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CrossValidated;

/// The strengths that cross-validation compares, the strongest first, so that it wins a tie.
pub const GRID: [f32; 8] = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001, 0.0001, 0.0];
/// The largest number of parts into which cross-validation divides the choices.
pub const FOLDS: usize = 10;

impl Regularisation for CrossValidated {
    type Work<F: Array<Item = i16>> = Validation<F>;

    fn begin<F: Array<Item = i16>>(&self, _: u32, beta: &F::Of<f32>) -> Strength<Validation<F>> {
        Strength::Sought(Validation {
            strength: 0,
            best: 0,
            errors: 0,
            fewest: u32::MAX,
            fold: 0,
            fit: Fit::new(beta),
            tested: None,
        })
    }

    /// A slice of one fit, or of the test that follows it; after the last of them, the best strength.
    fn slice<E: Environment, L: Label, const N: usize>(
        work: &mut Validation<E::Features>,
        recent: &Recent<E, L, N>,
    ) -> Option<f32> {
        let folds = FOLDS.min(recent.count);
        let train = recent.part(Part::AllBut {
            fold: work.fold,
            of: folds,
        });
        let lambda = GRID.get(work.strength).copied().unwrap_or(0.0);
        let objective = train.objective(lambda);
        let Some(tested) = work.tested else {
            if work.fit.slice(&objective, &train, SLICE) {
                work.tested = Some(0);
            }
            return None;
        };
        let test = recent.part(Part::Only {
            fold: work.fold,
            of: folds,
        });
        let policy = objective.policy(work.fit.beta());
        let next = tested.saturating_add(SLICE);
        let errors = errors(&policy, &test, tested..next);
        work.errors = work.errors.saturating_add(errors);
        if next < test.len() {
            work.tested = Some(next);
            return None;
        }
        work.tested = None;
        work.fit = Fit::new(work.fit.beta());
        work.fold = work.fold.saturating_add(1);
        // A strength that has already lost needs no further folds.
        if work.fold < folds && work.errors < work.fewest {
            return None;
        }
        if work.errors < work.fewest {
            (work.fewest, work.best) = (work.errors, work.strength);
        }
        (work.fold, work.errors) = (0, 0);
        work.strength = work.strength.saturating_add(1);
        (work.strength >= GRID.len()).then(|| GRID.get(work.best).copied().unwrap_or(0.0))
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.text("cross-validated");
        Ok(())
    }
}

/// A cross-validation under way.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Validation<F: Array<Item = i16>> {
    /// The positions in [`GRID`] of the strength that is tried, and of the best so far.
    strength: usize,
    best: usize,
    /// The numbers of choices that they predicted wrongly.
    errors: u32,
    fewest: u32,
    fold: usize,
    fit: Fit<F>,
    /// The number of left-out choices that were predicted, once the fit to the others is complete.
    tested: Option<usize>,
}

/// The number of choices in `range` that the policy would not have made: some other action scores higher.
fn errors<F: Array<Item = i16>>(
    policy: &Policy<F>,
    data: &impl ChoiceSets<F>,
    range: Range<usize>,
) -> u32 {
    let mut errors = 0u32;
    data.each(range, &mut |outcomes, label| {
        let score = |outcome: &Outcome<F>| policy.score(&outcome.features);
        let best = outcomes.iter().map(score).max();
        let found = Outcome::find(outcomes, label.action()).map(score);
        errors = errors.saturating_add((found < best).into());
    });
    errors
}

/// The number of choices that a slice of learning reads.
pub const SLICE: usize = 10;

/// What M-learning has learned.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Memory<E: Environment, const N: usize, R: Regularisation, L: Labels> {
    choices: Choices<E::State, L::Label<E::Actions>, N>,
    /// The weights on features multiplied by their signs.
    beta: PerFeature<E, f32>,
    directions: PerFeature<E, Direction>,
    /// Whether the directions are known or learned, and not drawn at random.
    is_informed: bool,
    undecided: Undecided,
    /// The number of iterations that its choices are from.
    iterations: u32,
    /// k, the number of iterations in which it was in charge.
    k: u32,
    average: Average<E::Features>,
    work: Work<E::Features, R::Work<E::Features>>,
}

/// What is left to do in an iteration.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Work<F: Array<Item = i16>, W> {
    Done,
    Strength(W),
    Fit { lambda: f32, fit: Fit<F> },
}

impl<E: Environment, const N: usize, R: Regularisation, L: Labels> Memory<E, N, R, L> {
    // Out of line, so that it is made where it is going to live.
    #[inline(never)]
    fn new(directions: PerFeature<E, Direction>) -> Self {
        Memory {
            choices: Choices::new(),
            beta: E::Features::filled(0.0),
            directions,
            is_informed: false,
            undecided: Undecided::Wait,
            iterations: 0,
            k: 0,
            average: Average::empty(),
            work: Work::Done,
        }
    }

    /// The choices to learn from.
    pub fn choices(&self) -> &Choices<E::State, L::Label<E::Actions>, N> {
        &self.choices
    }

    /// The weights on features multiplied by their directions. All zero before the first fit.
    pub fn beta(&self) -> &PerFeature<E, f32> {
        &self.beta
    }

    /// The number of recent choices to learn from: n(k) = min(N, ⌊k/2⌋ + 2), or all there are if they are fewer.
    fn window(&self) -> usize {
        let grows = usize::try_from(self.iterations / 2)
            .unwrap_or(N)
            .saturating_add(2);
        grows.min(N).min(self.choices.len())
    }

    fn is_fitted(&self) -> bool {
        self.beta.as_ref().iter().any(|weight| *weight != 0.0)
    }

    /// The weights of the last fit; before the first, equal weights in the directions that are known.
    fn fitted(&self) -> PerFeature<E, f32> {
        let (beta, directions) = (self.beta.as_ref(), self.directions.as_ref());
        if !self.is_fitted() {
            return match self.is_informed {
                true => equal_weights::<E::Features>(&self.directions),
                false => E::Features::filled(0.0),
            };
        }
        let mut weights = E::Features::filled(0.0);
        self.undecided.signed(beta, directions, weights.as_mut());
        weights
    }
}

impl<E, const N: usize, R, L> Learner<E> for MLearning<N, R, L>
where
    E: Environment,
    R: Regularisation,
    L: Labels,
{
    const NAME: &'static str = "M-learning";

    type Memory = Memory<E, N, R, L>;
    type Values = L::Values<E::Actions>;

    fn blank(&self) -> Self::Memory {
        Memory::new(E::Features::filled(Direction::Undecided))
    }

    /// Without any knowledge, directions are drawn at random.
    fn start<G: Rng + ?Sized>(&self, rng: &mut G) -> Self::Memory {
        Memory::new(E::Features::from_fn(|_| match below(rng, 2) {
            0 => Direction::Con,
            _ => Direction::Pro,
        }))
    }

    fn inform(&self, memory: &mut Self::Memory, prior: &Prior<E::Features>) {
        memory.directions = prior.directions;
        memory.undecided = prior.undecided;
        memory.is_informed = true;
    }

    fn begin(&self, memory: &mut Self::Memory, in_charge: bool) {
        memory.iterations = memory.iterations.saturating_add(1);
        memory.k = memory.k.saturating_add(in_charge.into());
    }

    fn rollouts(&self, _: &Self::Memory) -> Rollouts {
        self.rollouts
    }

    fn rollout_policy(&self, memory: &Self::Memory) -> RolloutPolicy<E::Features> {
        let filters = self.dominance_filter && memory.is_informed;
        RolloutPolicy {
            policy: Policy::of::<E>(&memory.fitted()),
            reward_first: false,
            filter: filters.then_some(memory.directions),
        }
    }

    fn observe(&self, memory: &mut Self::Memory, _: &E, choice: Choice<E::State, Self::Values>) {
        let label = self
            .labels
            .label::<E::Actions>(choice.action, choice.values);
        memory.choices.push(*choice.state, label);
    }

    fn learn(&self, memory: &mut Self::Memory, task: &E, choice: Choice<E::State, Self::Values>) {
        self.observe(memory, task, choice);
        let strength = self
            .regularisation
            .begin::<E::Features>(memory.k, &memory.beta);
        memory.work = match strength {
            Strength::Known(lambda) => Work::Fit {
                lambda,
                fit: Fit::new(&memory.beta),
            },
            Strength::Sought(work) => Work::Strength(work),
        };
    }

    /// Reads [`SLICE`] choices.
    #[inline(never)]
    fn slice(&self, memory: &mut Self::Memory, task: &E) -> bool {
        let recent = Recent {
            task,
            choices: &memory.choices,
            count: memory.window(),
            part: Part::All,
            directions: &memory.directions,
            undecided: memory.undecided,
            scaling: self.scaling,
        };
        match &mut memory.work {
            Work::Done => return true,
            Work::Strength(work) => {
                if let Some(lambda) = R::slice(work, &recent) {
                    memory.work = Work::Fit {
                        lambda,
                        fit: Fit::new(&memory.beta),
                    };
                }
                return false;
            }
            Work::Fit { lambda, fit } => {
                if !fit.slice(&recent.objective(*lambda), &recent, SLICE) {
                    return false;
                }
                memory.beta = *fit.beta();
                memory.work = Work::Done;
            }
        }
        if self.average {
            memory.average.add(memory.fitted());
        }
        true
    }

    fn weights(&self, memory: &Self::Memory) -> PerFeature<E, f32> {
        match self.average && !memory.average.is_empty() {
            true => *memory.average.mean(),
            false => memory.fitted(),
        }
    }

    fn directions(&self, memory: &Self::Memory) -> PerFeature<E, Direction> {
        memory.directions
    }
}

impl<E, const N: usize, R, L> ResumableLearner<E> for MLearning<N, R, L>
where
    E: Resumable,
    R: Regularisation,
    L: Labels,
{
    const BITS: usize = {
        let shares = if L::HAS_SHARES { E::Actions::LEN } else { 0 };
        let label = 8usize.saturating_mul(shares.saturating_add(1));
        let choices = Choices::<E::State, L::Label<E::Actions>, N>::bits(E::STATE_BITS, label);
        let features = 34usize.saturating_mul(E::Features::LEN);
        choices
            .saturating_add(features)
            .saturating_add(Average::<E::Features>::BITS)
            .saturating_add(66)
    };

    fn code(
        &self,
        memory: &mut Self::Memory,
        task: &E,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid> {
        let example = task.reset(&mut XorShiftRng::seed_from_u64(0));
        memory.choices.code(task, example, &self.labels, codec)?;
        for beta in memory.beta.as_mut() {
            codec.f32("weight", beta)?;
        }
        code_all(memory.directions.as_mut(), "direction", codec)?;
        codec.u32(
            "iterations of choices",
            &mut memory.iterations,
            0..=u32::MAX,
        )?;
        codec.u32("k", &mut memory.k, 0..=u32::MAX)?;
        if self.average {
            memory.average.code(codec)?;
        }
        if codec.is_reading() {
            memory.work = Work::Done;
            // If it follows another learner, it is told again.
            memory.is_informed = false;
            memory.undecided = Undecided::Wait;
            if !self.average {
                memory.average = Average::empty();
            }
        }
        Ok(())
    }

    fn rejoin(&self, memory: &mut Self::Memory, prior: &Prior<E::Features>) -> Result<(), Invalid> {
        memory.undecided = prior.undecided;
        memory.is_informed = true;
        // Under `Wait`, votes may turn later, but what was decided is not changed any more.
        let is_handed_on = |(told, known): (&Direction, &Direction)| match prior.undecided {
            Undecided::Wait => told.is_decided() == known.is_decided(),
            Undecided::Free => told == known,
        };
        let directions = memory.directions.as_ref();
        let mut pairs = prior.directions.as_ref().iter().zip(directions);
        match pairs.position(|pair| !is_handed_on(pair)) {
            Some(index) => {
                let sign = directions.get(index).map_or(0, |d| d.sign().into());
                let allowed = "what the first learner has handed on";
                Err(Invalid::signed("direction", sign, allowed).at(index))
            }
            None => Ok(()),
        }
    }

    fn plausible(&self, memory: &Self::Memory, task: &E, past: Past) -> Result<(), Invalid> {
        Past::demand(past.all(), "iterations of choices", memory.iterations)?;
        Past::demand(past.in_charge, "k", memory.k)?;
        let choices = &memory.choices;
        choices.plausible(task, &self.labels, memory.iterations)?;
        Policy::new::<E>(&memory.beta)?;
        memory.average.plausible(memory.k)?;
        if memory.k == 0 && memory.is_fitted() {
            return Err(Invalid::text(
                "k",
                0,
                "at least 1, since weights were fitted",
            ));
        }
        // Directions are drawn at the start, or learned before it is in charge.
        let has_started = past.observed == 0 || past.in_charge > 0;
        let mut directions = memory.directions.as_ref().iter();
        match directions.position(|direction| !direction.is_decided()) {
            Some(index) if has_started && !memory.is_informed => {
                Err(Invalid::text("direction", 0, "1 or -1").at(index))
            }
            _ => Ok(()),
        }
    }
}

/// The most recent choices, or a part of them.
pub struct Recent<'a, E: Environment, L, const N: usize> {
    task: &'a E,
    choices: &'a Choices<E::State, L, N>,
    count: usize,
    part: Part,
    directions: &'a PerFeature<E, Direction>,
    undecided: Undecided,
    scaling: Scaling,
}

/// A part of the choices. They are dealt to the folds in turn.
#[derive(Clone, Copy)]
enum Part {
    All,
    AllBut { fold: usize, of: usize },
    Only { fold: usize, of: usize },
}

impl Part {
    fn contains(self, age: usize) -> bool {
        let dealt = |of| age.checked_rem(of).unwrap_or(0);
        match self {
            Part::All => true,
            Part::AllBut { fold, of } => dealt(of) != fold,
            Part::Only { fold, of } => dealt(of) == fold,
        }
    }
}

impl<E: Environment, L: Label, const N: usize> Recent<'_, E, L, N> {
    fn ages(&self) -> impl Iterator<Item = usize> {
        let part = self.part;
        (0..self.count).filter(move |&age| part.contains(age))
    }

    fn part(&self, part: Part) -> Self {
        Recent { part, ..*self }
    }

    #[inline(never)]
    fn objective(&self, lambda: f32) -> Objective<E::Features> {
        let mut objective = Objective::<E::Features> {
            units: E::Features::filled(0.0),
            free: E::Features::filled(false),
            reach: reach::<E>(),
            lambda: self.scaling.total(lambda, self.len()),
        };
        let (units, free) = (objective.units.as_mut(), objective.free.as_mut());
        for (unit, feature) in units.iter_mut().zip(E::FEATURES.as_ref()) {
            *unit = feature.unit;
        }
        self.undecided.direct(self.directions.as_ref(), units, free);
        objective
    }
}

impl<E: Environment, L: Label, const N: usize> ChoiceSets<E::Features> for Recent<'_, E, L, N> {
    type Label = L;

    fn len(&self) -> usize {
        self.ages().count()
    }

    fn each(&self, range: Range<usize>, visit: &mut Visit<E::Features, L>) {
        let mut outcomes = Outcomes::<E>::default();
        for age in self.ages().skip(range.start).take(range.len()) {
            if let Some((state, label)) = self.choices.recent(age) {
                self.task.fill(state, &mut outcomes);
                visit(&outcomes, label);
            }
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Unregularised {}
    impl Sealed for super::CrossValidated {}
    impl Sealed for super::Schedule {}
}
