//! The agent: iterative policy-space expansion, and what it is compared with.
//!
//! Algorithm 3 of the paper, the loop that all its learners share: evaluate every action of the
//! current state by rollouts, take the best, learn from the choice. IPSE (section 4) first learns
//! directions, and then weights in a policy space that grows around them. Beyond the paper, the
//! weights can be searched for by what survives.

mod saved;
pub(crate) use saved::Saved;

use crate::average::Average;
use crate::direction::{Direction, equal_weights};
use crate::environment::{Action, Environment};
use crate::label::Label;
use crate::lfd::Lfd;
use crate::m_learning::{MLearner, Regularisation, Scaling, Schedule};
use crate::policy::Policy;
use crate::random::below;
use crate::rollout::{Deliberation, RolloutPolicy, Rollouts};
use crate::survival::{LFD_CAP, Search, Survival};
use core::fmt;
use rand_core::Rng;

/// What to learn, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Algorithm<const P: usize> {
    /// Directions only.
    Lfd,
    /// Directions first, then weights.
    Ipse,
    /// Directions first, then weights that survive.
    Survival(Survival),
    /// Weights, with nothing known about directions.
    MLearning(Regularisation),
    /// Weights, with directions that are known in advance.
    MLearningKnown(Regularisation, [Direction; P]),
}

/// Everything that can be chosen about an agent. The default is the paper's IPSE.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Config<const P: usize> {
    /// What to learn, and how.
    pub algorithm: Algorithm<P>,
    /// How actions are evaluated.
    pub rollouts: Rollouts,
    /// α, below which a p-value decides a direction.
    pub alpha: f32,
    /// λₖ in the second phase of IPSE. Versions of M-learning bring their own.
    pub schedule: Schedule,
    /// What λ multiplies.
    pub scaling: Scaling,
    /// After how many iterations directions have been learned for long enough even if some features
    /// are undecided. In IPSE these get no weight until they are decided; a search for what survives
    /// starts from what most choices speak for.
    pub lfd_cap: Option<u32>,
    /// Whether the second phase of IPSE learns from the choices of the first as well. Then the
    /// iterations of the first count for how many choices the second looks back at.
    pub reuse_choices: bool,
    /// Whether actions that are dominated under known or learned directions are left out. Directions
    /// that are made up, for M-learning without knowledge, dominate nothing.
    pub dominance_filter: bool,
    /// Whether what was learned is the mean of the weights of all iterations, each at unit length,
    /// and not those of the last. Rollouts follow the last all the same. Of no effect without
    /// M-learning: on LFD, and on a search for what survives, which averages in its own way.
    pub average: bool,
    /// The temperature of the values of all actions in what is remembered of a choice, in the unit of
    /// rewards: rows, in Tetris. At 0, only which was the best is remembered. Of no effect without
    /// M-learning.
    pub soft_labels: f32,
}

impl<const P: usize> Default for Config<P> {
    fn default() -> Self {
        Config {
            algorithm: Algorithm::Ipse,
            rollouts: Rollouts::default(),
            alpha: 0.05,
            schedule: Schedule::PAPER,
            scaling: Scaling::PerInstance,
            lfd_cap: None,
            reuse_choices: false,
            dominance_filter: false,
            average: false,
            soft_labels: 0.0,
        }
    }
}

impl<const P: usize> Config<P> {
    /// Directions for at most [`LFD_CAP`] iterations, and then weights that survive.
    pub fn survival(search: Survival) -> Self {
        Config {
            algorithm: Algorithm::Survival(search),
            lfd_cap: Some(LFD_CAP),
            ..Config::default()
        }
    }
}

