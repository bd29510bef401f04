//! Rules for the light that a traffic engineer would write, to compare with what was learned.
//!
//! A light that changes at random is [`Policy::random`](ipse::prelude::Policy::random). Parameters are tuned by
//! `cargo run --release --example tune_baselines --package ipse-tasks`, on other traffic than that on which the rules are
//! compared.

use super::{APPROACHES, Crossing, LANES, PHASES, Phase};
use ipse::prelude::Action;

/// The same cycle all day: so many slots of green for each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedTime {
    /// The slots of green, by phase.
    pub green: [u8; PHASES],
}

impl FixedTime {
    /// The best parameters that were found.
    pub const TUNED: Self = FixedTime { green: [6, 6, 2] };

    /// The action in a state.
    pub fn choose(&self, crossing: &Crossing) -> Action {
        let phase = crossing.phase as usize;
        let next = Phase::ALL[(phase + 1) % PHASES];
        let is_time = crossing.clearing == 0 && crossing.green >= self.green[phase];
        match is_time && crossing.allows(next) {
            true => next.action(),
            false => crossing.phase.action(),
        }
    }
}

/// Green for the longest queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestQueue {
    /// The fewest slots of green.
    pub green: u8,
    /// The number of vehicles that a person on foot counts as, in quarters.
    pub walker: u8,
}

impl LongestQueue {
    /// The best parameters that were found.
    pub const TUNED: Self = LongestQueue {
        green: 2,
        walker: 2,
    };

    /// The action in a state.
    pub fn choose(&self, crossing: &Crossing) -> Action {
        best(crossing, self.green, |phase| match phase {
            Phase::Walk => u16::from(crossing.walkers) * u16::from(self.walker),
            _ => {
                let longest = served(crossing, phase).map(|(_, queue)| queue).max();
                4 * longest.unwrap_or(0)
            }
        })
    }
}

/// Green where most pressure is relieved (Varaiya, *Max pressure control of a network of signalized intersections*,
/// Transportation Research Part C 36, 2013): queues, weighted by how fast they move. Beyond this crossing roads are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxPressure {
    /// The fewest slots of green.
    pub green: u8,
    /// The pressure of a person on foot, in quarters.
    pub walker: u8,
}

impl MaxPressure {
    /// The best parameters that were found.
    pub const TUNED: Self = MaxPressure {
        green: 3,
        walker: 3,
    };

    /// The action in a state.
    pub fn choose(&self, crossing: &Crossing) -> Action {
        best(crossing, self.green, |phase| match phase {
            Phase::Walk => u16::from(crossing.walkers) * u16::from(self.walker),
            _ => {
                let pressures = served(crossing, phase).map(|(lanes, queue)| lanes * queue);
                4 * pressures.sum::<u16>()
            }
        })
    }
}

/// The lanes and queues of the approaches that have green.
fn served(crossing: &Crossing, phase: Phase) -> impl Iterator<Item = (u16, u16)> {
    let approaches = (0..APPROACHES).filter(move |approach| phase.serves(*approach));
    approaches.map(|approach| (LANES[approach].into(), crossing.queues[approach].into()))
}

/// The phase with the highest score, after some slots of green. Without a better one, the light stays as it is.
fn best(crossing: &Crossing, green: u8, score: impl Fn(Phase) -> u16) -> Action {
    let mut best = crossing.phase;
    if crossing.clearing == 0 && crossing.green >= green {
        for phase in Phase::ALL {
            if crossing.allows(phase) && score(phase) > score(best) {
                best = phase;
            }
        }
    }
    best.action()
}
