//! Learning feature directions: section 3 and Algorithm 1 of the paper.
//!
//! Each choice votes on each feature: pro if the chosen action has more of it than most others do, con if it has
//! less. A feature gets its direction when an exact test finds the votes significantly one-sided.

use super::binomial;
use super::{Choice, Learner, Parameters, Past, Phase, ResumableLearner};
use crate::array::{Array, elements};
use crate::codec::Codec;
use crate::direction::{Direction, code_all, equal_weights};
use crate::environment::{Action, Environment, Outcome, PerFeature, Resumable};
use crate::invalid::Invalid;
use crate::policy::Policy;
use crate::rollout::{RolloutPolicy, Rollouts};

/// The learner of directions.
///
/// ```
/// use ipse::prelude::*;
/// use ipse::tetris::Tetris10x10;
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let lfd = Lfd::new().alpha(0.01).check()?;
/// let mut agent = Agent::new(Tetris10x10::default(), lfd, &mut rng);
/// let step = agent.step(&mut rng);
/// assert_eq!(step.phase, Phase::Directions);
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Lfd {
    /// How actions are evaluated.
    pub rollouts: Rollouts,
    /// α, the p-value below which a direction is decided.
    pub alpha: f32,
    /// Whether rollouts take the actions that promise the highest reward, if any promises one, as in the paper's
    /// appendix. Switch it off where the action that pays now is often not the best one.
    pub reward_first: bool,
    /// Whether actions that are dominated under the directions so far are left out.
    pub dominance_filter: bool,
}

impl Default for Lfd {
    fn default() -> Self {
        Self::new()
    }
}

impl Lfd {
    /// The paper's parameters, but states with a single legal action are passed over.
    pub fn new() -> Self {
        Lfd {
            rollouts: Rollouts::default(),
            ..Lfd::paper()
        }
    }

    /// Algorithm 1 to the letter.
    pub const fn paper() -> Self {
        Lfd {
            rollouts: Rollouts::paper(),
            alpha: 0.05,
            reward_first: true,
            dominance_filter: false,
        }
    }

    /// Sets how actions are evaluated.
    #[must_use]
    pub const fn rollouts(self, rollouts: Rollouts) -> Self {
        Lfd { rollouts, ..self }
    }

    /// Sets the p-value below which a direction is decided.
    #[must_use]
    pub const fn alpha(self, alpha: f32) -> Self {
        Lfd { alpha, ..self }
    }

    /// Sets whether rollouts prefer actions that promise a reward.
    #[must_use]
    pub const fn reward_first(self, reward_first: bool) -> Self {
        Lfd {
            reward_first,
            ..self
        }
    }

    /// Sets whether dominated actions are left out.
    #[must_use]
    pub const fn dominance_filter(self, dominance_filter: bool) -> Self {
        Lfd {
            dominance_filter,
            ..self
        }
    }
}

impl Parameters for Lfd {
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        self.rollouts.validate(self.dominance_filter)?;
        match self.alpha > 0.0 && self.alpha < 1.0 {
            true => Ok(()),
            false => Err(Invalid::real("alpha", self.alpha, "above 0 and below 1")),
        }
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        let Lfd {
            rollouts,
            mut alpha,
            mut reward_first,
            mut dominance_filter,
        } = *self;
        codec.text("lfd");
        rollouts.identify(codec)?;
        codec.f32("alpha", &mut alpha)?;
        codec.bool(&mut reward_first)?;
        codec.bool(&mut dominance_filter)
    }
}

/// The votes on one feature.
///
/// Once one side has [`Tally::MOST`] votes, no more are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Tally {
    /// n⁺, the number of choices with more of the feature than most others had.
    pub pro: u16,
    /// n⁻, the number of choices with less.
    pub con: u16,
    /// The number of choices in which the feature was not the same for all actions.
    pub varied: u16,
}

impl Tally {
    /// The most votes of one side.
    pub const MOST: u16 = u16::MAX;

