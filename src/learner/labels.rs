//! What is remembered of a choice: the best action, or how good each was.
//!
//! The best of many noisy values is often the best by chance. A hard label then teaches that the second best action is
//! as wrong as the worst. A soft label keeps the softmax of all values instead, a byte for each action. It is not in
//! the paper.

use crate::array::Array;
use crate::codec::Codec;
use crate::environment::{Action, Environment};
use crate::exponential::{EXPONENT_ONE, POWER_BITS, power_of_half};
use crate::invalid::Invalid;
use crate::rollout::{Valuation, Values};
use core::f32::consts::LOG2_E;
use core::fmt::Debug;

/// The answer to a choice.
pub trait Label: Copy + Debug {
    /// The best action.
    fn action(&self) -> Action;

    /// The likelihood that each action should have, in the order in which the task lists them, relative to
    /// [`FULL`] for the best. If there are none, or all are zero, the best action is the only right one.
    fn shares(&self) -> &[u8];
}

/// The share of the best action.
pub const FULL: u8 = u8::MAX;

/// A hard label: the best action is the only right one.
impl Label for Action {
    fn action(&self) -> Action {
        *self
    }

    #[inline(always)]
    fn shares(&self) -> &[u8] {
        &[]
    }
}

/// A soft label: the softmax of the values of all actions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SoftLabel<A: Array> {
    /// The best action.
    pub action: Action,
    /// The shares of all actions.
    pub shares: A::Of<u8>,
}

impl<A: Array> Label for SoftLabel<A> {
    fn action(&self) -> Action {
        self.action
    }

    fn shares(&self) -> &[u8] {
        self.shares.as_ref()
    }
}

impl<A: Array> SoftLabel<A> {
    /// The softmax, at a temperature above zero, of the values of all actions, of which `action` has the
    /// highest. Where there is no action, the value is −∞. At the temperature 0 the label is a hard one.
    pub fn new(action: Action, values: &A::Of<f32>, temperature: f32) -> Self {
        let values = values.as_ref();
        let highest = values.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
        let mut values = values.iter();
        let shares = A::from_fn(|_| match values.next() {
            Some(value) if temperature > 0.0 => {
                let exponent = (highest - value) / temperature * (LOG2_E * EXPONENT_ONE);
                let power = power_of_half(exponent as u32) >> (POWER_BITS - BITS);
                let rounded = power.wrapping_mul(FULL.into()).wrapping_add(HALF);
                (rounded >> BITS) as u8
            }
            _ => 0,
        });
        SoftLabel { action, shares }
    }
}

/// The bits of a power: 24 of them and 8 of a share fit into 32.
const BITS: u32 = 24;
const HALF: u32 = 1 << (BITS - 1);

/// The kind of labels of M-learning: [`Hard`] or [`Soft`].
pub trait Labels: Copy + Debug + sealed::Sealed {
    /// The values that a label is made of.
    type Values<A: Array>: Valuation<A>;

    /// A label.
    type Label<A: Array>: Label;

    /// Whether a label has a share for each action.
    const HAS_SHARES: bool;

    /// The label of a choice.
    fn label<A: Array>(&self, action: Action, values: &Self::Values<A>) -> Self::Label<A>;

    /// An empty label.
    fn blank<A: Array>() -> Self::Label<A>;

    /// Writes or reads a label.
    fn code<A: Array>(
        &self,
        label: &mut Self::Label<A>,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid>;

    /// Refuses a label that no choice in `state` has.
    fn plausible<E: Environment>(
        &self,
        label: &Self::Label<E::Actions>,
        task: &E,
        state: &E::State,
    ) -> Result<(), Invalid>;

    /// Refuses a parameter that is out of range.
    fn validate(&self) -> Result<(), Invalid>;

    /// Writes all parameters.
    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid>;
}

/// The best action is remembered, as in the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Hard;

impl Labels for Hard {
    type Values<A: Array> = ();
    type Label<A: Array> = Action;
    const HAS_SHARES: bool = false;

    fn label<A: Array>(&self, action: Action, (): &()) -> Action {
        action
    }

    fn blank<A: Array>() -> Action {
        0
    }

    fn code<A: Array>(&self, label: &mut Action, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u8("choice", label, 0..=u8::MAX)
    }

    fn plausible<E: Environment>(
        &self,
        label: &Action,
        task: &E,
        state: &E::State,
    ) -> Result<(), Invalid> {
        position(*label, task, state).map(|_| ())
    }

    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }

    fn identify(&self, _: &mut impl Codec) -> Result<(), Invalid> {
        Ok(())
    }
}

/// The values of all actions are remembered, as their softmax.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Soft {
    /// The temperature of the softmax, in the unit of rewards. At 0, labels are hard.
    pub temperature: f32,
}

impl Soft {
    fn is_hard(&self) -> bool {
        self.temperature == 0.0
    }
}

impl Labels for Soft {
    type Values<A: Array> = Values<A>;
    type Label<A: Array> = SoftLabel<A>;
    const HAS_SHARES: bool = true;

    fn label<A: Array>(&self, action: Action, values: &Values<A>) -> SoftLabel<A> {
        SoftLabel::new(action, values.as_array(), self.temperature)
    }

    fn blank<A: Array>() -> SoftLabel<A> {
        let shares = A::filled(0);
        SoftLabel { action: 0, shares }
    }

    fn code<A: Array>(
        &self,
        label: &mut SoftLabel<A>,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid> {
        codec.u8("choice", &mut label.action, 0..=u8::MAX)?;
        if self.is_hard() {
            return Ok(());
        }
        let mut shares = label.shares.as_mut().iter_mut();
        shares.try_for_each(|share| codec.u8("share", share, 0..=FULL))
    }

    fn plausible<E: Environment>(
        &self,
        label: &SoftLabel<E::Actions>,
        task: &E,
        state: &E::State,
    ) -> Result<(), Invalid> {
        let (index, count) = position(label.action, task, state)?;
        if self.is_hard() {
            return Ok(());
        }
        let shares = label.shares.as_ref();
        let best = shares.get(index).copied().unwrap_or(0);
        Invalid::outside("share of the choice", best.into(), FULL.into(), FULL.into())?;
        let beyond = shares.iter().skip(count).fold(0, |a, b| a | b);
        Invalid::outside("share of an action that is not legal", beyond.into(), 0, 0)
    }

    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        match self.temperature >= 0.0 && self.temperature.is_finite() {
            true => Ok(()),
            false => Err(Invalid::real(
                "temperature",
                self.temperature,
                "0 or more, and finite",
            )),
        }
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        if self.is_hard() {
            return Ok(());
        }
        codec.text("soft");
        codec.f32("temperature", &mut self.temperature.clone())
    }
}

/// The position of `action` in the list of legal actions, and their number.
fn position<E: Environment>(
    action: Action,
    task: &E,
    state: &E::State,
) -> Result<(usize, usize), Invalid> {
    let (mut found, mut count) = (None, 0usize);
    task.outcomes(state, |outcome| {
        if outcome.action == action {
            found = Some(count);
        }
        count = count.saturating_add(1);
    });
    match found {
        Some(index) => Ok((index, count)),
        None => Err(Invalid::text("choice", action.into(), "a legal action")),
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Hard {}
    impl Sealed for super::Soft {}
}
