//! One number that tells two runs apart if anything in them differs.

use crate::event::number;
use core::fmt;
use ipse::Step;
use ipse::array::Array;
use ipse::checkpoint::{Codec, Invalid};
use serde::{Deserialize, Serialize};

/// The FNV-1a hash, of 64 bits, over all iterations so far.
///
/// All fields of a [`Step`] count but `tallies`, which do not decide how a run goes on. Integers count with their
/// bytes from the lowest to the highest, a reward with two of them if it fits, floats as the integers with the same
/// bits, and an action that is missing as 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self::NEW
    }
}

impl Fingerprint {
    /// The fingerprint of no iterations.
    pub const NEW: Self = Fingerprint(0xcbf2_9ce4_8422_2325);

    /// Adds an iteration.
    pub fn add<F: Array>(&mut self, step: &Step<F>) {
        self.bytes(&step.iteration.to_le_bytes());
        self.bytes(&[number(step.phase)]);
        self.bytes(&[step.action.unwrap_or(u8::MAX)]);
        match i16::try_from(step.reward) {
            Ok(reward) => self.bytes(&reward.to_le_bytes()),
            Err(_) => self.bytes(&step.reward.to_le_bytes()),
        }
        self.bytes(&[step.episode_ended.into()]);
        self.bytes(&step.calls.to_le_bytes());
        for direction in step.directions.as_ref() {
            self.bytes(&direction.sign().to_le_bytes());
        }
        for weight in step.weights.as_ref() {
            self.bytes(&weight.to_bits().to_le_bytes());
        }
    }

    /// The hash.
    pub fn value(self) -> u64 {
        self.0
    }

    pub(crate) fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u64(&mut self.0)
    }

    // Out of line, for the sake of size: this is done a few times in an iteration of millions of instructions.
    #[inline(never)]
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// As sixteen hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse::prelude::*;
    use ipse::tetris::Tetris10x10;

    type Iteration = Step<[i16; 8]>;

    fn step() -> Iteration {
        let mut rng = XorShiftRng::seed_from_u64(1);
        let lfd = Lfd::new().check().unwrap();
        Agent::new(Tetris10x10::default(), lfd, &mut rng).step(&mut rng)
    }

    fn of(steps: &[Iteration]) -> Fingerprint {
        let mut fingerprint = Fingerprint::NEW;
        steps.iter().for_each(|step| fingerprint.add(step));
        fingerprint
    }

    #[test]
    fn it_is_fnv_1a() {
        let mut fingerprint = Fingerprint::NEW;
        fingerprint.bytes(b"foobar");
        assert_eq!(fingerprint.value(), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn every_field_counts_down_to_the_sign_of_a_zero() {
        assert_eq!(step().weights[7].to_bits(), 0f32.to_bits());
        let changes: [fn(&mut Iteration); 8] = [
            |step| step.iteration += 1,
            |step| step.phase = Phase::Weights,
            |step| step.action = None,
            |step| step.reward += 1,
            |step| step.episode_ended = !step.episode_ended,
            |step| step.calls += 1,
            |step| step.directions[7] = Direction::Pro,
            |step| step.weights[7] = -0.0,
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut changed = step();
            change(&mut changed);
            assert_ne!(of(&[changed]), of(&[step()]), "change {number}");
        }
    }

    #[test]
    fn the_order_of_iterations_counts() {
        let mut later = step();
        later.iteration = 2;
        assert_ne!(of(&[step(), later]), of(&[later, step()]));
    }
}
