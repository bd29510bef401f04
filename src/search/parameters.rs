//! The parameters of a search, and its two presets.

use crate::codec::Codec;
use crate::environment::Environment;
use crate::invalid::Invalid;
use crate::learner::{Learner, Lfd, Parameters, Unknown, ipse};
use crate::math::power;
use crate::rollout::Rollouts;
use core::fmt::Debug;

/// What a search asks of the learner of its directions: that its memory is plain data. Implemented for all such
/// learners, among them [`Lfd`], [`Known`](crate::learner::Known) and [`Unknown`].
#[cfg(not(feature = "defmt"))]
pub trait DirectionLearner<E: Environment>: Learner<E, Memory: Copy + Debug> {}

#[cfg(not(feature = "defmt"))]
impl<E: Environment, L: Learner<E, Memory: Copy + Debug>> DirectionLearner<E> for L {}

/// What a search asks of the learner of its directions: that its memory is plain data that can be formatted.
/// Implemented for all such learners, among them [`Lfd`], [`Known`](crate::learner::Known) and [`Unknown`].
#[cfg(feature = "defmt")]
pub trait DirectionLearner<E: Environment>:
    Learner<E, Memory: Copy + Debug + defmt::Format> + defmt::Format
{
}

#[cfg(feature = "defmt")]
impl<E: Environment, L> DirectionLearner<E> for L where
    L: Learner<E, Memory: Copy + Debug + defmt::Format> + defmt::Format
{
}

/// The parameters of a search.
///
/// `L` learns the directions that the search starts from, and up to `N` [brinks](Starts::Brinks) are kept, at most 256.
/// Both are types, so that a search that needs neither has no room for them.
///
/// ```
/// use ipse::prelude::*;
/// use ipse::tetris::Tetris10x10;
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let search = Search::survival().calls(20_000).cap(2).memory::<50>().check()?;
/// let mut searcher = Searcher::new(Tetris10x10::default(), search, &mut rng);
/// while !searcher.progress().is_finished {
///     searcher.step(&mut rng);
/// }
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Search<L = Lfd, const N: usize = 100> {
    /// The learner of the directions that the search starts from; [`Unknown`] for a start from zero weights.
    pub directions: L,
    /// The maximum number of iterations of that learner. Features that are undecided then start from the majority of
    /// their votes.
    pub cap: u32,
    /// The number of calls of the generative model, for directions and in the search together.
    pub calls: u32,
    /// The number of actions of its own episode in each generation; the largest one if trials begin in
    /// [visited](Starts::Visited) states.
    pub episode: u16,
    /// The number of trials of each candidate in a generation.
    pub trials: u16,
    /// The largest number of actions of a trial.
    pub horizon: u16,
    /// The states in which trials begin.
    pub starts: Starts,
    /// The criterion by which candidates are ranked.
    pub objective: Objective,
    /// σ, the distance of candidates from the mean.
    pub sigma: Sigma,
    /// The scale on which that distance is measured.
    pub scale: Scale,
    /// Whether directions are put to the test before the search starts from them.
    pub guard: Option<Guard>,
    /// How much of an equal weight is added to each weight that is learned, in the direction that it has. The weights are
    /// at length one, and so are equal weights. It pays where equal weights are a good guess; 0 adds nothing.
    pub shrinkage: f32,
}

/// A test of the learned directions: play with equal weights in these directions, and learn them again if games end at
/// once. Directions are learned from a few dozen choices, and now and then most of them are wrong; a search that starts
/// there hardly gets away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Guard {
    /// The most actions of a test.
    pub actions: u16,
    /// The number of ends of episodes at which the directions have failed it.
    pub ends: u16,
    /// How often directions are learned again at most.
    pub repeats: u8,
}

