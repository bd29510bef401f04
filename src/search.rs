//! A search for weights, by what whole episodes come to.
//!
//! This goes beyond the paper, and it is not Algorithm 3: there are no choices to learn from. An evolution strategy
//! with mirrored samples, without a covariance, moves a mean m through the space of weights. In each generation it goes
//! on with its own episode under m, draws candidates m ± σz, and has them all play on from the same states with the same
//! random numbers. The mean then moves toward the best of them. What is learned is the average of m over the later part
//! of the search.
//!
//! Two things can be added where they help, which depends on the features: a [guard](Guard) that has directions learned
//! again if games end at once with them, and [shrinkage](Search::shrinkage) toward equal weights, which the paper finds to
//! be a good guess. A task [says](crate::Environment::SURVIVAL) what suits it.
//!
//! There are two presets, which differ in where trials begin and in what is best:
//!
//! - [`Search::survival`] for tasks in which games are lost. Once the directions are known, what tells good weights from
//!   better ones is whether they survive, and that shows soonest in states from which an episode was about to end. It
//!   keeps the states that came some twenty actions before each end, and from those candidates play on until they fail,
//!   are safe, or have held out for long enough. The best are those that fail least.
//! - [`Search::returns`] for tasks that go on, or whose consequences come later than a rollout sees. Trials begin where
//!   its own episode stands and last for several of the task's cycles; the best candidates are those that collect the
//!   most. It starts from zero weights, measures how much each feature varies, and narrows its steps as it goes. Where
//!   all candidates collect the same there is no way up to be seen, and it looks elsewhere: in random directions.
//!
//! | file | content |
//! |---|---|
//! | `parameters` | what can be chosen, and the presets |
//! | `guard` | directions are put to the test |
//! | `trial` | all candidates play on from one state |
//! | `members` | some of the candidates |
//! | `outset` | when directions have been learned for long enough, and what a search starts from |
//! | `trail` | where an episode was some twenty actions ago |
//! | `spread` | the scale of each weight |
//! | `resume` | a search in checkpoints |

mod guard;
mod members;
mod outset;
mod parameters;
mod resume;
mod spread;
mod trail;
mod trial;

pub use parameters::{DirectionLearner, Guard, Objective, Scale, Search, Sigma, Starts};

use crate::agent::Agent;
use crate::array::Array;
use crate::direction::Direction;
use crate::driver::{Driver, Progress, Step};
use crate::environment::{Environment, PerFeature};
use crate::learner::{Checked, Lfd, Phase};
use crate::math::{normalise, sqrt};
use crate::policy::Policy;
use crate::random::{below, up_to};
use crate::ring::Ring;
use guard::Attempts;
use members::Members;
use outset::{Next, Outset};
use parameters::between;
use rand_core::Rng;
use spread::{Spreads, divided};
use trail::Trail;
use trial::{Losses, Trial};

/// The candidates of a generation come in mirrored pairs.
const PAIRS: usize = 6;
const CANDIDATES: usize = 2 * PAIRS;

/// The weight of each of the better half of the candidates, the best first: in proportion to ln 6.5 − ln rank.
const RANK_WEIGHTS: [f32; PAIRS] = [0.4024, 0.2534, 0.1662, 0.1044, 0.0564, 0.0172];

/// How far the mean moves, at the beginning of the search and at its end.
const RATE: [f32; 2] = [1.0, 0.5];

/// The average leaves out this share of the search, at its beginning.
const UNSETTLED: f32 = 0.3;

/// The number of brinks that are wanted before the first trial.
const FIRST_BRINKS: usize = 8;

/// The number of actions of its own episode in a slice.
const SLICE: u16 = 10;

/// A search for the weights of the task `E`, from the directions that `L` learns, with `N` brinks to play on from.
///
/// The [parameters](Search) decide about `L` and `N`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Searcher<E: Environment, L: DirectionLearner<E> = Lfd, const N: usize = 100> {
    /// The agent that learns the directions. Its episode goes on in the search.
    agent: Agent<E, L>,
    search: Search<L, N>,
    attempts: Attempts,
    /// Whether directions have been learned for long enough.
    is_searching: bool,
    /// The number of complete generations.
    generations: u32,
    /// m, of length one, on the scale of the spreads.
    mean: PerFeature<E, f32>,
    average: PerFeature<E, f32>,
    /// The number of generations that the average is over.
    averaged: u32,
    spreads: Spreads<E::Features>,
    /// The calls that the directions have left for the search, and those that it has used.
    budget: u32,
    used: u32,
    brinks: Ring<E::State, N>,
    trail: Trail<E::State>,
    generation: Generation,
    /// z for each pair of candidates.
    steps: [PerFeature<E, f32>; PAIRS],
    candidates: [Policy<E::Features>; CANDIDATES],
    losses: Losses,
    trial: Option<Trial<E::State>>,
}