/// What is wrong with a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ConfigError {
    /// Without a rollout there is nothing to compare.
    NoRollouts,
    /// A rollout includes at least the action itself.
    NoLength,
    /// γ is not between 0 and 1.
    Discount,
    /// α is not between 0 and 1, both excluded.
    Alpha,
    /// A first phase of no iterations.
    NoFirstPhase,
    /// A search for what survives needs calls of the generative model.
    NoCalls,
    /// It needs trials.
    NoTrials,
    /// And a trial has at least one action.
    NoHorizon,
    /// The temperature of soft labels is below 0 or not finite.
    Temperature,
    /// Soft labels, but an agent that has no room for them.
    NoRoomForLabels,
    /// A known direction is undecided.
    Undecided {
        /// Of which feature, counted from 0.
        feature: usize,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::NoRollouts => f.write_str("every action needs at least one rollout"),
            ConfigError::NoLength => f.write_str("a rollout has at least one action"),
            ConfigError::Discount => f.write_str("the discount must be between 0 and 1"),
            ConfigError::Alpha => f.write_str("alpha must be above 0 and below 1"),
            ConfigError::NoFirstPhase => f.write_str("the cap on LFD must be at least 1"),
            ConfigError::NoCalls => f.write_str("a search needs at least one call"),
            ConfigError::NoTrials => f.write_str("a search needs at least one trial a generation"),
            ConfigError::NoHorizon => f.write_str("a trial has at least one action"),
            ConfigError::Temperature => {
                f.write_str("the temperature of soft labels must be finite and not below 0")
            }
            ConfigError::NoRoomForLabels => f.write_str("the agent has no room for soft labels"),
            ConfigError::Undecided { feature } => {
                write!(
                    f,
                    "the known direction of feature {} is undecided",
                    feature.saturating_add(1)
                )
            }
        }
    }
}

impl core::error::Error for ConfigError {}

/// A configuration that an agent can work with, if it has room for the shares of `L` actions in a label.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Checked<const P: usize, const L: usize = 0>(Config<P>);

impl<const P: usize, const L: usize> Checked<P, L> {
    /// What was checked.
    pub fn config(&self) -> &Config<P> {
        &self.0
    }
}

impl<const P: usize, const L: usize> Default for Checked<P, L> {
    fn default() -> Self {
        Checked(Config::default())
    }
}

impl<const P: usize> Config<P> {
    /// Checks whether an agent can work with this.
    pub fn check<const L: usize>(self) -> Result<Checked<P, L>, ConfigError> {
        if self.rollouts.count == 0 {
            return Err(ConfigError::NoRollouts);
        }
        if self.rollouts.length == 0 {
            return Err(ConfigError::NoLength);
        }
        if !(0.0..=1.0).contains(&self.rollouts.discount) {
            return Err(ConfigError::Discount);
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(ConfigError::Alpha);
        }
        if self.lfd_cap == Some(0) {
            return Err(ConfigError::NoFirstPhase);
        }
        if !(self.soft_labels >= 0.0 && self.soft_labels.is_finite()) {
            return Err(ConfigError::Temperature);
        }
        if L == 0 && self.soft_labels > 0.0 {
            return Err(ConfigError::NoRoomForLabels);
        }
        if let Algorithm::Survival(search) = &self.algorithm {
            search.check()?;
        }
        if let Algorithm::MLearningKnown(_, directions) = &self.algorithm
            && let Some(feature) = directions.iter().position(|d| *d == Direction::Undecided)
        {
            return Err(ConfigError::Undecided { feature });
        }
        Ok(Checked(self))
    }
}

impl Survival {
    fn check(&self) -> Result<(), ConfigError> {
        match self {
            Survival { calls: 0, .. } => Err(ConfigError::NoCalls),
            Survival { trials: 0, .. } => Err(ConfigError::NoTrials),
            Survival { horizon: 0, .. } => Err(ConfigError::NoHorizon),
            _ => Ok(()),
        }
    }
}

/// What an agent is learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Phase {
    /// Whether features are good or bad.
    Directions,
    /// How much they weigh, as choices tell.
    Weights,
    /// How much they weigh, as survival tells.
    Survival,
}

/// What happened in one iteration. In a search for what survives that is a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Step<const P: usize> {
    /// The number of the iteration, counted from 1.
    pub iteration: u32,
    /// What was learned in it.
    pub phase: Phase,
    /// The action that was found to be best and taken. `None` if an episode began in a terminal
    /// state, and in a search, where there are many in each iteration.
    pub action: Option<Action>,
    /// The reward for it, or for all of them.
    pub reward: i16,
    /// Whether the episode ended. Then nothing was learned from the action, and a new one begins.
    pub episode_ended: bool,
    /// The calls of the generative model in this iteration.
    pub calls: u32,
    /// The directions after it.
    pub directions: [Direction; P],
    /// The weights after it.
    pub weights: [f32; P],
}

