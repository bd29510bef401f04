//! Values made of bytes.

use ipse::tetris::{Board, Column, Piece, Rule, State};

/// A source of values. When the bytes run out, zeros follow.
#[derive(Clone, Copy)]
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Bytes(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        let (taken, rest) = self.0.split_at(N.min(self.0.len()));
        array[..taken.len()].copy_from_slice(taken);
        self.0 = rest;
        array
    }

    pub fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    pub fn short(&mut self) -> i16 {
        i16::from_le_bytes(self.array())
    }

    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    /// Any number, infinities and NaN included.
    pub fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.array())
    }

    /// Any number, but more often a usual one.
    pub fn likely(&mut self, usual: &[f32]) -> f32 {
        match usual.get(usize::from(self.byte())) {
            Some(usual) => *usual,
            None => self.float(),
        }
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::from(self.byte()) % items.len()]
    }

    pub fn rule(&mut self) -> Rule {
        self.pick(&[Rule::AfterRemoval, Rule::BeforeRemoval])
    }

    /// Any board, even with full rows.
    pub fn state<const H: usize, C: Column>(&mut self) -> State<10, H, C> {
        let piece = self.pick(&Piece::ALL);
        let columns = std::array::from_fn(|_| self.word() & ((1 << H) - 1));
        let board = Board::from_columns(columns).expect("no cell is above the board");
        State { board, piece }
    }
}
