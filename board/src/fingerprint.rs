//! One number that tells two runs apart if anything in them differs.

use core::fmt;
use ipse::bytes::{Bytes, Flaw, Sink, Source};
use ipse::{Phase, Step};

/// The FNV-1a hash, of 64 bits, over all fields of all iterations so far.
///
/// Integers count with their bytes from the lowest to the highest, floats as the integers with the
/// same bits, and an action that is missing as 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of no iterations.
    pub const NEW: Self = Fingerprint(0xcbf2_9ce4_8422_2325);

    /// Adds an iteration.
    pub fn add<const P: usize>(&mut self, step: &Step<P>) {
        self.bytes(&step.iteration.to_le_bytes());
        self.bytes(&[match step.phase {
            Phase::Directions => 0,
            Phase::Weights => 1,
            Phase::Survival => 2,
        }]);
        self.bytes(&[step.action.unwrap_or(u8::MAX)]);
        self.bytes(&step.reward.to_le_bytes());
        self.bytes(&[step.episode_ended.into()]);
        self.bytes(&step.calls.to_le_bytes());
        for direction in step.directions {
            self.bytes(&direction.sign().to_le_bytes());
        }
        for weight in step.weights {
            self.bytes(&weight.to_bits().to_le_bytes());
        }
    }

    /// The hash.
    pub fn value(self) -> u64 {
        self.0
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Bytes for Fingerprint {
    const SIZE: usize = u64::SIZE;

    fn write(&self, to: &mut impl Sink) {
        self.0.write(to);
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        u64::read(from).map(Fingerprint)
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
    use ipse::direction::Direction;

    fn step() -> Step<1> {
        Step {
            iteration: 1,
            phase: Phase::Weights,
            action: Some(3),
            reward: 2,
            episode_ended: false,
            calls: 340,
            directions: [Direction::Con],
            weights: [0.0],
        }
    }

    fn of(steps: &[Step<1>]) -> Fingerprint {
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
        let variants = [
            Step {
                iteration: 2,
                ..step()
            },
            Step {
                phase: Phase::Directions,
                ..step()
            },
            Step {
                action: None,
                ..step()
            },
            Step {
                reward: 1,
                ..step()
            },
            Step {
                episode_ended: true,
                ..step()
            },
            Step {
                calls: 341,
                ..step()
            },
            Step {
                directions: [Direction::Pro],
                ..step()
            },
            Step {
                weights: [-0.0],
                ..step()
            },
        ];
        for variant in variants {
            assert_ne!(of(&[variant]), of(&[step()]), "{variant:?}");
        }
    }

    #[test]
    fn the_order_of_iterations_counts() {
        let later = Step {
            iteration: 2,
            ..step()
        };
        assert_ne!(of(&[step(), later]), of(&[later, step()]));
    }
}
