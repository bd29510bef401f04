//! A task that remembers what the actions of recent states are like.
//!
//! A fit reads the same hundred choice sets in every pass, and a cross-validated one in thousands of passes. A board has
//! no room for their features and computes them again each time; the lab has room.

use ipse::Invalid;
use ipse::array::List;
use ipse::checkpoint::Codec;
use ipse::environment::{
    Action, Canvas, Environment, Feature, Outcome, Outcomes, PerFeature, Resumable, Survival,
};
use rand_core::Rng;
use std::cell::RefCell;
use std::fmt;

/// More states than any learner of the lab remembers.
const CAPACITY: usize = 128;

/// The task `E`. What an agent learns in it is the same to the bit.
pub struct Cached<E: Environment> {
    task: E,
    lists: RefCell<Lists<E>>,
}

impl<E: Environment> Cached<E> {
    pub fn new(task: E) -> Self {
        let lists = Lists {
            entries: Vec::new(),
            oldest: 0,
            found: 0,
        };
        Cached {
            task,
            lists: RefCell::new(lists),
        }
    }
}

struct Lists<E: Environment> {
    /// Recent states, and what may be done in them.
    entries: Vec<(E::State, Outcomes<E>)>,
    /// The next entry to be replaced.
    oldest: usize,
    /// The entry that was asked for last.
    found: usize,
}

impl<E: Environment> Lists<E> {
    /// The list for `state`. A fit goes from the last choice to the first, so that what is asked for next is mostly
    /// just before what was asked for last.
    fn get(&mut self, task: &E, state: &E::State) -> &Outcomes<E> {
        let (later, earlier) = (self.found..self.entries.len(), 0..self.found);
        let mut order = earlier.rev().chain(later.rev());
        let found = order.find(|&i| self.entries[i].0 == *state);
        self.found = found.unwrap_or_else(|| self.add(*state, task.list(state)));
        &self.entries[self.found].1
    }

    fn add(&mut self, state: E::State, list: Outcomes<E>) -> usize {
        let place = self.oldest;
        match self.entries.get_mut(place) {
            Some(entry) => *entry = (state, list),
            None => self.entries.push((state, list)),
        }
        self.oldest = (place + 1) % CAPACITY;
        place
    }
}

impl<E: Environment> Environment for Cached<E> {
    type State = E::State;
    type Features = E::Features;
    type Actions = E::Actions;

    const NAME: &'static str = E::NAME;
    const FEATURES: PerFeature<Self, Feature> = E::FEATURES;
    const SURVIVAL: Survival = E::SURVIVAL;
    const PICTURE: (u16, u16) = E::PICTURE;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        self.task.reset(rng)
    }

    fn outcomes(&self, state: &Self::State, visit: impl FnMut(Outcome<Self::Features>)) {
        self.task.outcomes(state, visit);
    }

    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16) {
        self.task.step(state, action, rng)
    }

    fn is_terminal(&self, state: &Self::State) -> bool {
        self.task.is_terminal(state)
    }

    fn is_safe(&self, state: &Self::State) -> bool {
        self.task.is_safe(state)
    }

    fn value(&self, state: &Self::State) -> i16 {
        self.task.value(state)
    }

    fn best<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        weights: &PerFeature<Self, i32>,
        reward_first: bool,
        rng: &mut R,
    ) -> Option<Action> {
        self.task.best(state, weights, reward_first, rng)
    }

    fn draw(&self, state: &Self::State, canvas: &mut impl Canvas) {
        self.task.draw(state, canvas);
    }

    fn describe(
        &self,
        state: &Self::State,
        action: Action,
        out: &mut impl fmt::Write,
    ) -> fmt::Result {
        self.task.describe(state, action, out)
    }

    /// Not remembered: rollouts list states that nobody asks for again.
    fn list(&self, state: &Self::State) -> Outcomes<Self> {
        self.task.list(state)
    }

    /// A fit fills the same list with one choice set after the other.
    fn fill(&self, state: &Self::State, outcomes: &mut Outcomes<Self>) {
        outcomes.empty();
        let mut lists = self.lists.borrow_mut();
        let list = lists.get(&self.task, state);
        list.iter().for_each(|outcome| outcomes.add(*outcome));
    }
}

impl<E: Resumable> Resumable for Cached<E> {
    const STATE_BITS: usize = E::STATE_BITS;

    fn identify(&self, codec: &mut impl Codec) {
        self.task.identify(codec);
    }

    fn code_state(&self, state: &mut Self::State, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.task.code_state(state, codec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse::tetris::Tetris10x10;
    use rand_core::SeedableRng;
    use rand_xorshift::XorShiftRng;

    type State = <Tetris10x10 as Environment>::State;

    /// States of a game in which the first action is taken.
    fn states(count: usize) -> Vec<State> {
        let (task, mut rng) = (Tetris10x10::default(), XorShiftRng::seed_from_u64(1));
        let mut state = task.reset(&mut rng);
        let next = || {
            let action = task.list(&state).first().map(|outcome| outcome.action);
            state = match action {
                Some(action) => task.step(&state, action, &mut rng).0,
                None => task.reset(&mut rng),
            };
            state
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn what_is_remembered_is_what_the_task_lists() {
        let task = Tetris10x10::default();
        let cached = Cached::new(task);
        let states = states(3 * CAPACITY);
        let mut list = Outcomes::<Tetris10x10>::default();
        // Windows that move on, read backwards several times each, with gaps.
        for end in (1..states.len()).step_by(7) {
            for pass in 1..4 {
                let window = &states[end.saturating_sub(100)..end];
                for state in window.iter().rev().step_by(pass) {
                    cached.fill(state, &mut list);
                    assert_eq!(*list, *task.list(state));
                }
            }
        }
    }

    #[test]
    fn a_state_takes_one_place_and_the_oldest_makes_room() {
        let cached = Cached::new(Tetris10x10::default());
        let mut list = Outcomes::<Tetris10x10>::default();
        let mut different: Vec<State> = Vec::new();
        for state in states(3 * CAPACITY) {
            if !different.contains(&state) {
                different.push(state);
            }
        }
        for state in &different[..CAPACITY] {
            cached.fill(state, &mut list);
            cached.fill(state, &mut list);
        }
        let kept = || -> Vec<State> {
            let lists = cached.lists.borrow();
            lists.entries.iter().map(|(state, _)| *state).collect()
        };
        assert!(kept() == different[..CAPACITY]);
        cached.fill(&different[CAPACITY], &mut list);
        assert!(kept()[0] == different[CAPACITY] && kept()[1..] == different[1..CAPACITY]);
    }
}
