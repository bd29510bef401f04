//! Tetris on any board.

use crate::bytes::Bytes;
use host_tests::agreement::compare;
use host_tests::twin;
use ipse::tetris::Column;

/// On any board, any piece has the placements that the twin finds, with the same features.
pub fn afterstates(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    match bytes.flag() {
        false => on_board::<10, u16>(&mut bytes),
        true => on_board::<20, u32>(&mut bytes),
    }
}

fn on_board<const H: usize, C: Column>(bytes: &mut Bytes) {
    let rule = bytes.rule();
    let state = bytes.state::<H, C>();
    let board = twin::Board::from_columns(H, state.board.columns());
    compare::<H, C>(&board, state.piece, rule);
}
