//! A search has at most 256 brinks to play on from: one of them is drawn by eight bits.
// refused: at most 256 brinks to play on from … Tetris, Lfd, 257>
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;

fn search<const N: usize>() {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let search = Search::survival().memory::<N>().check().unwrap();
    let mut searcher = Searcher::new(Tetris10x10::default(), search, &mut rng);
    searcher.step(&mut rng);
}

fn main() {
    search::<0>();
    search::<256>();
    #[cfg(refused)]
    search::<257>();
}
