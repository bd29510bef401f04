//! The work that is measured, the same on a workstation and on a board.
//!
//! The host and the firmware run these functions on the same positions and the same games, and the
//! sums that they return must be equal: nobody can be fast by doing less.

use ipse::prelude::*;
use ipse::tetris::{BCTS, DIRECTIONS, State, Tetris10x10};

/// The features of the task.
pub type Features = <Tetris10x10 as Environment>::Features;

/// The number of positions that placements are enumerated of.
pub const POSITIONS: usize = 256;
/// The number of decisions of a game that are measured.
pub const DECISIONS: u32 = 1000;

/// The number of moves from one position to the next, so that few are of the game's first, easy ones.
const STRIDE: usize = 8;
const SEED: u64 = 1;

/// The result of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The number of placements or decisions.
    pub amount: u32,
    /// A sum over all that was found, in which the order of a position's actions does not count.
    pub sum: u32,
}

/// The policy that plays.
pub fn bcts() -> Policy<Features> {
    Policy::new::<Tetris10x10>(&BCTS).expect("the weights are finite")
}

/// Calls `then` with positions of one game that the policy plays. They are not returned, since a board has no
/// room for a copy.
pub fn with_positions<T>(
    task: &Tetris10x10,
    policy: &Policy<Features>,
    then: impl FnOnce(&[State; POSITIONS]) -> T,
) -> T {
    let mut game = Game::new(task);
    let mut positions = [game.state; POSITIONS];
    for position in &mut positions {
        for _ in 0..STRIDE {
            game.decide(policy);
        }
        *position = game.state;
    }
    then(&positions)
}

/// Measures all features of every legal placement of `positions`, by whatever features `task` has.
#[inline(never)]
pub fn placements<E: Environment<State = State>>(task: &E, positions: &[State]) -> Work {
    let mut work = Work { amount: 0, sum: 0 };
    for position in positions {
        task.outcomes(position, |outcome| {
            work.amount += 1;
            for feature in outcome.features.as_ref() {
                work.sum = work.sum.wrapping_add(*feature as u32);
            }
        });
    }
    work
}

/// Decides `amount` times: enumerates, measures, scores, picks, steps.
#[inline(never)]
pub fn decisions(task: &Tetris10x10, policy: &Policy<Features>, amount: u32) -> Work {
    let mut game = Game::new(task);
    let mut sum = 0u32;
    for _ in 0..amount {
        sum = sum
            .wrapping_mul(31)
            .wrapping_add(game.decide(policy) as u32);
    }
    Work { amount, sum }
}

/// The number of iterations that fill the memory of a learning agent before anything is measured.
const UNMEASURED: u32 = 200;
/// The number of iterations of a learning agent that are measured.
pub const ITERATIONS: u32 = 100;

/// The part of an iteration that a slice belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// The evaluation of actions.
    Rollouts,
    /// The fit to a hundred choices.
    Fit,
}

/// Lets an agent that knows directions learn weights, and hands every slice of its work that counts
/// to `measure`, which does it, in so many iterations. Returns a sum over the weights that were learned.
pub fn learning(iterations: u32, mut measure: impl FnMut(Slice, &mut dyn FnMut())) -> u32 {
    let mut rng = XorShiftRng::seed_from_u64(SEED);
    let second = MLearning::scheduled().rollouts(Rollouts::paper());
    let learner = Known(DIRECTIONS).then(second).check();
    let learner = learner.expect("the parameters are valid");
    let mut agent = Agent::new(Tetris10x10::default(), learner, &mut rng);
    for _ in 0..UNMEASURED {
        agent.step(&mut rng);
    }
    for _ in 0..iterations {
        let mut done = false;
        while !done {
            let slice = match agent.is_learning() {
                true => Slice::Fit,
                false => Slice::Rollouts,
            };
            measure(slice, &mut || done = agent.slice(&mut rng).is_some());
        }
    }
    sum(&agent.weights())
}

fn sum(weights: &PerFeature<Tetris10x10, f32>) -> u32 {
    let bits = weights.iter().map(|weight| weight.to_bits());
    bits.fold(0, u32::wrapping_add)
}

struct Game<'a> {
    task: &'a Tetris10x10,
    state: State,
    rng: XorShiftRng,
}

impl<'a> Game<'a> {
    fn new(task: &'a Tetris10x10) -> Self {
        let mut rng = XorShiftRng::seed_from_u64(SEED);
        Game {
            task,
            state: task.reset(&mut rng),
            rng,
        }
    }

    /// Takes the policy's action and returns its reward; a game that is over starts again.
    #[inline(always)]
    fn decide(&mut self, policy: &Policy<Features>) -> i16 {
        match policy.choose(self.task, &self.state, &mut self.rng) {
            Some(action) => {
                let (state, reward) = self.task.step(&self.state, action, &mut self.rng);
                self.state = state;
                reward
            }
            None => {
                self.state = self.task.reset(&mut self.rng);
                0
            }
        }
    }
}