impl Guard {
    /// Five ends within 300 actions; three times at most.
    pub const fn new() -> Self {
        Guard {
            actions: 300,
            ends: 5,
            repeats: 3,
        }
    }

    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        let most = u16::MAX.into();
        Invalid::outside("guard.actions", self.actions.into(), 1, most)?;
        Invalid::outside("guard.ends", self.ends.into(), 1, most)
    }
}

impl Default for Guard {
    fn default() -> Self {
        Self::new()
    }
}

/// The most shrinkage that makes a difference: the weights are all but equal then.
const MOST_SHRINKAGE: f32 = 1000.0;

/// The states in which trials begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Starts {
    /// States from 20 to 40 actions before the end of an episode, where one failure follows another. As long as there
    /// are none, a search for the highest [return](Objective::Return) begins its trials where its own episode stands; one
    /// for the fewest [failures](Objective::Failures) waits for them.
    Brinks,
    /// Where its own episode stands, after a random number of actions, so that trials begin at any time of a cycle.
    Visited,
}

/// The criterion by which candidates are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Objective {
    /// The fewest trials in which the episode ended. A trial is over once a state is
    /// [safe](crate::Environment::is_safe). Rewards are ignored.
    Failures,
    /// The highest sum of rewards. If the episode ends, what was collected counts.
    Return,
}

/// σ, the distance of candidates from the mean, which has length one: at the beginning of the search, at its end, and
/// how it goes from one to the other with the calls that are used.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Sigma {
    /// By equal differences.
    Linear {
        /// At the beginning.
        from: f32,
        /// At the end.
        to: f32,
    },
    /// By equal ratios.
    Geometric {
        /// At the beginning.
        from: f32,
        /// At the end.
        to: f32,
    },
}

/// The scale on which the distance of candidates is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Scale {
    /// The [units](crate::Feature::unit) of the features.
    Units,
    /// Wider for features that vary little among the actions of a state: by the square root of the ratio of the
    /// standard deviations. They are measured before the first generation, in 200 random actions.
    Spread,
}

impl Search {
    /// Weights that survive, for tasks in which games are lost. As many calls as the paper allows: 400 iterations with
    /// 34 actions, 10 rollouts and 10 steps.
    pub const fn survival() -> Self {
        Search {
            directions: Lfd::paper(),
            cap: ipse::CAP,
            calls: 1_360_000,
            episode: 300,
            trials: 30,
            horizon: 80,
            starts: Starts::Brinks,
            objective: Objective::Failures,
            sigma: Sigma::Linear {
                from: 0.15,
                to: 0.12,
            },
            scale: Scale::Units,
            guard: None,
            shrinkage: 0.0,
        }
    }
}

impl Search<Unknown, 0> {
    /// Weights that collect the highest reward, for tasks that go on and whose consequences come late. The horizon of a
    /// trial should be several times the slowest cycle of the task: for one that follows the day, hour by hour, 144.
    ///
    /// ```
    /// use ipse::prelude::*;
    /// # use ipse::tetris::Tetris10x10 as MyTask;
    ///
    /// let mut rng = XorShiftRng::seed_from_u64(1);
    /// let search = Search::returns(144).calls(20_000).check()?;
    /// let mut searcher = Searcher::new(MyTask::default(), search, &mut rng);
    /// while !searcher.progress().is_finished {
    ///     searcher.step(&mut rng);
    /// }
    /// let learned = searcher.policy();
    /// # Ok::<(), Invalid>(())
    /// ```
    pub const fn returns(horizon: u16) -> Self {
        Search {
            directions: Unknown,
            cap: ipse::CAP,
            calls: 1_360_000,
            episode: 24,
            trials: 1,
            horizon,
            starts: Starts::Visited,
            objective: Objective::Return,
            sigma: Sigma::Geometric {
                from: 0.2,
                to: 0.02,
            },
            scale: Scale::Spread,
            guard: None,
            shrinkage: 0.0,
        }
    }
}

impl<L: Copy, const N: usize> Search<L, N> {
    /// Sets the learner of directions.
    #[must_use]
    pub const fn directions<M: Copy>(self, directions: M) -> Search<M, N> {
        self.with(directions)
    }

