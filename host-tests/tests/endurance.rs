//! Runs that take weeks on a board: nothing grows, nothing drifts, and what counts stops at its end.
//!
//! `cargo xtask endurance` runs them for a million iterations.

use host_tests::forge::{Forged, LearnerFormat};
use ipse::checkpoint::{max_size, restore, save};
use ipse::driver::ResumableDriver;
use ipse::learner::lfd::{Tally, Votes};
use ipse::prelude::*;
use ipse::tetris::{DIRECTIONS, Tetris10x10};
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

/// A memory that is soon full.
const MEMORY: usize = 10;

fn iterations() -> u32 {
    let usual = if cfg!(debug_assertions) { 300 } else { 10_000 };
    match std::env::var("ITERATIONS") {
        Ok(number) => number.parse().expect("ITERATIONS is a number"),
        Err(_) => usual,
    }
}

fn short() -> Rollouts {
    Rollouts {
        count: 1,
        length: 2,
        ..Rollouts::paper()
    }
}

/// The paper's, with an end of the first phase even if a feature stays undecided.
fn ipse() -> Ipse<MEMORY> {
    Ipse::paper().memory().cap(10).rollouts(short())
}

/// What works on tasks that nobody has seen.
fn default() -> Ipse<MEMORY> {
    let rollouts = Rollouts {
        pass_over: 100,
        ..short()
    };
    Ipse::new().memory().cap(10).rollouts(rollouts)
}

fn lfd() -> Lfd {
    Lfd::paper().rollouts(short())
}

fn scheduled() -> MLearning<MEMORY> {
    MLearning::scheduled().rollouts(short()).memory()
}

/// Calls a function with a short name, what comes with it, and every learner but the paper's IPSE.
macro_rules! other_learners {
    ($check:ident $(, $argument:expr)*) => {{
        use ipse::learner::m_learning::{CrossValidated, Unregularised};
        $check("default", default() $(, $argument)*);
        $check("LFD", lfd() $(, $argument)*);
        $check("unregularised", scheduled().regularisation(Unregularised) $(, $argument)*);
        $check("cross-validated", scheduled().regularisation(CrossValidated) $(, $argument / 10)*);
        $check("scheduled", scheduled() $(, $argument)*);
        $check("known", Known(DIRECTIONS).then(scheduled()) $(, $argument)*);
    }};
}

/// A search that does not end.
fn searcher(rng: &mut XorShiftRng) -> Searcher<Tetris10x10, Lfd, MEMORY> {
    let search = Search::survival().calls(u32::MAX).episode(20).trials(2);
    let search = search.horizon(20).cap(10).rollouts(short()).memory();
    Searcher::new(Tetris10x10::default(), search.check().unwrap(), rng)
}

fn agent<L: Learner<Tetris10x10>>(learner: L, rng: &mut XorShiftRng) -> Agent<Tetris10x10, L> {
    Agent::new(Tetris10x10::default(), learner.check().unwrap(), rng)
}

#[test]
fn an_agent_that_learns_for_long_asks_for_no_memory_and_keeps_finite_weights() {
    let iterations = iterations();
    run("IPSE", ipse(), iterations);
    other_learners!(run, iterations / 10);
    let mut rng = XorShiftRng::seed_from_u64(1);
    drive("search", searcher(&mut rng), rng, iterations / 10);

    fn run<L: Learner<Tetris10x10>>(name: &str, learner: L, iterations: u32) {
        let mut rng = XorShiftRng::seed_from_u64(1);
        drive(name, agent(learner, &mut rng), rng, iterations);
    }
}

fn drive<D>(name: &str, mut driver: D, mut rng: XorShiftRng, iterations: u32)
where
    D: Driver<Task = Tetris10x10>,
{
    let requests = REQUESTS.get();
    let (mut finite, mut largest) = (true, 0f32);
    for _ in 0..iterations {
        for weight in driver.step(&mut rng).weights {
            finite &= weight.is_finite();
            largest = largest.max(weight.abs());
        }
    }
    let requests = REQUESTS.get() - requests;
    println!("{name}: {iterations} iterations, {requests} allocations, weights up to {largest}");
    assert_eq!((requests, finite), (0, true));
    assert_eq!(driver.progress().iterations, iterations);
}

#[test]
fn memory_that_is_asked_for_is_counted() {
    let requests = REQUESTS.get();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(REQUESTS.get() - requests, 1);
}

const LAST: u32 = u32::MAX - 1;

