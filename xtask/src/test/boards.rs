//! What is checked of the firmware that learns.

use super::Step;
use super::steps::{CLIPPY, FORMATTER};
use crate::bench;
use crate::demo;
use crate::firmware::{Board, M0, M4, Math, QEMU, SMALL_M0, Time};
use crate::learning::{self, Profile};
use crate::power_cuts;
use crate::resources;
use crate::setup::Need;
use crate::silicon::{self, NODE, NPM, RP2040, STM32F4, Seen, Silicon};
use crate::workspace;

/// So much later than due, in microseconds, may the heartbeat of a board be.
const DELAY: f64 = 20_000.0;

pub fn steps() -> Vec<Step> {
    let mut steps = Vec::new();
    let mut on = |boards: &[Board], title: &str, check: fn(&Board) -> Result<(), String>| {
        for &board in boards {
            let needs = [Need::Target(board.target), QEMU];
            let title = format!("{title}, {}", board.core);
            steps.push(Step::new(title, &needs, move || check(&board)));
        }
    };
    on(&[M4, M0], "learns the same to the bit", |board| {
        same_on(board, "parity")
    });
    on(&[M4, M0], "searches the same to the bit", |board| {
        same_on(board, "short-search")
    });
    let title = "learns the same to the bit with soft labels";
    on(&[M4, M0], title, soft_labels);
    let title = "learns the same to the bit with fast-math";
    on(&[M4, M0], title, |board| {
        fast_parity(&board.with(Math::Micromath))
    });
    on(&[M4, SMALL_M0], "a stack overflow is a fault", overflow);
    on(&[M4], "learns to the end and keeps time", |_| full_run());
    on(&[M4], "goes on after a panic, a fault and a hang", |_| {
        power_cuts::trouble()
    });
    on(&[M4], "goes on after power cuts", |_| {
        power_cuts::cut(10, &["parity", "save=1"])
    });
    on(&[M4], "goes on after power cuts in a search", |_| {
        power_cuts::cut(6, &power_cuts::SEARCH)
    });
    let needs = [Need::Target(M4.target), QEMU];
    let title = "the demo shows how a board learns and plays";
    steps.push(Step::new(title, &needs, demo));
    let needs = [Need::Target(RP2040.target), NODE, NPM];
    steps.push(Step::new(
        "learns the same to the bit, RP2040 in rp2040js",
        &needs,
        || same_on_rp2040("parity", silicon::short_run),
    ));
    steps.push(Step::new(
        "searches the same to the bit, RP2040 in rp2040js",
        &needs,
        || same_on_rp2040("short-search", silicon::short_search),
    ));
    let needs = [Need::Target(RP2040.target), Need::Python];
    steps.push(Step::new(
        "goes on after a power cut and a hang, RP2040 in rp2040py",
        &needs,
        || same_on_rp2040("brief", silicon::interrupted_run),
    ));
    steps.push(Step::new(
        "the README's table of resources is up to date",
        &resources::NEEDS,
        resources::check,
    ));
    steps
}

/// What needs no emulator.
pub fn builds() -> Vec<Step> {
    let build = |board: Silicon| {
        let needs = [Need::Target(board.target), CLIPPY, FORMATTER];
        let title = format!("firmware is tidy and builds, {}", board.name);
        Step::new(title, &needs, move || {
            workspace::run(board.cargo("fmt --check"))?;
            let clippy = "clippy --release --all-targets";
            workspace::run(board.cargo(&format!("{clippy} -- -D warnings")))?;
            for feature in board.features {
                let with = format!("{clippy} --features {feature} -- -D warnings");
                workspace::run(board.cargo(&with))?;
                let build = format!("build --release --features {feature}");
                workspace::run(board.cargo(&build))?;
            }
            board.build()
        })
    };
    vec![build(RP2040), build(STM32F4)]
}

fn same_on_rp2040(word: &str, run: fn() -> Result<Seen, String>) -> Result<(), String> {
    let host = learning::on_host(Profile::Release, &[word])?;
    println!("host: {}", host.text("fingerprint")?);
    RP2040.build()?;
    let seen = run()?;
    println!("RP2040: {}", seen.fingerprint()?);
    learning::same_fingerprint(&host, seen.fingerprint()?)
}

/// Learning across the change of phase, on the host with and without optimisation.
pub fn host_parity() -> Result<(), String> {
    for word in ["parity", "short-search"] {
        let debug = learning::on_host(Profile::Debug, &[word])?;
        println!("host, debug: {}", debug.text("fingerprint")?);
        let release = learning::on_host(Profile::Release, &[word])?;
        println!("host, release: {}", release.text("fingerprint")?);
        learning::same(&debug, &release)?;
        learning::same_in(&["checkpoint"], &debug, &release)?;
    }
    Ok(())
}

fn same_on(board: &Board, word: &str) -> Result<(), String> {
    let host = learning::on_host(Profile::Release, &[word])?;
    println!("host: {}", host.text("fingerprint")?);
    let found = learning::on_board(board, &[word])?;
    println!("{}: {}", board.core, found.text("fingerprint")?);
    learning::same(&host, &found)?;
    println!("checkpoint: {}", found.text("checkpoint")?);
    learning::same_in(&["checkpoint"], &host, &found)
}

/// Neither the boards' firmware nor its budgets have room for soft labels; so they have their own.
fn soft_labels(board: &Board) -> Result<(), String> {
    board.build()?;
    bench::same_with_soft_labels(board, &bench::Host::build()?.sums()?)
}

/// Without a penalty fits are long, and it shows soon whose functions they use.
fn fast_parity(board: &Board) -> Result<(), String> {
    let words = ["algorithm=m-none", "iterations=40"];
    let exact = learning::on_host(Profile::Release, &words)?;
    let fast = learning::on_host_with(board.math, Profile::Release, &words)?;
    let found = learning::on_board(board, &words)?;
    for (place, readings) in [
        ("host, libm", &exact),
        ("host, micromath", &fast),
        (board.core, &found),
    ] {
        println!("{place}: {}", readings.text("fingerprint")?);
    }
    if exact.text("fingerprint")? == fast.text("fingerprint")? {
        return Err("the feature fast-math has changed nothing".into());
    }
    learning::same(&fast, &found)
}

/// The firmware with tasks and logs, for as long as the paper learns.
fn full_run() -> Result<(), String> {
    let host = learning::on_host(Profile::Release, &[])?;
    M4.build()?;
    let found = M4.learn("learn", &["pieces=0"], Time::M4)?;
    learning::same(&host, &found)?;
    println!("weights: {}", found.text("weights")?);
    let delay = found.get("delay_microseconds")?;
    println!("the heartbeat was at most {delay} µs late, of {DELAY} µs");
    match delay < DELAY {
        true => Ok(()),
        false => Err("the learner does not yield in time".into()),
    }
}

fn overflow(board: &Board) -> Result<(), String> {
    board.build()?;
    match board.output("overflow", Time::COUNTING) {
        Err(message) if message.contains("stack overflow") && message.contains("status: 2") => {
            Ok(())
        }
        Err(message) => Err(format!("it failed, but not by its stack: {message}")),
        Ok(output) => Err(format!("it passed for a success: {output}")),
    }
}

/// A short one.
fn demo() -> Result<(), String> {
    demo::show(3, &["parity", "iterations=25", "pieces=3"])
}
