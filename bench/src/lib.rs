//! The work that is measured, the same on a workstation and on a board.
//!
//! The host and the firmware run these functions on the same positions and the same games, and the
//! sums that they return must be equal: nobody can be fast by doing less.

#![no_std]
#![forbid(unsafe_code)]

use ipse::environment::Environment;
use ipse::m_learning::{Regularisation, Schedule};
use ipse::policy::Policy;
use ipse::rollout::Rollouts;
use ipse::tetris::{BCTS, DIRECTIONS, FEATURES, PLACEMENTS, State, Tetris10x10};
use ipse::{Agent, Algorithm, Config};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// The number of positions that placements are enumerated of.
pub const POSITIONS: usize = 256;
/// The number of decisions of a game that are measured.
pub const DECISIONS: u32 = 1000;

/// So many moves lie between two positions, so that few are of the game's first, easy ones.
const STRIDE: usize = 8;
const SEED: u64 = 1;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// How many placements or decisions.
    pub amount: u32,
    /// A sum over all that was found, in which the order of a position's actions does not count.
    pub sum: u32,
}

/// The policy that plays.
pub fn bcts() -> Policy<FEATURES> {
    Policy::new::<Tetris10x10, PLACEMENTS>(&BCTS).expect("the weights are finite")
}

/// Hands on positions of one game that the policy plays. To return so many would copy them, and a
/// board has no room for that.
pub fn with_positions<T>(
    task: &Tetris10x10,
    policy: &Policy<FEATURES>,
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

/// Measures all features of every legal placement of `positions`.
#[inline(never)]
pub fn placements(task: &Tetris10x10, positions: &[State]) -> Work {
    let mut work = Work { amount: 0, sum: 0 };
    for position in positions {
        task.outcomes(position, |outcome| {
            work.amount += 1;
            for feature in outcome.features {
                work.sum = work.sum.wrapping_add(feature as u32);
            }
        });
    }
    work
}

/// Plays: enumerate, measure, score, pick, step, so many times.
#[inline(never)]
pub fn decisions(task: &Tetris10x10, policy: &Policy<FEATURES>, amount: u32) -> Work {
    let mut game = Game::new(task);
    let mut sum = 0u32;
    for _ in 0..amount {
        sum = sum
            .wrapping_mul(31)
            .wrapping_add(game.decide(policy) as u32);
    }
    Work { amount, sum }
}

/// So many iterations fill the memory of a learning agent, and so many more are measured.
const UNMEASURED: u32 = 200;
/// The number of iterations of a learning agent that are measured.
pub const ITERATIONS: u32 = 100;

/// What a slice of a learning agent's work belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// The evaluation of actions.
    Rollouts,
    /// The fit to a hundred choices.
    Fit,
}

/// Lets an agent that knows directions learn weights, and hands every slice of its work that counts
/// to `measure`, which does it. Returns a sum over the weights that were learned.
pub fn learning(mut measure: impl FnMut(Slice, &mut dyn FnMut())) -> u32 {
    let config = Config {
        algorithm: KNOWN,
        ..Config::default()
    };
    let mut rng = XorShiftRng::seed_from_u64(SEED);
    let config = config.check().expect("the configuration is valid");
    let mut agent =
        Agent::<_, FEATURES, PLACEMENTS, 100>::new(Tetris10x10::default(), config, &mut rng);
    for _ in 0..UNMEASURED {
        agent.step(&mut rng);
    }
    for _ in 0..ITERATIONS {
        let mut done = false;
        while !done {
            let slice = match agent.is_deliberating() {
                true => Slice::Rollouts,
                false => Slice::Fit,
            };
            measure(slice, &mut || done = agent.slice(&mut rng).is_some());
        }
    }
    sum(&agent.weights())
}

const KNOWN: Algorithm<FEATURES> =
    Algorithm::MLearningKnown(Regularisation::Schedule(Schedule::PAPER), DIRECTIONS);

/// Learns from soft labels for a short while. The sum is over the weights after every iteration.
#[inline(never)]
pub fn soft_labels() -> Work {
    let config = Config {
        algorithm: KNOWN,
        rollouts: Rollouts {
            count: 2,
            length: 4,
            ..Rollouts::default()
        },
        soft_labels: 0.3,
        ..Config::default()
    };
    let mut rng = XorShiftRng::seed_from_u64(SEED);
    let task = Tetris10x10::default();
    let config = config.check().expect("the configuration is valid");
    let mut agent = Agent::<_, FEATURES, PLACEMENTS, 20, PLACEMENTS>::new(task, config, &mut rng);
    let mut work = Work { amount: 0, sum: 0 };
    for _ in 0..60 {
        let weights = agent.step(&mut rng).weights;
        work.amount += 1;
        work.sum = work.sum.wrapping_mul(31).wrapping_add(sum(&weights));
    }
    work
}

fn sum(weights: &[f32; FEATURES]) -> u32 {
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
    fn decide(&mut self, policy: &Policy<FEATURES>) -> i16 {
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
