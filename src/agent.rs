//! The agent: Algorithm 3 of the paper, and nothing else.
//!
//! Evaluate every action of the current state by rollouts, take the best, learn from the choice. How a policy is
//! learned is up to a [`Learner`].

use crate::array::Array;
use crate::codec::Codec;
use crate::direction::Direction;
use crate::driver::{Driver, Progress, ResumableDriver, Step};
use crate::environment::{Action, Environment, PerFeature, Resumable};
use crate::invalid::Invalid;
use crate::learner::{Checked, Choice, Learner, Past, ResumableLearner};
use crate::policy::Policy;
use crate::rollout::{Deliberation, RolloutPolicy};
use rand_core::Rng;

/// An agent that learns the task `E` from nothing, by the learner `L`.
///
/// ```
/// use ipse::prelude::*;
/// use ipse::tetris::Tetris10x10;
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let mut agent = Agent::new(Tetris10x10::default(), Ipse::paper().check()?, &mut rng);
/// for _ in 0..10 {
///     let step = agent.step(&mut rng);
///     assert_eq!(step.phase, Phase::Directions);
/// }
/// let learned = agent.policy();
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Agent<E: Environment, L: Learner<E>> {
    task: E,
    learner: L,
    memory: L::Memory,
    rollout_policy: RolloutPolicy<E::Features>,
    state: E::State,
    /// The number of complete iterations.
    iterations: u32,
    /// The calls of the generative model in them.
    calls: u32,
    pending: Pending,
    work: Work<E, L>,
}

/// What has happened so far in the iteration under way.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Pending {
    action: Option<Action>,
    reward: i32,
    episode_ended: bool,
    calls: u32,
    /// The number of states with a single action that were passed over.
    passed_over: u16,
}

/// The part of the iteration that comes next.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Work<E: Environment, L: Learner<E>> {
    /// None: an iteration is complete, or none has begun.
    Nothing,
    /// A state in which there is something to choose.
    Question,
    /// The best action.
    Deliberation(Deliberation<E::Actions, L::Values>),
    /// Learning from it.
    Learning,
}

impl<E: Environment, L: Learner<E>> Agent<E, L> {
    /// Creates an agent that has learned nothing.
    // Out of line, and with nothing to do once the agent is made, so that it is made where it is going to live: a
    // copy of it on the stack would double what it needs of a small memory.
    #[inline(never)]
    pub fn new<R: Rng + ?Sized>(task: E, learner: Checked<L>, rng: &mut R) -> Self {
        const {
            assert!(E::Features::LEN > 0, "a task has at least one feature");
            assert!(E::Actions::LEN > 0, "a task has at least one action");
            assert!(E::Actions::LEN <= 256, "actions are numbered by a byte");
        }
        let learner = *learner;
        let state = task.reset(rng);
        Agent {
            memory: learner.start(rng),
            task,
            learner,
            rollout_policy: Policy::random().into(),
            state,
            iterations: 0,
            calls: 0,
            pending: Pending::default(),
            work: Work::Nothing,
        }
    }

    /// Does one iteration.
    pub fn step<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Step<E::Features> {
        Driver::step(self, rng)
    }

