//! The engine and its slow twin, placement by placement.

use crate::twin::{self, Placement};
use ipse::array::Array;
use ipse::environment::{Action, Environment};
use ipse::tetris::{Board, Column, Piece, Rule, State, Tetris};

/// Checks that, for every action, the engine and the twin agree on whether it is legal, where the
/// piece comes to lie, the features, the reward and the board that is left. Returns the placements.
///
/// # Panics
/// If they do not agree.
pub fn compare<const H: usize, C: Column>(
    board: &twin::Board,
    piece: Piece,
    rule: Rule,
) -> Vec<Placement> {
    let engine = engine_placements::<H, C>(board, piece, rule);
    let twin_rule = match rule {
        Rule::AfterRemoval => twin::Rule::AfterRemoval,
        Rule::BeforeRemoval => twin::Rule::BeforeRemoval,
    };
    let mut twin = twin::placements(board, piece.letter(), twin_rule);
    twin.sort_by_key(|placement| placement.cells);
    if engine != twin {
        let only_engine: Vec<_> = engine.iter().filter(|e| !twin.contains(e)).collect();
        let only_twin: Vec<_> = twin.iter().filter(|t| !engine.contains(t)).collect();
        panic!(
            "{piece:?} under {rule:?} on\n{board:?}\n\
             only the engine has {only_engine:#?}\nonly the twin has {only_twin:#?}"
        );
    }
    twin
}

/// The legal placements as the engine has them, in the twin's terms, sorted by their cells.
fn engine_placements<const H: usize, C: Column>(
    board: &twin::Board,
    piece: Piece,
    rule: Rule,
) -> Vec<Placement> {
    let game = Tetris::<10, H, C>::new(rule);
    let board_of_engine = Board::from_columns(board.columns()).expect("they are equally high");
    let state = State {
        board: board_of_engine,
        piece,
    };
    let outcomes = game.list(&state);
    let mut placements = Vec::new();
    for action in 0..<Tetris<10, H, C> as Environment>::Actions::LEN as Action {
        let outcome = outcomes.iter().find(|outcome| outcome.action == action);
        let placed = game.place(&state, action);
        assert_eq!(
            outcome.map(|outcome| outcome.promise),
            placed.map(|placed| placed.rows.into()),
            "action {action} with {piece:?} under {rule:?} on\n{board:?}"
        );
        if let (Some(outcome), Some(placed)) = (outcome, placed) {
            let mut cells = placed.cells.map(|(x, y)| (x.into(), y.into()));
            cells.sort();
            placements.push(Placement {
                cells,
                features: outcome.features.map(i32::from),
                rows_removed: placed.rows.into(),
                board: twin::Board::from_columns(H, placed.board.columns()),
            });
        }
    }
    placements.sort_by_key(|placement| placement.cells);
    placements
}
