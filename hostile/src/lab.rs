//! What the lab reads.

use ipse::tetris::{BCTS, Board, Column, FEATURES, Piece, State};
use lab::formats::{self, Table};
use std::path::Path;
use std::sync::LazyLock;

/// A board with wells, holes and a row that is nearly full.
const STRANGE: [u32; 10] = [0, 511, 1, 341, 3, 255, 7, 9, 257, 31];

/// A position is refused in one line, or is explained in sensible numbers.
pub fn position(line: &[u8]) {
    for_height::<10, u16>(line);
    for_height::<20, u32>(line);

    fn for_height<const H: usize, C: Column>(line: &[u8]) {
        if let Some(state) = one_line(formats::position::<H, C>(line)) {
            explain(BCTS, &state);
        }
    }
}

/// A file of weights is refused in one line, or any position can be explained with them.
pub fn weights(text: &[u8]) {
    if let Some(weights) = one_line(formats::weights(text)) {
        assert!(
            weights.iter().all(|weight| weight.is_finite()),
            "{weights:?}"
        );
        let board = Board::from_columns(STRANGE).expect("ten rows are enough");
        for piece in Piece::ALL {
            explain(weights, &State::<10, 10, u16> { board, piece });
        }
    }
}

fn explain<const H: usize, C: Column>(weights: [f32; FEATURES], state: &State<10, H, C>) {
    let (json, page) = formats::explain(weights, state).expect("it is JSON");
    // A number that is none would be null, as is what a single placement is held against.
    let numbers = json.replace("\"against\":null", "");
    assert!(!numbers.contains("null"), "{json}");
    assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
}

/// A problem is refused in one line, or there is an answer in finite numbers.
pub fn problem(line: &[u8]) {
    if let Some(answer) = one_line(formats::fit(line)) {
        assert!(
            answer.beta.iter().all(|beta| beta.is_finite()),
            "{answer:?}"
        );
        assert!(answer.objective.is_finite(), "{answer:?}");
    }
}

/// Lines of a board that someone else has decoded are refused in one line, or shown.
pub fn lines(stream: &[u8]) {
    shown(stream, None);
}

/// So are frames, decoded with the table of an image.
pub fn frames(stream: &[u8]) {
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        let lab = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("lab");
        formats::table(&lab.join("tests/recorded/learn.elf")).expect("the image has a table")
    });
    shown(stream, Some(&TABLE));
}

fn shown(stream: &[u8], table: Option<&Table>) {
    if let Some((lines, screen)) = one_line(formats::watch(stream, table)) {
        assert!(!lines.is_empty() && screen.len() <= 24);
    }
}

/// What was accepted. What was refused must have a reason that is a line.
fn one_line<T>(result: Result<T, String>) -> Option<T> {
    match result {
        Ok(accepted) => Some(accepted),
        Err(reason) => {
            assert!(!reason.is_empty());
            // Nor does it move the cursor of a terminal.
            assert!(!reason.contains(char::is_control), "{reason:?}");
            None
        }
    }
}
