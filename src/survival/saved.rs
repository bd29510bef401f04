//! A search between two generations as bytes, and the checks when they are read.

use super::{
    Brinks, Generation, ROUNDING, Search, Survival, Trail, UNSETTLED, normalise, progress,
    squared_length,
};
use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::environment::Resumable;
use crate::policy::Policy;

impl Survival {
    /// Writes all of it, to be compared.
    pub(crate) fn identify(&self, to: &mut impl Sink) {
        let Survival {
            calls,
            episode,
            trials,
            horizon,
        } = self;
        calls.write(to);
        [*episode, *trials, *horizon].write(to);
    }
}

impl<S: Copy, const P: usize, const N: usize> Search<S, P, N> {
    pub(crate) const fn size<E: Resumable<P, A, State = S>, const A: usize>() -> usize {
        <[f32; P]>::SIZE
            .saturating_mul(2)
            .saturating_add(<[u32; 3]>::SIZE)
            .saturating_add(Brinks::<S, N>::size::<E, P, A>())
            .saturating_add(Trail::<S>::size::<E, P, A>())
    }

    pub(crate) fn write<E: Resumable<P, A, State = S>, const A: usize>(
        &self,
        task: &E,
        to: &mut impl Sink,
    ) {
        self.mean.write(to);
        self.average.write(to);
        [self.averaged, self.budget, self.used].write(to);
        self.brinks.write(task, to);
        self.trail.write(task, to);
    }

    /// Reads a search; [`Saved::check_progress`] tells whether it could have come this far.
    pub(crate) fn check<'a, E: Resumable<P, A, State = S>, const A: usize>(
        task: &E,
        from: &mut Source<'a>,
    ) -> Result<Saved<'a, S, P>, Flaw> {
        let (mean, average) = (Bytes::read(from)?, Bytes::read(from)?);
        for weights in [&mean, &average] {
            let is_policy = Policy::new::<E, A>(weights).is_ok();
            Flaw::unless(is_policy, "weights that are not finite")?;
            let fits = squared_length(weights) <= 1.0 + ROUNDING;
            Flaw::unless(fits, "weights that are too large")?;
        }
        let [averaged, budget, used] = Bytes::read(from)?;
        let is_average = averaged > 0 || average == [0.0; P];
        Flaw::unless(is_average, "an average of nothing")?;
        Flaw::unless(used <= budget, "more calls than there may be")?;
        let brinks = from.clone();
        Ok(Saved {
            mean,
            average,
            averaged,
            budget,
            used,
            brinks,
            brink_count: Brinks::<S, N>::check(task, from)?,
            trail: Trail::read(task, from)?,
        })
    }

    /// Becomes what was read.
    pub(crate) fn restore<E: Resumable<P, A, State = S>, const A: usize>(
        &mut self,
        task: &E,
        saved: Saved<'_, S, P>,
    ) {
        self.mean = saved.mean;
        self.average = saved.average;
        self.averaged = saved.averaged;
        self.budget = saved.budget;
        self.used = saved.used;
        // They were read before.
        let _ = self.brinks.restore(task, saved.brinks);
        self.trail = saved.trail;
        self.generation = Generation::NONE;
        (self.acted, self.tried) = (0, 0);
        self.trial = None;
    }
}

/// A search that was read. Its states are many, and so they are left where they are.
#[derive(Clone, Debug)]
pub(crate) struct Saved<'a, S, const P: usize> {
    mean: [f32; P],
    average: [f32; P],
    averaged: u32,
    budget: u32,
    used: u32,
    brinks: Source<'a>,
    brink_count: u32,
    trail: Trail<S>,
}

