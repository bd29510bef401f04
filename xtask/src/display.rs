//! A display on a Pico, in rp2040js: it shows what the board tells, and without one nothing changes.

use crate::silicon::{self, RP2040};
use crate::watch::watch;
use crate::workspace;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::display::{PAGES, Screen, WIDTH};
use ipse_device::{Event, Learned, Observer, Reader, Session, Settings, Telemetry};
use std::fs;
use std::iter;
use std::path::PathBuf;
use std::time::Duration;

const IMAGE: &str = "learn";
/// Four seconds of the board.
const CYCLES: &str = "5e8";
const LIMIT: Duration = Duration::from_secs(600);
/// The fewest pictures that must have been shown, and the fewest iterations that must have been told.
const PICTURES: usize = 8;
const ITERATIONS: usize = 10;

/// Every picture on the display is one that the host draws of the same telemetry, in the same order. What is learned is
/// what the host learns, with a display and without.
pub fn check() -> Result<(), String> {
    workspace::run(RP2040.cargo(&format!("build --release --features display --bin {IMAGE}")))?;
    let pictures = file("pictures.bin");
    let with = telemetry("with.bin", Some(&pictures))?;
    let without = telemetry("without.bin", None)?;

    let (with_it, without_it) = (learned(&with), learned(&without));
    let host = on_host(with_it.len().max(without_it.len()));
    for told in [&with_it, &without_it] {
        if told.len() < ITERATIONS || host.get(..told.len()) != Some(told) {
            return Err(format!(
                "{} iterations were told, and are not those of the host",
                told.len()
            ));
        }
    }

    let mut screen = Screen::new();
    let mut drawn = vec![*screen.frame()];
    Reader::new().read(&with, |event| {
        screen.tell(&event);
        drawn.push(*screen.frame());
    });
    let mut drawn = drawn.iter().map(|frame| frame.0.concat());
    let shown = read(&pictures)?;
    let shown: Vec<_> = shown.chunks(PAGES * WIDTH).collect();
    for (number, picture) in shown.iter().enumerate() {
        if !drawn.any(|frame| frame == *picture) {
            return Err(format!(
                "picture {number} on the display is none that the host draws, or comes too late"
            ));
        }
    }
    println!(
        "{} iterations with a display, {} without; {} pictures as on the host",
        with_it.len(),
        without_it.len(),
        shown.len()
    );
    match shown.len() >= PICTURES {
        true => Ok(()),
        false => Err(format!("only {} pictures were shown", shown.len())),
    }
}

fn file(name: &str) -> PathBuf {
    workspace::target().join("display").join(name)
}

fn read(file: &PathBuf) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// What the image tells, with or without a display.
fn telemetry(name: &str, pictures: Option<&PathBuf>) -> Result<Vec<u8>, String> {
    let file = file(name);
    let folder = file.parent().ok_or("it has no folder")?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut node = silicon::emulator(IMAGE)?;
    node.args(["--cycles", CYCLES, "--telemetry"]).arg(&file);
    if let Some(pictures) = pictures {
        node.arg("--display").arg(pictures);
    }
    watch(node, LIMIT, |_| Ok(()))?;
    read(&file)
}

/// The iterations in telemetry, whatever the time.
fn learned(telemetry: &[u8]) -> Vec<Learned> {
    let mut iterations = Vec::new();
    Reader::new().read(telemetry, |event| {
        if let Event::Learned(learned) = event {
            iterations.push(Learned {
                micros: 0,
                ..learned
            });
        }
    });
    iterations
}

/// The first iterations on the host.
fn on_host(iterations: usize) -> Vec<Learned> {
    let make = |rng: &mut XorShiftRng| {
        let learner = Ipse::paper().check().expect("its parameters are valid");
        Agent::new(Tetris10x10::default(), learner, rng)
    };
    let mut session = Session::new(Settings::default(), || 0, make);
    let mut told = Vec::new();
    let mut telemetry = Telemetry::new(|frame: &[u8]| {
        told.extend_from_slice(frame);
        true
    });
    for _ in 0..iterations {
        let step = iter::repeat_with(|| session.slice()).flatten().next();
        if let Some(step) = step {
            telemetry.learned(&session, &step);
        }
    }
    learned(&told)
}
