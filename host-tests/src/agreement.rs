//! The engine and its slow twin, placement by placement.

use crate::twin::{self, Placement};
use ipse::array::Array;
use ipse::environment::{Action, Environment};
use ipse::tetris::surface::{Surface, SurfaceNine};
use ipse::tetris::{Board, Column, Piece, Rule, State, Tetris};

/// Checks that, for every action, the engine and the twin agree on whether it is legal, where the
/// piece comes to lie, the features of the paper, the surface features, the reward and the board that is left. Returns
/// the placements.
///
/// # Panics
/// If they do not agree.
pub fn compare<const H: usize, C: Column>(
    board: &twin::Board,
    piece: Piece,
    rule: Rule,
) -> Vec<Placement> {
    let placements = compare_paper::<H, C>(board, piece, rule);
    compare_surface::<H, C>(board, piece, rule, &placements);
    placements
}

/// The same without the surface features, which take the twin by far the longest.
///
/// # Panics
/// If they do not agree.
pub fn compare_paper<const H: usize, C: Column>(
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

/// Checks that the engine finds the surface features of these placements, and of no others.
fn compare_surface<const H: usize, C: Column>(
    board: &twin::Board,
    piece: Piece,
    rule: Rule,
    placements: &[Placement],
) {
    let state = state_of::<H, C>(board, piece);
    let game = SurfaceNine::<10, H, C>::new(rule);
    let nine = game.list(&state);
    let eight = Surface::<10, H, C>::new(rule).list(&state);
    assert_eq!(nine.len(), placements.len(), "{piece:?} on\n{board:?}");
    assert_eq!(eight.len(), placements.len(), "{piece:?} on\n{board:?}");
    for (nine, eight) in nine.iter().zip(&eight) {
        let told = |action, promise, features: &[i16]| (action, promise, features.to_vec());
        let told_of_nine = told(nine.action, nine.promise, &nine.features[..8]);
        let told_of_eight = told(eight.action, eight.promise, &eight.features);
        assert_eq!(told_of_nine, told_of_eight, "{piece:?} on\n{board:?}");
        let placed = game.place(&state, nine.action).expect("it is legal");
        let cells = sorted(placed.cells);
        let twin = placements.iter().find(|twin| twin.cells == cells);
        let twin = twin.expect("the twin has it, too");
        assert_eq!(
            nine.features.map(i32::from),
            twin.surface(),
            "{cells:?} of {piece:?} under {rule:?} on\n{board:?}\nleaves\n{:?}",
            twin.board
        );
        assert_eq!(i32::from(nine.promise), twin.rows_removed as i32);
    }
}

/// The state of the engine.
pub fn state_of<const H: usize, C: Column>(board: &twin::Board, piece: Piece) -> State<10, H, C> {
    let board = Board::from_columns(board.columns()).expect("they are equally high");
    State { board, piece }
}

fn sorted(cells: [(u8, u8); 4]) -> twin::Cells {
    let mut cells = cells.map(|(x, y)| (x.into(), y.into()));
    cells.sort();
    cells
}

/// The legal placements as the engine has them, in the twin's terms, sorted by their cells.
fn engine_placements<const H: usize, C: Column>(
    board: &twin::Board,
    piece: Piece,
    rule: Rule,
) -> Vec<Placement> {
    let game = Tetris::<10, H, C>::new(rule);
    let state = state_of::<H, C>(board, piece);
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
            placements.push(Placement {
                cells: sorted(placed.cells),
                features: outcome.features.map(i32::from),
                rows_removed: placed.rows.into(),
                board: twin::Board::from_columns(H, placed.board.columns()),
            });
        }
    }
    placements.sort_by_key(|placement| placement.cells);
    placements
}
