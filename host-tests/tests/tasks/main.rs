//! What must be true of the tasks in `ipse-tasks`.

mod cart_pole;
mod contract;
mod intersection;
mod sensor_node;

use host_tests::forge::Forged;
use ipse::checkpoint::{LoadError, max_size, restore, save};
use ipse::prelude::*;
use std::fmt::Debug;

fn rng(seed: u64) -> XorShiftRng {
    XorShiftRng::seed_from_u64(seed)
}

/// States that a policy without a plan gets into.
fn visited<E: Environment>(task: &E, count: usize, seed: u64) -> Vec<E::State> {
    let mut rng = rng(seed);
    let mut state = task.reset(&mut rng);
    let visit = |_| {
        let action = Policy::random().choose(task, &state, &mut rng);
        let next = action.map(|action| task.step(&state, action, &mut rng).0);
        state = next.unwrap_or_else(|| task.reset(&mut rng));
        state
    };
    (0..count).map(visit).collect()
}

/// Checkpoints of an agent that has learned nothing, in states to choose.
struct Saved<E: Resumable> {
    agent: Agent<E, Lfd>,
    fields: Forged,
}

impl<E: Resumable + Copy> Saved<E> {
    fn new(task: E) -> Self {
        let mut rng = rng(1);
        let rollouts = Rollouts {
            count: 1,
            length: 1,
            ..Rollouts::paper()
        };
        let lfd = Lfd::paper().rollouts(rollouts).check().unwrap();
        let mut agent = Agent::new(task, lfd, &mut rng);
        let mut buffer = vec![0; max_size::<Agent<E, Lfd>, ()>()];
        let bytes = save(&mut agent, &rng, (), &mut buffer).unwrap();
        let fields = Forged::open(&agent, bytes, 0);
        Saved { agent, fields }
    }

    /// The state with these bits, or why there is none.
    fn state(&mut self, bits: u128) -> Result<E::State, LoadError> {
        let bytes = self.fields.clone().with("state", bits).seal();
        restore::<_, ()>(&mut self.agent, &mut rng(2), &bytes)?;
        Ok(*self.agent.state())
    }

    /// The bits of the agent's state.
    fn bits(&mut self) -> u128 {
        let mut buffer = vec![0; max_size::<Agent<E, Lfd>, ()>()];
        let bytes = save(&mut self.agent, &rng(3), (), &mut buffer).unwrap();
        Forged::open(&self.agent, bytes, 0).get("state")
    }

    /// The error that bits are refused with.
    fn refusal(&mut self, bits: u128) -> String
    where
        E::State: Debug,
    {
        self.state(bits).unwrap_err().to_string()
    }
}

/// Bits that mean nothing.
fn noise(rng: &mut XorShiftRng) -> u128 {
    u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
}

/// States with every field drawn at random, as far as they can be.
fn any<E: Resumable + Copy>(task: &E, count: usize, seed: u64) -> Vec<E::State> {
    let mut saved = Saved::new(*task);
    let mut rng = rng(seed);
    let draws = (0..100 * count).filter_map(|_| saved.state(noise(&mut rng)).ok());
    let states: Vec<_> = draws.take(count).collect();
    assert_eq!(states.len(), count, "most bits should mean something");
    states
}
