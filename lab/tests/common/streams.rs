//! Streams of telemetry, as boards send them.

use embassy_futures::block_on;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Session, Settings, Telemetry};
use ipse_tasks::Foraging;
use std::cell::Cell;
use std::sync::LazyLock;

pub const ITERATIONS: u32 = 120;
pub const CALLS: u32 = 60_000;
pub const ACTIONS: u32 = 100;

/// Tetris by IPSE.
pub fn tetris() -> Vec<u8> {
    static STREAM: LazyLock<Vec<u8>> = LazyLock::new(new_tetris);
    STREAM.clone()
}

fn new_tetris() -> Vec<u8> {
    let learner = Ipse::new().check().unwrap();
    let new = |rng: &mut XorShiftRng| Agent::new(Tetris10x10::default(), learner, rng);
    stream(&mut session(1, Some(ITERATIONS), new), ACTIONS)
}

/// Foraging by IPSE, without any action at the end.
pub fn foraging(seed: u64) -> Vec<u8> {
    let learner = Ipse::new().check().unwrap();
    let new = |rng: &mut XorShiftRng| Agent::new(Foraging, learner, rng);
    stream(&mut session(seed, Some(ITERATIONS), new), 0)
}

/// Tetris by a search, which ends after so many calls.
pub fn search() -> Vec<u8> {
    static STREAM: LazyLock<Vec<u8>> = LazyLock::new(new_search);
    STREAM.clone()
}

fn new_search() -> Vec<u8> {
    let search = Search::survival().calls(CALLS).check().unwrap();
    let new = |rng: &mut XorShiftRng| Searcher::new(Tetris10x10::default(), search, rng);
    stream(&mut session(1, None, new), ACTIONS)
}

/// A session with a clock that goes on whenever someone looks at it.
fn session<D: Driver>(
    seed: u64,
    iterations: Option<u32>,
    new: impl FnOnce(&mut XorShiftRng) -> D,
) -> Session<D> {
    thread_local!(static TIME: Cell<u64> = const { Cell::new(0) });
    TIME.set(0);
    let now = || {
        TIME.set(TIME.get() + 50);
        TIME.get()
    };
    let settings = Settings {
        seed,
        iterations,
        ..Settings::default()
    };
    Session::new(settings, now, new)
}

/// Everything that is sent while a session learns, and then takes so many actions.
fn stream<D: Driver>(session: &mut Session<D>, actions: u32) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut telemetry = Telemetry::new(|frame: &[u8]| {
        stream.extend_from_slice(frame);
        true
    });
    block_on(session.learn(&mut telemetry));
    let mut player = session.player();
    for _ in 0..actions {
        session.play(&mut player, &mut telemetry);
    }
    stream
}