    /// The probability of votes at least as one-sided if the feature had no direction.
    pub fn p_value(&self) -> f32 {
        binomial::p_value(self.pro.into(), self.con.into())
    }

    /// Adds the vote of a choice, and decides the direction if the votes suffice.
    // Out of line, and so is what follows: a copy for every feature would be large.
    #[inline(never)]
    fn add(&mut self, balance: Balance, direction: &mut Direction, alpha: f32) {
        self.varied = self.varied.saturating_add(balance.varies.into());
        if self.pro.max(self.con) < Self::MOST {
            match Direction::of(balance.sum) {
                Direction::Pro => self.pro = self.pro.saturating_add(1),
                Direction::Con => self.con = self.con.saturating_add(1),
                Direction::Undecided => {}
            }
        }
        if let Some(verdict) = self.verdict(alpha) {
            *direction = verdict;
        }
    }

    /// The direction that most votes are for.
    #[inline(never)]
    fn leaning(&self) -> Direction {
        Direction::of(self.pro.cmp(&self.con) as i32)
    }

    fn verdict(&self, alpha: f32) -> Option<Direction> {
        let leaning = self.leaning();
        (leaning.is_decided() && self.p_value() < alpha).then_some(leaning)
    }

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u16("votes for", &mut self.pro, 0..=Self::MOST)?;
        codec.u16("votes against", &mut self.con, 0..=Self::MOST)?;
        codec.u16("choices that vary", &mut self.varied, 0..=u16::MAX)
    }

    /// Refuses votes that so many choices cannot have given, or a direction that does not follow from them.
    fn plausible(&self, choices: u32, direction: Direction, alpha: f32) -> Result<(), Invalid> {
        Invalid::outside("choices that vary", self.varied.into(), 0, choices)?;
        let votes = u32::from(self.pro).saturating_add(self.con.into());
        // The count of variations ends before that of the votes on both sides.
        let most = match self.varied {
            u16::MAX => choices,
            varied => varied.into(),
        };
        Invalid::outside("votes", votes, 0, most)?;
        let follows = match (self.verdict(alpha), direction) {
            (Some(verdict), direction) => verdict == direction,
            // It may have been decided by earlier votes, of which there were enough.
            (None, Direction::Pro) => binomial::p_value(self.pro.into(), 0) < alpha,
            (None, Direction::Con) => binomial::p_value(self.con.into(), 0) < alpha,
            (None, Direction::Undecided) => true,
        };
        match follows {
            true => Ok(()),
            false => {
                let sign = direction.sign().into();
                Err(Invalid::signed(
                    "direction",
                    sign,
                    "what follows from the votes",
                ))
            }
        }
    }
}

elements!(Tally, Balance);

/// The comparison of the chosen action with all others in one feature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Balance {
    /// The number of actions with less of it, less those with more.
    sum: i32,
    varies: bool,
}

#[inline(never)]
fn compare(best: &[i16], other: &[i16], balances: &mut [Balance]) {
    for ((best, other), balance) in best.iter().zip(other).zip(balances) {
        balance.sum = balance.sum.saturating_add(best.cmp(other) as i32);
        balance.varies |= best != other;
    }
}

/// The votes on all features, and the directions that follow from them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Votes<F: Array> {
    tallies: F::Of<Tally>,
    directions: F::Of<Direction>,
}

impl<F: Array<Item = i16>> Votes<F> {
    /// No votes.
    pub fn none() -> Self {
        Votes {
            tallies: F::filled(Tally::default()),
            directions: F::filled(Direction::Undecided),
        }
    }

    /// Counts the votes of a choice: `chosen` was found to be the best of all `outcomes`. A feature is decided
    /// when its p-value is below `alpha`.
    pub fn count(&mut self, outcomes: &[Outcome<F>], chosen: Action, alpha: f32) {
        let Some(best) = Outcome::find(outcomes, chosen) else {
            return;
        };
        let mut balances = F::filled(Balance::default());
        for other in outcomes {
            let (best, other) = (best.features.as_ref(), other.features.as_ref());
            compare(best, other, balances.as_mut());
        }
        let features = self.tallies.as_mut().iter_mut();
        let features = features.zip(self.directions.as_mut());
        for ((tally, direction), balance) in features.zip(balances.as_ref()) {
            tally.add(*balance, direction, alpha);
        }
    }

