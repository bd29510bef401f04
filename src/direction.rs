//! Whether a feature speaks for an action or against it: the pros and cons of Franklin's rule.

use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::environment::Outcome;

/// The direction of a feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(i8)]
pub enum Direction {
    /// More of it is worse.
    Con = -1,
    /// Nobody knows yet.
    #[default]
    Undecided = 0,
    /// More of it is better.
    Pro = 1,
}

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
}

impl Bytes for Direction {
    const SIZE: usize = 1;

    fn write(&self, to: &mut impl Sink) {
        to.byte(self.sign().cast_unsigned());
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        match from.byte()?.cast_signed() {
            -1 => Ok(Direction::Con),
            0 => Ok(Direction::Undecided),
            1 => Ok(Direction::Pro),
            _ => Err(Flaw("a direction that is none")),
        }
    }
}

/// The weights of a policy that knows the directions and nothing else.
pub fn equal_weights<const P: usize>(directions: &[Direction; P]) -> [f32; P] {
    directions.map(|direction| direction.sign().into())
}

/// Whether `one` is at least as good as `other` on every feature with a direction, and better on at
/// least one of them (Şimşek and others, 2016).
pub fn dominates<const P: usize>(
    directions: &[Direction; P],
    one: &[i16; P],
    other: &[i16; P],
) -> bool {
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

/// The outcomes that none of the others dominates.
pub fn undominated<'a, const P: usize>(
    directions: &'a [Direction; P],
    outcomes: &'a [Outcome<P>],
) -> impl Iterator<Item = &'a Outcome<P>> {
    outcomes.iter().filter(|outcome| {
        !outcomes
            .iter()
            .any(|other| dominates(directions, &other.features, &outcome.features))
    })
}
