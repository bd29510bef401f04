//! M-learning: choose by rollouts, remember the choice, and fit the policy to what is remembered.
//!
//! Algorithm 3 of the paper with logistic regression as its learning procedure, in the four versions
//! of section 5. They differ in what is known about directions and in how strong the penalty is.

use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::choice::Choices;
use crate::direction::Direction;
use crate::environment::{Environment, Outcome, Outcomes, Resumable};
use crate::label::Label;
use crate::math;
use crate::policy::Policy;
use crate::stew::{ChoiceSets, Fit, Objective};
use core::ops::Range;

/// A strength of the penalty for each iteration that never increases: λₖ = c / kᵉ.
///
/// The policy space is a sphere around the equal weights whose radius falls with λ. Since no schedule
/// increases, no policy space shrinks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Schedule {
    start: f32,
    exponent: f32,
}

/// A schedule that starts below zero, increases, or is not made of finite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InvalidSchedule;

impl core::fmt::Display for InvalidSchedule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a schedule needs a start and an exponent that are not below zero")
    }
}

impl core::error::Error for InvalidSchedule {}

impl Schedule {
    /// The paper's: λₖ = 5/k.
    pub const PAPER: Schedule = Schedule {
        start: 5.0,
        exponent: 1.0,
    };

    /// λₖ = start / k^exponent.
    pub fn new(start: f32, exponent: f32) -> Result<Self, InvalidSchedule> {
        let valid = start >= 0.0 && exponent >= 0.0 && start.is_finite() && exponent.is_finite();
        if valid {
            Ok(Schedule { start, exponent })
        } else {
            Err(InvalidSchedule)
        }
    }

    pub(crate) fn identify(&self, to: &mut impl Sink) {
        [self.start, self.exponent].write(to);
    }

    /// The strength in iteration `k`, counted from 1.
    pub fn lambda(&self, k: u32) -> f32 {
        let k = k.max(1) as f32;
        if self.exponent == 1.0 {
            self.start / k
        } else {
            self.start / math::powf(k, self.exponent)
        }
    }
}

/// What λ multiplies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Scaling {
    /// The penalty as against the mean loss: n·λ over n choices together.
    #[default]
    PerInstance,
    /// The penalty as against the sum of losses.
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

/// How strong the penalty is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Regularisation {
    /// Not at all.
    None,
    /// As strong as predicts left-out choices best.
    CrossValidated,
    /// As a schedule says.
    Schedule(Schedule),
}

impl Regularisation {
    pub(crate) fn identify(&self, to: &mut impl Sink) {
        match self {
            Regularisation::None => to.byte(0),
            Regularisation::CrossValidated => to.byte(1),
            Regularisation::Schedule(schedule) => {
                to.byte(2);
                schedule.identify(to);
            }
        }
    }
}

/// The strengths that cross-validation compares, the strongest first, so that it wins a tie.
pub const GRID: [f32; 8] = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001, 0.0001, 0.0];
/// Into how many parts cross-validation divides the choices, at the most.
pub const FOLDS: usize = 10;

/// How many choices are read at once.
pub const SLICE: usize = 10;

/// The learner of weights, from the last `N` choices in states of type `S`, with `L` shares each.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MLearner<S, const P: usize, const N: usize, const L: usize = 0> {
    choices: Choices<S, N, L>,
    /// On features multiplied by their directions.
    beta: [f32; P],
    /// How many iterations its choices are from.
    iterations: u32,
    work: Work<P>,
}

/// What is left to do in an iteration.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Work<const P: usize> {
    Done,
    Validate(Validation<P>),
    Fit { lambda: f32, fit: Fit<P> },
}

/// A cross-validation under way.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Validation<const P: usize> {
    /// The positions in [`GRID`] of the strength that is tried, and of the best so far.
    strength: usize,
    best: usize,
    /// How many choices they predicted wrongly.
    errors: u32,
    fewest: u32,
    fold: usize,
    fit: Fit<P>,
}

impl<S: Copy, const P: usize, const N: usize, const L: usize> MLearner<S, P, N, L> {
    /// Knows nothing.
    pub const fn new() -> Self {
        MLearner {
            choices: Choices::new(),
            beta: [0.0; P],
            iterations: 0,
            work: Work::Done,
        }
    }

    /// The weights, on features multiplied by their directions. All zero before the first fit.
    pub fn beta(&self) -> &[f32; P] {
        &self.beta
    }

