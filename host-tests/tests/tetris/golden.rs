//! The engine and its twin against positions measured by the paper author's own implementation.

use crate::{outcomes, state};
use host_tests::twin;
use ipse::tetris::{Piece, Rule, Tetris10x10};
use serde_json::Value;

/// The eight features, the landing height doubled, and the rows removed.
type Measures = [i32; 9];

struct Position {
    board: twin::Board,
    piece: Piece,
    placements: Vec<Measures>,
}

fn positions() -> Vec<Position> {
    include_str!("../../golden/afterstates.jsonl")
        .lines()
        .map(position)
        .collect()
}

fn position(line: &str) -> Position {
    let mut json: Value = serde_json::from_str(line).unwrap();
    let columns = serde_json::from_value(json["columns"].take()).unwrap();
    let letter: char = serde_json::from_value(json["piece"].take()).unwrap();
    let rows: Vec<[f64; 9]> = serde_json::from_value(json["placements"].take()).unwrap();
    let doubled = |[landing, rest @ ..]: [f64; 9]| {
        let mut measures = [2. * landing; 9];
        measures[1..].copy_from_slice(&rest);
        measures.map(|measure| measure as i32)
    };
    Position {
        board: twin::Board::from_columns(10, columns),
        piece: Piece::from_letter(letter).unwrap(),
        placements: sorted(rows.into_iter().map(doubled)),
    }
}

fn sorted(placements: impl Iterator<Item = Measures>) -> Vec<Measures> {
    let mut placements: Vec<_> = placements.collect();
    placements.sort();
    placements
}

fn measures(features: [i32; 8], rows: i32) -> Measures {
    let mut measures = [rows; 9];
    measures[..8].copy_from_slice(&features);
    measures
}

#[test]
fn the_golden_positions_are_all_there() {
    let positions = positions();
    assert_eq!(positions.len(), 800);
    assert_eq!(
        positions.iter().map(|p| p.placements.len()).sum::<usize>(),
        14_646
    );
}

#[test]
fn the_engine_agrees_with_the_golden_positions() {
    let game = Tetris10x10::new(Rule::AfterRemoval);
    for Position {
        board,
        piece,
        placements,
    } in positions()
    {
        let outcomes = outcomes(&game, &state(&board, piece));
        let found = outcomes
            .iter()
            .map(|o| measures(o.features.map(i32::from), o.promise.into()));
        assert_eq!(sorted(found), placements, "{piece:?} on\n{board:?}");
    }
}

#[test]
fn the_twin_agrees_with_the_golden_positions() {
    for Position {
        board,
        piece,
        placements,
    } in positions()
    {
        let twins = twin::placements(&board, piece.letter(), twin::Rule::AfterRemoval);
        let found = twins
            .iter()
            .map(|p| measures(p.features, p.rows_removed as i32));
        assert_eq!(sorted(found), placements, "{piece:?} on\n{board:?}");
    }
}
