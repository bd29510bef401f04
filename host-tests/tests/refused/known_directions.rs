//! There are as many known directions as the task has features.
// refused: type mismatch resolving … [Direction; 7]
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;

const FEATURES: usize = if cfg!(refused) { 7 } else { 8 };

fn main() {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let directions = [Direction::Pro; FEATURES];
    let learner = Known(directions).then(MLearning::scheduled()).check().unwrap();
    let _ = Agent::new(Tetris10x10::default(), learner, &mut rng);
}
