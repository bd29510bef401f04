//! What must be true of `ipse::tetris`.

mod bounds;
mod calibration;
mod chance;
mod choice;
mod contract;
mod diversity;
mod golden;
mod picture;
mod twin_agreement;

use host_tests::{boards, twin};
use ipse::environment::{Environment, Outcome};
use ipse::tetris::{Board, Column, Piece, Rule, State, Tetris};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

const RULES: [Rule; 2] = [Rule::AfterRemoval, Rule::BeforeRemoval];

fn rng(seed: u64) -> XorShiftRng {
    XorShiftRng::seed_from_u64(seed)
}

fn state<const H: usize, C: Column>(board: &twin::Board, piece: Piece) -> State<10, H, C> {
    let board = Board::from_columns(board.columns()).expect("both boards have the same height");
    State { board, piece }
}

fn outcomes<const H: usize, C: Column>(
    game: &Tetris<10, H, C>,
    state: &State<10, H, C>,
) -> Vec<Outcome<[i16; 8]>> {
    let mut outcomes = Vec::new();
    game.outcomes(state, |outcome| outcomes.push(outcome));
    outcomes
}

/// Every piece on the empty board and on a number of strange ones.
fn strange_states<const H: usize, C: Column>(
    boards: usize,
) -> impl Iterator<Item = State<10, H, C>> {
    let mut rng = rng(10);
    let strange = (1..boards).map(move |_| boards::any(H, &mut rng));
    std::iter::once(twin::Board::empty(H))
        .chain(strange)
        .flat_map(|board| Piece::ALL.map(|piece| state(&board, piece)))
}