/// An agent that learns the task `E` from nothing, with `P` features, at most `A` actions and a
/// memory of `N` choices. For [soft labels](Config::soft_labels), `L` is `A` too: they take so many
/// bytes more for each choice.
///
/// ```
/// use ipse::tetris::{Rule, Tetris10x10};
/// use ipse::{Agent, Config, Phase};
/// use rand_core::SeedableRng;
/// use rand_xorshift::XorShiftRng;
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let tetris = Tetris10x10::new(Rule::AfterRemoval);
/// let config = Config { alpha: 0.01, ..Config::default() };
/// let mut agent = Agent::<_, 8, 34, 100>::new(tetris, config.check()?, &mut rng);
///
/// for _ in 0..10 {
///     let step = agent.step(&mut rng);
///     assert_eq!(step.phase, Phase::Directions);
/// }
/// let learned = agent.policy();
/// # Ok::<(), ipse::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Agent<
    E: Environment<P, A>,
    const P: usize,
    const A: usize,
    const N: usize,
    const L: usize = 0,
> {
    task: E,
    config: Config<P>,
    phase: Phase,
    lfd: Lfd<P>,
    /// On which weights are fitted: learned, known, or made up.
    directions: [Direction; P],
    learner: Learner<E::State, P, N, L>,
    rollout_policy: RolloutPolicy<P>,
    state: E::State,
    /// How many iterations are complete.
    iterations: u32,
    /// How many of them the first phase took.
    first_phase: u32,
    /// The calls of the generative model in all of them.
    calls: u32,
    work: Work<A, P, L>,
}

/// Who learns weights. No agent needs both, and each needs most of the memory.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Learner<S, const P: usize, const N: usize, const L: usize> {
    /// From choices; and the average, if that is asked for.
    Choices(MLearner<S, P, N, L>, Option<Average<P>>),
    Search(Survival, Search<S, P, N>),
}

impl<S: Copy, const P: usize, const N: usize, const L: usize> Learner<S, P, N, L> {
    /// The one that is needed for this, in the phase that comes first.
    #[inline(never)]
    fn new(config: &Config<P>, phase: Phase) -> Self {
        match config.algorithm {
            Algorithm::Survival(settings) => {
                let calls = match phase {
                    Phase::Survival => settings.calls,
                    _ => 0,
                };
                Learner::Search(settings, Search::new(calls))
            }
            _ => Learner::Choices(MLearner::new(), config.average.then_some(Average::EMPTY)),
        }
    }
}

/// What an agent is in the middle of.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Work<const A: usize, const P: usize, const L: usize> {
    /// Nothing: an iteration is over, or none has begun.
    Nothing,
    /// Finding the best action.
    Deliberation(Deliberation<A, L>),
    /// Learning from it; all of this iteration is known but what comes of that.
    Learning(Step<P>),
}

