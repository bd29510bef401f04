//! Measures the engine and its slow twin on this machine, on one core.
//!
//! `sums` prints what the work comes to, `rates` how much of it is done in a second, and `learning`
//! how long an agent that learns and a search take. The name of a workload with a number of passes
//! does just that, for a tool that counts instructions.

use bench::work::Features;
use bench::work::{self, DECISIONS, ITERATIONS, Slice, Work};
use bench::{Readings, Run, Visit};
use host_tests::twin;
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse::tetris::surface::{Surface10x10, SurfaceNine10x10};
use ipse::tetris::{State, Tetris10x10};
use ipse_device::{Session, Settings};
use ipse_lockstep::{Club, Job, Limit, Played};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A rate is the best of so many measurements: what disturbs them only ever makes them slower.
const MEASUREMENTS: usize = 7;
const MEASUREMENT: Duration = Duration::from_millis(150);

fn main() {
    let task = Tetris10x10::default();
    let policy = work::bcts();
    let positions = work::with_positions(&task, &policy, |positions| *positions);
    let placements = || work::placements(black_box(&task), black_box(&positions));
    let decisions = || work::decisions(black_box(&task), black_box(&policy), DECISIONS);
    let lockstep = || lockstep(black_box(&task), black_box(&policy));
    let twin_positions = positions.map(twin_position);
    let (eight, nine) = (Surface10x10::default(), SurfaceNine10x10::default());
    let surface_placements = || work::placements(black_box(&eight), black_box(&positions));
    let surface_nine_placements = || work::placements(black_box(&nine), black_box(&positions));
    let twin_placements = || twin_placements(black_box(&twin_positions), |twin| twin.features);
    let twin_surface_placements = || {
        self::twin_placements(black_box(&twin_positions), |twin| {
            let [eight @ .., _] = twin.surface();
            eight
        })
    };
    let twin_surface_nine_placements =
        || self::twin_placements(black_box(&twin_positions), twin::Placement::surface);
    let twin_decisions = || twin_decisions(black_box(&twin_positions), black_box(&policy));

    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["sums"] => {
            report("placements", placements());
            report("decisions", decisions());
            report("lockstep", lockstep());
            report("surface_placements", surface_placements());
            report("surface_nine_placements", surface_nine_placements());
            report("twin_placements", twin_placements());
            report("twin_surface_placements", twin_surface_placements());
            report(
                "twin_surface_nine_placements",
                twin_surface_nine_placements(),
            );
        }
        ["rates"] => {
            println!("placements_per_s {}", rate(placements));
            println!("decisions_per_s {}", rate(decisions));
            println!("surface_placements_per_s {}", rate(surface_placements));
            println!(
                "surface_nine_placements_per_s {}",
                rate(surface_nine_placements)
            );
            println!("lockstep_decisions_per_s {}", rate(lockstep));
            println!("twin_placements_per_s {}", rate(twin_placements));
            println!(
                "twin_surface_placements_per_s {}",
                rate(twin_surface_placements)
            );
            println!(
                "twin_surface_nine_placements_per_s {}",
                rate(twin_surface_nine_placements)
            );
            println!("twin_decisions_per_s {}", rate(twin_decisions));
        }
        ["learning"] => learning(),
        ["placements", passes] => repeat(passes, placements),
        ["surface_placements", passes] => repeat(passes, surface_placements),
        ["surface_nine_placements", passes] => repeat(passes, surface_nine_placements),
        ["decisions", passes] => repeat(passes, decisions),
        ["lockstep", passes] => repeat(passes, lockstep),
        ["iterations", passes] => {
            let iterations = number(passes).saturating_mul(ITERATIONS);
            black_box(work::learning(iterations, |_, work| work()));
        }
        ["short_search", passes] => repeat(passes, || whole("short-search")),
        _ => fail(
            "give `sums`, `rates`, `learning`, or `placements`, `surface_placements`, `surface_nine_placements`, \
             `decisions`, `lockstep`, `iterations` or `short_search` and a number of passes",
        ),
    }
}

fn report(name: &str, work: Work) {
    println!("{name} {}\n{name}_sum {}", work.amount, work.sum);
}

