//! A task with as many actions as there may be, by which the longest slices of work are measured.

use core::cell::Cell;
use ipse::prelude::*;

/// A task with 256 actions in every state. Under [`Wide::DIRECTIONS`] none of them dominates another, which shows only
/// in the last two of eight features.
#[derive(Clone, Debug, Default)]
pub struct Wide {
    visited: Cell<u32>,
}

impl Wide {
    /// More is better.
    pub const DIRECTIONS: [Direction; 8] = [Direction::Pro; 8];

    /// The number of actions.
    pub const ACTIONS: u32 = 256;

    /// The number of outcomes that were visited since this was asked the last time.
    pub fn take_visited(&self) -> u32 {
        self.visited.take()
    }
}

impl Environment for Wide {
    /// The number of actions taken.
    type State = u32;
    type Features = [i16; 8];
    type Actions = [Action; Self::ACTIONS as usize];

    const NAME: &'static str = "wide";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("first", 256),
        Feature::new("second", 256),
        Feature::new("third", 256),
        Feature::new("fourth", 256),
        Feature::new("fifth", 256),
        Feature::new("sixth", 256),
        Feature::new("more", 256),
        Feature::new("less", 256),
    ];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> u32 {
        0
    }

    fn outcomes(&self, taken: &u32, mut visit: impl FnMut(Outcome<Self::Features>)) {
        self.visited
            .set(self.visited.get().wrapping_add(Self::ACTIONS));
        for action in 0..=Action::MAX {
            let more = i16::from(action.wrapping_add(*taken as u8));
            visit(Outcome {
                action,
                promise: 0,
                features: [1, 1, 1, 1, 1, 1, more, -more],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, taken: &u32, action: Action, _: &mut R) -> (u32, i16) {
        (taken.wrapping_add(1), (action & 7).into())
    }
}
