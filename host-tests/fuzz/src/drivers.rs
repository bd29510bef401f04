//! Drivers of every kind, with any parameters.
//!
//! A zero byte always stands for a valid parameter, and most others do.

use crate::bytes::Bytes;
use crate::checks::one_line;
use crate::tasks::Task;
use ipse::ResumableDriver;
use ipse::learner::m_learning::{CrossValidated, Regularisation, Scaling, Schedule, Unregularised};
use ipse::prelude::*;
use ipse::search::DirectionLearner;

/// The number of choices, or of states to search from, that are remembered.
const MEMORY: usize = 6;

/// What a target does with a driver.
pub trait Drive: Copy {
    /// What comes of it.
    type Result: std::fmt::Debug + PartialEq;

    /// `new` makes a driver that knows nothing; `bytes` are those that its parameters have left.
    fn drive<D: ResumableDriver<Task: Task>>(
        self,
        new: impl Fn(&mut XorShiftRng) -> D,
        bytes: Bytes,
    ) -> Self::Result;
}

/// The kinds of drivers, by the first byte.
pub const KINDS: [&str; 10] = [
    "lfd",
    "m-learning",
    "ipse",
    "known",
    "lfd-lfd",
    "known-lfd",
    "lfd-known",
    "lfd-ipse",
    "search",
    "returns",
];

/// The versions of M-learning in them, by the second byte.
pub const VERSIONS: [&str; 6] = [
    "scheduled",
    "unregularised",
    "cross-validated",
    "scheduled-soft",
    "unregularised-soft",
    "cross-validated-soft",
];

/// Returns whether drivers of a kind come in different versions.
pub fn has_versions(kind: usize) -> bool {
    (1..=3).contains(&kind)
}

/// Drives any driver, unless its parameters are refused.
pub fn any<E, T>(task: E, target: T, mut bytes: Bytes) -> Option<T::Result>
where
    E: Task,
    T: Drive,
{
    let kind = usize::from(bytes.byte()) % KINDS.len();
    let version = usize::from(bytes.byte()) % VERSIONS.len();
    let b = &mut bytes;
    match kind {
        0 => agent(task, lfd(b), target, bytes),
        1 => weights(task, Alone, version, target, bytes),
        2 => {
            let first = After(then(lfd(b), (), b));
            weights(task, first, version, target, bytes)
        }
        3 => {
            let first = After(then(known::<E>(b), (), b));
            weights(task, first, version, target, bytes)
        }
        4 => agent(task, then(lfd(b), lfd(b), b), target, bytes),
        5 => agent(task, then(known::<E>(b), lfd(b), b), target, bytes),
        6 => {
            let second = then(known::<E>(b), m_learning(Schedule::PAPER, b), b);
            agent(task, then(lfd(b), second, b), target, bytes)
        }
        7 => {
            let second = then(lfd(b), m_learning(Schedule::PAPER, b), b);
            agent(task, then(lfd(b), second, b), target, bytes)
        }
        8 => searcher(task, survival(b), target, bytes),
        _ => searcher(task, returns(b), target, bytes),
    }
}

fn agent<E, L, T>(task: E, learner: L, target: T, bytes: Bytes) -> Option<T::Result>
where
    E: Task,
    L: ResumableLearner<E>,
    T: Drive,
{
    let learner = accepted(learner.check())?;
    let new = |rng: &mut XorShiftRng| Agent::new(task, learner, rng);
    Some(target.drive(new, bytes))
}

fn searcher<E, L, T, const N: usize>(
    task: E,
    search: Search<L, N>,
    target: T,
    bytes: Bytes,
) -> Option<T::Result>
where
    E: Task,
    L: ResumableLearner<E> + DirectionLearner<E>,
    T: Drive,
{
    let search = accepted(search.check())?;
    let new = |rng: &mut XorShiftRng| Searcher::new(task, search, rng);
    Some(target.drive(new, bytes))
}

fn accepted<T>(checked: Result<T, Invalid>) -> Option<T> {
    checked.map_err(one_line).ok()
}

/// What comes before M-learning: nothing, or another learner.
trait Before<E: Resumable>: Copy {
    /// Both together.
    type With<M: ResumableLearner<E>>: ResumableLearner<E>;

    fn with<M: ResumableLearner<E>>(self, second: M) -> Self::With<M>;
}

#[derive(Clone, Copy)]
struct Alone;

impl<E: Resumable> Before<E> for Alone {
    type With<M: ResumableLearner<E>> = M;

    fn with<M: ResumableLearner<E>>(self, second: M) -> M {
        second
    }
}

#[derive(Clone, Copy)]
struct After<A>(Then<A, ()>);

impl<E: Resumable, A: ResumableLearner<E, Values = ()>> Before<E> for After<A> {
    type With<M: ResumableLearner<E>> = Then<A, M>;

    fn with<M: ResumableLearner<E>>(self, second: M) -> Then<A, M> {
        let After(then) = self;
        Then::of(then.first, second)
            .cap(then.cap)
            .undecided(then.undecided)
            .reuse_choices(then.reuse_choices)
    }
}

/// Drives an agent that learns weights.
fn weights<E, B, T>(
    task: E,
    before: B,
    version: usize,
    target: T,
    mut bytes: Bytes,
) -> Option<T::Result>
where
    E: Task,
    B: Before<E>,
    T: Drive,
{
    let is_soft = version >= 3;
    match version % 3 {
        0 => {
            let schedule = schedule(&mut bytes);
            labelled(task, before, schedule, is_soft, target, bytes)
        }
        1 => labelled(task, before, Unregularised, is_soft, target, bytes),
        _ => labelled(task, before, CrossValidated, is_soft, target, bytes),
    }
}

