//! A board as a placement left it.

use crate::paper::tetris::FEATURES;
use ipse::environment::{Action, Environment};
use ipse::tetris::{Board, State, Tetris10x10};

/// A board, and the features of the placement that led to it. Landing height and eroded cells
/// cannot be told from the board, so a board is kept together with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Afterstate {
    pub board: Board,
    pub features: [f32; FEATURES],
}

impl Afterstate {
    /// What a legal action leads to.
    pub fn of(task: &Tetris10x10, state: &State, action: Action) -> Afterstate {
        let mut features = [0; FEATURES];
        task.outcomes(state, |outcome| {
            if outcome.action == action {
                features = outcome.features;
            }
        });
        Afterstate {
            board: task
                .place(state, action)
                .map_or(state.board, |placed| placed.board),
            features: measured(&features),
        }
    }
}

/// Features as numbers, each in its own unit.
pub fn measured(features: &[i16; FEATURES]) -> [f32; FEATURES] {
    std::array::from_fn(|i| f32::from(features[i]) * Tetris10x10::FEATURES[i].unit)
}

/// The heights of the columns.
pub fn heights(board: &Board) -> impl Iterator<Item = u32> {
    board
        .columns()
        .into_iter()
        .map(|cells| 32 - cells.leading_zeros())
}
