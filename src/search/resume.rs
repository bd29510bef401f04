//! A search in checkpoints.

use super::guard::Attempts;
use super::parameters::{DirectionLearner, Scale, Starts};
use super::spread::Spreads;
use super::trail::Trail;
use super::{Generation, Searcher, UNSETTLED};
use crate::agent::Agent;
use crate::array::Array;
use crate::codec::Codec;
use crate::driver::{Progress, ResumableDriver};
use crate::environment::Resumable;
use crate::invalid::Invalid;
use crate::learner::{Parameters, ResumableLearner};
use crate::math::{ROUNDING, squared_length};
use crate::ring::Ring;
use rand_core::Rng;

impl<E, L, const N: usize> ResumableDriver for Searcher<E, L, N>
where
    E: Resumable,
    L: ResumableLearner<E> + DirectionLearner<E>,
{
    const BITS: usize = <Agent<E, L> as ResumableDriver>::BITS
        .saturating_add(96usize.saturating_mul(E::Features::LEN))
        .saturating_add(Ring::<E::State, N>::bits(E::STATE_BITS))
        .saturating_add(2usize.saturating_mul(E::STATE_BITS))
        .saturating_add(160)
        // Attempts to find directions.
        .saturating_add(81);

    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.search.identify(codec)
    }

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.agent.code(codec)?;
        codec.bool(&mut self.is_searching)?;
        codec.u32("generations", &mut self.generations, 0..=u32::MAX)?;
        for weight in self.mean.as_mut() {
            codec.f32("mean", weight)?;
        }
        for weight in self.average.as_mut() {
            codec.f32("average", weight)?;
        }
        codec.u32("averaged", &mut self.averaged, 0..=u32::MAX)?;
        codec.u32("budget", &mut self.budget, 0..=u32::MAX)?;
        codec.u32("used", &mut self.used, 0..=u32::MAX)?;
        let (task, example) = (self.agent.task(), *self.agent.state());
        let fields = ["brinks", "oldest brink"];
        self.brinks.code(fields, example, codec, |state, codec| {
            task.code_state(state, codec)
        })?;
        self.trail.code(task, example, codec)?;
        if self.search.scale == Scale::Spread {
            self.spreads.code(codec)?;
        }
        if self.search.guard.is_some() {
            self.attempts.code(codec)?;
        }
        if codec.is_reading() {
            self.generation = Generation::default();
            self.trial = None;
        }
        Ok(())
    }

    fn plausible(&self) -> Result<(), Invalid> {
        self.agent.plausible()?;
        self.plausible_attempts()?;
        self.plausible_directions()?;
        let budget = if self.is_searching {
            self.outset().left()
        } else {
            0
        };
        Invalid::outside("budget", self.budget, budget, budget)?;
        Invalid::outside("used", self.used, 0, budget)?;
        Invalid::outside("averaged", self.averaged, 0, self.generations)?;
        self.plausible_weights()?;
        self.spreads.plausible(self.generations > 0)?;
        if self.generations == 0 {
            Invalid::outside("used", self.used, 0, 0)?;
        }
        if self.generations == 0 || self.search.starts != Starts::Brinks {
            Invalid::outside("brinks", self.brinks().len() as u32, 0, 0)?;
            Invalid::outside("trail", self.trail.later.is_some().into(), 0, 0)?;
        }
        Ok(())
    }

    fn forget<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        self.agent.forget(rng);
        self.attempts = Attempts::NONE;
        self.is_searching = false;
        (self.generations, self.averaged, self.budget, self.used) = (0, 0, 0, 0);
        self.mean.as_mut().fill(0.0);
        self.average.as_mut().fill(0.0);
        self.brinks = Ring::new();
        self.trail = Trail::OF_EPISODE;
        self.spreads = Spreads::none();
        self.generation = Generation::default();
        self.trial = None;
        self.go_on_to_search();
    }
}

impl<E, L, const N: usize> Searcher<E, L, N>
where
    E: Resumable,
    L: ResumableLearner<E> + DirectionLearner<E>,
{
    /// Refuses directions that were learned for longer or shorter than they are, and a search that is before its time.
    fn plausible_directions(&self) -> Result<(), Invalid> {
        let Progress {
            iterations, calls, ..
        } = self.agent.progress();
        let learner = self.agent.learner();
        let cap = match learner.is_finished(&learner.blank()) {
            true => 0,
            false => self.search.cap,
        };
        let all = calls.saturating_add(self.attempts.calls);
        Invalid::outside("calls", all, 0, self.search.calls)?;
        Invalid::outside("iterations", iterations, 0, cap)?;
        if iterations == 0 {
            Invalid::outside("calls", calls, 0, 0)?;
        }
        let is_testing = self.attempts.is_testing;
        // A test that was passed may have left too few calls for a choice, and then it is over all the same.
        if (self.is_searching || is_testing) != self.outset().is_over() {
            let allowed = "followed by a search if all directions are decided, at the cap, or without calls left";
            return Err(Invalid::text("iterations", iterations, allowed));
        }
        match self.is_searching {
            true => Ok(()),
            false => Invalid::outside("generations", self.generations, 0, 0),
        }
    }

    /// Refuses weights that no search comes to.
    fn plausible_weights(&self) -> Result<(), Invalid> {
        let start = match self.is_searching {
            true => self.outset().start(),
            false => E::Features::filled(0.0),
        };
        let is_blank = squared_length(start.as_ref()) == 0.0;
        let mean = squared_length(self.mean.as_ref());
        let is_unit = (mean - 1.0).abs() <= ROUNDING;
        if !(is_unit && self.is_searching || mean == 0.0 && is_blank) {
            return Err(Invalid::real(
                "squared length of the mean",
                mean,
                "1 in a search, and 0 before",
            ));
        }
        if self.generations == 0 && self.mean != start {
            return Err(Invalid::real(
                "squared length of the mean",
                mean,
                "1, in the directions of the votes",
            ));
        }
        let average = squared_length(self.average.as_ref());
        let holds = match self.averaged {
            0 => average == 0.0,
            _ => average > 0.0 && average <= 1.0 + ROUNDING && self.share() > UNSETTLED,
        };
        match holds {
            true => Ok(()),
            false => {
                let allowed = "at most 1, and 0 before there is an average";
                Err(Invalid::real(
                    "squared length of the average",
                    average,
                    allowed,
                ))
            }
        }
    }
}
