//! Tasks that keep their promises, and one that does not.

use ipse::prelude::*;
use ipse::tetris::{Tetris10x10, Tetris10x20};
use ipse_tasks::foraging::Foraging;

/// A task to be driven.
pub trait Task: Resumable + Copy {
    /// Whether it keeps its promises.
    const IS_HONEST: bool = true;
}

impl Task for Foraging {}
impl Task for Tetris10x10 {}
impl Task for Tetris10x20 {}

impl Task for Liar {
    const IS_HONEST: bool = false;
}

/// A task with more actions than it has room for, several with the same number, features beyond their bounds, and
/// wild rewards, promises and values. It cannot tell which states are terminal, or safe.
///
/// All of that follows from the state, so that a run can be repeated all the same.
#[derive(Clone, Copy)]
pub struct Liar;

const ROOM: usize = 4;

impl Environment for Liar {
    type State = u32;
    type Features = [i16; 3];
    type Actions = [Action; ROOM];
    const NAME: &'static str = "liar";

    // Not by `Feature::new`, which refuses most of them.
    const FEATURES: PerFeature<Self, Feature> = [
        Feature {
            name: "too small",
            unit: 1.0,
            bound: 1,
        },
        Feature {
            name: "without a bound",
            unit: 0.5,
            bound: 0,
        },
        Feature {
            name: "too large",
            unit: -1e30,
            bound: i16::MIN,
        },
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        rng.next_u32()
    }

    fn outcomes(&self, state: &u32, mut visit: impl FnMut(Outcome<Self::Features>)) {
        let mut any = XorShiftRng::seed_from_u64((*state).into());
        let count = [0, 1, ROOM, 2 * ROOM][any.next_u32() as usize % 4];
        for _ in 0..count {
            visit(Outcome {
                action: any.next_u32() as Action % 16,
                promise: any.next_u32() as i16,
                features: std::array::from_fn(|_| any.next_u32() as i16),
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, state: &u32, action: Action, rng: &mut R) -> (u32, i16) {
        (rng.next_u32(), (state ^ u32::from(action)) as i16)
    }

    fn is_terminal(&self, state: &u32) -> bool {
        state.is_multiple_of(5)
    }

    fn is_safe(&self, state: &u32) -> bool {
        state.is_multiple_of(3)
    }

    fn value(&self, state: &u32) -> i16 {
        (state >> 16) as i16
    }
}

impl Resumable for Liar {
    const STATE_BITS: usize = 32;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text("liar");
    }

    fn code_state(&self, state: &mut u32, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u32("state", state, 0..=u32::MAX)
    }
}
