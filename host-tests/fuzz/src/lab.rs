//! What the lab reads.

use crate::checks::one_line;
use crate::sealed;
use ipse::checkpoint::Crc32;
use ipse::tetris::{BCTS, Board, Column, Piece, State};
use ipse_device::{Command, CommandReader, MAX_COMMAND, encode_command};
use ipse_lab::formats;
use ipse_tasks::SensorNode;

/// A board with wells, holes and a row that is nearly full.
const STRANGE: [u32; 10] = [0, 511, 1, 341, 3, 255, 7, 9, 257, 31];

/// A position is refused in one line, or is explained in sensible numbers.
pub fn position(line: &[u8]) {
    for_height::<10, u16>(line);
    for_height::<20, u32>(line);

    fn for_height<const H: usize, C: Column + Send + Sync + 'static>(line: &[u8]) {
        if let Some(state) = accepted(formats::position::<H, C>(line)) {
            explain(BCTS, &state);
        }
    }
}

/// A file of weights is refused in one line, or any position can be explained with them.
pub fn weights(text: &[u8]) {
    if let Some(weights) = accepted(formats::weights(text)) {
        let is_finite = weights.iter().all(|weight| weight.is_finite());
        assert!(is_finite, "{weights:?}");
        let board = Board::from_columns(STRANGE).expect("ten rows are enough");
        for piece in Piece::ALL {
            explain(weights, &State::<10, 10, u16> { board, piece });
        }
    }
}

fn explain<const H: usize, C: Column + Send + Sync + 'static>(
    weights: [f32; 8],
    state: &State<10, H, C>,
) {
    let (json, page) = formats::explain(weights, state).expect("it is JSON");
    // NaN would be null, as is the alternative to a single placement.
    let numbers = json.replace("\"against\":null", "");
    assert!(!numbers.contains("null"), "{json}");
    assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
}

/// A trace of irradiance is refused in one line, or is one of weather that the task accepts.
pub fn weather(text: &[u8]) {
    if let Some(weather) = accepted(formats::weather(text)) {
        assert_eq!(SensorNode::new(weather).map(|_| ()), Ok(()));
    }
}

/// A problem is refused in one line, or there is an answer in finite numbers.
pub fn problem(line: &[u8]) {
    if let Some(answer) = accepted(formats::fit(line)) {
        let is_finite = answer.beta.iter().all(|beta| beta.is_finite());
        assert!(is_finite && answer.objective.is_finite(), "{answer:?}");
    }
}

/// The settings of a folder of results, which are the first line, and its table are refused in one line, or what
/// is written for them is read as the same.
pub fn results(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (settings, table) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
    if let Some(written) = accepted(formats::results(settings, table)) {
        let again = formats::results(settings, written.as_bytes());
        assert_eq!(again.as_ref(), Ok(&written));
    }
}

/// A checkpoint of `train` is refused in one line, or the run goes on from it, and could go on from the next.
/// If the first byte is odd, the others are the content behind an intact header.
pub fn training(bytes: &[u8]) {
    let file = match bytes.split_first() {
        Some((odd, content)) if odd % 2 == 1 => {
            sealed::with_content(&formats::fresh_checkpoint(), content)
        }
        Some((_, file)) => file.to_vec(),
        None => Vec::new(),
    };
    if let Some(next) = accepted(formats::resume(&file)) {
        assert_ne!(next, file);
        assert!(formats::resume(&next).is_ok());
    }
}

/// Any bytes from a board are shown, without a terminal and on one of any size. If the first byte is odd, the others
/// are events in intact frames, each after a byte with its length.
pub fn telemetry(bytes: &[u8]) {
    let (stream, width, height) = match bytes {
        [odd, width, height, events @ ..] if odd % 2 == 1 => (in_frames(events), *width, *height),
        _ => (bytes.to_vec(), 80, 24),
    };
    let shown = formats::watch(&stream, width.into(), height.into());
    assert!(!shown.lines.replace('\n', "").contains(char::is_control));
    assert_eq!(shown.screen.len(), usize::from(height));
    let summary = shown.summary.concat();
    assert!(!summary.contains(char::is_control), "{summary:?}");
    accepted(shown.result);
}

/// Any bytes to a board are commands or nothing. If the first byte is odd, the others are the content of intact frames,
/// each after a byte with its length.
pub fn commands(bytes: &[u8]) {
    let stream = match bytes {
        [odd, frames @ ..] if odd % 2 == 1 => in_frames(frames),
        _ => bytes.to_vec(),
    };
    let mut reader = CommandReader::new();
    for command in stream.iter().filter_map(|byte| reader.push(*byte)) {
        let mut buffer = [0; MAX_COMMAND];
        let frame = encode_command(command, &mut buffer).expect("there is room for any command");
        let mut again = CommandReader::new();
        let read: Vec<_> = frame.iter().filter_map(|byte| again.push(*byte)).collect();
        assert_eq!(read, [command]);
        one_line(command);
        match command {
            Command::Write(part) => assert!(part.content().len() <= part.of as usize),
            Command::Read(_) => {}
            typed => assert_eq!(typed.to_string().parse(), Ok(typed)),
        }
    }
}

fn in_frames(mut events: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    while let Some((length, rest)) = events.split_first() {
        let (event, rest) = rest.split_at(rest.len().min((*length).into()));
        let checksum = Crc32::of(event).to_le_bytes();
        stream.push(0);
        stream.extend(cobs::encode_vec(&[event, &checksum].concat()));
        stream.push(0);
        events = rest;
    }
    stream
}

fn accepted<T>(result: Result<T, String>) -> Option<T> {
    result.map_err(one_line).ok()
}
