//! A memory of no choices cannot be learned from.
// refused: a memory of no choices cannot be learned from
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;

const CHOICES: usize = if cfg!(refused) { 0 } else { 1 };

fn main() {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let learner = MLearning::scheduled().memory::<CHOICES>().check().unwrap();
    let mut agent = Agent::new(Tetris10x10::default(), learner, &mut rng);
    agent.step(&mut rng);
}
