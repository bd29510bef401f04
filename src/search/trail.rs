//! The recent past of an episode, in which the states are found from which it was about to end.

use crate::codec::Codec;
use crate::environment::Resumable;
use crate::invalid::Invalid;
use crate::random::below;
use rand_core::Rng;

/// The recent past: two states, [`Trail::INTERVAL`] actions apart, so that at the end the earlier one
/// is from that many to twice as many actions back.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Trail<S> {
    pub earlier: Option<S>,
    pub later: Option<S>,
    /// The age of the later one.
    age: u8,
}

impl<S: Copy> Trail<S> {
    const INTERVAL: u8 = 20;

    /// Begins with the first state, so that even the shortest episode leaves something.
    pub const OF_EPISODE: Self = Self::new(Self::INTERVAL.saturating_sub(1));

    /// Begins after `INTERVAL - age` actions.
    const fn new(age: u8) -> Self {
        Trail {
            earlier: None,
            later: None,
            age,
        }
    }

    /// Of a trial. It begins at any time, so that it tells of any state with the same probability,
    /// but not with the first, which is known.
    pub fn of_trial<R: Rng + ?Sized>(rng: &mut R) -> Self {
        Self::new(below(rng, Self::INTERVAL.saturating_sub(1).into()) as u8)
    }

    /// An action is taken in `state`.
    pub fn pass(&mut self, state: &S) {
        self.age = self.age.saturating_add(1);
        if self.age >= Self::INTERVAL {
            (self.earlier, self.later) = (self.later, Some(*state));
            self.age = 0;
        }
    }

    pub fn code<E: Resumable<State = S>>(
        &mut self,
        task: &E,
        example: S,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid> {
        codec.u8(
            "trail.age",
            &mut self.age,
            0..=Self::INTERVAL.saturating_sub(1),
        )?;
        let is_new = self.age == Self::OF_EPISODE.age;
        for state in [&mut self.later, &mut self.earlier] {
            let mut is_there = state.is_some();
            codec.bool(&mut is_there)?;
            if !is_there {
                *state = None;
                continue;
            }
            let mut coded = state.unwrap_or(example);
            task.code_state(&mut coded, codec)?;
            *state = Some(coded);
        }
        let age = self.age.into();
        match (self.later.is_some(), self.earlier.is_some()) {
            (false, true) => Err(Invalid::text(
                "trail.age",
                age,
                "of a later state, since there is an earlier one",
            )),
            (false, false) if !is_new => Err(Invalid::text(
                "trail.age",
                age,
                "19 if there are no states yet",
            )),
            _ => Ok(()),
        }
    }
}
