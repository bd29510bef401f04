//! A heater that learns when power is worth its price. Copy this folder, and write your own task here.
//!
//! A room loses one degree an hour; the heater warms it by up to two. Power costs more at some hours than at others, and
//! the price of the next hour is left to chance. Someone who looks ahead heats before it becomes dear.
#![no_std]

use core::fmt;
use ipse::prelude::*;

/// The farthest that the room gets from the wanted temperature, in degrees.
const FARTHEST: i16 = 20;
/// The highest price.
const DEAREST: i16 = 4;

/// The task. It holds what is the same in every state; here that is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heater;

/// A state: everything on which the next one depends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// The degrees below the wanted temperature.
    pub cold: i16,
    /// The price of power in this hour.
    pub price: i16,
}

impl Room {
    /// The degrees below the wanted temperature an hour later.
    fn later(&self, power: i16) -> i16 {
        (self.cold + 1 - power).clamp(-FARTHEST, FARTHEST)
    }
}

impl Environment for Heater {
    type State = Room;
    type Features = [i16; 3];
    type Actions = [Action; 3];

    const NAME: &'static str = "heater";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("too cold", FARTHEST),
        Feature::new("too warm", FARTHEST),
        Feature::new("cost", 2 * DEAREST),
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Room {
        Room {
            cold: (rng.next_u32() % 9) as i16,
            price: 1,
        }
    }

    fn outcomes(&self, room: &Room, mut visit: impl FnMut(Outcome<Self::Features>)) {
        for power in 0..Self::Actions::LEN as i16 {
            let later = room.later(power);
            visit(Outcome {
                action: power as Action,
                promise: 0,
                features: [later.max(0), (-later).max(0), power * room.price],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, room: &Room, power: Action, rng: &mut R) -> (Room, i16) {
        let power = i16::from(power.min(2));
        let cold = room.later(power);
        let price = 1 + (rng.next_u32() % DEAREST as u32) as i16;
        (Room { cold, price }, -2 * cold.abs() - power * room.price)
    }

    fn describe(&self, _: &Room, power: Action, out: &mut impl fmt::Write) -> fmt::Result {
        write!(out, "power {power}")
    }

    /// A thermometer: the wanted temperature is in the middle.
    const PICTURE: (u16, u16) = (16, 24);

    fn draw(&self, room: &Room, canvas: &mut impl Canvas) {
        canvas.fill(0, 12, 16, 1);
        let top = (12 + room.cold / 2).clamp(0, 23) as u16;
        canvas.fill(6, top, 4, 24 - top);
        canvas.fill(12, 0, 3, 2 * room.price as u16);
    }
}

/// For checkpoints.
impl Resumable for Heater {
    const STATE_BITS: usize = 6 + 2;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text(Self::NAME);
    }

    fn code_state(&self, room: &mut Room, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.i16("degrees below", &mut room.cold, -FARTHEST..=FARTHEST)?;
        codec.i16("price", &mut room.price, 1..=DEAREST)
    }
}
