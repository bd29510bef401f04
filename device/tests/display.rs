//! What the display shows, pixel by pixel: the pictures in `golden/display`.

use embassy_futures::block_on;
use embassy_futures::select::select;
use ipse::prelude::*;
use ipse::tetris::{Tetris10x10, Tetris10x20};
use ipse_device::display::{Frame, HEIGHT, Screen, WIDTH};
use ipse_device::{Command, Event, Learned, List, Reader, Session, Settings, Telemetry};
use ipse_tasks::Foraging;
use std::cell::Cell;
use std::fs::File;
use std::future::poll_fn;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::task::Poll;

/// The pixels of a PNG for each column and row of the display; the last is dark.
const DOT: usize = 4;
/// Dark and lit, as red, green and blue.
const COLORS: [u8; 6] = [0x0a, 0x0e, 0x14, 0x9f, 0xdc, 0xff];

/// What is shown of a session that has learned so many iterations, or all of them and has taken so many actions then.
enum When {
    Iteration(u32),
    Action(u32),
}

fn shown<D: Driver>(when: When, make: impl FnOnce(&mut XorShiftRng) -> D) -> Frame {
    // So much time passes whenever one looks that every picture is sent.
    thread_local!(static TIME: Cell<u64> = const { Cell::new(0) });
    let now = || TIME.replace(TIME.get() + 250_000);
    let (last, actions) = match when {
        When::Iteration(last) => (last, 0),
        When::Action(actions) => (u32::MAX, actions),
    };
    let mut session = Session::new(Settings::default(), now, make);
    let (mut reader, mut screen) = (Reader::new(), Screen::new());
    let is_over = Cell::new(false);
    let mut telemetry = Telemetry::new(|frame: &[u8]| {
        reader.read(frame, |event| {
            let is_after = |learned: &Learned| learned.iteration > last;
            is_over.set(
                is_over.get() || matches!(&event, Event::Learned(learned) if is_after(learned)),
            );
            if !is_over.get() {
                screen.tell(&event);
            }
        });
        true
    });
    let over = poll_fn(|_| match is_over.get() {
        true => Poll::Ready(()),
        false => Poll::Pending,
    });
    block_on(select(over, session.learn(&mut telemetry)));
    let mut player = session.player();
    for _ in 0..actions {
        session.play(&mut player, &mut telemetry);
    }
    *screen.frame()
}

fn paper(rng: &mut XorShiftRng) -> Agent<Tetris10x10, Ipse> {
    Agent::new(Tetris10x10::default(), Ipse::paper().check().unwrap(), rng)
}

/// A frame as the pixels of a PNG: bits, the highest first.
fn enlarged(frame: &Frame) -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..HEIGHT * DOT {
        for x in (0..WIDTH * DOT).step_by(8) {
            let is_lit = |x: usize| {
                let is_gap = x % DOT == DOT - 1 || y % DOT == DOT - 1;
                !is_gap && frame.is_lit(x / DOT, y / DOT)
            };
            rows.push((x..x + 8).fold(0, |byte, x| byte << 1 | u8::from(is_lit(x))));
        }
    }
    rows
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).ok()?))
        .read_info()
        .ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    assert_eq!(info.bit_depth, png::BitDepth::One);
    Some(pixels)
}

fn write(path: &Path, pixels: &[u8]) {
    let file = File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, (WIDTH * DOT) as u32, (HEIGHT * DOT) as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_palette(COLORS.as_slice());
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
}

/// Compares a frame with a picture. If they differ, what is shown now is written to where the test says, to be looked at
/// and, if it is as it should be, copied.
fn assert_is(frame: &Frame, name: &str) {
    let file = format!("{name}.png");
    let golden = Path::new("tests/golden/display").join(&file);
    let pixels = enlarged(frame);
    if read(&golden).is_none_or(|golden| golden != pixels) {
        let now = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(&file);
        write(&now, &pixels);
        panic!("{}: the display shows {}", golden.display(), now.display());
    }
}

#[test]
fn directions_are_learned() {
    assert_is(&shown(When::Iteration(12), paper), "directions");
}

#[test]
fn weights_are_learned() {
    assert_is(&shown(When::Iteration(120), paper), "weights");
}

#[test]
fn weights_are_searched_for() {
    let search = Search::survival().check().unwrap();
    let make = |rng: &mut XorShiftRng| Searcher::new(Tetris10x10::default(), search, rng);
    assert_is(&shown(When::Iteration(60), make), "search");
}

#[test]
fn another_task_is_played() {
    let learner = Ipse::new().check().unwrap();
    let make = |rng: &mut XorShiftRng| Agent::new(Foraging, learner, rng);
    assert_is(&shown(When::Action(30), make), "playing");
}

#[test]
fn a_picture_without_room_is_reduced() {
    let learner = Ipse::new().check().unwrap();
    let make = |rng: &mut XorShiftRng| Agent::new(Tetris10x20::default(), learner, rng);
    assert_is(&shown(When::Iteration(25), make), "reduced");
}

/// An event as if there were so many features.
fn of_features(count: usize) -> Event<'static> {
    let weights: List<f32> = (0..count).map(|index| 3.0 - index as f32).collect();
    Event::Learned(Learned {
        iteration: 1234567,
        phase: Phase::Weights,
        calls: 0,
        reward: 0,
        episodes: 0,
        micros: 0,
        directions: weights.iter().map(|_| Direction::Undecided).collect(),
        votes: weights.iter().map(|_| [0, 0]).collect(),
        weights,
    })
}

/// The rows of the display that have a bar or a part of one, far from the line of weight 0.
fn rows_of_bars(count: usize) -> usize {
    let mut screen = Screen::new();
    screen.tell(&of_features(count));
    let frame = screen.frame();
    let is_bar = |y: &usize| [94, 95, 98, 99].iter().any(|x| frame.is_lit(*x, *y));
    (18..56).filter(is_bar).count()
}

#[test]
fn there_is_room_for_many_features_and_for_few() {
    // The fourth has the weight 0.
    assert_eq!([1, 3].map(rows_of_bars), [6, 18]);
    assert_eq!([8, 9].map(rows_of_bars), [7 * 3, 8 * 3]);
    assert_eq!(rows_of_bars(18), 17);
    assert_eq!(rows_of_bars(20), rows_of_bars(18));
}

#[test]
fn a_board_that_is_told_to_begin_again_shows_nothing_of_before() {
    let mut screen = Screen::new();
    screen.tell(&of_features(8));
    assert_ne!(*screen.frame(), Frame::DARK);
    screen.tell(&Event::Obeyed(Command::Restart));
    assert_eq!(*screen.frame(), Frame::DARK);
}
