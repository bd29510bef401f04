//! An agent takes no parameters that were not checked.
// refused: mismatched types … expected `Checked<_>`, found `Then<Lfd, MLearning>`
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;

fn main() {
    let mut rng = XorShiftRng::seed_from_u64(1);
    #[cfg(not(refused))]
    let learner = Ipse::new().check().unwrap();
    #[cfg(refused)]
    let learner = Ipse::new();
    let mut agent = Agent::new(Tetris10x10::default(), learner, &mut rng);
    agent.step(&mut rng);
}
