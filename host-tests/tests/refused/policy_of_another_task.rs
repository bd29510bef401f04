//! A policy is of one task: its weights are on features of which another task has more.
// refused: type mismatch resolving … [i16; 8]
use ipse::prelude::*;
use ipse::tetris::diverse::Diverse10x10;
use ipse::tetris::{BCTS, Tetris10x10};

fn main() {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let policy = Policy::new::<Tetris10x10>(&BCTS).unwrap();
    #[cfg(not(refused))]
    let task = Tetris10x10::default();
    #[cfg(refused)]
    let task = Diverse10x10::default();
    let state = task.reset(&mut rng);
    let _ = policy.choose(&task, &state, &mut rng);
    let _ = Diverse10x10::default();
}
