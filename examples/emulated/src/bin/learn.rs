//! Learns and plays under embassy, beside a heartbeat.
//!
//! Reports what happens in defmt frames on the standard output of QEMU, and in the end some figures on the
//! standard error. `seed=N`, `iterations=N` and `pieces=N` on its command line change the settings.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
#[cfg(feature = "logs")]
use defmt_semihosting as _;
use embassy_executor::Spawner;
use embassy_time::{Duration, Instant, Timer};
use emulated::clock::Clock;
use emulated::{report, stack};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Ended, Event, Session, Settings};
use semihosting::process;

const BEAT: Duration = Duration::from_millis(100);
/// The time between two placements, so that one can watch.
const PAUSE: Duration = Duration::from_millis(100);

/// The longest delay of a beat, in microseconds.
static DELAY: AtomicU32 = AtomicU32::new(0);

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    Clock::start(peripherals.SYST);
    spawner.spawn(heartbeat().expect("it is spawned once"));

    let settings = settings();
    let Ok(learner) = Ipse::paper().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        settings,
        || Instant::now().as_micros(),
        |rng| Agent::new(Tetris10x10::default(), learner, rng),
    );
    let ended = session.learn(&mut report).await;
    let delay = DELAY.load(Relaxed);
    session.play(settings.pieces, &mut report).await;

    summarise(&ended);
    report::figure(c"microseconds", ended.ticks as u32);
    report::figure(c"delay_microseconds", delay);
    report::figure(c"agent_bytes", size_of_val(session.driver()) as u32);
    report::figure(c"stack_bytes", stack::high_water_mark() as u32);
    process::exit(0)
}

async fn report(event: &Event) {
    #[cfg(feature = "logs")]
    event.log();
    if let Event::Played(_) = event {
        Timer::after(PAUSE).await;
    }
}

#[embassy_executor::task]
async fn heartbeat() {
    let mut due = Instant::now();
    loop {
        due += BEAT;
        Timer::at(due).await;
        let delay = due.elapsed().as_micros() as u32;
        DELAY.store(DELAY.load(Relaxed).max(delay), Relaxed);
        #[cfg(feature = "logs")]
        defmt::println!("beat delay={=u32}", delay);
    }
}

#[cfg(feature = "logs")]
fn settings() -> Settings {
    let mut settings = Settings::default();
    emulated::arguments::each(|word| {
        let (name, value) = word.split_once('=').expect("a word is `name=value`");
        let value: u32 = value.parse().expect("a value is a whole number");
        match name {
            "seed" => settings.seed = value.into(),
            "iterations" => settings.iterations = value,
            "pieces" => settings.pieces = value,
            _ => panic!("`{name}` is not seed, iterations or pieces"),
        }
    });
    settings
}

/// Without logs, there is nobody to watch a long game.
#[cfg(not(feature = "logs"))]
fn settings() -> Settings {
    Settings {
        pieces: 5,
        ..Settings::default()
    }
}

#[cfg(feature = "logs")]
fn summarise(ended: &Ended) {
    semihosting::eprintln!("fingerprint {}", ended.fingerprint);
}

/// Without logs, nobody looks at the result. The compiler must not know.
#[cfg(not(feature = "logs"))]
fn summarise(ended: &Ended) {
    core::hint::black_box(ended);
}
