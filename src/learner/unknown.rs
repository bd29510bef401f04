//! Directions that nobody knows: what a search starts from if it starts from nothing.

use super::{Choice, Learner, Parameters, Phase, ResumableLearner};
use crate::array::Array;
use crate::codec::Codec;
use crate::environment::{Environment, PerFeature, Resumable};
use crate::invalid::Invalid;

/// A learner that learns nothing: it is finished at once.
///
/// A [search](crate::search::Search) that has it for its directions starts from zero weights, and the image
/// contains no code of LFD and its rollouts.
///
/// ```
/// use ipse::prelude::*;
///
/// let search = Search::returns(144);
/// assert_eq!(search.directions, Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unknown;

impl Parameters for Unknown {
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.text("unknown");
        Ok(())
    }
}

impl<E: Environment> Learner<E> for Unknown {
    type Memory = ();
    type Values = ();

    fn blank(&self) {}

    fn weights(&self, (): &()) -> PerFeature<E, f32> {
        E::Features::filled(0.0)
    }

    fn learn(&self, (): &mut (), _: &E, _: Choice<E::State, ()>) {}

    fn phase(&self, (): &()) -> Phase {
        Phase::Directions
    }

    #[inline(always)]
    fn is_finished(&self, (): &()) -> bool {
        true
    }
}

impl<E: Resumable> ResumableLearner<E> for Unknown {
    const BITS: usize = 0;

    fn code(&self, (): &mut (), _: &E, _: &mut impl Codec) -> Result<(), Invalid> {
        Ok(())
    }
}
