//! Directions that are known in advance: the first learner of M-learning's fourth version.

use super::{Choice, Learner, Parameters, Phase, ResumableLearner};
use crate::array::Array;
use crate::codec::Codec;
use crate::direction::{Direction, code_all, equal_weights};
use crate::environment::{Environment, PerFeature, Resumable};
use crate::invalid::Invalid;

/// A learner that has nothing to learn, since it is told the directions.
///
/// ```
/// use ipse::prelude::*;
/// use ipse::tetris::{DIRECTIONS, Tetris10x10};
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let learner = Known(DIRECTIONS).then(MLearning::scheduled()).check()?;
/// let agent = Agent::new(Tetris10x10::default(), learner, &mut rng);
/// assert_eq!(agent.directions(), DIRECTIONS);
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Known<D>(pub D);

impl<D: AsRef<[Direction]> + AsMut<[Direction]> + Copy> Parameters for Known<D> {
    #[inline(always)]
    fn validate(&self) -> Result<(), Invalid> {
        let mut directions = self.0.as_ref().iter();
        match directions.position(|direction| !direction.is_decided()) {
            Some(index) => Err(Invalid::text("directions", 0, "1 or -1").at(index)),
            None => Ok(()),
        }
    }

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.text("known");
        let Known(mut directions) = *self;
        code_all(directions.as_mut(), "directions", codec)
    }
}

impl<E, D> Learner<E> for Known<D>
where
    E: Environment,
    E::Features: Array<Of<Direction> = D>,
    D: AsRef<[Direction]> + AsMut<[Direction]> + Copy,
{
    const NAME: &'static str = "known directions";

    type Memory = ();
    type Values = ();

    fn blank(&self) {}

    fn weights(&self, (): &()) -> PerFeature<E, f32> {
        equal_weights::<E::Features>(&self.0)
    }

    fn learn(&self, (): &mut (), _: &E, _: Choice<E::State, ()>) {}

    fn phase(&self, (): &()) -> Phase {
        Phase::Directions
    }

    fn is_finished(&self, (): &()) -> bool {
        true
    }

    fn directions(&self, (): &()) -> PerFeature<E, Direction> {
        self.0
    }
}

impl<E, D> ResumableLearner<E> for Known<D>
where
    E: Resumable,
    E::Features: Array<Of<Direction> = D>,
    D: AsRef<[Direction]> + AsMut<[Direction]> + Copy,
{
    const BITS: usize = 0;

    fn code(&self, (): &mut (), _: &E, _: &mut impl Codec) -> Result<(), Invalid> {
        Ok(())
    }
}
