//! Experiments around survival search, for docs/BEYOND.md.
//!
//! ```sh
//! cargo run --release -p bench --example beyond -- brinks 1000 24       # first seed, seeds
//! cargo run --release -p bench --example beyond -- endings surface 1000 24 40    # … and games of each policy
//! ```
//!
//! `brinks`: how often DT-10 and others fail on the boards that a search with pattern diversity plays on from.
//!
//! `endings`: what becomes of a search that leaves a tenth of its calls for an ending, in which some candidates are
//! compared and the best is taken: the shrinkage s, or the means of the last generations, on the brinks of the search or in
//! whole games. All calls count, and the search without an ending has all of them.

use ipse::array::Array;
use ipse::prelude::*;
use ipse::search::Guard;
use ipse::tetris::diverse::{DT10, Diverse10x10};
use ipse::tetris::surface::{Surface10x10, SurfaceNine10x10};
use ipse::tetris::{BCTS, Tetris10x10};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const CALLS: u32 = 1_360_000;
/// The calls that an ending has.
const ENDING: u32 = CALLS / 10;
/// The longest trial.
const HORIZON: u32 = 80;
/// The candidates for the shrinkage.
const SHRINKAGES: [f32; 7] = [0.0, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5];
/// The candidates among the means, evenly spaced over the averaged part of the search.
const MEANS: usize = 12;
/// Keeps the games of the evaluation apart from all that is learned from.
const FRESH: u64 = 1 << 40;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| -> u64 { text.parse().expect("a number") };
    match words[..] {
        ["brinks", first, seeds] => brinks(number(first), number(seeds)),
        ["endings", features, first, seeds, games] => {
            let numbers = [number(first), number(seeds), number(games)];
            match features {
                "paper" => endings(Tetris10x10::default(), numbers),
                "diverse" => endings(Diverse10x10::default(), numbers),
                "surface" => endings(Surface10x10::default(), numbers),
                "surface-nine" => endings(SurfaceNine10x10::default(), numbers),
                _ => panic!("`{features}` is not paper, diverse, surface or surface-nine"),
            }
        }
        _ => panic!("brinks FIRST SEEDS, or endings FEATURES FIRST SEEDS GAMES"),
    }
}

/// A search that is over, before any shrinkage.
struct Ended<E: Environment> {
    average: Weights<E>,
    /// The means of some generations, the last one last.
    means: Vec<Weights<E>>,
    brinks: Vec<E::State>,
    calls: u32,
}

type Weights<E> = PerFeature<E, f32>;

fn search<E: Environment + Copy>(task: E, seed: u64, calls: u32) -> Ended<E> {
    let mut rng = XorShiftRng::seed_from_u64(seed);
    let parameters = Search::survival()
        .suited_to::<E>()
        .guard(Some(Guard::new()))
        .shrinkage(0.0)
        .calls(calls);
    let parameters = parameters.check().expect("it is valid");
    let mut searcher = Searcher::new(task, parameters, &mut rng);
    let (mut average, mut averaged) = (searcher.weights(), 0f32);
    let mut means = Vec::new();
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
        let weights = searcher.weights();
        if searcher.progress().calls > calls / 2 && weights != average {
            // The average over n + 1 is that over n and an (n + 1)th of the way to the mean. Here n counts from the first
            // half on, which is close enough: only the direction of the mean matters.
            averaged += 1.0;
            let mut mean = weights;
            let both = mean.as_mut().iter_mut().zip(average.as_ref());
            both.for_each(|(new, old)| *new = old + (*new - old) * averaged);
            means.push(mean);
        }
        average = weights;
    }
    let every = means.len().div_ceil(MEANS).max(1);
    let mut means: Vec<_> = means.into_iter().rev().step_by(every).collect();
    means.reverse();
    Ended {
        average,
        means,
        brinks: searcher.brinks().to_vec(),
        calls: searcher.progress().calls,
    }
}

/// As a search shrinks what it has learned toward equal weights.
fn shrunk<E: Environment>(weights: &Weights<E>, s: f32) -> Weights<E> {
    let length = weights.as_ref().iter().map(|x| x * x).sum::<f32>().sqrt();
    let equal = s / (E::Features::LEN as f32).sqrt();
    let mut shrunk = *weights;
    for x in shrunk.as_mut() {
        *x /= length;
        if *x != 0.0 {
            *x += equal.copysign(*x);
        }
    }
    shrunk
}

fn policy<E: Environment>(weights: &Weights<E>) -> Policy<E::Features> {
    Policy::new::<E>(weights).expect("the weights are finite")
}

