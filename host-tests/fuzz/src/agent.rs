//! Drivers of every kind with any parameters.

use crate::bytes::Bytes;
use crate::checkpoint::{new_from, saved};
use crate::checks::step;
use crate::drivers::{self, Drive};
use crate::sealed;
use crate::tasks::{Liar, Task};
use ipse::ResumableDriver;
use ipse::checkpoint::restore;
use ipse::prelude::*;
use ipse_tasks::foraging::Foraging;

/// The tasks, by the first byte.
pub const TASKS: [&str; 2] = ["foraging", "liar"];

const ITERATIONS: u8 = 12;

/// Parameters are refused, or a driver learns with them, whether its task keeps its promises or not: every
/// iteration ends, is counted and leaves finite weights. It can be saved at any time and goes on from there to
/// the bit.
pub fn agent(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    match usize::from(bytes.byte()) % TASKS.len() {
        0 => drivers::any(Foraging, Learn, bytes),
        _ => drivers::any(Liar, Learn, bytes),
    };
}

#[derive(Clone, Copy)]
struct Learn;

impl Drive for Learn {
    /// The content of its last checkpoint.
    type Result = Vec<u8>;

    fn drive<D: ResumableDriver<Task: Task>>(
        self,
        new: impl Fn(&mut XorShiftRng) -> D,
        mut bytes: Bytes,
    ) -> Vec<u8> {
        let interruption = bytes.byte() % ITERATIONS;
        let (mut driver, mut rng) = new_from(&new, bytes.word());
        let mut resumed = None;
        for iteration in 0..ITERATIONS {
            if iteration == interruption {
                resumed = resume(&new, &mut driver, &rng);
            }
            let done = step(&mut driver, &mut rng);
            if let Some((resumed, rng)) = &mut resumed {
                assert_eq!(resumed.step(rng), done);
            }
        }
        sealed::content(&saved(&mut driver, &rng, 0)).to_vec()
    }
}

/// Another driver that goes on from a checkpoint of the first.
fn resume<D: ResumableDriver<Task: Task>>(
    new: impl Fn(&mut XorShiftRng) -> D,
    driver: &mut D,
    rng: &XorShiftRng,
) -> Option<(D, XorShiftRng)> {
    let checkpoint = saved(driver, rng, 7);
    let (mut resumed, mut its_rng) = new_from(new, 1);
    match restore::<D, u64>(&mut resumed, &mut its_rng, &checkpoint) {
        Ok(note) => {
            assert_eq!(note, 7);
            Some((resumed, its_rng))
        }
        Err(error) => {
            assert!(!D::Task::IS_HONEST, "{error}");
            None
        }
    }
}
