//! Learning feature directions: section 3 and Algorithm 1 of the paper.
//!
//! Each choice votes on each feature: pro if the chosen action has more of it than most others do,
//! con if it has less. A feature gets its direction when an exact test finds the votes
//! significantly one-sided.

use crate::binomial;
use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::direction::Direction;
use crate::environment::{Action, Outcome};

/// The votes on one feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tally {
    /// n⁺, the choices of more than most others had.
    pub pro: u32,
    /// n⁻, the choices of less.
    pub con: u32,
}

impl Tally {
    /// The probability of votes at least as one-sided if the feature had no direction.
    pub fn p_value(&self) -> f32 {
        binomial::p_value(self.pro, self.con)
    }

    fn add(&mut self, vote: Direction) {
        match vote {
            Direction::Pro => self.pro = self.pro.saturating_add(1),
            Direction::Con => self.con = self.con.saturating_add(1),
            Direction::Undecided => {}
        }
    }

    /// What most votes are for.
    // Small as it is, a copy for every feature is not.
    #[inline(never)]
    fn leaning(&self) -> Direction {
        Direction::of(self.pro.cmp(&self.con) as i32)
    }

    fn verdict(&self, alpha: f32) -> Option<Direction> {
        let leaning = self.leaning();
        (leaning != Direction::Undecided && self.p_value() < alpha).then_some(leaning)
    }
}

/// The learner of directions.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lfd<const P: usize> {
    tallies: [Tally; P],
    directions: [Direction; P],
}

impl<const P: usize> Lfd<P> {
    /// Knows nothing.
    pub const fn new() -> Self {
        Lfd {
            tallies: [Tally { pro: 0, con: 0 }; P],
            directions: [Direction::Undecided; P],
        }
    }

    /// Learns that `chosen` was found to be the best of all `outcomes`. A feature is decided when
    /// its p-value is below `alpha`.
    pub fn learn(&mut self, outcomes: &[Outcome<P>], chosen: Action, alpha: f32) {
        let Some(best) = outcomes.iter().find(|outcome| outcome.action == chosen) else {
            return;
        };
        let mut balance = [0i32; P];
        for other in outcomes {
            for ((balance, best), other) in
                balance.iter_mut().zip(&best.features).zip(&other.features)
            {
                *balance = balance.saturating_add(best.cmp(other) as i32);
            }
        }
        let features = self
            .tallies
            .iter_mut()
            .zip(&mut self.directions)
            .zip(balance);
        for ((tally, direction), balance) in features {
            tally.add(Direction::of(balance));
            if let Some(verdict) = tally.verdict(alpha) {
                *direction = verdict;
            }
        }
    }

    /// The directions as far as they are decided.
    pub fn directions(&self) -> &[Direction; P] {
        &self.directions
    }

    /// The directions, and for features that are undecided what most votes are for.
    pub fn leanings(&self) -> [Direction; P] {
        let mut leanings = self.directions;
        for (leaning, tally) in leanings.iter_mut().zip(&self.tallies) {
            if *leaning == Direction::Undecided {
                *leaning = tally.leaning();
            }
        }
        leanings
    }

    /// The votes on each feature.
    pub fn tallies(&self) -> &[Tally; P] {
        &self.tallies
    }

    /// Whether every feature has its direction.
    pub fn is_complete(&self) -> bool {
        !self.directions.contains(&Direction::Undecided)
    }
}

impl Bytes for Tally {
    const SIZE: usize = <[u32; 2]>::SIZE;

    fn write(&self, to: &mut impl Sink) {
        [self.pro, self.con].write(to);
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        let [pro, con] = Bytes::read(from)?;
        Ok(Tally { pro, con })
    }
}

impl<const P: usize> Bytes for Lfd<P> {
    const SIZE: usize = <[Tally; P]>::SIZE.saturating_add(<[Direction; P]>::SIZE);

    fn write(&self, to: &mut impl Sink) {
        self.tallies.write(to);
        self.directions.write(to);
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        let tallies = Bytes::read(from)?;
        let directions = Bytes::read(from)?;
        Ok(Lfd {
            tallies,
            directions,
        })
    }
}

impl<const P: usize> Lfd<P> {
    /// Whether it can have learned this from so many choices with this `alpha`.
    pub(crate) fn check(&self, choices: u32, alpha: f32) -> Result<(), Flaw> {
        for (tally, direction) in self.tallies.iter().zip(&self.directions) {
            let votes = u64::from(tally.pro).saturating_add(tally.con.into());
            Flaw::unless(votes <= choices.into(), "more votes than choices")?;
            let follows = match tally.verdict(alpha) {
                Some(verdict) => verdict == *direction,
                // It may have been decided by earlier votes.
                None => votes > 0 || *direction == Direction::Undecided,
            };
            Flaw::unless(follows, "a direction against the votes")?;
        }
        Ok(())
    }
}

impl<const P: usize> Default for Lfd<P> {
    fn default() -> Self {
        Self::new()
    }
}
