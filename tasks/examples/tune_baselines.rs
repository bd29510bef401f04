//! Tunes the baselines of every task: a grid search on some seeds, and the score of the best on others.
//!
//! ```sh
//! cargo run --release --example tune_baselines --package ipse-tasks
//! ```

mod bench;

use bench::{Bench, mean};
use ipse::prelude::*;
use ipse_tasks::intersection::baselines::{FixedTime, LongestQueue, MaxPressure};
use ipse_tasks::sensor_node::baselines::{EnergyNeutral, Greedy, Sending, Threshold};
use ipse_tasks::{Intersection, SensorNode};
use std::fmt::Debug;

/// The seeds on which parameters are chosen, and those on which the choice is scored.
const TUNING: std::ops::Range<u64> = 0..5;
const FRESH: std::ops::Range<u64> = 1_000..1_020;

fn main() {
    intersection();
    sensor_node();
}

/// The mean of those who wait, with a minus, over 20 × 20,000 fresh slots.
fn intersection() {
    let task = Intersection::default();
    let bench = Bench {
        task: &task,
        steps: 20_000,
        scale: 1.0,
    };
    println!("intersection: minus those who wait");
    print(&bench, "random", |state, rng| {
        Policy::random().choose(&task, state, rng).unwrap_or(0)
    });

    let mut cycles = Vec::new();
    for north_south in 2..=12 {
        for east_west in 2..=12 {
            cycles.extend([2, 3, 4].map(|walk| FixedTime {
                green: [north_south, east_west, walk],
            }));
        }
    }
    tune(&bench, &cycles, |rule, state| rule.choose(state));

    let parameters = (1..=8).flat_map(|green| (1..=12).map(move |walker| (green, walker)));
    let queues = parameters
        .clone()
        .map(|(green, walker)| LongestQueue { green, walker });
    let queues: Vec<_> = queues.collect();
    tune(&bench, &queues, |rule, state| rule.choose(state));

    let pressures = parameters.map(|(green, walker)| MaxPressure { green, walker });
    let pressures: Vec<_> = pressures.collect();
    tune(&bench, &pressures, |rule, state| rule.choose(state));
}

/// Value a day, over 20 × 1,000 fresh days.
fn sensor_node() {
    let task = SensorNode::default();
    let bench = Bench {
        task: &task,
        steps: 24 * 1_000,
        scale: 24.0,
    };
    println!("sensor node: points a day");
    print(&bench, "random", |node, rng| {
        Policy::random().choose(&task, node, rng).unwrap_or(0)
    });
    print(&bench, "greedy", |node, _| Greedy.choose(&task, node));

    let sendings = [8, 16, 24, 32, 48, 64].map(|per_point| Sending { per_point });
    let mut thresholds = Vec::new();
    for first in (0..=8_000).step_by(1_000) {
        for step in (2_000..=20_000).step_by(2_000) {
            thresholds.extend(sendings.map(|sending| Threshold {
                first,
                step,
                sending,
            }));
        }
    }
    tune(&bench, &thresholds, |rule, node| rule.choose(&task, node));

    let mut neutrals = Vec::new();
    for share in (8..=20).step_by(2) {
        for level in (0..=16).step_by(2) {
            for hours in [6, 12, 24, 36, 48, 72] {
                neutrals.extend(sendings.map(|sending| EnergyNeutral {
                    share,
                    level,
                    hours,
                    sending,
                }));
            }
        }
    }
    tune(&bench, &neutrals, |rule, node| rule.choose(&task, node));
}

/// Prints the best of many rules, and its score.
fn tune<E: Environment, T: Debug>(
    bench: &Bench<E>,
    rules: &[T],
    choose: impl Fn(&T, &E::State) -> Action,
) {
    let score = |rule: &T| -> f64 {
        let scores = TUNING.map(|seed| bench.score(seed, |state, _| choose(rule, state)));
        scores.sum()
    };
    let scores = rules.iter().map(|rule| (score(rule), rule));
    let best = scores.max_by(|one, other| one.0.total_cmp(&other.0));
    if let Some((_, rule)) = best {
        print(bench, &format!("{rule:?}"), |state, _| choose(rule, state));
    }
}

/// Prints the mean score of a rule on fresh seeds, with its standard error.
fn print<E: Environment>(
    bench: &Bench<E>,
    name: &str,
    choose: impl Fn(&E::State, &mut XorShiftRng) -> Action,
) {
    let scores: Vec<f64> = FRESH.map(|seed| bench.score(seed, &choose)).collect();
    let (mean, error) = mean(&scores);
    println!("{mean:9.2} ± {error:.2}  {name}");
}
