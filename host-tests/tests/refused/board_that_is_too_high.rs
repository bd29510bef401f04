//! A board is no higher than its columns are long.
// refused: from four rows to what the integer holds
use ipse::tetris::{Rule, Tetris};

const HEIGHT: usize = if cfg!(refused) { 13 } else { 10 };

fn main() {
    let _ = Tetris::<10, HEIGHT, u16>::new(Rule::AfterRemoval);
}
