//! Checkpoints of any bytes, and with any content behind an intact header.

use crate::bytes::Bytes;
use crate::checks::{draw, one_line, step};
use crate::drivers::{self, Drive};
use crate::sealed;
use crate::tasks::{Liar, Task};
use ipse::ResumableDriver;
use ipse::checkpoint::{LoadError, iterations, max_size, restore, save};
use ipse::prelude::*;
use ipse::tetris::{Tetris10x10, Tetris10x20};
use ipse_tasks::foraging::Foraging;

/// The tasks, by the first byte.
pub const TASKS: [&str; 4] = ["foraging", "liar", "tetris-10x10", "tetris-10x20"];

/// The forms in which a checkpoint is given, by the byte before it: as it is, as the content behind an intact
/// header, or as a number of iterations and some changes to what a driver saves after them.
pub const FILE: u8 = 0;
pub const CONTENT: u8 = 1;
pub const CHANGES: u8 = 2;
const FORMS: u8 = 3;

/// The number of iterations and the state of the random generator, before what the driver writes itself.
const REST_OF_HEADER: usize = 4 + 16;

const ITERATIONS: u32 = 3;

/// A checkpoint is refused, and the driver is as it was or as new; or it is what a driver would write that goes
/// on from it, with finite weights, and could be saved and resumed again.
pub fn checkpoint(bytes: &[u8]) {
    is_accepted(bytes);
}

/// Returns whether these bytes make [`checkpoint`] resume a driver.
pub fn is_accepted(bytes: &[u8]) -> bool {
    drive(Resume, bytes).unwrap_or(false)
}

/// Drives any driver of any task.
pub fn drive<T: Drive>(target: T, bytes: &[u8]) -> Option<T::Result> {
    let mut bytes = Bytes::new(bytes);
    match usize::from(bytes.byte()) % TASKS.len() {
        0 => drivers::any(Foraging, target, bytes),
        1 => drivers::any(Liar, target, bytes),
        2 => drivers::any(Tetris10x10::default(), target, bytes),
        _ => drivers::any(Tetris10x20::default(), target, bytes),
    }
}

#[derive(Clone, Copy)]
struct Resume;

impl Drive for Resume {
    /// Whether it was accepted.
    type Result = bool;

    fn drive<D: ResumableDriver<Task: Task>>(
        self,
        new: impl Fn(&mut XorShiftRng) -> D,
        bytes: Bytes,
    ) -> bool {
        let (mut driver, mut rng) = new_from(&new, 1);
        let fresh = saved(&mut driver, &rng, 0);
        let file = file(&new, &fresh, bytes);
        let note = match restore::<D, u64>(&mut driver, &mut rng, &file) {
            Ok(note) => note,
            Err(error) => {
                one_line(error);
                let mut rng_before = XorShiftRng::seed_from_u64(1);
                new(&mut rng_before);
                let after = saved(&mut driver, &rng, 0);
                let as_new = saved(&mut new(&mut rng_before), &rng_before, 0);
                let is_invalid = matches!(error, LoadError::Invalid(_));
                assert!(after == fresh || is_invalid && after == as_new);
                return false;
            }
        };
        assert_eq!(saved(&mut driver, &rng, note), file);
        let resumed_after = driver.progress().iterations;
        assert_eq!(iterations(&driver, &file), Ok(resumed_after));
        for _ in 0..ITERATIONS {
            draw(driver.task(), driver.state());
            step(&mut driver, &mut rng);
        }
        let later = saved(&mut driver, &rng, note);
        let (mut again, mut its_rng) = new_from(&new, 2);
        let result = restore(&mut again, &mut its_rng, &later);
        assert!(result == Ok(note) || !D::Task::IS_HONEST, "{result:?}");
        true
    }
}

/// A checkpoint in any form.
fn file<D: ResumableDriver>(
    new: impl Fn(&mut XorShiftRng) -> D,
    fresh: &[u8],
    mut bytes: Bytes,
) -> Vec<u8> {
    let form = bytes.byte();
    let mut content = match form % FORMS {
        FILE => return bytes.rest().to_vec(),
        CONTENT => bytes.rest().to_vec(),
        _ => changed(new, bytes),
    };
    let is_to_be_corrected = form / FORMS % 2 == 1;
    if is_to_be_corrected {
        correct(&mut content);
    }
    sealed::with_content(fresh, &content)
}

/// The content of the checkpoint of a driver after some iterations, with some changes.
fn changed<D: ResumableDriver>(new: impl Fn(&mut XorShiftRng) -> D, mut bytes: Bytes) -> Vec<u8> {
    let (mut driver, mut rng) = new_from(new, 3);
    for _ in 0..bytes.byte() % 16 {
        driver.step(&mut rng);
    }
    let mut content = sealed::content(&saved(&mut driver, &rng, 7)).to_vec();
    while !bytes.is_empty() {
        let place = bytes.short().unsigned_abs();
        let place = usize::from(place) % content.len();
        content[place] ^= bytes.byte();
    }
    content
}

/// Makes the number of iterations in the header that which an agent writes first.
fn correct(content: &mut [u8]) {
    if let Some((header, content)) = content.split_at_mut_checked(REST_OF_HEADER)
        && let (Some(header), Some(content)) =
            (header.first_chunk_mut::<4>(), content.first_chunk())
    {
        *header = *content;
    }
}

/// A new driver, and its random generator.
pub fn new_from<D>(new: impl Fn(&mut XorShiftRng) -> D, seed: u32) -> (D, XorShiftRng) {
    let mut rng = XorShiftRng::seed_from_u64(seed.into());
    (new(&mut rng), rng)
}

/// A checkpoint of a driver: there is always room for it.
pub fn saved<D: ResumableDriver>(driver: &mut D, rng: &XorShiftRng, note: u64) -> Vec<u8> {
    let mut buffer = vec![0; max_size::<D, u64>()];
    let result = save(driver, rng, note, &mut buffer);
    result.expect("no iteration is under way").to_vec()
}
