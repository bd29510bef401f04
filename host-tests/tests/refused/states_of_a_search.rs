//! A search has from 1 to 256 states to play on from: one of them is drawn by eight bits.
// refused: from 1 to 256 states to play on from … Tetris, 0>
// refused: from 1 to 256 states to play on from … Tetris, 257>
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;

fn search<const N: usize>() {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let search = Search::survival().check().unwrap();
    let mut searcher = Searcher::<_, N>::new(Tetris10x10::default(), search, &mut rng);
    searcher.step(&mut rng);
}

fn main() {
    search::<1>();
    search::<256>();
    #[cfg(refused)]
    search::<0>();
    #[cfg(refused)]
    search::<257>();
}
