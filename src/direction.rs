//! The direction of a feature, for an action or against it: the pros and cons of Franklin's rule.

use crate::array::{Array, elements};
use crate::codec::Codec;
use crate::environment::Outcome;
use crate::invalid::Invalid;

/// The direction of a feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(i8)]
pub enum Direction {
    /// More of it is worse.
    Con = -1,
    /// Not known yet.
    #[default]
    Undecided = 0,
    /// More of it is better.
    Pro = 1,
}

elements!(Direction);

impl Direction {
    /// −1, 0 or 1.
    pub const fn sign(self) -> i8 {
        self as i8
    }

    /// The direction with the sign of `x`.
    pub const fn of(x: i32) -> Direction {
        match x {
            0 => Direction::Undecided,
            1.. => Direction::Pro,
            _ => Direction::Con,
        }
    }

    /// Returns whether it is known.
    pub const fn is_decided(self) -> bool {
        !matches!(self, Direction::Undecided)
    }

    pub(crate) fn code(
        &mut self,
        field: &'static str,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid> {
        let mut sign = self.sign().into();
        codec.i16(field, &mut sign, -1..=1)?;
        *self = Direction::of(sign.into());
        Ok(())
    }
}

/// Writes or reads the directions of all features.
pub(crate) fn code_all(
    directions: &mut [Direction],
    field: &'static str,
    codec: &mut impl Codec,
) -> Result<(), Invalid> {
    for (index, direction) in directions.iter_mut().enumerate() {
        let coded = direction.code(field, codec);
        coded.map_err(|error| error.at(index))?;
    }
    Ok(())
}

/// The weights of a policy that knows the directions and nothing else.
pub fn equal_weights<F: Array>(directions: &F::Of<Direction>) -> F::Of<f32> {
    let mut directions = directions.as_ref().iter();
    F::from_fn(|_| directions.next().map_or(0.0, |d| d.sign().into()))
}

/// Returns whether `one` is at least as good as `other` on every feature with a direction, and better on at
/// least one of them (Şimşek and others, 2016).
#[inline(never)]
pub fn dominates(directions: &[Direction], one: &[i16], other: &[i16]) -> bool {
    let mut better = false;
    for ((direction, one), other) in directions.iter().zip(one).zip(other) {
        let (good, bad) = match direction {
            Direction::Pro => (one, other),
            Direction::Con => (other, one),
            Direction::Undecided => continue,
        };
        if good < bad {
            return false;
        }
        better |= good > bad;
    }
    better
}

/// The outcomes that no other dominates.
pub fn undominated<'a, F: Array<Item = i16>>(
    directions: &'a [Direction],
    outcomes: &'a [Outcome<F>],
) -> impl Iterator<Item = &'a Outcome<F>> {
    let features = |outcome: &'a Outcome<F>| outcome.features.as_ref();
    outcomes.iter().filter(move |outcome| {
        !outcomes
            .iter()
            .any(|other| dominates(directions, features(other), features(outcome)))
    })
}