/// At the temperature 0, soft labels make no difference.
fn labelled<E, B, R, T>(
    task: E,
    before: B,
    regularisation: R,
    is_soft: bool,
    target: T,
    mut bytes: Bytes,
) -> Option<T::Result>
where
    E: Task,
    B: Before<E>,
    R: Regularisation,
    T: Drive,
{
    let temperature = bytes.likely(&[0.3, 0.0, 1e-30, 1e30]);
    let learner = m_learning(regularisation, &mut bytes);
    if !is_soft {
        return agent(task, before.with(learner), target, bytes);
    }
    let soft = before.with(learner.soft_labels(temperature));
    let result = agent(task, soft, target, bytes);
    if temperature == 0.0 {
        let hard = agent(task, before.with(learner), target, bytes);
        assert_eq!(result, hard);
    }
    result
}

fn m_learning<R: Copy>(regularisation: R, bytes: &mut Bytes) -> MLearning<MEMORY, R> {
    MLearning::with(regularisation)
        .rollouts(rollouts(bytes))
        .scaling(bytes.pick(&[Scaling::PerInstance, Scaling::Total]))
        .average(bytes.flag())
        .dominance_filter(bytes.flag())
}

fn then<A: Parameters, B>(first: A, second: B, bytes: &mut Bytes) -> Then<A, B> {
    let cap = bytes.pick(&[Some(3), None, Some(1), Some(8), Some(u32::MAX), Some(0)]);
    first
        .then(second)
        .cap(cap)
        .undecided(bytes.pick(&[Undecided::Free, Undecided::Wait]))
        .reuse_choices(bytes.flag())
}

fn lfd(bytes: &mut Bytes) -> Lfd {
    Lfd::new()
        .alpha(bytes.likely(&[0.5, 0.05, 0.99]))
        .rollouts(rollouts(bytes))
        .reward_first(bytes.flag())
        .dominance_filter(bytes.flag())
}

fn known<E: Environment>(bytes: &mut Bytes) -> Known<PerFeature<E, Direction>> {
    use Direction::{Con, Pro, Undecided};
    let usual = [Pro, Con, Pro, Con, Pro, Undecided];
    Known(E::Features::from_fn(|_| bytes.pick(&usual)))
}

fn survival(bytes: &mut Bytes) -> Search<Lfd, MEMORY> {
    Search::survival()
        .memory()
        .directions(lfd(bytes))
        .cap(bytes.pick(&[3, 1, 10, u32::MAX, 0]))
        .calls(bytes.pick(&[2000, 100, 1, 10_000, u32::MAX, 0]))
        .episode(bytes.pick(&[20, 300, 1, 0]))
        .trials(bytes.pick(&[2, 1, 8, 0]))
        .horizon(bytes.pick(&[20, 1, 300, 0]))
        .guard(bytes.flag().then(|| guard(bytes)))
        .shrinkage(bytes.likely(&[0.0, 0.7, 1000.0]))
}

fn guard(bytes: &mut Bytes) -> Guard {
    Guard {
        actions: bytes.pick(&[30, 300, 1, 0]),
        ends: bytes.pick(&[2, 5, 1, 0]),
        repeats: bytes.pick(&[1, 3, 0, u8::MAX]),
    }
}

fn returns(bytes: &mut Bytes) -> Search<Unknown, MEMORY> {
    let (from, to) = (bytes.likely(&[0.2, 1.0]), bytes.likely(&[0.02, 1e-30]));
    let (linear, geometric) = (Sigma::Linear { from, to }, Sigma::Geometric { from, to });
    Search::returns(bytes.pick(&[20, 1, 300, 0]))
        .memory()
        .calls(bytes.pick(&[2000, 100, 1, 10_000, u32::MAX, 0]))
        .episode(bytes.pick(&[24, 1, 300, 0]))
        .trials(bytes.pick(&[1, 2, 8, 0]))
        .starts(bytes.pick(&[Starts::Visited, Starts::Brinks]))
        .objective(bytes.pick(&[Objective::Return, Objective::Failures]))
        .scale(bytes.pick(&[Scale::Spread, Scale::Units]))
        .sigma(bytes.pick(&[geometric, linear]))
}

fn rollouts(bytes: &mut Bytes) -> Rollouts {
    Rollouts {
        count: bytes.pick(&[1, 2, 3, 0]),
        length: bytes.pick(&[2, 1, 8, 40, 0, Rollouts::LENGTH_MAX + 1]),
        discount: bytes.likely(&[0.995, 0.0, 1.0]),
        common_random_numbers: bytes.flag(),
        pass_over: bytes.pick(&[0, 100, 1, u16::MAX]),
    }
}

/// A schedule that is accepted does not increase.
fn schedule(bytes: &mut Bytes) -> Schedule {
    let schedule = Schedule {
        start: bytes.likely(&[5.0, 0.0]),
        exponent: bytes.likely(&[1.0, 0.5, 0.0]),
    };
    let (k, later) = (bytes.word() >> 1, bytes.word() >> 2);
    if schedule.validate().is_ok() {
        let (lambda, later) = (schedule.lambda(k), schedule.lambda(k + later));
        assert!(lambda >= later && later >= 0.0, "{schedule:?} at {k}");
    }
    schedule
}
