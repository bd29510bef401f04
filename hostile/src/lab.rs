//! What the lab reads.

use crate::checkpoint::HEADER;
use ipse::bytes::Crc32;
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

/// The settings of a folder of results, in a line, and its table are refused in a line, or what is written
/// for them is read as the same.
pub fn results(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (settings, table) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
    if let Some(written) = one_line(formats::results(settings, table)) {
        let again = formats::results(settings, written.as_bytes());
        assert_eq!(again.as_ref(), Ok(&written));
    }
}

/// A file that `train` is to go on from is refused in a line, or it goes on, and could from what it then
/// writes. If the first byte is odd, the others are what is between the header and a right checksum.
pub fn training(bytes: &[u8]) {
    let file = match bytes.split_first() {
        Some((odd, content)) if odd % 2 == 1 => {
            let mut file = formats::fresh_checkpoint();
            file.truncate(HEADER);
            file.extend(content);
            let checksum = Crc32::of(&file);
            file.extend(checksum.to_le_bytes());
            file
        }
        Some((_, file)) => file.to_vec(),
        None => Vec::new(),
    };
    if let Some(next) = one_line(formats::resume(&file)) {
        assert_ne!(next, file);
        assert!(formats::resume(&next).is_ok());
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
