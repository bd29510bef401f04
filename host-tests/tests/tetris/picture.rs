//! What a game looks like.

use host_tests::picture::Picture;
use host_tests::twin;
use ipse::environment::Environment;
use ipse::tetris::diverse::Diverse10x10;
use ipse::tetris::{Board, Piece, State, Tetris, Tetris10x10};

/// Four pixels a cell, within walls and on a floor.
const BOARD: &str = "\
#..................#
#..................#
#..................#
#..................#
#.###.....###......#
#.###.....###......#
#.###.....###......#
#..................#
#.###..............#
#.###..............#
#.###..............#
#..................#
#.###.....###......#
#.###.....###......#
#.###.....###......#
#..................#
#.###.###.###......#
#.###.###.###......#
#.###.###.###......#
#..................#
#..................#
####################
";

#[test]
fn a_board_is_drawn_cell_by_cell_within_its_walls() {
    let columns = [0b1111, 0b0001, 0b1011, 0b0000];
    let board = Board::from_columns(columns).unwrap();
    let state = State {
        board,
        piece: Piece::T,
    };
    let picture = Picture::of(&Tetris::<4, 5, u16>::default(), &state);
    assert_eq!(picture.to_string(), BOARD);
}

#[test]
fn every_cell_of_every_board_has_nine_pixels() {
    for seed in 0..100 {
        let board = host_tests::boards::any(10, &mut crate::rng(seed));
        let state = crate::state(&board, Piece::I);
        let picture = Picture::of(&Tetris10x10::default(), &state);
        let text = picture.to_string();
        let cells = board.rows.iter().flatten().filter(|cell| **cell).count();
        let (width, height) = Tetris10x10::PICTURE;
        let walls = usize::from(2 * height + width - 2);
        assert_eq!(text.matches('#').count(), 9 * cells + walls, "{text}");
        assert_eq!(Picture::of(&Diverse10x10::default(), &state), picture);
    }
    let empty = crate::state(&twin::Board::empty(10), Piece::I);
    let text = Picture::of(&Tetris10x10::default(), &empty).to_string();
    assert_eq!(text.lines().count(), 42);
}
