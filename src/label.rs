//! What a choice is remembered as: the action that was found to be the best, or how good each was.
//!
//! The best of many noisy values is often the best by chance, and the second best is then taught to
//! be as wrong as the worst. A soft label keeps the softmax of all values instead, a byte for each
//! action. It is not in the paper.

use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::environment::{Action, Resumable};
use crate::exponential::{EXPONENT_ONE, POWER_BITS, power_of_half};
use core::f32::consts::LOG2_E;

/// The share of the best action.
pub const FULL: u8 = u8::MAX;

/// The answer to a choice, with room for the shares of `L` actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Label<const L: usize = 0> {
    /// The action that was found to be the best.
    pub action: Action,
    /// How likely each action should be, in the order in which the task lists them, as against
    /// [`FULL`] for the best. If there are none, or all are zero, the best is the only right one.
    pub shares: [u8; L],
}

impl<const L: usize> Label<L> {
    /// The softmax at a temperature above zero of the values of all actions, of which `action` has
    /// the highest. Where there is no action, the value is −∞.
    pub fn soft(action: Action, values: &[f32; L], temperature: f32) -> Self {
        let highest = values.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
        let shares = values.map(|value| {
            let exponent = (highest - value) / temperature * (LOG2_E * EXPONENT_ONE);
            let power = power_of_half(exponent as u32) >> (POWER_BITS - BITS);
            let rounded = power.wrapping_mul(FULL.into()).wrapping_add(HALF);
            (rounded >> BITS) as u8
        });
        Label { action, shares }
    }
}

/// Bits of a power, so that its product with a share has no more than there are.
const BITS: u32 = 24;
const HALF: u32 = 1 << (BITS - 1);

impl<const L: usize> From<Action> for Label<L> {
    /// That `action` is the only right one.
    fn from(action: Action) -> Self {
        Label {
            action,
            shares: [0; L],
        }
    }
}

/// As bytes: the action, and the shares if it is soft.
impl<const L: usize> Label<L> {
    pub(crate) const SIZE: usize = Action::SIZE.saturating_add(L);

    pub(crate) fn write(&self, is_soft: bool, to: &mut impl Sink) {
        self.action.write(to);
        if is_soft {
            self.shares.write(to);
        }
    }

    pub(crate) fn read(is_soft: bool, from: &mut Source<'_>) -> Result<Self, Flaw> {
        let mut label = Label::from(Action::read(from)?);
        if is_soft {
            for share in &mut label.shares {
                *share = from.byte()?;
            }
        }
        Ok(label)
    }

    /// Whether a choice in `state` could have been remembered as this.
    pub(crate) fn check<E: Resumable<P, A>, const P: usize, const A: usize>(
        &self,
        is_soft: bool,
        task: &E,
        state: &E::State,
    ) -> Result<(), Flaw> {
        let mut is_legal = false;
        let mut is_best = false;
        let mut shares = self.shares.iter();
        task.outcomes(state, |outcome| {
            let share = shares.next();
            if outcome.action == self.action {
                is_legal = true;
                is_best = share == Some(&FULL);
            }
        });
        Flaw::unless(is_legal, "a choice of what was not to be chosen")?;
        let is_softmax = is_best && shares.all(|share| *share == 0);
        Flaw::unless(is_softmax || !is_soft, "shares that no choice has")
    }
}