    /// Does a bounded part of an iteration: one rollout, or learning from a few of the remembered choices. Returns
    /// what happened when the iteration is complete.
    pub fn slice<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        match &mut self.work {
            Work::Nothing => {
                self.pending = Pending::default();
                self.learner.begin(&mut self.memory, true);
                self.rollout_policy = self.learner.rollout_policy(&self.memory);
                self.ask(rng)
            }
            Work::Question => self.ask(rng),
            Work::Deliberation(deliberation) => {
                let rollouts = self.learner.rollouts(&self.memory);
                let (task, policy) = (&self.task, &self.rollout_policy);
                if !deliberation.advance(task, &self.state, policy, &rollouts, rng) {
                    return None;
                }
                self.pending.calls = deliberation.calls();
                self.act(rng)
            }
            Work::Learning => match self.learner.slice(&mut self.memory, &self.task) {
                true => Some(self.finish()),
                false => None,
            },
        }
    }

    /// Begins to deliberate, or takes the only action there is.
    #[inline(never)]
    fn ask<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        let rollouts = self.learner.rollouts(&self.memory);
        if rollouts.pass_over > 0
            && let Some(action) = self.only_action()
        {
            if self.pending.passed_over >= rollouts.pass_over {
                return Some(self.finish());
            }
            self.pending.passed_over = self.pending.passed_over.saturating_add(1);
            self.work = Work::Question;
            return match self.take(action, rng) {
                true => None,
                false => Some(self.finish()),
            };
        }
        let (state, policy) = (&self.state, &self.rollout_policy);
        let deliberation = Deliberation::new(&self.task, state, policy, &rollouts, rng);
        self.work = Work::Deliberation(deliberation);
        None
    }

    /// The legal action, if there is exactly one.
    fn only_action(&self) -> Option<Action> {
        let (mut only, mut count) = (None, 0u32);
        self.task.outcomes(&self.state, |outcome| {
            only = Some(outcome.action);
            count = count.saturating_add(1);
        });
        only.filter(|_| count == 1)
    }

    /// Takes an action. Returns whether the episode goes on; if not, a new one begins.
    fn take<R: Rng + ?Sized>(&mut self, action: Action, rng: &mut R) -> bool {
        let (next, reward) = self.task.step(&self.state, action, rng);
        self.pending.action = Some(action);
        self.pending.reward = self.pending.reward.saturating_add(reward.into());
        self.pending.episode_ended = self.task.is_terminal(&next);
        self.state = match self.pending.episode_ended {
            true => self.task.reset(rng),
            false => next,
        };
        !self.pending.episode_ended
    }

    /// Takes the best action, and begins to learn from it.
    #[inline(never)]
    fn act<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        let Work::Deliberation(deliberation) = &self.work else {
            return None;
        };
        let Some(action) = deliberation.choice() else {
            self.pending.episode_ended = true;
            self.state = self.task.reset(rng);
            return Some(self.finish());
        };
        let state = self.state;
        if !self.take(action, rng) {
            return Some(self.finish());
        }
        if let Work::Deliberation(deliberation) = &self.work {
            let choice = Choice {
                state: &state,
                action,
                values: deliberation.values(),
            };
            self.learner.learn(&mut self.memory, &self.task, choice);
        }
        self.work = Work::Learning;
        None
    }

    /// Ends an iteration.
    fn finish(&mut self) -> Step<E::Features> {
        self.work = Work::Nothing;
        self.iterations = self.iterations.saturating_add(1);
        self.calls = self.calls.saturating_add(self.pending.calls);
        let phase = self.learner.phase(&self.memory);
        self.learner.end(&mut self.memory);
        Step {
            iteration: self.iterations,
            phase,
            action: self.pending.action,
            reward: self.pending.reward,
            episode_ended: self.pending.episode_ended,
            calls: self.pending.calls,
            directions: self.directions(),
            tallies: self.learner.tallies(&self.memory),
            weights: self.weights(),
        }
    }

    /// What has been learned so far, as a policy.
    pub fn policy(&self) -> Policy<E::Features> {
        Driver::policy(self)
    }

    /// What has been learned so far, as weights: the directions until weights have been fitted.
    pub fn weights(&self) -> PerFeature<E, f32> {
        self.learner.weights(&self.memory)
    }

    /// The directions that are known, learned or drawn.
    pub fn directions(&self) -> PerFeature<E, Direction> {
        self.learner.directions(&self.memory)
    }

    /// The progress of the run.
    pub fn progress(&self) -> Progress {
        Progress {
            phase: self.learner.phase(&self.memory),
            iterations: self.iterations,
            calls: self.calls,
            budget: None,
            is_finished: self.is_between_iterations() && self.learner.is_finished(&self.memory),
        }
    }

    /// Returns whether the next slice is a part of learning, and not a rollout.
    pub fn is_learning(&self) -> bool {
        matches!(self.work, Work::Learning)
    }

    /// The parameters of the learner.
    pub fn learner(&self) -> &L {
        &self.learner
    }

    /// What the learner has learned.
    pub fn memory(&self) -> &L::Memory {
        &self.memory
    }

    /// The current state.
    pub fn state(&self) -> &E::State {
        &self.state
    }

    /// The task.
    pub fn task(&self) -> &E {
        &self.task
    }

    /// Resets to the state of a new agent.
    #[inline(never)]
    pub(crate) fn restart<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        self.state = self.task.reset(rng);
        (self.iterations, self.calls) = (0, 0);
        self.work = Work::Nothing;
        self.memory = self.learner.start(rng);
    }

    /// The task, and the current state to be changed by it.
    pub(crate) fn episode(&mut self) -> (&E, &mut E::State) {
        (&self.task, &mut self.state)
    }
}

impl<E: Environment, L: Learner<E>> Driver for Agent<E, L> {
    type Task = E;

    fn slice<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        Agent::slice(self, rng)
    }

    fn name(&self) -> &'static str {
        L::NAME
    }

    fn weights(&self) -> PerFeature<E, f32> {
        Agent::weights(self)
    }

    fn directions(&self) -> PerFeature<E, Direction> {
        Agent::directions(self)
    }

    fn progress(&self) -> Progress {
        Agent::progress(self)
    }

    fn is_between_iterations(&self) -> bool {
        matches!(self.work, Work::Nothing)
    }

    fn task(&self) -> &E {
        &self.task
    }

    fn state(&self) -> &E::State {
        &self.state
    }
}

impl<E: Resumable, L: ResumableLearner<E>> ResumableDriver for Agent<E, L> {
    const BITS: usize = L::BITS.saturating_add(E::STATE_BITS).saturating_add(64);

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.learner.identify(codec)
    }

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u32("iterations", &mut self.iterations, 0..=u32::MAX)?;
        codec.u32("calls", &mut self.calls, 0..=u32::MAX)?;
        self.task.code_state(&mut self.state, codec)?;
        self.work = Work::Nothing;
        self.learner.code(&mut self.memory, &self.task, codec)
    }

    fn plausible(&self) -> Result<(), Invalid> {
        let (memory, task) = (&self.memory, &self.task);
        let past = Past {
            in_charge: self.iterations,
            observed: 0,
        };
        self.learner.plausible(memory, task, past)
    }

    fn forget<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        self.restart(rng);
    }
}
