//! A board as a placement left it.

use super::Game;
use ipse::environment::Action;
use ipse::tetris::{Board, State};

/// A board, and the features of the placement that led to it. Landing height and eroded cells
/// cannot be told from the board, so a board is kept together with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Afterstate<const F: usize> {
    pub board: Board,
    pub features: [f32; F],
}

impl<const F: usize> Afterstate<F> {
    /// What a legal action leads to.
    pub fn of<G: Game<F>>(task: &G, state: &State, action: Action) -> Self {
        let mut features = [0; F];
        task.outcomes(state, |outcome| {
            if outcome.action == action {
                features = outcome.features;
            }
        });
        Afterstate {
            board: task
                .placed(state, action)
                .map_or(state.board, |placed| placed.board),
            features: measured::<G, F>(&features),
        }
    }
}

/// Features as numbers, each in its own unit.
pub fn measured<G: Game<F>, const F: usize>(features: &[i16; F]) -> [f32; F] {
    std::array::from_fn(|i| f32::from(features[i]) * G::FEATURES[i].unit)
}

/// The heights of the columns.
pub fn heights(board: &Board) -> impl Iterator<Item = u32> {
    board
        .columns()
        .into_iter()
        .map(|cells| 32 - cells.leading_zeros())
}