/// Plays on from a brink, as trials do. Returns whether the game was lost, and the number of calls.
fn trial<E: Environment>(
    task: &E,
    policy: &Policy<E::Features>,
    brink: E::State,
    seed: u64,
) -> (bool, u32) {
    let mut ties = XorShiftRng::seed_from_u64(!seed);
    let ends_in_safety = !task.is_safe(&brink);
    let mut state = brink;
    for acted in 0..HORIZON {
        let Some(action) = policy.choose(task, &state, &mut ties) else {
            return (true, acted);
        };
        // The same pieces for all, however many random numbers they have drawn.
        let mut pieces = XorShiftRng::seed_from_u64(seed.wrapping_add(u64::from(acted)));
        state = task.step(&state, action, &mut pieces).0;
        if ends_in_safety && task.is_safe(&state) {
            return (false, acted + 1);
        }
    }
    (false, HORIZON)
}

/// A game, of at most so many actions. Returns the rows and the number of calls.
fn game<E: Environment>(
    task: &E,
    policy: &Policy<E::Features>,
    seed: u64,
    most: u32,
) -> (i64, u32) {
    let mut rng = XorShiftRng::seed_from_u64(seed);
    let mut state = task.reset(&mut rng);
    let (mut rows, mut acted) = (0, 0);
    while acted < most
        && let Some(action) = policy.choose(task, &state, &mut rng)
    {
        let (next, reward) = task.step(&state, action, &mut rng);
        state = next;
        rows += i64::from(reward);
        acted += 1;
    }
    (rows, acted)
}

/// The candidate that fails least from the brinks. After each quarter of the calls the worse half of the candidates is out.
fn race<E: Environment>(task: &E, candidates: &[Weights<E>], ended: &Ended<E>, seed: u64) -> usize {
    let policies: Vec<_> = candidates.iter().map(policy::<E>).collect();
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    let mut failures = vec![0u32; candidates.len()];
    let mut rng = XorShiftRng::seed_from_u64(seed ^ 0x5eed);
    let mut calls = 0;
    for quarter in 1..=4 {
        while calls < ENDING / 4 * quarter {
            let brink = ended.brinks[rng.next_u32() as usize % ended.brinks.len()];
            let common = rng.next_u64();
            for &i in &left {
                let (failed, used) = trial(task, &policies[i], brink, common);
                failures[i] += u32::from(failed);
                calls += used;
            }
        }
        left.sort_by_key(|&i| failures[i]);
        left.truncate(left.len().div_ceil(2));
    }
    left[0]
}

/// The candidate that removes most rows in whole games, on the same seeds.
fn match_play<E: Environment>(task: &E, candidates: &[Weights<E>], seed: u64) -> usize {
    let policies: Vec<_> = candidates.iter().map(policy::<E>).collect();
    let mut rows = vec![0i64; candidates.len()];
    let mut calls = 0;
    for round in 0.. {
        for (policy, rows) in policies.iter().zip(&mut rows) {
            let left = ENDING.saturating_sub(calls);
            let (more, used) = game(
                task,
                policy,
                (seed ^ 0x6a3e).wrapping_mul(977) + round,
                left,
            );
            *rows += more;
            calls += used;
        }
        if calls >= ENDING {
            break;
        }
    }
    (0..rows.len()).max_by_key(|&i| rows[i]).unwrap_or(0)
}

/// Mean rows of a policy in fresh games.
fn score<E: Environment>(task: &E, weights: &Weights<E>, seed: u64, games: u64) -> f64 {
    let policy = policy::<E>(weights);
    let rows = (0..games).map(|i| game(task, &policy, FRESH + seed * 10_000 + i, u32::MAX).0);
    rows.sum::<i64>() as f64 / games as f64
}