    /// The choices to learn from.
    pub fn choices(&self) -> &Choices<S, N, L> {
        &self.choices
    }

    /// Remembers what was found to be the best in `state`.
    pub fn remember(&mut self, state: S, label: Label<L>) {
        self.choices.push(state, label);
    }

    /// Begins an iteration whose choice it will remember.
    pub fn begin(&mut self) {
        self.iterations = self.iterations.saturating_add(1);
    }

    /// How many of the most recent choices this iteration learns from: n(k) = min(N, ⌊k/2⌋ + 2), or
    /// all there are if they are fewer.
    fn window(&self) -> usize {
        let grows = usize::try_from(self.iterations / 2)
            .unwrap_or(N)
            .saturating_add(2);
        grows.min(N).min(self.choices.len())
    }

    /// Begins to learn from the choices, for the `k`th time.
    pub fn learn(&mut self, regularisation: &Regularisation, k: u32) {
        let fit = Fit::new(self.beta);
        self.work = match regularisation {
            Regularisation::None => Work::Fit { lambda: 0.0, fit },
            Regularisation::Schedule(schedule) => Work::Fit {
                lambda: schedule.lambda(k),
                fit,
            },
            Regularisation::CrossValidated => Work::Validate(Validation {
                strength: 0,
                best: 0,
                errors: 0,
                fewest: u32::MAX,
                fold: 0,
                fit,
            }),
        };
    }

    /// Goes on learning for [`SLICE`] choices. Returns whether there is nothing left to learn.
    #[inline(never)]
    pub fn slice<E: Environment<P, A, State = S>, const A: usize>(
        &mut self,
        task: &E,
        directions: &[Direction; P],
        scaling: Scaling,
    ) -> bool {
        let recent = Recent {
            task,
            choices: &self.choices,
            count: self.window(),
            part: Part::All,
        };
        match &mut self.work {
            Work::Done => {}
            Work::Validate(validation) => {
                if let Some(lambda) = validation.slice(&recent, directions, scaling) {
                    self.work = Work::Fit {
                        lambda,
                        fit: Fit::new(self.beta),
                    };
                }
            }
            Work::Fit { lambda, fit } => {
                if fit.slice(
                    &recent.objective(*lambda, directions, scaling),
                    &recent,
                    SLICE,
                ) {
                    self.beta = *fit.beta();
                    self.work = Work::Done;
                }
            }
        }
        matches!(self.work, Work::Done)
    }
}

/// As bytes, when there is nothing left to learn.
impl<S: Copy, const P: usize, const N: usize, const L: usize> MLearner<S, P, N, L> {
    pub(crate) const fn size<E: Resumable<P, A, State = S>, const A: usize>() -> usize {
        Choices::<S, N, L>::size::<E, P, A>()
            .saturating_add(<[f32; P]>::SIZE)
            .saturating_add(u32::SIZE)
    }

    pub(crate) fn write<E: Resumable<P, A, State = S>, const A: usize>(
        &self,
        task: &E,
        is_soft: bool,
        to: &mut impl Sink,
    ) {
        self.choices.write(task, is_soft, to);
        self.beta.write(to);
        self.iterations.write(to);
    }

    /// Reads what could have been learned within so many iterations.
    pub(crate) fn check<'a, E: Resumable<P, A, State = S>, const A: usize>(
        task: &E,
        is_soft: bool,
        iterations: u32,
        from: &mut Source<'a>,
    ) -> Result<Saved<'a, P>, Flaw> {
        let choices = from.clone();
        let count = Choices::<S, N, L>::check(task, is_soft, from)?;
        let saved = Saved {
            choices,
            beta: Bytes::read(from)?,
            iterations: u32::read(from)?,
        };
        let is_policy = Policy::new::<E, A>(&saved.beta).is_ok();
        Flaw::unless(is_policy, "weights that are not finite")?;
        let counted = saved.iterations <= iterations && count <= saved.iterations;
        Flaw::unless(counted, "more choices than iterations")?;
        Ok(saved)
    }

    /// Becomes what was read.
    pub(crate) fn restore<E: Resumable<P, A, State = S>, const A: usize>(
        &mut self,
        task: &E,
        is_soft: bool,
        saved: Saved<'_, P>,
    ) {
        // They were read before.
        let _ = self.choices.restore(task, is_soft, saved.choices);
        self.beta = saved.beta;
        self.iterations = saved.iterations;
        self.work = Work::Done;
    }
}

