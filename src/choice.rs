//! The choices of the recent past.
//!
//! A choice set is needed with the features of all its actions, but they follow from the state. So
//! what is kept is the question, a state, and the answer, a label.

use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::environment::Resumable;
use crate::label::Label;
use heapless::Vec;

/// The last `N` choices, with room for `L` shares each. A new one takes the place of the oldest.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Choices<S, const N: usize, const L: usize = 0> {
    // Two lists, since a state and a byte would be padded.
    states: Vec<S, N>,
    labels: Vec<Label<L>, N>,
    /// Where the oldest is once there are `N`.
    oldest: usize,
}

impl<S, const N: usize, const L: usize> Choices<S, N, L> {
    /// No choices.
    pub const fn new() -> Self {
        Choices {
            states: Vec::new(),
            labels: Vec::new(),
            oldest: 0,
        }
    }

    /// The number of choices.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Adds a choice.
    pub fn push(&mut self, state: S, label: Label<L>) {
        let state = match self.states.push(state) {
            Ok(()) => {
                // As long as the states.
                let _ = self.labels.push(label);
                return;
            }
            Err(state) => state,
        };
        if let (Some(old_state), Some(old_label)) = (
            self.states.get_mut(self.oldest),
            self.labels.get_mut(self.oldest),
        ) {
            (*old_state, *old_label) = (state, label);
            self.oldest = self.oldest.wrapping_add(1);
            if self.oldest >= N {
                self.oldest = 0;
            }
        }
    }

    /// The choice that was made before `age` others.
    pub fn recent(&self, age: usize) -> Option<(&S, &Label<L>)> {
        // The newest is before the oldest, around the end of the lists.
        let later = age.checked_add(1).filter(|&later| later <= self.len())?;
        let index = self
            .oldest
            .checked_sub(later)
            .unwrap_or(self.oldest.wrapping_add(self.len()).wrapping_sub(later));
        Some((self.states.get(index)?, self.labels.get(index)?))
    }
}

/// As bytes; with shares if labels are soft.
impl<S: Copy, const N: usize, const L: usize> Choices<S, N, L> {
    /// The most bytes of so many choices in the task `E`.
    pub(crate) const fn size<E: Resumable<P, A, State = S>, const P: usize, const A: usize>()
    -> usize {
        let each = E::STATE_BYTES.saturating_add(Label::<L>::SIZE);
        u32::SIZE.saturating_add(each.saturating_mul(N))
    }

    /// Writes them, the oldest first, wherever it is in the lists.
    pub(crate) fn write<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        &self,
        task: &E,
        is_soft: bool,
        to: &mut impl Sink,
    ) {
        (self.len() as u32).write(to);
        for age in (0..self.len()).rev() {
            if let Some((state, label)) = self.recent(age) {
                task.write_state(state, to);
                label.write(is_soft, to);
            }
        }
    }

    /// Reads past choices that could have been made in `task`, and returns how many they are.
    pub(crate) fn check<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        task: &E,
        is_soft: bool,
        from: &mut Source<'_>,
    ) -> Result<u32, Flaw> {
        let len = u32::read(from)?;
        Flaw::unless(len as usize <= N, "more choices than are remembered")?;
        for _ in 0..len {
            let state = task.read_state(from)?;
            let label = Label::<L>::read(is_soft, from)?;
            label.check(is_soft, task, &state)?;
        }
        Ok(len)
    }

    /// Takes over choices that were checked.
    pub(crate) fn restore<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        &mut self,
        task: &E,
        is_soft: bool,
        mut from: Source<'_>,
    ) -> Result<(), Flaw> {
        self.states.clear();
        self.labels.clear();
        self.oldest = 0;
        for _ in 0..u32::read(&mut from)? {
            let state = task.read_state(&mut from)?;
            self.push(state, Label::read(is_soft, &mut from)?);
        }
        Ok(())
    }
}

impl<S, const N: usize, const L: usize> Default for Choices<S, N, L> {
    fn default() -> Self {
        Self::new()
    }
}
