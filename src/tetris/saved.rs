//! A position as bits: the cells of each column, and the piece.

use super::{Board, Column, Piece, Rule, Tetris};
use crate::codec::Codec;
use crate::environment::Resumable;
use crate::invalid::Invalid;

impl<const W: usize, const H: usize, C: Column> Resumable for Tetris<W, H, C> {
    /// Seven pieces need three bits.
    const STATE_BITS: usize = W * H + 3;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text("tetris");
        let rule = match self.rule {
            Rule::AfterRemoval => 0,
            Rule::BeforeRemoval => 1,
        };
        for byte in [W as u32, H as u32, rule] {
            // What is only written is never refused.
            let _ = codec.bits(byte, 8);
        }
    }

    fn code_state(&self, state: &mut Self::State, codec: &mut impl Codec) -> Result<(), Invalid> {
        let mut columns = state.board.columns();
        for column in &mut columns {
            *column = codec.bits(*column, H as u32)?;
        }
        let mut piece = state.piece as u8;
        codec.u8("piece", &mut piece, 0..=Piece::ALL.len() as u8 - 1)?;
        if !codec.is_reading() {
            return Ok(());
        }
        if let (Ok(board), Some(piece)) = (
            Board::from_columns(columns),
            Piece::ALL.get(usize::from(piece)),
        ) {
            (state.board, state.piece) = (board, *piece);
        }
        state.board.plausible()
    }
}

impl<const W: usize, const H: usize, C: Column> Board<W, H, C> {
    /// Refuses some of what pieces of four cells on rows of `W` do not leave behind.
    fn plausible(&self) -> Result<(), Invalid> {
        let columns = self.columns.iter();
        let full = columns.fold(u32::MAX, |full, column| full & column.cells());
        Invalid::outside("full rows", full, 0, 0)?;
        let cells: u32 = self.columns.iter().map(|c| c.cells().count_ones()).sum();
        // With every piece there are four more, and with every row W fewer.
        match cells.is_multiple_of(1 << W.trailing_zeros().min(2)) {
            true => Ok(()),
            false => Err(Invalid::text(
                "cells",
                cells,
                "a number that whole pieces leave",
            )),
        }
    }
}