fn learning() {
    let (mut rollouts, mut fit) = (Duration::ZERO, Duration::ZERO);
    let sum = work::learning(ITERATIONS, |slice, work| {
        let start = Instant::now();
        work();
        match slice {
            Slice::Rollouts => rollouts += start.elapsed(),
            Slice::Fit => fit += start.elapsed(),
        }
    });
    println!("iterations {ITERATIONS}\nweights_sum {sum}");
    println!(
        "rollouts_s {}\nfit_s {}",
        rollouts.as_secs_f64(),
        fit.as_secs_f64()
    );
    for (name, words) in [
        ("run_s", "iterations=400"),
        ("search_s", "survival=1360000"),
    ] {
        let start = Instant::now();
        whole(words);
        println!("{name} {}", start.elapsed().as_secs_f64());
    }
}

/// Does a run, which a word describes, to its end.
fn whole(word: &str) {
    let mut run = Run::default();
    run.set(word).expect("the word is a setting");
    run.visit(Whole).expect("its parameters are valid");
}

struct Whole;

impl Visit for Whole {
    type Output = ();

    fn visit<D: ResumableDriver>(
        self,
        settings: Settings,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) {
        black_box(Readings::of(&mut Session::new(settings, || 0, make)));
    }
}

/// As many games at once as there is room for, each with the decisions of the other workloads.
fn lockstep(task: &Tetris10x10, policy: &Policy<Features>) -> Work {
    let mut games = Games {
        policy,
        left: 256,
        work: Work { amount: 0, sum: 0 },
    };
    let limit = Limit {
        reward: i64::MAX,
        actions: DECISIONS.into(),
        games: usize::MAX,
    };
    ipse_lockstep::play(task, limit, &mut games);
    games.work
}

struct Games<'a> {
    policy: &'a Policy<Features>,
    left: usize,
    work: Work,
}

impl<'a> Club<'a> for Games<'a> {
    fn next(&mut self) -> Option<Job<'a>> {
        self.left = self.left.checked_sub(1)?;
        Some(Job {
            number: self.left,
            policy: self.policy,
            seed: self.left as u64,
        })
    }

    fn played(&mut self, _: usize, played: Played) {
        self.work.amount += played.actions as u32;
        self.work.sum = self.work.sum.wrapping_add(played.reward as u32);
    }
}

fn repeat<T>(passes: &str, work: impl Fn() -> T) {
    for _ in 0..number(passes) {
        black_box(work());
    }
}

fn number(passes: &str) -> u32 {
    let passes = passes.parse();
    passes.unwrap_or_else(|_| fail("the number of passes is a whole number"))
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2)
}

/// How much of `work` is done in a second.
fn rate(work: impl Fn() -> Work) -> f64 {
    let measure = || {
        let start = Instant::now();
        let mut amount = 0.0;
        while start.elapsed() < MEASUREMENT {
            amount += f64::from(black_box(work()).amount);
        }
        amount / start.elapsed().as_secs_f64()
    };
    (0..MEASUREMENTS).map(|_| measure()).fold(0.0, f64::max)
}

type TwinPosition = (twin::Board, char);

fn twin_position(state: State) -> TwinPosition {
    (
        twin::Board::from_columns(10, state.board.columns()),
        state.piece.letter(),
    )
}

fn twin_placements<const P: usize>(
    positions: &[TwinPosition],
    features: impl Fn(&twin::Placement) -> [i32; P],
) -> Work {
    let mut work = Work { amount: 0, sum: 0 };
    for (board, piece) in positions {
        for placement in twin::placements(board, *piece, twin::Rule::AfterRemoval) {
            work.amount += 1;
            for feature in features(&placement) {
                work.sum = work.sum.wrapping_add(feature as u32);
            }
        }
    }
    work
}

/// The twin decides in the same positions instead of in a game of its own, which would differ from
/// the engine's after the first tie.
fn twin_decisions(positions: &[TwinPosition], policy: &Policy<Features>) -> Work {
    for (board, piece) in positions {
        let placements = twin::placements(board, *piece, twin::Rule::AfterRemoval);
        let score =
            |placement: &twin::Placement| policy.score(&placement.features.map(|f| f as i16));
        black_box(
            placements
                .into_iter()
                .max_by_key(score)
                .map(|best| best.board),
        );
    }
    Work {
        amount: positions.len() as u32,
        sum: 0,
    }
}
