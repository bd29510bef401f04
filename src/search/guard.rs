//! Directions are put to the test before a search starts from them.

use super::parameters::DirectionLearner;
use super::{Generation, SLICE, Searcher};
use crate::codec::Codec;
use crate::environment::Environment;
use crate::invalid::Invalid;
use crate::policy::Policy;
use crate::ring::Ring;
use crate::search::trail::Trail;
use rand_core::Rng;

/// What it took to find directions that are good for something, beside what the agent knows of its latest attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Attempts {
    /// The number of complete tests.
    pub tests: u8,
    /// The number of tests that directions have failed.
    pub failed: u8,
    /// Whether the next thing to do is a test, or one is under way.
    pub is_testing: bool,
    /// The iterations and the calls of earlier attempts and of all tests, each of which is an iteration.
    pub iterations: u32,
    pub calls: u32,
}

impl Attempts {
    pub const NONE: Self = Attempts {
        tests: 0,
        failed: 0,
        is_testing: false,
        iterations: 0,
        calls: 0,
    };

    pub fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u8("tests", &mut self.tests, 0..=u8::MAX)?;
        codec.u8("failed tests", &mut self.failed, 0..=u8::MAX)?;
        codec.bool(&mut self.is_testing)?;
        codec.u32("iterations before", &mut self.iterations, 0..=u32::MAX)?;
        codec.u32("calls before", &mut self.calls, 0..=u32::MAX)
    }
}

impl<E: Environment, L: DirectionLearner<E>, const N: usize> Searcher<E, L, N> {
    /// Refuses attempts that no run has made.
    pub(super) fn plausible_attempts(&self) -> Result<(), Invalid> {
        let Attempts {
            tests,
            failed,
            is_testing,
            iterations,
            calls,
        } = self.attempts;
        let repeats = self.search.guard.map_or(0, |guard| guard.repeats);
        Invalid::outside("failed tests", failed.into(), 0, repeats.into())?;
        // Whoever is searching may have passed the last one.
        let most = failed.saturating_add(self.is_searching.into());
        Invalid::outside("tests", tests.into(), failed.into(), most.into())?;
        Invalid::outside("iterations before", iterations, tests.into(), u32::MAX)?;
        if tests == 0 {
            Invalid::outside("iterations before", iterations, 0, 0)?;
            Invalid::outside("calls before", calls, 0, 0)?;
        }
        match is_testing && (self.is_searching || !self.outset().is_to_be_tested()) {
            true => Err(Invalid::text(
                "is testing",
                1,
                "0 when there is nothing to test",
            )),
            false => Ok(()),
        }
    }

    /// A slice of a test. When that is over, goes on to the search, or learns the directions again.
    // Rare, and not to be copied into what is not.
    #[inline(never)]
    pub(super) fn test<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<Generation> {
        let guard = self.search.guard.unwrap_or_default();
        let policy = Policy::of::<E>(&self.outset().start());
        for _ in 0..SLICE {
            let had_ended = self.act_and_count(&policy, rng);
            self.generation.tried = self.generation.tried.saturating_add(had_ended.into());
            let has_failed = self.generation.tried >= guard.ends;
            if has_failed || self.generation.acted >= guard.actions {
                return Some(self.end_test(has_failed, rng));
            }
        }
        None
    }

    fn end_test<R: Rng + ?Sized>(&mut self, has_failed: bool, rng: &mut R) -> Generation {
        let test = self.finish();
        let attempts = &mut self.attempts;
        attempts.is_testing = false;
        attempts.tests = attempts.tests.saturating_add(1);
        attempts.iterations = attempts.iterations.saturating_add(1);
        attempts.calls = attempts.calls.saturating_add(test.calls);
        // A search counts from its own beginning, and remembers nothing from before.
        self.used = 0;
        self.brinks = Ring::new();
        self.trail = Trail::OF_EPISODE;
        if !has_failed {
            self.begin();
            return test;
        }
        let latest = self.agent.progress();
        attempts.failed = attempts.failed.saturating_add(1);
        attempts.iterations = attempts.iterations.saturating_add(latest.iterations);
        attempts.calls = attempts.calls.saturating_add(latest.calls);
        self.agent.restart(rng);
        self.go_on_to_search();
        test
    }
}
