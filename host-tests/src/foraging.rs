//! How to write a task: a mouse that gathers seeds.
//!
//! Tetris shows what the agent can do. This is what it takes to give it something else to do, from a
//! robot to a thermostat: one type for the task, one for its state, and the six items of
//! [`Environment`]. Copy this file and change it.
//!
//! # The task
//! A mouse runs from bush to bush at night. From where it is it sees [`BUSHES`] others, and it knows
//! three things about each: how many seeds lie there, how far it is, and how many owls sit above it.
//! Running takes one unit of strength for each unit of distance, and each seed gives one back. Every
//! owl catches the mouse one time in ten. The night is over when the mouse is caught, or too weak to
//! reach any bush in sight. How many seeds can it gather?
//!
//! What makes this a task to learn is that the best choice now is not the one with the most seeds now.
//!
//! # Learning it
//! ```
//! use host_tests::foraging::{BUSHES, FEATURES, Foraging};
//! use ipse::{Agent, Checked, Phase};
//! use rand_core::SeedableRng;
//! use rand_xorshift::XorShiftRng;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! // The last number is how many choices the agent remembers.
//! let mut agent =
//!     Agent::<_, FEATURES, BUSHES, 100>::new(Foraging, Checked::default(), &mut rng);
//! for _ in 0..200 {
//!     agent.step(&mut rng);
//! }
//! let [seeds, distance, owls] = agent.weights();
//! assert!(seeds > 0. && distance < 0. && owls < 0.);
//! ```

use ipse::bytes::{Bytes, Flaw, Sink, Source};
use ipse::environment::{Action, Environment, Outcome, Resumable};
use rand_core::Rng;

/// `P`, the number of features.
///
/// The fewer the better: each should be a reason for or against an action that one could give in a
/// word, and its effect should go in one direction, whatever the others are.
pub const FEATURES: usize = 3;

/// `A`, the largest number of actions that are legal in any state. The agent sets memory aside for so
/// many.
pub const BUSHES: usize = 4;

/// The most seeds that lie at a bush.
pub const SEEDS: u8 = 3;
/// The farthest that a bush can be. The nearest is one unit away.
pub const DISTANCE: u8 = 4;
/// The most owls above a bush.
pub const OWLS: u8 = 3;
/// The most strength that a mouse can have.
pub const STRENGTH: u8 = 9;
/// The strength at the beginning of the night.
pub const STRENGTH_AT_DUSK: u8 = 6;

/// What the mouse knows about a bush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bush {
    /// How many seeds lie there.
    pub seeds: u8,
    /// How far it is.
    pub distance: u8,
    /// How many owls sit above it.
    pub owls: u8,
}

/// A state: all that decides what can happen next, and nothing else.
///
/// The agent keeps a hundred of them to learn from, and that is most of the memory it needs. This one
/// has 13 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    /// How far the mouse can run. None is left if it was caught.
    pub strength: u8,
    /// The bushes in sight.
    pub bushes: [Bush; BUSHES],
}

/// The task. It holds what is the same in every state; here that is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foraging;

impl Environment<FEATURES, BUSHES> for Foraging {
    type State = Mouse;

    /// Features are integers. What one step of each is worth is up to you, but choose it such that
    /// it matters about as much as a step of any other: weights that are all equal are where learning
    /// starts from, and what it is drawn to while there is little to learn from.
    const UNITS: [f32; FEATURES] = [1., 1., 1.];

    /// The largest that a feature can be, whatever its sign. A wider bound does no harm, but makes
    /// weights coarser; a feature that exceeds it may overflow.
    const BOUNDS: [i16; FEATURES] = [SEEDS as i16, DISTANCE as i16, OWLS as i16];

    /// All chance comes from the generator that is passed in, so that a seed repeats a run exactly.
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Mouse {
        Mouse {
            strength: STRENGTH_AT_DUSK,
            bushes: look_around(rng),
        }
    }

    /// One visit for each legal action, with what is known before it is taken. What is left to chance
    /// is not: that a bush is dangerous is a feature, but whether the mouse will be caught there is
    /// for [`step`](Self::step) to decide.
    ///
    /// If nothing is legal, the episode is over. There is no other sign of that, so a mouse that was
    /// caught must have no strength.
    fn outcomes(&self, mouse: &Mouse, mut visit: impl FnMut(Outcome<FEATURES>)) {
        for (action, bush) in (0..).zip(&mouse.bushes) {
            if mouse.can_reach(bush) {
                visit(Outcome {
                    action,
                    reward: bush.seeds.into(),
                    features: [bush.seeds, bush.distance, bush.owls].map(i16::from),
                });
            }
        }
    }

    /// What comes of an action. This is the only model of the world that the agent has: it asks for
    /// what would happen thousands of times before it decides what shall happen.
    ///
    /// An action that is not legal must not panic. Here, nothing happens.
    fn step<R: Rng + ?Sized>(&self, mouse: &Mouse, action: Action, rng: &mut R) -> (Mouse, i16) {
        let bush = mouse.bushes.get(usize::from(action));
        let Some(bush) = bush.filter(|bush| mouse.can_reach(bush)) else {
            return (*mouse, 0);
        };
        let is_caught = below(10, rng) < bush.owls;
        let strength = match is_caught {
            true => 0,
            false => STRENGTH.min(mouse.strength - bush.distance + bush.seeds),
        };
        let next = Mouse {
            strength,
            bushes: look_around(rng),
        };
        (next, bush.seeds.into())
    }
}

/// Only if agents are to be kept in checkpoints: how a state is written, and which are possible.
impl Resumable<FEATURES, BUSHES> for Foraging {
    /// One for the strength, and three for each bush.
    const STATE_BYTES: usize = 1 + 3 * BUSHES;

    /// What is the same in every state would be written here, so that no agent goes on in a task with
    /// other rules. A name tells tasks from each other that have features alike.
    fn identify(&self, to: &mut impl Sink) {
        b"foraging".write(to);
    }

    fn write_state(&self, mouse: &Mouse, to: &mut impl Sink) {
        mouse.strength.write(to);
        for bush in &mouse.bushes {
            [bush.seeds, bush.distance, bush.owls].write(to);
        }
    }

    /// Bytes can be anything. After this, a state is one that can be.
    fn read_state(&self, from: &mut Source<'_>) -> Result<Mouse, Flaw> {
        let strength = u8::read(from)?;
        Flaw::unless(strength <= STRENGTH, "a mouse that is too strong")?;
        let mut mouse = Mouse {
            strength,
            bushes: [Bush {
                seeds: 0,
                distance: 1,
                owls: 0,
            }; BUSHES],
        };
        for bush in &mut mouse.bushes {
            let [seeds, distance, owls] = Bytes::read(from)?;
            let is_bush = seeds <= SEEDS && (1..=DISTANCE).contains(&distance) && owls <= OWLS;
            Flaw::unless(is_bush, "a bush that nobody has seen")?;
            *bush = Bush {
                seeds,
                distance,
                owls,
            };
        }
        Ok(mouse)
    }
}

impl Mouse {
    fn can_reach(&self, bush: &Bush) -> bool {
        bush.distance <= self.strength
    }
}

/// Everything about a bush is drawn independently.
fn look_around<R: Rng + ?Sized>(rng: &mut R) -> [Bush; BUSHES] {
    std::array::from_fn(|_| Bush {
        seeds: below(SEEDS + 1, rng),
        distance: 1 + below(DISTANCE, rng),
        owls: below(OWLS + 1, rng),
    })
}

fn below<R: Rng + ?Sized>(n: u8, rng: &mut R) -> u8 {
    (rng.next_u32() % u32::from(n)) as u8
}
