//! How to write a task: a mouse that gathers seeds.
//!
//! This is what it takes to give an agent something to do, from a robot to a thermostat: one type for the task, one
//! for its state, and the items of [`Environment`]. Copy this file and change it.
//!
//! # The task
//! A mouse runs from bush to bush at night. From where it is it sees four others, and it knows
//! three things about each: how many seeds lie there, how far it is, and how many owls sit above it.
//! Running takes one unit of strength for each unit of distance, and each seed gives one back. Every
//! owl catches the mouse one time in ten. The night is over when the mouse is caught, or too weak to
//! reach any bush in sight. How many seeds can it gather?
//!
//! What makes this a task to learn is that the best choice now is not the one with the most seeds now.
//!
//! # Learning it
//! ```
//! use ipse::prelude::*;
//! use ipse_tasks::Foraging;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let mut agent = Agent::new(Foraging, Ipse::new().check()?, &mut rng);
//! for _ in 0..200 {
//!     agent.step(&mut rng);
//! }
//! let [seeds, distance, owls] = agent.weights();
//! assert!(seeds > 0. && distance < 0. && owls < 0.);
//! # Ok::<(), Invalid>(())
//! ```

use ipse::prelude::*;

/// The number of bushes in sight.
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

impl Environment for Foraging {
    type State = Mouse;

    /// Features are integers. The fewer the better: each should be a reason for or against an action that one could
    /// give in a word, and its effect should go in one direction, whatever the others are.
    type Features = [i16; 3];

    /// As many actions as can be legal in any state. An agent sets memory aside for them.
    type Actions = [Action; BUSHES];

    /// What screens call the task.
    const NAME: &'static str = "foraging";

    /// The name of each feature, and the largest value that it can have, whatever its sign. A wider bound does no
    /// harm, but makes weights coarser; a feature that exceeds it may overflow.
    ///
    /// What one step of a feature is worth can be set by [`Feature::unit`]. Choose it such that a step of each
    /// feature matters about as much as a step of any other: learning starts from equal weights, and stays close to
    /// them while there is little data.
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("seeds", SEEDS as i16),
        Feature::new("distance", DISTANCE as i16),
        Feature::new("owls", OWLS as i16),
    ];

    /// All chance comes from the generator that is passed in, so that a seed repeats a run exactly.
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Mouse {
        Mouse {
            strength: STRENGTH_AT_DUSK,
            bushes: look_around(rng),
        }
    }

    /// One visit for each legal action, with what is known before it is taken. What is left to chance is not: that
    /// a bush is dangerous is a feature, but whether the mouse will be caught there is for [`step`](Self::step) to
    /// decide. Here the seeds are there for sure, so that they can be promised.
    ///
    /// If nothing is legal, the episode is over. There is no other sign of that, so a mouse that was caught must
    /// have no strength.
    fn outcomes(&self, mouse: &Mouse, mut visit: impl FnMut(Outcome<Self::Features>)) {
        for (action, bush) in (0..).zip(&mouse.bushes) {
            if mouse.can_reach(bush) {
                visit(Outcome {
                    action,
                    promise: bush.seeds.into(),
                    features: [bush.seeds, bush.distance, bush.owls].map(i16::from),
                });
            }
        }
    }

    /// A picture, which is optional: strength at the left, and a column for each bush with its seeds at the bottom,
    /// its owls at the top and its distance between them.
    const PICTURE: (u16, u16) = (32, 32);

    fn draw(&self, mouse: &Mouse, canvas: &mut impl Canvas) {
        let strength = 3 * u16::from(mouse.strength);
        canvas.fill(0, 32 - strength, 3, strength);
        for (x, bush) in (8..).step_by(6).zip(&mouse.bushes) {
            for owl in 0..u16::from(bush.owls) {
                canvas.fill(x, 4 * owl, 4, 2);
            }
            canvas.fill(x + 1, 13, 1, 2 * u16::from(bush.distance));
            for seed in 1..=u16::from(bush.seeds) {
                canvas.fill(x, 32 - 3 * seed, 2, 2);
            }
        }
    }

    /// What an action is called where actions are listed, which is optional.
    fn describe(
        &self,
        mouse: &Mouse,
        action: Action,
        out: &mut impl core::fmt::Write,
    ) -> core::fmt::Result {
        match mouse.bushes.get(usize::from(action)) {
            Some(Bush {
                seeds,
                distance,
                owls,
            }) => {
                write!(
                    out,
                    "bush {action}: seeds {seeds}, distance {distance}, owls {owls}"
                )
            }
            None => write!(out, "stay"),
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

/// Only if agents are to be saved in checkpoints: how a state is written, and what is possible.
impl Resumable for Foraging {
    /// Four bits for the strength, and two for everything else.
    const STATE_BITS: usize = 4 + BUSHES * 3 * 2;

    /// What is the same in every state would be written here, so that no agent goes on in a task with other rules.
    /// The name distinguishes tasks with similar features.
    fn identify(&self, codec: &mut impl Codec) {
        codec.text("foraging");
    }

    /// One function both writes and reads, so that the two cannot disagree. Whatever the bytes are, the state
    /// that was read from them is a possible one.
    fn code_state(&self, mouse: &mut Mouse, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u8("strength", &mut mouse.strength, 0..=STRENGTH)?;
        for bush in &mut mouse.bushes {
            codec.u8("seeds", &mut bush.seeds, 0..=SEEDS)?;
            codec.u8("distance", &mut bush.distance, 1..=DISTANCE)?;
            codec.u8("owls", &mut bush.owls, 0..=OWLS)?;
        }
        Ok(())
    }
}

impl Mouse {
    fn can_reach(&self, bush: &Bush) -> bool {
        bush.distance <= self.strength
    }
}

/// Everything about a bush is drawn independently.
fn look_around<R: Rng + ?Sized>(rng: &mut R) -> [Bush; BUSHES] {
    core::array::from_fn(|_| Bush {
        seeds: below(SEEDS + 1, rng),
        distance: 1 + below(DISTANCE, rng),
        owls: below(OWLS + 1, rng),
    })
}

fn below<R: Rng + ?Sized>(n: u8, rng: &mut R) -> u8 {
    (rng.next_u32() % u32::from(n)) as u8
}
