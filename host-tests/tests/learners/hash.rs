//! A run as a number.

use ipse::prelude::*;
use std::fmt;

/// FNV-1a, with 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash(pub u64);

impl Hash {
    /// Of no bytes.
    pub const EMPTY: Hash = Hash(0xcbf2_9ce4_8422_2325);

    /// Of the next so many iterations.
    pub fn of_run(driver: &mut impl Driver, rng: &mut XorShiftRng, iterations: usize) -> Self {
        let mut hash = Hash::EMPTY;
        (0..iterations).for_each(|_| hash.add_step(&driver.step(rng)));
        hash
    }

    fn add(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds all that happened in an iteration, but for what is only counted.
    pub fn add_step<F: Array>(&mut self, step: &Step<F>) {
        self.add(step.iteration.to_le_bytes());
        self.add([step.phase as u8]);
        self.add([u8::from(step.action.is_some()), step.action.unwrap_or(0)]);
        // Sixteen bits, as a reward has.
        self.add((step.reward as i16).to_le_bytes());
        self.add([u8::from(step.episode_ended)]);
        self.add(step.calls.to_le_bytes());
        for direction in step.directions.as_ref() {
            self.add([direction.sign() as u8]);
        }
        for weight in step.weights.as_ref() {
            self.add(weight.to_bits().to_le_bytes());
        }
    }
}

/// As it is written in a test.
impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = [48, 32, 16, 0].map(|shift| self.0 >> shift & 0xffff);
        write!(f, "Hash(0x{a:04x}_{b:04x}_{c:04x}_{d:04x})")
    }
}