/// A learner of weights that was read. Its choices are many, and so they are left where they are.
#[derive(Clone, Debug)]
pub(crate) struct Saved<'a, const P: usize> {
    choices: Source<'a>,
    pub beta: [f32; P],
    iterations: u32,
}

impl<S: Copy, const P: usize, const N: usize, const L: usize> Default for MLearner<S, P, N, L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const P: usize> Validation<P> {
    /// A slice of one fit; after the last of them, the best strength.
    fn slice<E: Environment<P, A>, const A: usize, const N: usize, const L: usize>(
        &mut self,
        recent: &Recent<E, P, A, N, L>,
        directions: &[Direction; P],
        scaling: Scaling,
    ) -> Option<f32> {
        let folds = FOLDS.min(recent.count);
        let train = recent.part(Part::AllBut {
            fold: self.fold,
            of: folds,
        });
        let lambda = GRID.get(self.strength).copied().unwrap_or(0.0);
        let objective = train.objective(lambda, directions, scaling);
        if !self.fit.slice(&objective, &train, SLICE) {
            return None;
        }
        let policy = Policy::scaled(self.fit.beta(), &objective.units, &objective.bounds).0;
        let test = recent.part(Part::Only {
            fold: self.fold,
            of: folds,
        });
        self.errors = self.errors.saturating_add(errors(&policy, &test));
        self.fit = Fit::new(*self.fit.beta());
        self.fold = self.fold.saturating_add(1);
        // A strength that has already lost needs no further folds.
        if self.fold < folds && self.errors < self.fewest {
            return None;
        }
        if self.errors < self.fewest {
            (self.fewest, self.best) = (self.errors, self.strength);
        }
        (self.fold, self.errors) = (0, 0);
        self.strength = self.strength.saturating_add(1);
        (self.strength >= GRID.len()).then(|| GRID.get(self.best).copied().unwrap_or(0.0))
    }
}

/// The choices that the policy would not have made: some other action scores higher.
fn errors<const P: usize, const L: usize>(policy: &Policy<P>, data: &impl ChoiceSets<P, L>) -> u32 {
    let mut errors = 0u32;
    data.each(0..data.len(), &mut |outcomes, label| {
        let score = |outcome: &Outcome<P>| policy.score(&outcome.features);
        let best = outcomes.iter().map(score).max();
        let found = outcomes
            .iter()
            .find(|outcome| outcome.action == label.action)
            .map(score);
        errors = errors.saturating_add((found < best).into());
    });
    errors
}

/// The most recent choices, or a part of them.
struct Recent<
    'a,
    E: Environment<P, A>,
    const P: usize,
    const A: usize,
    const N: usize,
    const L: usize,
> {
    task: &'a E,
    choices: &'a Choices<E::State, N, L>,
    count: usize,
    part: Part,
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

impl<E: Environment<P, A>, const P: usize, const A: usize, const N: usize, const L: usize>
    Recent<'_, E, P, A, N, L>
{
    fn ages(&self) -> impl Iterator<Item = usize> {
        let part = self.part;
        (0..self.count).filter(move |&age| part.contains(age))
    }

    fn part(&self, part: Part) -> Self {
        Recent { part, ..*self }
    }

    fn objective(
        &self,
        lambda: f32,
        directions: &[Direction; P],
        scaling: Scaling,
    ) -> Objective<P> {
        let mut units = E::UNITS;
        for (unit, direction) in units.iter_mut().zip(directions) {
            *unit *= f32::from(direction.sign());
        }
        Objective {
            units,
            bounds: E::BOUNDS,
            lambda: scaling.total(lambda, self.len()),
        }
    }
}

impl<E: Environment<P, A>, const P: usize, const A: usize, const N: usize, const L: usize>
    ChoiceSets<P, L> for Recent<'_, E, P, A, N, L>
{
    fn len(&self) -> usize {
        self.ages().count()
    }

    fn each(&self, range: Range<usize>, visit: &mut dyn FnMut(&[Outcome<P>], &Label<L>)) {
        let mut outcomes = Outcomes::new();
        for age in self.ages().skip(range.start).take(range.len()) {
            if let Some((state, label)) = self.choices.recent(age) {
                self.task.fill(state, &mut outcomes);
                visit(&outcomes, label);
            }
        }
    }
}
