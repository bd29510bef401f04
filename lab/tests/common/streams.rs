//! Streams of telemetry, as boards send them.

use embassy_futures::{block_on, yield_now};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::faults::FaultyFlash;
use ipse_device::{Session, Settings, Storage, Telemetry};
use ipse_tasks::sensor_node::Node;
use ipse_tasks::{Foraging, SensorNode};
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

/// A sensor node that acts in the world while it learns by a search, and then goes on.
pub fn node() -> Vec<u8> {
    let search = Search::returns(144).calls(CALLS / 10).check().unwrap();
    let new = |rng: &mut XorShiftRng| Searcher::new(SensorNode::HAMBURG, search, rng);
    let mut session = session(1, None, new);
    let flash = FaultyFlash::<4, 4096, 4>::new();
    let mut storage = Storage::<_, 2016>::new(&flash, 0..4 * 4096).unwrap();
    let mut stream = Vec::new();
    let mut telemetry = Telemetry::new(|frame: &[u8]| {
        stream.extend_from_slice(frame);
        true
    });
    let (mut player, mut rng) = (session.player(), XorShiftRng::seed_from_u64(1));
    while !session.is_done() || player.actions() < ACTIONS {
        let hour = async |node: &Node, action| {
            for _ in 0..20 {
                yield_now().await;
            }
            SensorNode::HAMBURG.step(node, action, &mut rng)
        };
        block_on(session.act(&mut player, &mut storage, &mut telemetry, hour));
    }
    stream
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