impl<E: Environment<P, A>, const P: usize, const A: usize, const N: usize, const L: usize>
    Agent<E, P, A, N, L>
{
    /// An agent that knows nothing.
    // Apart, and with nothing to do once the agent is made, so that it is made where it is going to
    // live: a copy of it on the stack would double what it needs of a small memory.
    #[inline(never)]
    pub fn new<R: Rng + ?Sized>(task: E, config: Checked<P, L>, rng: &mut R) -> Self {
        const { assert!(N > 0, "an agent without a memory cannot learn") };
        let Checked(config) = config;
        let state = task.reset(rng);
        let (phase, directions) = match config.algorithm {
            Algorithm::Survival(search) if search.calls < config.rollouts.most_calls(A) => {
                (Phase::Survival, [Direction::Undecided; P])
            }
            Algorithm::Lfd | Algorithm::Ipse | Algorithm::Survival(_) => {
                (Phase::Directions, [Direction::Undecided; P])
            }
            Algorithm::MLearning(_) => (Phase::Weights, random_directions(rng)),
            Algorithm::MLearningKnown(_, known) => (Phase::Weights, known),
        };
        Agent {
            task,
            config,
            phase,
            lfd: Lfd::new(),
            directions,
            learner: Learner::new(&config, phase),
            rollout_policy: RolloutPolicy::RANDOM,
            state,
            iterations: 0,
            first_phase: 0,
            calls: 0,
            work: Work::Nothing,
        }
    }

    /// Does one iteration and says what happened.
    pub fn step<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Step<P> {
        loop {
            if let Some(step) = self.slice(rng) {
                return step;
            }
        }
    }

    /// Does a small part of an iteration: one rollout, learning from a few of the remembered
    /// choices, or one action of each candidate of a search.
    /// Says what happened when the iteration is done.
    pub fn slice<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<P>> {
        let step = match &mut self.work {
            Work::Nothing => {
                if self.phase == Phase::Survival {
                    return self.search(rng);
                }
                self.begin(rng);
                return None;
            }
            Work::Deliberation(deliberation) => {
                let done = deliberation.advance(
                    &self.task,
                    &self.state,
                    &self.rollout_policy,
                    &self.config.rollouts,
                    rng,
                );
                if !done {
                    return None;
                }
                let choice = deliberation.label(self.config.soft_labels);
                let calls = deliberation.calls();
                self.act(choice, calls, rng)?
            }
            Work::Learning(step) => {
                if let Learner::Choices(learner, _) = &mut self.learner
                    && !learner.slice(&self.task, &self.directions, self.config.scaling)
                {
                    return None;
                }
                let step = *step;
                let fitted = self.fitted();
                if let Learner::Choices(_, Some(average)) = &mut self.learner {
                    average.add(fitted);
                }
                step
            }
        };
        Some(self.finish(step))
    }

    /// A slice of a search.
    fn search<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<P>> {
        let Learner::Search(settings, search) = &mut self.learner else {
            return None;
        };
        let generation = search.slice(&self.task, &mut self.state, settings, rng)?;
        let step = Step {
            reward: generation.reward,
            episode_ended: generation.episode_ended,
            ..self.blank(None, generation.calls)
        };
        Some(self.finish(step))
    }

    /// An iteration of which only this is known.
    fn blank(&self, action: Option<Action>, calls: u32) -> Step<P> {
        Step {
            iteration: self.iterations.saturating_add(1),
            phase: self.phase,
            action,
            reward: 0,
            episode_ended: true,
            calls,
            directions: self.directions,
            weights: [0.0; P],
        }
    }

    /// Takes an action. Returns what happened if nothing is left to be learned from it.
    #[inline(never)]
    fn act<R: Rng + ?Sized>(
        &mut self,
        choice: Option<Label<L>>,
        calls: u32,
        rng: &mut R,
    ) -> Option<Step<P>> {
        let mut step = self.blank(choice.map(|label| label.action), calls);
        let Some(label) = choice else {
            self.state = self.task.reset(rng);
            return Some(step);
        };
        let (next, reward) = self.task.step(&self.state, label.action, rng);
        step.reward = reward;
        step.episode_ended = self.task.is_terminal(&next);
        if step.episode_ended {
            self.state = self.task.reset(rng);
            return Some(step);
        }
        let state = core::mem::replace(&mut self.state, next);
        self.learn(state, label, step)
    }

    fn learn(&mut self, state: E::State, label: Label<L>, step: Step<P>) -> Option<Step<P>> {
        let learns_directions = matches!(
            self.config.algorithm,
            Algorithm::Lfd | Algorithm::Ipse | Algorithm::Survival(_)
        );
        if learns_directions && (self.phase == Phase::Directions || !self.lfd.is_complete()) {
            let outcomes = self.task.list(&state);
            self.lfd.learn(&outcomes, label.action, self.config.alpha);
            for (direction, learned) in self.directions.iter_mut().zip(self.lfd.directions()) {
                // The policy space grows around what the first phase decided.
                if self.phase == Phase::Directions || *direction == Direction::Undecided {
                    *direction = *learned;
                }
            }
        }
        let regularisation = self.regularisation();
        let Learner::Choices(learner, _) = &mut self.learner else {
            return Some(step);
        };
        if self.phase == Phase::Directions {
            if self.config.reuse_choices {
                learner.remember(state, label);
            }
            return Some(step);
        }
        learner.remember(state, label);
        let k = step.iteration.saturating_sub(self.first_phase);
        learner.learn(&regularisation, k);
        self.work = Work::Learning(step);
        None
    }

    fn regularisation(&self) -> Regularisation {
        match self.config.algorithm {
            Algorithm::MLearning(regularisation) | Algorithm::MLearningKnown(regularisation, _) => {
                regularisation
            }
            Algorithm::Lfd | Algorithm::Ipse | Algorithm::Survival(_) => {
                Regularisation::Schedule(self.config.schedule)
            }
        }
    }

    /// Ends an iteration.
    fn finish(&mut self, step: Step<P>) -> Step<P> {
        self.work = Work::Nothing;
        self.iterations = step.iteration;
        self.calls = self.calls.saturating_add(step.calls);
        self.expand();
        Step {
            directions: self.directions,
            weights: self.weights(),
            ..step
        }
    }

    /// Goes on from directions to weights when it is time.
    fn expand(&mut self) {
        if self.phase != Phase::Directions || self.config.algorithm == Algorithm::Lfd {
            return;
        }
        let capped = |cap| self.iterations >= cap;
        let long_enough = self.lfd.is_complete() || self.config.lfd_cap.is_some_and(capped);
        match &mut self.learner {
            Learner::Choices(..) if long_enough => self.phase = Phase::Weights,
            Learner::Search(settings, search) => {
                let left = settings.calls.saturating_sub(self.calls);
                if !long_enough && left >= self.config.rollouts.most_calls(A) {
                    return;
                }
                search.begin(&equal_weights(&self.lfd.leanings()), left);
                self.phase = Phase::Survival;
            }
            Learner::Choices(..) => return,
        }
        self.first_phase = self.iterations;
    }

    /// Begins an iteration.
    #[inline(never)]
    fn begin<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        if let Learner::Choices(learner, _) = &mut self.learner
            && (self.phase == Phase::Weights || self.config.reuse_choices)
        {
            learner.begin();
        }
        let made_up = matches!(self.config.algorithm, Algorithm::MLearning(_));
        let filters = self.config.dominance_filter && !made_up;
        self.rollout_policy = RolloutPolicy {
            policy: policy::<E, P, A>(&self.fitted()),
            reward_first: self.phase == Phase::Directions,
            filter: filters.then_some(self.directions),
        };
        self.work = Work::Deliberation(Deliberation::new(
            &self.task,
            &self.state,
            &self.rollout_policy,
            &self.config.rollouts,
            rng,
        ));
    }

    /// What has been learned so far, as a policy.
    pub fn policy(&self) -> Policy<P> {
        policy::<E, P, A>(&self.weights())
    }

    /// What has been learned so far, as weights: the directions until weights have been fitted.
    pub fn weights(&self) -> [f32; P] {
        match &self.learner {
            Learner::Choices(_, Some(average)) if !average.is_empty() => *average.mean(),
            _ => self.fitted(),
        }
    }

    /// What was learned last.
    fn fitted(&self) -> [f32; P] {
        let beta = match &self.learner {
            Learner::Search(_, search) if self.phase == Phase::Survival => {
                return *search.weights();
            }
            Learner::Search(..) => return equal_weights(&self.directions),
            Learner::Choices(learner, _) => learner.beta(),
        };
        if beta.iter().all(|weight| *weight == 0.0) {
            return match self.config.algorithm {
                Algorithm::MLearning(_) => [0.0; P],
                _ => equal_weights(&self.directions),
            };
        }
        let mut weights = equal_weights(&self.directions);
        for (weight, beta) in weights.iter_mut().zip(beta) {
            *weight *= beta;
        }
        weights
    }

    /// Whether the next slice is anything but learning from the remembered choices: a rollout, what
    /// leads to one, or a part of a search.
    pub fn is_deliberating(&self) -> bool {
        !matches!(self.work, Work::Learning(_))
    }

    /// What is being learned.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How many iterations are complete.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The directions that are known, learned or made up.
    pub fn directions(&self) -> &[Direction; P] {
        &self.directions
    }

    /// The learner of directions, with its votes.
    pub fn lfd(&self) -> &Lfd<P> {
        &self.lfd
    }

    /// The learner of weights from choices, with what it remembers, if this agent has one.
    pub fn learner(&self) -> Option<&MLearner<E::State, P, N, L>> {
        match &self.learner {
            Learner::Choices(learner, _) => Some(learner),
            Learner::Search(..) => None,
        }
    }

    /// Whether there is nothing left to learn: a search has used its calls. From then on the agent
    /// takes one action in each iteration.
    pub fn is_finished(&self) -> bool {
        matches!(&self.learner, Learner::Search(_, search)
            if self.phase == Phase::Survival && search.is_over())
    }

    /// The calls of the generative model so far.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// The current state.
    pub fn state(&self) -> &E::State {
        &self.state
    }

    /// The task.
    pub fn task(&self) -> &E {
        &self.task
    }
}

fn policy<E: Environment<P, A>, const P: usize, const A: usize>(weights: &[f32; P]) -> Policy<P> {
    Policy::scaled(weights, &E::UNITS, &E::BOUNDS).0
}

fn random_directions<const P: usize, R: Rng + ?Sized>(rng: &mut R) -> [Direction; P] {
    core::array::from_fn(|_| {
        if below(rng, 2) == 0 {
            Direction::Con
        } else {
            Direction::Pro
        }
    })
}