    /// Sets the number of brinks that are kept.
    #[must_use]
    pub const fn memory<const M: usize>(self) -> Search<L, M> {
        self.with(self.directions)
    }

    const fn with<D: Copy, const M: usize>(self, directions: D) -> Search<D, M> {
        Search {
            directions,
            cap: self.cap,
            calls: self.calls,
            episode: self.episode,
            trials: self.trials,
            horizon: self.horizon,
            starts: self.starts,
            objective: self.objective,
            sigma: self.sigma,
            scale: self.scale,
            guard: self.guard,
            shrinkage: self.shrinkage,
        }
    }

    /// Sets the maximum number of iterations that learn directions.
    #[must_use]
    pub const fn cap(self, cap: u32) -> Self {
        Search { cap, ..self }
    }

    /// Sets the number of calls of the generative model.
    #[must_use]
    pub const fn calls(self, calls: u32) -> Self {
        Search { calls, ..self }
    }

    /// Sets the number of actions of its own episode in each generation.
    #[must_use]
    pub const fn episode(self, episode: u16) -> Self {
        Search { episode, ..self }
    }

    /// Sets the number of trials of each candidate in a generation.
    #[must_use]
    pub const fn trials(self, trials: u16) -> Self {
        Search { trials, ..self }
    }

    /// Sets the largest number of actions of a trial.
    #[must_use]
    pub const fn horizon(self, horizon: u16) -> Self {
        Search { horizon, ..self }
    }

    /// Sets the states in which trials begin.
    #[must_use]
    pub const fn starts(self, starts: Starts) -> Self {
        Search { starts, ..self }
    }

    /// Sets the criterion by which candidates are ranked.
    #[must_use]
    pub const fn objective(self, objective: Objective) -> Self {
        Search { objective, ..self }
    }

    /// Sets the distance of candidates from the mean. It was found together with the scale; a preset has both.
    #[must_use]
    pub const fn sigma(self, sigma: Sigma) -> Self {
        Search { sigma, ..self }
    }

    /// Sets the scale on which the distance of candidates is measured.
    #[must_use]
    pub const fn scale(self, scale: Scale) -> Self {
        Search { scale, ..self }
    }

    /// Sets whether directions are put to the test.
    #[must_use]
    pub const fn guard(self, guard: Option<Guard>) -> Self {
        Search { guard, ..self }
    }

    /// Sets how much of an equal weight is added to each weight.
    #[must_use]
    pub const fn shrinkage(self, shrinkage: f32) -> Self {
        Search { shrinkage, ..self }
    }

    /// Sets the guard and the shrinkage as the features of the task `E` ask for.
    ///
    /// ```
    /// use ipse::prelude::*;
    /// use ipse::tetris::Tetris10x10;
    /// use ipse::tetris::surface::Surface10x10;
    ///
    /// let search = Search::survival().suited_to::<Surface10x10>();
    /// assert_eq!((search.guard, search.shrinkage), (Some(Guard::new()), 0.7));
    /// assert_eq!(Search::survival().suited_to::<Tetris10x10>(), Search::survival());
    /// ```
    #[must_use]
    pub const fn suited_to<E: Environment>(self) -> Self {
        let guard = match E::SURVIVAL.is_guarded {
            true => Some(Guard::new()),
            false => None,
        };
        self.guard(guard).shrinkage(E::SURVIVAL.shrinkage)
    }
}

impl<const N: usize> Search<Lfd, N> {
    /// Sets how actions are evaluated while directions are learned.
    #[must_use]
    pub const fn rollouts(self, rollouts: Rollouts) -> Self {
        let directions = self.directions.rollouts(rollouts);
        Search { directions, ..self }
    }
}

