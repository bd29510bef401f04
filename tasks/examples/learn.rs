//! Learns every task from nothing, by IPSE and by the return search, and scores what was learned on fresh seeds.
//!
//! ```sh
//! cargo run --release --example learn --package ipse-tasks
//! ```

mod bench;

use bench::{Bench, mean};
use ipse::prelude::*;
use ipse_tasks::{CartPole, Intersection, SensorNode};

const SEEDS: u64 = 20;
/// The first seed of a learner. Values, promises and units of the tasks were chosen by looking at seeds below 40, so that
/// those would flatter.
const FIRST: u64 = 2_000;
/// The first of the seeds on which policies are scored.
const FRESH: u64 = 10_000;

fn main() {
    cart_pole();
    intersection();
    sensor_node();
}

/// Minus those who wait.
fn intersection() {
    let task = Intersection::default();
    let slots = Bench {
        task: &task,
        steps: 20_000,
        scale: 1.0,
    };
    for iterations in [300, 1_000] {
        let name = format!("intersection, {iterations} iterations");
        learn(&name, &slots, Ipse::new(), iterations);
        let name = format!("{name}, averaged");
        learn(&name, &slots, Ipse::new().average(true), iterations);
    }
    search("intersection", &slots, 144);
}

/// The calls until a policy holds the pole in 100 of 100 fresh episodes.
fn cart_pole() {
    const ITERATIONS: usize = 100;
    let mut calls = Vec::new();
    let mut at_the_end = 0;
    for seed in FIRST..FIRST + SEEDS {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        let ipse = Ipse::new().check().expect("the default is valid");
        let mut agent = Agent::new(CartPole, ipse, &mut rng);
        let mut first = None;
        for iteration in 1..=ITERATIONS {
            agent.step(&mut rng);
            let policy = agent.policy();
            let holds = |seed| {
                let mut rng = XorShiftRng::seed_from_u64(FRESH + seed);
                let mut state = CartPole.reset(&mut rng);
                while let Some(action) = policy.choose(&CartPole, &state, &mut rng) {
                    (state, _) = CartPole.step(&state, action, &mut rng);
                }
                state.pushes == ipse_tasks::cart_pole::PUSHES
            };
            let is_held = (0..100).all(holds);
            if is_held && first.is_none() {
                first = Some(agent.progress().calls);
            }
            at_the_end += u32::from(is_held && iteration == ITERATIONS);
        }
        calls.extend(first);
    }
    calls.sort();
    println!(
        "cart-pole: 100 of 100 episodes held after {:?} calls (median; at most {:?}), by {} of {SEEDS} seeds; after \
         {ITERATIONS} iterations by {at_the_end}",
        calls.get(calls.len() / 2),
        calls.last(),
        calls.len(),
    );
}

fn sensor_node() {
    let node = SensorNode::default();
    let days = Bench {
        task: &node,
        steps: 24 * 10_000,
        scale: 24.0,
    };
    for iterations in [100, 200, 400] {
        let name = format!("sensor node, points a day, {iterations} iterations");
        learn(&name, &days, Ipse::new(), iterations);
    }
    let longer = Rollouts {
        length: 24,
        common_random_numbers: true,
        ..Rollouts::default()
    };
    let name = "sensor node, points a day, 400 iterations, T = 24, common random numbers";
    learn(name, &days, Ipse::new().rollouts(longer), 400);
    search("sensor node, points a day", &days, 144);
}

fn learn<E: Environment + Copy, L: Learner<E>>(
    name: &str,
    bench: &Bench<E>,
    learner: L,
    iterations: u32,
) {
    let learner = learner.check().expect("the parameters are valid");
    let make = |rng: &mut XorShiftRng| Agent::new(*bench.task, learner, rng);
    score(name, bench, make, |progress| {
        progress.iterations >= iterations
    });
}

/// The return search with its preset.
fn search<E: Environment + Copy>(name: &str, bench: &Bench<E>, horizon: u16) {
    for calls in [100_000, 300_000, 700_000, 1_400_000] {
        let search = Search::returns(horizon).calls(calls).check();
        let search = search.expect("the parameters are valid");
        let make = |rng: &mut XorShiftRng| Searcher::new(*bench.task, search, rng);
        let name = format!("{name}, return search");
        score(&name, bench, make, |progress| progress.is_finished);
    }
}

/// Learns from every seed until it is enough, and prints what was learned.
fn score<D: Driver>(
    name: &str,
    bench: &Bench<D::Task>,
    make: impl Fn(&mut XorShiftRng) -> D,
    is_enough: impl Fn(&Progress) -> bool,
) {
    let mut calls = 0;
    let mut scores = Vec::new();
    for seed in FIRST..FIRST + SEEDS {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        let mut driver = make(&mut rng);
        while !is_enough(&driver.progress()) {
            driver.step(&mut rng);
        }
        calls += u64::from(driver.progress().calls);
        let policy = driver.policy();
        scores.push(bench.score(FRESH + seed, |state, rng| {
            policy.choose(bench.task, state, rng).unwrap_or(0)
        }));
    }
    let (mean, error) = mean(&scores);
    let worst = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let calls = calls / SEEDS;
    println!("{mean:9.2} ± {error:.2} (worst {worst:.2}), {calls} calls  {name}");
}