fn saved<D: ResumableDriver>(driver: &mut D, rng: &XorShiftRng) -> Vec<u8> {
    let mut buffer = vec![0; max_size::<D, ()>()];
    save(driver, rng, (), &mut buffer).unwrap().to_vec()
}

/// The votes on what is decided are as many as there can be, or one fewer.
fn with_most_votes(mut forged: Forged, prefix: &str, votes: &Votes<[i16; 8]>) -> Forged {
    for (feature, direction) in votes.directions().iter().enumerate() {
        let side = match direction {
            Direction::Pro => "votes for",
            Direction::Con => "votes against",
            Direction::Undecided => continue,
        };
        let most = Tally::MOST - (feature % 2) as u16;
        forged = forged.with(&format!("{prefix}{side}[{feature}]"), most.into());
        let varied = format!("{prefix}choices that vary[{feature}]");
        forged = forged.with(&varied, u16::MAX.into());
    }
    forged
}

/// Goes on from the end of all iterations.
fn assert_goes_on<L>(learner: L, forge: impl Fn(&L::Memory, Forged) -> Forged)
where
    L: LearnerFormat<Tetris10x10> + ResumableLearner<Tetris10x10>,
{
    let mut rng = XorShiftRng::seed_from_u64(2);
    let mut agent = agent(learner, &mut rng);
    (0..40).for_each(|_| _ = agent.step(&mut rng));
    let bytes = saved(&mut agent, &rng);
    let mut forged = Forged::open(&agent, &bytes, 0);
    for counter in ["header iterations", "iterations", "calls"] {
        forged = forged.with(counter, LAST.into());
    }
    let forged = forge(agent.memory(), forged);
    restore::<_, ()>(&mut agent, &mut rng, &forged.seal()).unwrap();
    assert_eq!(agent.progress().iterations, LAST);
    for _ in 0..5 {
        let step = agent.step(&mut rng);
        assert_eq!(step.iteration, u32::MAX);
        let progress = agent.progress();
        assert_eq!((progress.iterations, progress.calls), (u32::MAX, u32::MAX));
        assert!(step.weights.iter().all(|w| w.is_finite()), "{step:?}");
        // What is saved then can be resumed.
        let bytes = saved(&mut agent, &rng);
        restore::<_, ()>(&mut agent, &mut rng, &bytes).unwrap();
    }
}

fn without_votes<M>(_: &M, forged: Forged) -> Forged {
    let forged = forged.with("iterations of choices", LAST.into());
    forged.with("k", LAST.into())
}

/// After so many iterations of the first phase.
fn in_second_phase(forged: Forged, first_phase: u32) -> Forged {
    let iterations = u128::from(LAST - first_phase);
    let forged = forged.with("second.iterations of choices", iterations);
    forged.with("second.k", iterations)
}

#[test]
fn counters_stop_at_their_end_and_the_agent_goes_on() {
    use ipse::learner::m_learning::{CrossValidated, Unregularised};
    assert_goes_on(lfd(), |votes, forged| with_most_votes(forged, "", votes));
    assert_goes_on(ipse(), |memory, forged| {
        let first_phase = memory.switched_after().unwrap();
        with_most_votes(
            in_second_phase(forged, first_phase),
            "first.",
            memory.first(),
        )
    });
    // Its first phase is over, and so are its votes.
    assert_goes_on(default(), |memory, forged| {
        in_second_phase(forged, memory.switched_after().unwrap())
    });
    assert_goes_on(Known(DIRECTIONS).then(scheduled()), |_, forged| {
        in_second_phase(forged, 0)
    });
    assert_goes_on(scheduled(), without_votes);
    assert_goes_on(scheduled().regularisation(Unregularised), without_votes);
    assert_goes_on(scheduled().regularisation(CrossValidated), without_votes);
}

#[test]
fn a_search_stops_counting_at_the_end_and_goes_on() {
    let mut rng = XorShiftRng::seed_from_u64(2);
    let mut searcher = searcher(&mut rng);
    (0..40).for_each(|_| _ = searcher.step(&mut rng));
    let bytes = saved(&mut searcher, &rng);
    let forged = Forged::open(&searcher, &bytes, 0);
    let generations = u128::from(LAST) - forged.get("iterations");
    let forged = forged.with("header iterations", LAST.into());
    let forged = forged.with("generations", generations);
    restore::<_, ()>(&mut searcher, &mut rng, &forged.seal()).unwrap();
    for _ in 0..5 {
        let step = searcher.step(&mut rng);
        assert_eq!(step.iteration, u32::MAX);
        assert!(step.weights.iter().all(|w| w.is_finite()), "{step:?}");
    }
}