/// What happened in a generation so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Generation {
    /// The calls of the generative model.
    calls: u32,
    /// The rewards in its own episode.
    reward: i32,
    /// Whether that ended, at least once.
    episode_ended: bool,
    /// The number of actions in it, and how many there are to be.
    acted: u16,
    episode: u16,
    /// The number of trials; in a test of directions, of episodes that ended.
    tried: u16,
    /// Whether candidates come from everywhere, since all those around the mean have collected the same.
    is_exploring: bool,
}

impl<E: Environment, L: DirectionLearner<E>, const N: usize> Searcher<E, L, N> {
    /// Creates a search that has learned nothing.
    // Made where it is going to live, as an agent is.
    #[inline(never)]
    pub fn new<R: Rng + ?Sized>(task: E, search: Checked<Search<L, N>>, rng: &mut R) -> Self {
        const { assert!(N <= 256, "at most 256 brinks to play on from") };
        let search = *search;
        // It was checked with the search.
        let agent = Agent::new(task, Checked::assume(search.directions), rng);
        let outset = Outset {
            agent: &agent,
            search: &search,
            attempts: &Attempts::NONE,
        };
        let next = outset.next();
        let (budget, mean) = match next {
            Next::Search => (outset.left(), outset.start()),
            Next::Learning | Next::Test => (0, E::Features::filled(0.0)),
        };
        Searcher {
            agent,
            search,
            attempts: Attempts {
                is_testing: next == Next::Test,
                ..Attempts::NONE
            },
            is_searching: next == Next::Search,
            generations: 0,
            mean,
            average: E::Features::filled(0.0),
            averaged: 0,
            spreads: Spreads::none(),
            budget,
            used: 0,
            brinks: Ring::new(),
            trail: Trail::OF_EPISODE,
            generation: Generation::default(),
            steps: [E::Features::filled(0.0); PAIRS],
            candidates: [Policy::random(); CANDIDATES],
            losses: [0; CANDIDATES],
            trial: None,
        }
    }