    /// The directions as far as they are decided.
    pub fn directions(&self) -> &F::Of<Direction> {
        &self.directions
    }

    /// The directions, and for undecided features what most votes are for.
    pub fn leanings(&self) -> F::Of<Direction> {
        let mut leanings = self.directions;
        for (leaning, tally) in leanings.as_mut().iter_mut().zip(self.tallies.as_ref()) {
            if !leaning.is_decided() {
                *leaning = tally.leaning();
            }
        }
        leanings
    }

    /// The votes on each feature.
    pub fn tallies(&self) -> &F::Of<Tally> {
        &self.tallies
    }

    /// Returns whether every feature has its direction.
    pub fn is_complete(&self) -> bool {
        self.directions.as_ref().iter().all(|d| d.is_decided())
    }
}

impl<E: Environment> Learner<E> for Lfd {
    const NAME: &'static str = "LFD";
    const THEN: Option<&'static str> = Some("IPSE");

    type Memory = Votes<E::Features>;
    type Values = ();

    #[inline(never)]
    fn blank(&self) -> Self::Memory {
        Votes::none()
    }

    fn rollouts(&self, _: &Self::Memory) -> Rollouts {
        self.rollouts
    }

    fn rollout_policy(&self, votes: &Self::Memory) -> RolloutPolicy<E::Features> {
        RolloutPolicy {
            policy: Policy::of::<E>(&equal_weights::<E::Features>(&votes.directions)),
            reward_first: self.reward_first,
            filter: self.dominance_filter.then_some(votes.directions),
        }
    }

    fn learn(&self, votes: &mut Self::Memory, task: &E, choice: Choice<E::State, ()>) {
        votes.count(&task.list(choice.state), choice.action, self.alpha);
    }

    fn observe(&self, votes: &mut Self::Memory, task: &E, choice: Choice<E::State, ()>) {
        self.learn(votes, task, choice);
    }

    fn weights(&self, votes: &Self::Memory) -> PerFeature<E, f32> {
        equal_weights::<E::Features>(&votes.directions)
    }

    fn phase(&self, _: &Self::Memory) -> Phase {
        Phase::Directions
    }

    /// As Algorithm 1 does, it ends when every direction is decided. It can go on all the same.
    fn is_finished(&self, votes: &Self::Memory) -> bool {
        votes.is_complete()
    }

    fn directions(&self, votes: &Self::Memory) -> PerFeature<E, Direction> {
        votes.directions
    }

    fn leanings(&self, votes: &Self::Memory) -> PerFeature<E, Direction> {
        votes.leanings()
    }

    fn tallies(&self, votes: &Self::Memory) -> PerFeature<E, Tally> {
        votes.tallies
    }
}

impl<E: Resumable> ResumableLearner<E> for Lfd {
    /// Three counts and a direction for each feature.
    const BITS: usize =
        (3usize.saturating_mul(16).saturating_add(2)).saturating_mul(E::Features::LEN);

    fn code(&self, votes: &mut Self::Memory, _: &E, codec: &mut impl Codec) -> Result<(), Invalid> {
        for tally in votes.tallies.as_mut() {
            tally.code(codec)?;
        }
        code_all(votes.directions.as_mut(), "direction", codec)
    }

    fn plausible(&self, votes: &Self::Memory, _: &E, past: Past) -> Result<(), Invalid> {
        let tallies = votes.tallies.as_ref().iter().zip(votes.directions.as_ref());
        for (feature, (tally, direction)) in tallies.enumerate() {
            let checked = tally.plausible(past.all(), *direction, self.alpha);
            checked.map_err(|error| error.at(feature))?;
        }
        Ok(())
    }
}
