//! A position as bytes: the cells of each column and the piece, bit by bit.

use super::{Board, Column, FEATURES, PLACEMENTS, Piece, Rule, State, Tetris};
use crate::bytes::{BitReader, BitWriter, Bytes, Flaw, Sink, Source};
use crate::environment::Resumable;

/// Seven pieces need so many bits.
const PIECE_BITS: u32 = 3;

impl<const W: usize, const H: usize, C: Column> Resumable<FEATURES, PLACEMENTS>
    for Tetris<W, H, C>
{
    const STATE_BYTES: usize = (W * H + PIECE_BITS as usize).div_ceil(8);

    fn identify(&self, to: &mut impl Sink) {
        b"tetris".write(to);
        [W as u8, H as u8].write(to);
        to.byte(match self.rule {
            Rule::AfterRemoval => 0,
            Rule::BeforeRemoval => 1,
        });
    }

    fn write_state(&self, state: &Self::State, to: &mut impl Sink) {
        let mut bits = BitWriter::new(to);
        for column in state.board.columns {
            bits.write(column.cells(), H as u32);
        }
        bits.write(state.piece as u32, PIECE_BITS);
        bits.finish();
    }

    fn read_state(&self, from: &mut Source<'_>) -> Result<Self::State, Flaw> {
        let mut bits = BitReader::new(from);
        let mut columns = [0; W];
        for column in &mut columns {
            *column = bits.read(H as u32)?;
        }
        let piece = bits.read(PIECE_BITS)? as usize;
        bits.finish()?;
        let board = Board::from_columns(columns).map_err(|_| Flaw("a cell above the board"))?;
        board.check()?;
        let piece = Piece::ALL.get(piece).ok_or(Flaw("a piece that is none"))?;
        Ok(State {
            board,
            piece: *piece,
        })
    }
}

impl<const W: usize, const H: usize, C: Column> Board<W, H, C> {
    /// Refuses some of what pieces of four cells on rows of `W` do not leave behind.
    fn check(&self) -> Result<(), Flaw> {
        let all = |columns: &[C]| columns.iter().fold(u32::MAX, |full, c| full & c.cells());
        Flaw::unless(all(&self.columns) == 0, "a full row that is still there")?;
        let cells: u32 = self.columns.iter().map(|c| c.cells().count_ones()).sum();
        // With every piece there are four more, and with every row W fewer.
        let step = 1 << W.trailing_zeros().min(2);
        Flaw::unless(cells.is_multiple_of(step), "a part of a piece")
    }
}