fn endings<E: Environment + Copy + Sync>(task: E, [first, seeds, games]: [u64; 3]) {
    let suited = E::SURVIVAL.shrinkage;
    let names = [
        "no ending, all calls",
        "no ending, nine tenths of the calls",
        "s by a race on brinks",
        "s by whole games",
        "the last means by a race on brinks",
        "means and average, all s, by a race on brinks",
    ];
    let rows = map(first, seeds, |seed| {
        let whole = search(task, seed, CALLS);
        let most = search(task, seed, CALLS - ENDING);
        let by_s: Vec<_> = SHRINKAGES.map(|s| shrunk::<E>(&most.average, s)).into();
        let mut means: Vec<_> = most.means.clone();
        means.push(most.average);
        let shrunk_means: Vec<_> = means.iter().map(|mean| shrunk::<E>(mean, suited)).collect();
        let every = means.iter().rev().take(4);
        let all: Vec<_> = every
            .flat_map(|mean| [0.0, 0.4, 1.0].map(|s| shrunk::<E>(mean, s)))
            .collect();
        let s_by_race = race(&task, &by_s, &most, seed);
        let s_by_games = match_play(&task, &by_s, seed);
        let policies = [
            shrunk::<E>(&whole.average, suited),
            shrunk::<E>(&most.average, suited),
            by_s[s_by_race],
            by_s[s_by_games],
            shrunk_means[race(&task, &shrunk_means, &most, seed)],
            all[race(&task, &all, &most, seed)],
        ];
        let scores = policies.map(|weights| score(&task, &weights, seed, games));
        eprintln!(
            "seed {seed}: {} and {} calls, s {} and {}, rows {scores:.0?}",
            whole.calls, most.calls, SHRINKAGES[s_by_race], SHRINKAGES[s_by_games]
        );
        scores
    });
    println!(
        "{}, {seeds} seeds from {first}, {games} games each",
        E::NAME
    );
    for (i, name) in names.iter().enumerate() {
        let (mean, error) = estimate(rows.iter().map(|row| row[i]));
        let (less, of_less) = estimate(rows.iter().map(|row| row[i] - row[0]));
        println!("{name:46} {mean:7.0} ± {error:4.0}   less the first {less:+6.0} ± {of_less:4.0}");
    }
}

fn brinks(first: u64, seeds: u64) {
    let task = Diverse10x10::default();
    let [a, b, c, d, e, f, g, h] = BCTS;
    let names = ["the search's own result", "DT-10", "BCTS"];
    /// Trials from each brink.
    const TRIALS: u64 = 50;
    let rates = map(first, seeds, |seed| {
        let ended = search(task, seed, CALLS);
        let policies = [ended.average, DT10, [a, b, c, d, e, f, g, h, 0.0]]
            .map(|weights| policy::<Diverse10x10>(&weights));
        // Boards from twenty to forty placements before DT-10 loses a game.
        let of_dt10: Vec<_> = (0..20)
            .map(|i| brink_of(&task, &policies[1], seed * 100 + i))
            .collect();
        [ended.brinks, of_dt10].map(|brinks| {
            policies.map(|policy| {
                let trials = brinks.iter().enumerate().flat_map(|(i, brink)| {
                    (0..TRIALS)
                        .map(move |n| (*brink, FRESH + (seed * 1000 + i as u64) * 1000 + n * 100))
                });
                let failed = trials.filter(|&(brink, seed)| trial(&task, &policy, brink, seed).0);
                failed.count() as f64 / (brinks.len() as u64 * TRIALS) as f64
            })
        })
    });
    println!(
        "tetris-diverse, {seeds} seeds from {first}: share of trials that are lost, in percent"
    );
    for (from, source) in ["brinks of the search", "brinks of DT-10"]
        .iter()
        .enumerate()
    {
        for (i, name) in names.iter().enumerate() {
            let of_policy = |row: &[[f64; 3]; 2], i: usize| 100.0 * row[from][i];
            let (mean, error) = estimate(rates.iter().map(|row| of_policy(row, i)));
            let (less, of_less) = estimate(
                rates
                    .iter()
                    .map(|row| of_policy(row, i) - of_policy(row, 0)),
            );
            println!(
                "{source:22} {name:24} {mean:6.2} ± {error:.2}   less the first {less:+6.2} ± {of_less:.2}"
            );
        }
    }
}

/// The board from twenty to forty placements before the end of a game.
fn brink_of<E: Environment>(task: &E, policy: &Policy<E::Features>, seed: u64) -> E::State {
    let mut rng = XorShiftRng::seed_from_u64(FRESH / 2 + seed);
    let mut state = task.reset(&mut rng);
    let mut trail = [state; 2];
    let mut acted = 0;
    while let Some(action) = policy.choose(task, &state, &mut rng) {
        state = task.step(&state, action, &mut rng).0;
        acted += 1;
        if acted % 20 == 0 {
            trail = [trail[1], state];
        }
    }
    trail[0]
}

/// The mean, and its standard error.
fn estimate(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let numbers: Vec<f64> = numbers.collect();
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// The same for each seed, on all cores.
fn map<T: Send>(first: u64, seeds: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(first);
    let done = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + seeds {
                        break;
                    }
                    let result = work(seed);
                    done.lock().expect("no thread panics").push((seed, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_by_key(|&(seed, _)| seed);
    done.into_iter().map(|(_, result)| result).collect()
}
