//! Tasks that differ in when an action pays.

use ipse::prelude::*;

/// An orchard: to sell brings 1 now, and to plant brings 5 after some days.
#[derive(Clone, Copy, Debug)]
pub struct Orchard {
    /// The number of days until a tree bears.
    pub days: u32,
    /// Whether trees that are planted are worth something before.
    pub is_valued: bool,
}

impl Environment for Orchard {
    /// A bit for each day on which a tree was planted, the last one lowest.
    type State = u128;
    type Features = [i16; 1];
    type Actions = [Action; 2];

    const NAME: &'static str = "orchard";
    const FEATURES: PerFeature<Self, Feature> = [Feature::new("planting", 1)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> u128 {
        0
    }

    fn outcomes(&self, _: &u128, mut visit: impl FnMut(Outcome<Self::Features>)) {
        for action in [0, 1] {
            visit(Outcome {
                action,
                promise: 0,
                features: [action.into()],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, trees: &u128, action: Action, _: &mut R) -> (u128, i16) {
        let plants = action == 1;
        let trees = trees << 1 | u128::from(plants);
        let bears = trees >> self.days & 1 == 1;
        let rewards = [(bears, 5), (!plants, 1)];
        let earned = rewards.into_iter().filter(|(is_due, _)| *is_due);
        (trees, earned.map(|(_, reward)| reward).sum())
    }

    fn value(&self, trees: &u128) -> i16 {
        let growing = trees & ((1 << self.days) - 1);
        if self.is_valued {
            5 * growing.count_ones() as i16
        } else {
            0
        }
    }
}

impl Resumable for Orchard {
    const STATE_BITS: usize = 128;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text("orchard");
    }

    fn code_state(&self, trees: &mut u128, codec: &mut impl Codec) -> Result<(), Invalid> {
        let (mut low, mut high) = (*trees as u64, (*trees >> 64) as u64);
        codec.u64(&mut low)?;
        codec.u64(&mut high)?;
        *trees = u128::from(high) << 64 | u128::from(low);
        Ok(())
    }
}

/// A pond: up to three fish are taken a day, and one more comes if there is any left. Who takes all has none for ever.
#[derive(Clone, Copy, Debug)]
pub struct Pond;

/// The most fish in a pond.
const FULL: u8 = 20;

impl Environment for Pond {
    type State = u8;
    type Features = [i16; 2];
    type Actions = [Action; 4];

    const NAME: &'static str = "pond";
    const FEATURES: PerFeature<Self, Feature> =
        [Feature::new("catch", 3), Feature::new("too few left", 9)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> u8 {
        FULL
    }

    fn outcomes(&self, fish: &u8, mut visit: impl FnMut(Outcome<Self::Features>)) {
        for action in 0..4 {
            let left = fish.saturating_sub(action);
            visit(Outcome {
                action,
                promise: 0,
                features: [action.into(), 9 - i16::from(left.min(9))],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, fish: &u8, action: Action, _: &mut R) -> (u8, i16) {
        let caught = action.min(*fish).min(3);
        let left = fish - caught;
        let next = if left > 0 { FULL.min(left + 1) } else { 0 };
        (next, caught.into())
    }
}

impl Resumable for Pond {
    const STATE_BITS: usize = 5;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text("pond");
    }

    fn code_state(&self, fish: &mut u8, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u8("fish", fish, 0..=FULL)
    }
}

/// A lottery: rewards are drawn, and no action makes a difference.
#[derive(Clone, Copy, Debug)]
pub struct Lottery;

impl Environment for Lottery {
    type State = u8;
    type Features = [i16; 2];
    type Actions = [Action; 4];

    const NAME: &'static str = "lottery";
    const FEATURES: PerFeature<Self, Feature> =
        [Feature::new("number", 3), Feature::new("luck", 9)];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> u8 {
        rng.next_u32() as u8
    }

    fn outcomes(&self, state: &u8, mut visit: impl FnMut(Outcome<Self::Features>)) {
        for action in 0..4 {
            let luck = state.wrapping_mul(37).wrapping_add(state >> action) % 10;
            visit(Outcome {
                action,
                promise: 0,
                features: [action.into(), luck.into()],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, _: &u8, action: Action, rng: &mut R) -> (u8, i16) {
        // Every action has a draw of its own, so that common random numbers do not make them alike.
        let draw = [(); 4].map(|()| rng.next_u32());
        let drawn = draw[usize::from(action) % 4];
        (drawn as u8, (drawn >> 8) as i16 % 100)
    }
}

impl Resumable for Lottery {
    const STATE_BITS: usize = 8;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text("lottery");
    }

    fn code_state(&self, state: &mut u8, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u8("state", state, 0..=u8::MAX)
    }
}