impl<S: Copy, const P: usize> Saved<'_, S, P> {
    /// Whether it has not begun.
    pub(crate) fn is_untouched(&self) -> bool {
        let blank = self.mean == [0.0; P] && self.average == [0.0; P];
        let unused = (self.averaged, self.budget, self.used) == (0, 0, 0);
        blank && unused && self.brink_count == 0 && self.trail.is_new()
    }

    /// Whether a search that began around `weights` could have come here in so many generations.
    pub(crate) fn check_progress(&self, generations: u32, weights: &[f32; P]) -> Result<(), Flaw> {
        let is_blank = self.mean == [0.0; P] && *weights == [0.0; P];
        let is_of_length_one = (squared_length(&self.mean) - 1.0).abs() <= ROUNDING;
        Flaw::unless(
            is_blank || is_of_length_one,
            "a mean that is not of length one",
        )?;
        if generations == 0 {
            let mut first = *weights;
            normalise(&mut first);
            let is_first = self.mean == first && self.used == 0;
            let is_new = self.brink_count == 0 && self.trail.is_new();
            Flaw::unless(is_first && is_new, "a search before its first generation")?;
        }
        Flaw::unless(
            self.averaged <= generations,
            "more generations than iterations",
        )?;
        let is_settled = progress(self.used, self.budget) > UNSETTLED;
        Flaw::unless(
            self.averaged == 0 || is_settled && self.average != [0.0; P],
            "an average that is none",
        )
    }

    /// The calls that it may use, and those that it has used.
    pub(crate) fn account(&self) -> (u32, u32) {
        (self.budget, self.used)
    }
}

impl<S: Copy, const N: usize> Brinks<S, N> {
    const fn size<E: Resumable<P, A, State = S>, const P: usize, const A: usize>() -> usize {
        <[u32; 2]>::SIZE.saturating_add(E::STATE_BYTES.saturating_mul(N))
    }

    fn write<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        &self,
        task: &E,
        to: &mut impl Sink,
    ) {
        [self.states.len() as u32, self.oldest as u32].write(to);
        for state in &self.states {
            task.write_state(state, to);
        }
    }

    /// Reads past states that can be, and returns how many they are.
    fn check<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        task: &E,
        from: &mut Source<'_>,
    ) -> Result<u32, Flaw> {
        let [len, oldest]: [u32; 2] = Bytes::read(from)?;
        Flaw::unless(len as usize <= N, "more states than there is room for")?;
        let turned = oldest == 0 || (len as usize == N && oldest < len);
        Flaw::unless(turned, "states in an impossible order")?;
        for _ in 0..len {
            task.read_state(from)?;
        }
        Ok(len)
    }

    /// Takes over states that were checked.
    fn restore<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        &mut self,
        task: &E,
        mut from: Source<'_>,
    ) -> Result<(), Flaw> {
        let [len, oldest]: [u32; 2] = Bytes::read(&mut from)?;
        self.states.clear();
        for _ in 0..len {
            self.add(task.read_state(&mut from)?);
        }
        self.oldest = oldest as usize;
        Ok(())
    }
}

impl<S: Copy> Trail<S> {
    const fn size<E: Resumable<P, A, State = S>, const P: usize, const A: usize>() -> usize {
        <[u8; 2]>::SIZE.saturating_add(E::STATE_BYTES.saturating_mul(2))
    }

    fn is_new(&self) -> bool {
        self.later.is_none() && self.age == Self::OF_EPISODE.age
    }

    fn write<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        &self,
        task: &E,
        to: &mut impl Sink,
    ) {
        let states = [self.later, self.earlier];
        let count = states.iter().flatten().count();
        [self.age, count as u8].write(to);
        for state in states.iter().flatten() {
            task.write_state(state, to);
        }
    }

    fn read<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        task: &E,
        from: &mut Source<'_>,
    ) -> Result<Self, Flaw> {
        let [age, count]: [u8; 2] = Bytes::read(from)?;
        let has_begun = count > 0 || age == Self::OF_EPISODE.age;
        let holds = age < Self::INTERVAL && count <= 2 && has_begun;
        Flaw::unless(holds, "a past that cannot have been")?;
        let mut trail = Trail::new(age);
        if count >= 1 {
            trail.later = Some(task.read_state(from)?);
        }
        if count == 2 {
            trail.earlier = Some(task.read_state(from)?);
        }
        Ok(trail)
    }
}
