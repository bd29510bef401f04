//! The choices of the recent past: 𝒟 in Algorithm 3.
//!
//! A choice set is needed with the features of all its actions, but they follow from the state. So what is kept
//! is the question, a state, and the answer, a label.

use super::labels::Labels;
use crate::codec::Codec;
use crate::environment::{Environment, Resumable};
use crate::invalid::Invalid;
use crate::ring::Ring;

/// The last `N` choices. A new one takes the place of the oldest.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Choices<S, L, const N: usize> {
    // Two rings, since a state and a byte would be padded.
    states: Ring<S, N>,
    labels: Ring<L, N>,
}

impl<S: Copy, L: Copy, const N: usize> Choices<S, L, N> {
    /// No choices.
    pub const fn new() -> Self {
        const { assert!(N > 0, "a memory of no choices cannot be learned from") };
        Choices {
            states: Ring::new(),
            labels: Ring::new(),
        }
    }

    /// The number of choices.
    pub fn len(&self) -> usize {
        self.labels.as_slice().len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a choice.
    pub fn push(&mut self, state: S, label: L) {
        self.states.push(state);
        self.labels.push(label);
    }

    /// The choice that was made before `age` others.
    pub fn recent(&self, age: usize) -> Option<(&S, &L)> {
        Some((self.states.recent(age)?, self.labels.recent(age)?))
    }

    /// The most bits that they are written in, if a state and a label take so many.
    pub(crate) const fn bits(state: usize, label: usize) -> usize {
        let states = Ring::<S, N>::bits(state);
        states.saturating_add(Ring::<L, N>::bits(label))
    }
}

impl<S: Copy, L: Copy, const N: usize> Default for Choices<S, L, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Copy, L: Copy, const N: usize> Choices<S, L, N> {
    /// Writes or reads all of them. `example` is any state.
    pub(crate) fn code<E, K>(
        &mut self,
        task: &E,
        example: S,
        labels: &K,
        codec: &mut impl Codec,
    ) -> Result<(), Invalid>
    where
        E: Resumable<State = S>,
        K: Labels<Label<E::Actions> = L>,
    {
        let states = ["states", "oldest state"];
        self.states.code(states, example, codec, |state, codec| {
            task.code_state(state, codec)
        })?;
        let blank = K::blank::<E::Actions>();
        let fields = ["labels", "oldest label"];
        self.labels.code(fields, blank, codec, |label, codec| {
            labels.code::<E::Actions>(label, codec)
        })
    }

    /// Refuses choices that cannot have been made, or not in so many iterations.
    pub(crate) fn plausible<E, K>(
        &self,
        task: &E,
        labels: &K,
        iterations: u32,
    ) -> Result<(), Invalid>
    where
        E: Environment<State = S>,
        K: Labels<Label<E::Actions> = L>,
    {
        let count = self.len() as u32;
        let states = self.states.as_slice().len() as u32;
        Invalid::outside("states", states, count, count)?;
        let oldest = self.states.oldest();
        Invalid::outside("oldest label", self.labels.oldest(), oldest, oldest)?;
        Invalid::outside("choices", count, 0, iterations)?;
        for age in 0..self.len() {
            if let Some((state, label)) = self.recent(age) {
                let checked = labels.plausible(label, task, state);
                checked.map_err(|error| error.at(age))?;
            }
        }
        Ok(())
    }
}
