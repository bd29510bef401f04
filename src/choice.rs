//! The choices of the recent past.
//!
//! A choice set is needed with the features of all its actions, but they follow from the state. So
//! what is kept is the question, a state, and the answer, the action that was found to be best.

use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::environment::{Action, Resumable};
use heapless::Vec;

/// The last `N` choices. A new one takes the place of the oldest.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Choices<S, const N: usize> {
    // Two lists, since a state and a byte would be padded.
    states: Vec<S, N>,
    actions: Vec<Action, N>,
    /// Where the oldest is once there are `N`.
    oldest: usize,
}

impl<S, const N: usize> Choices<S, N> {
    /// No choices.
    pub const fn new() -> Self {
        Choices {
            states: Vec::new(),
            actions: Vec::new(),
            oldest: 0,
        }
    }

    /// The number of choices.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Adds a choice.
    pub fn push(&mut self, state: S, action: Action) {
        let state = match self.states.push(state) {
            Ok(()) => {
                // As long as the states.
                let _ = self.actions.push(action);
                return;
            }
            Err(state) => state,
        };
        if let (Some(old_state), Some(old_action)) = (
            self.states.get_mut(self.oldest),
            self.actions.get_mut(self.oldest),
        ) {
            (*old_state, *old_action) = (state, action);
            self.oldest = self.oldest.wrapping_add(1);
            if self.oldest >= N {
                self.oldest = 0;
            }
        }
    }

    /// The choice that was made before `age` others.
    pub fn recent(&self, age: usize) -> Option<(&S, Action)> {
        // The newest is before the oldest, around the end of the lists.
        let later = age.checked_add(1).filter(|&later| later <= self.len())?;
        let index = self
            .oldest
            .checked_sub(later)
            .unwrap_or(self.oldest.wrapping_add(self.len()).wrapping_sub(later));
        Some((self.states.get(index)?, *self.actions.get(index)?))
    }
}

impl<S: Copy, const N: usize> Choices<S, N> {
    /// The most bytes of so many choices in the task `E`.
    pub(crate) const fn size<E: Resumable<P, A, State = S>, const P: usize, const A: usize>()
    -> usize {
        let each = E::STATE_BYTES.saturating_add(Action::SIZE);
        u32::SIZE.saturating_add(each.saturating_mul(N))
    }

    /// Writes them, the oldest first, wherever it is in the lists.
    pub(crate) fn write<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        &self,
        task: &E,
        to: &mut impl Sink,
    ) {
        (self.len() as u32).write(to);
        for age in (0..self.len()).rev() {
            if let Some((state, action)) = self.recent(age) {
                task.write_state(state, to);
                action.write(to);
            }
        }
    }

    /// Reads past choices that could have been made in `task`, and returns how many they are.
    pub(crate) fn check<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        task: &E,
        from: &mut Source<'_>,
    ) -> Result<u32, Flaw> {
        let len = u32::read(from)?;
        Flaw::unless(len as usize <= N, "more choices than are remembered")?;
        for _ in 0..len {
            let state = task.read_state(from)?;
            let action = Action::read(from)?;
            let mut is_legal = false;
            task.outcomes(&state, |outcome| is_legal |= outcome.action == action);
            Flaw::unless(is_legal, "a choice of what was not to be chosen")?;
        }
        Ok(len)
    }

    /// Takes over choices that were checked.
    pub(crate) fn restore<E: Resumable<P, A, State = S>, const P: usize, const A: usize>(
        &mut self,
        task: &E,
        mut from: Source<'_>,
    ) -> Result<(), Flaw> {
        self.states.clear();
        self.actions.clear();
        self.oldest = 0;
        for _ in 0..u32::read(&mut from)? {
            let state = task.read_state(&mut from)?;
            self.push(state, Action::read(&mut from)?);
        }
        Ok(())
    }
}

impl<S, const N: usize> Default for Choices<S, N> {
    fn default() -> Self {
        Self::new()
    }
}