impl<L: Parameters, const N: usize> Parameters for Search<L, N> {
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        self.directions.validate()?;
        let most = u16::MAX.into();
        Invalid::outside("cap", self.cap, 1, u32::MAX)?;
        Invalid::outside("calls", self.calls, 1, u32::MAX)?;
        Invalid::outside("trials", self.trials.into(), 1, most)?;
        Invalid::outside("horizon", self.horizon.into(), 1, most)?;
        if let Some(guard) = &self.guard {
            guard.validate()?;
        }
        if !(self.shrinkage >= 0.0 && self.shrinkage <= MOST_SHRINKAGE) {
            let allowed = "from 0 to 1000";
            return Err(Invalid::real("shrinkage", self.shrinkage, allowed));
        }
        self.sigma.validate()
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u32("memory", &mut (N as u32), 0..=u32::MAX)?;
        let Search {
            directions,
            mut cap,
            mut calls,
            mut episode,
            mut trials,
            mut horizon,
            starts,
            objective,
            sigma,
            scale,
            guard,
            mut shrinkage,
        } = *self;
        codec.text("search");
        directions.identify(codec)?;
        codec.u32("cap", &mut cap, 0..=u32::MAX)?;
        codec.u32("calls", &mut calls, 0..=u32::MAX)?;
        for field in [&mut episode, &mut trials, &mut horizon] {
            codec.u16("search", field, 0..=u16::MAX)?;
        }
        // A search has the identity that it had before there were guards and shrinkage, unless it uses them.
        if let Some(mut guard) = guard {
            codec.text("guard");
            codec.u16("guard.actions", &mut guard.actions, 0..=u16::MAX)?;
            codec.u16("guard.ends", &mut guard.ends, 0..=u16::MAX)?;
            codec.u8("guard.repeats", &mut guard.repeats, 0..=u8::MAX)?;
        }
        if shrinkage != 0.0 {
            codec.text("shrinkage");
            codec.f32("shrinkage", &mut shrinkage)?;
        }
        // A search of the first kind has the identity that it had when there was no other.
        let first = Search::survival();
        let rest = (starts, objective, sigma, scale);
        if rest == (first.starts, first.objective, first.sigma, first.scale) {
            return Ok(());
        }
        codec.bool(&mut (starts == Starts::Visited))?;
        codec.bool(&mut (objective == Objective::Return))?;
        codec.bool(&mut (scale == Scale::Spread))?;
        let (mut is_geometric, [mut from, mut to]) = sigma.apart();
        codec.bool(&mut is_geometric)?;
        codec.f32("sigma.from", &mut from)?;
        codec.f32("sigma.to", &mut to)?;
        if objective == Objective::Return {
            // A search that explores takes other steps than one that does not.
            codec.text("explores");
        }
        Ok(())
    }
}

impl Sigma {
    /// Whether it is geometric, and the values at the beginning and at the end.
    #[inline(always)]
    const fn apart(self) -> (bool, [f32; 2]) {
        match self {
            Sigma::Linear { from, to } => (false, [from, to]),
            Sigma::Geometric { from, to } => (true, [from, to]),
        }
    }

    #[inline(always)]
    fn validate(self) -> Result<(), Invalid> {
        let (_, [from, to]) = self.apart();
        if !(from > 0.0 && from <= 1.0) {
            return Err(Invalid::real("sigma.from", from, "above 0 and at most 1"));
        }
        match to > 0.0 && to <= from {
            true => Ok(()),
            false => {
                let allowed = "above 0 and at most sigma.from";
                Err(Invalid::real("sigma.to", to, allowed))
            }
        }
    }

    /// σ when this share of the calls is used, from 0 to 1.
    pub fn at(self, share: f32) -> f32 {
        match self {
            Sigma::Linear { from, to } => between([from, to], share),
            Sigma::Geometric { from, to } => from / power(from / to, share),
        }
    }
}

/// The value at a share of the way from one to another.
pub(super) fn between([from, to]: [f32; 2], share: f32) -> f32 {
    from + (to - from) * share
}