    /// What was learned before the search.
    fn outset(&self) -> Outset<'_, E, L, N> {
        Outset {
            agent: &self.agent,
            search: &self.search,
            attempts: &self.attempts,
        }
    }

    /// Goes on from directions to weights when it is time.
    fn go_on_to_search(&mut self) {
        match self.outset().next() {
            Next::Learning => {}
            Next::Test => self.attempts.is_testing = true,
            Next::Search => self.begin(),
        }
    }

    /// Begins the search, from the directions that were learned.
    fn begin(&mut self) {
        self.is_searching = true;
        self.budget = self.outset().left();
        self.mean = self.outset().start();
    }

    /// Does a bounded part of an iteration: one rollout, a few actions in its own episode, or one action of every
    /// candidate. Returns what happened when the iteration is complete. When the search is over, each iteration
    /// is a single action.
    pub fn slice<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        let (generation, phase) = match (self.is_learning_directions(), self.attempts.is_testing) {
            (true, false) => {
                let mut step = self.agent.slice(rng);
                if let Some(step) = &mut step {
                    self.go_on_to_search();
                    (step.weights, step.iteration) = (self.weights(), self.progress().iterations);
                }
                return step;
            }
            (true, true) => (self.test(rng)?, Phase::Directions),
            (false, _) => {
                let generation = self.search(rng)?;
                self.generations = self.generations.saturating_add(1);
                (generation, Phase::Search)
            }
        };
        Some(self.told(generation, phase))
    }

    /// What happened in a generation, or in a test of directions.
    fn told(&self, generation: Generation, phase: Phase) -> Step<E::Features> {
        Step {
            iteration: self.progress().iterations,
            phase,
            action: None,
            reward: generation.reward,
            episode_ended: generation.episode_ended,
            calls: generation.calls,
            directions: self.agent.directions(),
            tallies: self.agent.learner().tallies(self.agent.memory()),
            weights: self.weights(),
        }
    }

    /// Returns whether directions are learned first, and still are.
    // The second condition follows from the first. It is here for the compiler: a learner that has nothing to learn
    // leaves nothing of rollouts in the image. That a learner is finished now would not do: it may be in the middle of an
    // iteration.
    fn is_learning_directions(&self) -> bool {
        let learner = self.agent.learner();
        !self.is_searching && !learner.is_finished(&learner.blank())
    }

    /// Does one iteration.
    pub fn step<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Step<E::Features> {
        Driver::step(self, rng)
    }

    /// What has been learned so far, as weights.
    pub fn weights(&self) -> PerFeature<E, f32> {
        match (self.is_searching, self.averaged) {
            (false, _) => self.agent.weights(),
            (true, 0) => self.weights_of(&self.mean),
            (true, _) => self.weights_of(&self.shrunk()),
        }
    }

    /// The average, shrunk toward equal weights.
    fn shrunk(&self) -> PerFeature<E, f32> {
        let mut weights = self.average;
        if self.search.shrinkage != 0.0 {
            normalise(weights.as_mut());
            let equal = self.search.shrinkage / sqrt(E::Features::LEN as f32);
            for weight in weights.as_mut().iter_mut().filter(|x| **x != 0.0) {
                *weight += equal.copysign(*weight);
            }
        }
        weights
    }

    /// The weights of a point of the search space.
    fn weights_of(&self, x: &PerFeature<E, f32>) -> PerFeature<E, f32> {
        divided::<E::Features>(x, &self.spreads.divisors::<E>())
    }

    /// What has been learned so far, as a policy.
    pub fn policy(&self) -> Policy<E::Features> {
        Driver::policy(self)
    }

    /// The progress of the run.
    pub fn progress(&self) -> Progress {
        let progress = self.agent.progress();
        Progress {
            phase: match self.is_searching {
                true => Phase::Search,
                false => progress.phase,
            },
            iterations: progress
                .iterations
                .saturating_add(self.attempts.iterations)
                .saturating_add(self.generations),
            calls: progress
                .calls
                .saturating_add(self.attempts.calls)
                .saturating_add(self.used),
            budget: Some(self.search.calls),
            is_finished: self.is_searching && self.is_spent() && self.is_between_generations(),
        }
    }

    /// The agent that has learned the directions.
    pub fn agent(&self) -> &Agent<E, L> {
        &self.agent
    }

    /// The parameters.
    pub fn parameters(&self) -> &Search<L, N> {
        &self.search
    }

    /// The brinks to play on from.
    pub fn brinks(&self) -> &[E::State] {
        self.brinks.as_slice()
    }

    /// Returns whether there are no calls left to learn from.
    fn is_spent(&self) -> bool {
        // A trial may branch into as many states as there are candidates.
        self.budget.saturating_sub(self.used) < CANDIDATES as u32
    }

    /// Returns whether there is nothing to remember of a generation under way.
    fn is_between_generations(&self) -> bool {
        self.trial.is_none() && self.generation == Generation::default()
    }

    /// A slice of a generation.
    fn search<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Generation> {
        if self.is_spent() {
            let policy = Policy::of::<E>(&self.weights());
            self.act(&policy, rng);
            self.trial = None;
            return Some(self.finish());
        }
        if self.trial.is_some() {
            return self.go_on_with_trial(rng);
        }
        match self.search.scale == Scale::Spread && self.generations == 0 {
            true => self.measure(rng),
            false => self.go_on(rng),
        }
    }

    fn count(&mut self, calls: u32) {
        self.used = self.used.saturating_add(calls);
        self.generation.calls = self.generation.calls.saturating_add(calls);
    }

    /// What happened in this generation; the next one is about to begin.
    fn finish(&mut self) -> Generation {
        core::mem::take(&mut self.generation)
    }

    /// Takes random actions in its own episode, and measures the spread of each feature on the way. This takes the
    /// place of the first generation.
    fn measure<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Generation> {
        for _ in 0..SLICE {
            if self.is_spent() {
                return None;
            }
            self.spreads.add(self.agent.task(), self.agent.state());
            self.act_and_count(&Policy::random(), rng);
            if self.generation.acted >= spread::STATES {
                return Some(self.finish());
            }
        }
        None
    }

    /// Goes on with its own episode under m. When that was enough, draws the candidates and begins their first
    /// trial. As long as there are too few states to play on from, a generation has no trials, and the first of
    /// them begins as soon as there are enough.
    fn go_on<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Generation> {
        let policy = Policy::of::<E>(&self.weights_of(&self.mean));
        if self.generation.acted == 0 {
            self.generation.episode = match self.search.starts {
                Starts::Brinks => self.search.episode,
                Starts::Visited => up_to(rng, self.search.episode),
            };
        }
        for _ in 0..SLICE {
            if self.is_spent() {
                return None;
            }
            let had_enough = self.has_starts();
            self.act_and_count(&policy, rng);
            let is_long = self.generation.acted >= self.generation.episode;
            let was_wanting = !had_enough && self.used >= self.search.episode.into();
            if self.has_starts() && (is_long || was_wanting) {
                if self.starts_where_it_stands()
                    && self.agent.task().is_terminal(self.agent.state())
                {
                    self.act_and_count(&policy, rng);
                }
                self.draw(rng);
                self.begin_trial(rng);
                return None;
            }
            if is_long {
                return Some(self.finish());
            }
        }
        None
    }

    /// Returns whether there are states enough for trials. Failures are too rare to learn from where its own episode
    /// stands, so that a search by failures waits for brinks.
    fn has_starts(&self) -> bool {
        match (self.search.starts, self.search.objective) {
            (Starts::Brinks, Objective::Failures) => self.brinks().len() >= FIRST_BRINKS.min(N),
            _ => true,
        }
    }

    /// Returns whether a trial begins where its own episode stands.
    fn starts_where_it_stands(&self) -> bool {
        self.search.starts == Starts::Visited || self.brinks().is_empty()
    }

    /// Takes an action in its own episode that counts.
    fn act_and_count<R: Rng + ?Sized>(
        &mut self,
        policy: &Policy<E::Features>,
        rng: &mut R,
    ) -> bool {
        let had_ended = self.act(policy, rng);
        self.count(1);
        self.generation.acted = self.generation.acted.saturating_add(1);
        had_ended
    }

    /// Takes one action in its own episode, or begins a new one. Returns whether the episode had ended.
    fn act<R: Rng + ?Sized>(&mut self, policy: &Policy<E::Features>, rng: &mut R) -> bool {
        let (task, state) = self.agent.episode();
        match policy.choose(task, state, rng) {
            Some(action) => {
                if self.search.starts == Starts::Brinks {
                    self.trail.pass(state);
                }
                let (next, reward) = task.step(state, action, rng);
                *state = next;
                self.generation.reward = self.generation.reward.saturating_add(reward.into());
                false
            }
            None => {
                let trail = core::mem::replace(&mut self.trail, Trail::OF_EPISODE);
                if let Some(brink) = trail.earlier.or(trail.later) {
                    self.brinks.push(brink);
                }
                *state = task.reset(rng);
                self.generation.episode_ended = true;
                true
            }
        }
    }

    /// The share of its calls that the search has used, from 0 to 1.
    fn share(&self) -> f32 {
        (self.used as f32 / self.budget.max(1) as f32).min(1.0)
    }

    /// Draws the candidates: around the mean, or, to explore, all but the first pair around zero. Only the direction of
    /// weights matters, so that candidates around zero cover all directions.
    fn draw<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let near = (self.mean, self.search.sigma.at(self.share()));
        let anywhere = (E::Features::filled(0.0), 1.0);
        let divisors = self.spreads.divisors::<E>();
        let pairs = self.candidates.chunks_exact_mut(2).zip(&mut self.steps);
        for (number, (pair, step)) in pairs.enumerate() {
            *step = E::Features::from_fn(|_| normal(rng));
            let (centre, sigma) = match self.generation.is_exploring && number > 0 {
                true => anywhere,
                false => near,
            };
            for (candidate, sign) in pair.iter_mut().zip(SIGNS) {
                let mut x = centre;
                for (x, z) in x.as_mut().iter_mut().zip(step.as_ref()) {
                    *x += sign * sigma * z;
                }
                *candidate = Policy::of::<E>(&divided::<E::Features>(&x, &divisors));
            }
        }
        self.losses = [0; CANDIDATES];
    }

    fn begin_trial<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let brink = match self.starts_where_it_stands() {
            true => None,
            false => {
                let brinks = self.brinks.as_slice();
                brinks.get(below(rng, brinks.len() as u32) as usize)
            }
        };
        let start = *brink.unwrap_or(self.agent.state());
        let trial = Trial::new(self.agent.task(), start, self.search.objective, rng);
        self.trial = Some(trial);
    }

    /// One action of every candidate. After the last trial, learns from all of them.
    fn go_on_with_trial<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Generation> {
        let trial = self.trial.as_mut()?;
        let task = self.agent.task();
        let (calls, brink) = trial.advance(task, &self.candidates, &mut self.losses, rng);
        let is_over = trial.is_over(self.search.horizon);
        if let Some(brink) = brink
            && self.search.starts == Starts::Brinks
        {
            self.brinks.push(brink);
        }
        if is_over {
            self.generation.tried = self.generation.tried.saturating_add(1);
            self.trial = None;
            if self.generation.tried < self.search.trials {
                self.begin_trial(rng);
            }
        }
        self.count(calls);
        if self.trial.is_some() {
            return None;
        }
        if self.has_learned_nothing() {
            self.generation.is_exploring = true;
            self.generation.tried = 0;
            self.draw(rng);
            self.begin_trial(rng);
            return None;
        }
        self.learn();
        Some(self.finish())
    }

    /// Returns whether all candidates around the mean have collected the same.
    fn has_learned_nothing(&self) -> bool {
        let is_even = self
            .losses
            .iter()
            .all(|loss| Some(loss) == self.losses.first());
        self.search.objective == Objective::Return && is_even && !self.generation.is_exploring
    }

    /// Moves the mean, and averages it.
    fn learn(&mut self) {
        let share = self.share();
        match self.generation.is_exploring {
            true => self.jump(),
            false => self.follow(share),
        }
        normalise(self.mean.as_mut());
        if share > UNSETTLED {
            self.averaged = self.averaged.saturating_add(1);
            let averages = self.average.as_mut().iter_mut();
            for (average, mean) in averages.zip(self.mean.as_ref()) {
                *average += (mean - *average) / self.averaged as f32;
            }
        }
    }

    /// Takes the best candidate for the mean, unless those around the mean are as good.
    fn jump(&mut self) {
        let losses = (0..CANDIDATES).zip(self.losses);
        let Some((best, _)) = losses.min_by_key(|(_, loss)| *loss) else {
            return;
        };
        // Of equals that is the first, and the first pair is around the mean.
        if let (Some(step), Some(sign), 1..) =
            (self.steps.get(best / 2), SIGNS.get(best % 2), best / 2)
        {
            for (mean, z) in self.mean.as_mut().iter_mut().zip(step.as_ref()) {
                *mean = sign * z;
            }
        }
    }

    /// Moves the mean toward the candidates that lost least.
    fn follow(&mut self, share: f32) {
        // σ has hardly changed since the candidates were drawn.
        let stride = between(RATE, share) * self.search.sigma.at(share);
        let mut left = Members::ALL;
        for weight in RANK_WEIGHTS {
            let Some(best) = left.into_iter().min_by_key(|&i| self.losses.get(i)) else {
                return;
            };
            left = left.filter(|i| i != best);
            let step = self.steps.get(best / 2);
            let sign = SIGNS.get(best % 2);
            if let (Some(step), Some(sign)) = (step, sign) {
                for (mean, z) in self.mean.as_mut().iter_mut().zip(step.as_ref()) {
                    *mean += stride * weight * sign * z;
                }
            }
        }
    }
}

