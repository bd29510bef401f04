//! Runs that take weeks on a board: nothing grows, nothing drifts, and what counts stops at its end.
//!
//! `cargo xtask endurance` runs them for a million iterations.

use ipse::bytes::Crc32;
use ipse::checkpoint::{load, max_size, save};
use ipse::direction::Direction;
use ipse::m_learning::{Regularisation, Schedule};
use ipse::rollout::Rollouts;
use ipse::survival::Survival;
use ipse::tetris::{DIRECTIONS, FEATURES, PLACEMENTS, Tetris10x10};
use ipse::{Agent, Algorithm, Checked, Config};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The memory of the process, and how often this thread has asked for some.
struct Counted;

thread_local! {
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static MEMORY_OF_PROCESS: Counted = Counted;

// SAFETY: all is done by the allocator of the system.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.set(REQUESTS.get() + 1);
        // SAFETY: the caller keeps the same promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

const MEMORY: usize = 10;
type Learner = Agent<Tetris10x10, FEATURES, PLACEMENTS, MEMORY>;

fn iterations() -> u32 {
    let usual = if cfg!(debug_assertions) { 300 } else { 10_000 };
    match std::env::var("ITERATIONS") {
        Ok(number) => number.parse().expect("ITERATIONS is a number"),
        Err(_) => usual,
    }
}

/// Short rollouts, and an end of the first phase even if a feature stays undecided.
fn config(algorithm: Algorithm<FEATURES>) -> Checked<FEATURES> {
    let config = Config {
        algorithm,
        rollouts: Rollouts {
            count: 1,
            length: 2,
            ..Rollouts::default()
        },
        lfd_cap: Some(10),
        ..Config::default()
    };
    config.check().unwrap()
}

fn algorithms() -> [Algorithm<FEATURES>; 7] {
    let paper = Regularisation::Schedule(Schedule::PAPER);
    [
        Algorithm::Ipse,
        Algorithm::Lfd,
        Algorithm::MLearning(Regularisation::None),
        Algorithm::MLearning(Regularisation::CrossValidated),
        Algorithm::MLearning(paper),
        Algorithm::MLearningKnown(paper, DIRECTIONS),
        Algorithm::Survival(Survival {
            calls: u32::MAX,
            episode: 20,
            trials: 2,
            horizon: 20,
        }),
    ]
}

#[test]
fn an_agent_that_learns_for_long_asks_for_no_memory_and_keeps_finite_weights() {
    let iterations = iterations();
    for algorithm in algorithms() {
        let share = match algorithm {
            Algorithm::Ipse => iterations,
            Algorithm::MLearning(Regularisation::CrossValidated) => iterations / 100,
            _ => iterations / 10,
        };
        run(algorithm, share);
    }
}

fn run(algorithm: Algorithm<FEATURES>, iterations: u32) {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut agent = Learner::new(Tetris10x10::default(), config(algorithm), &mut rng);
    let requests = REQUESTS.get();
    let (mut finite, mut largest) = (true, 0f32);
    for _ in 0..iterations {
        for weight in agent.step(&mut rng).weights {
            finite &= weight.is_finite();
            largest = largest.max(weight.abs());
        }
    }
    let requests = REQUESTS.get() - requests;
    println!(
        "{algorithm:?}: {} iterations, {requests} allocations, weights up to {largest}",
        agent.iterations()
    );
    assert_eq!((requests, finite), (0, true));
    assert_eq!(agent.iterations(), iterations);
}

#[test]
fn memory_that_is_asked_for_is_counted() {
    let requests = REQUESTS.get();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(REQUESTS.get() - requests, 1);
}

/// A checkpoint from the end of all iterations, with as many votes as there can be on what is decided.
fn at_the_end(algorithm: Algorithm<FEATURES>) -> Vec<u8> {
    const HEADER: usize = 4 + 1 + 4 + 16;
    const CHECKSUM: usize = 4;
    let mut rng = XorShiftRng::seed_from_u64(2);
    let mut agent = Learner::new(Tetris10x10::default(), config(algorithm), &mut rng);
    for _ in 0..40 {
        agent.step(&mut rng);
    }
    let mut buffer = [0; max_size::<Tetris10x10, (), FEATURES, PLACEMENTS, MEMORY, 0>()];
    let mut bytes = save(&agent, &rng, &(), &mut buffer).unwrap().to_vec();
    let end = bytes.len();
    let mut put = |at: usize, number: u32| bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    put(HEADER, u32::MAX - 1);
    let is_search = matches!(algorithm, Algorithm::Survival(_));
    if !is_search {
        // The calls, after the iterations of the first phase. Those of a search end with its budget.
        put(HEADER + 4 + 4, u32::MAX - 1);
    }
    if !is_search && algorithm != Algorithm::Lfd {
        // Of the learner of weights, before a state in 13 bytes.
        put(end - CHECKSUM - 13 - 4, u32::MAX - 1);
    }
    let votes = agent.lfd().tallies().iter().zip(agent.lfd().directions());
    for (feature, (tally, direction)) in votes.enumerate() {
        let at = HEADER + 4 + 4 + 4 + 1 + 8 * feature;
        match direction {
            Direction::Pro => put(at, u32::MAX - 1 - tally.con),
            Direction::Con => put(at + 4, u32::MAX - 1 - tally.pro),
            Direction::Undecided => {}
        }
    }
    bytes.truncate(end - CHECKSUM);
    bytes.extend(Crc32::of(&bytes).to_le_bytes());
    bytes
}

#[test]
fn counters_stop_at_their_end_and_the_agent_goes_on() {
    for algorithm in algorithms() {
        let bytes = at_the_end(algorithm);
        let task = Tetris10x10::default();
        let (mut agent, mut rng, ()): (Learner, _, _) =
            load(task, config(algorithm), &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(agent.iterations(), u32::MAX - 1);
        let learns_directions = matches!(algorithm, Algorithm::Lfd | Algorithm::Ipse);
        for _ in 0..5 {
            let before = *agent.lfd().tallies();
            let step = agent.step(&mut rng);
            assert_eq!(step.iteration, u32::MAX);
            assert!(
                step.weights.iter().all(|weight| weight.is_finite()),
                "{step:?}"
            );
            for (before, after) in before.iter().zip(agent.lfd().tallies()) {
                assert!(after.pro >= before.pro && after.con >= before.con);
            }
        }
        assert_eq!(
            agent
                .lfd()
                .tallies()
                .iter()
                .any(|t| t.pro.max(t.con) > 1 << 31),
            learns_directions
        );
    }
}