/// On which side of the mean the candidates of a pair are.
const SIGNS: [f32; 2] = [1.0, -1.0];

/// A draw with mean 0 and variance 1 that is all but normal: the sum of twelve uniform ones.
fn normal<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    let sum = (0..12).fold(0u32, |sum, _| sum.wrapping_add(rng.next_u32() >> 8));
    sum as f32 / (1u32 << 24) as f32 - 6.0
}

impl<E: Environment, L: DirectionLearner<E>, const N: usize> Driver for Searcher<E, L, N> {
    type Task = E;

    fn slice<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Step<E::Features>> {
        Searcher::slice(self, rng)
    }

    fn name(&self) -> &'static str {
        match self.search.objective {
            Objective::Failures => "survival search",
            Objective::Return => "return search",
        }
    }

    fn weights(&self) -> PerFeature<E, f32> {
        Searcher::weights(self)
    }

    fn directions(&self) -> PerFeature<E, Direction> {
        self.agent.directions()
    }

    fn progress(&self) -> Progress {
        Searcher::progress(self)
    }

    fn is_between_iterations(&self) -> bool {
        self.agent.is_between_iterations() && self.is_between_generations()
    }

    fn task(&self) -> &E {
        self.agent.task()
    }

    fn state(&self) -> &E::State {
        self.agent.state()
    }
}
