//! Learns Tetris as the paper does and plays, under embassy, beside a heartbeat.
//!
//! Telemetry goes to the standard output of QEMU, and in the end some figures to the standard error. `seed=N`,
//! `iterations=N` and `actions=N` on its command line change the settings.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use embassy_executor::Spawner;
use embassy_time::{Duration, Instant, Timer};
use emulated::{micros, observer, report, start};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::Session;
use semihosting::process;

const BEAT: Duration = Duration::from_millis(100);
/// The time between two actions, so that one can watch.
const PAUSE: Duration = Duration::from_millis(100);

/// The longest delay of a beat, in microseconds.
static DELAY: AtomicU32 = AtomicU32::new(0);

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let words = start();
    spawner.spawn(heartbeat().expect("it is spawned once"));

    let Ok(learner) = Ipse::paper().check() else {
        panic!("the parameters are invalid");
    };
    let task = Tetris10x10::default();
    let mut session = Session::new(words.settings, micros, |rng| Agent::new(task, learner, rng));
    let mut observer = observer();
    session.learn(&mut observer).await;
    let delay = DELAY.load(Relaxed);

    let mut player = session.player();
    for _ in 0..words.actions.unwrap_or(200) {
        session.play(&mut player, &mut observer);
        Timer::after(PAUSE).await;
    }

    // Without telemetry nobody looks at the result. The compiler must not know.
    let fingerprint = black_box(session.fingerprint());
    #[cfg(feature = "telemetry")]
    semihosting::eprintln!("fingerprint {fingerprint}");
    #[cfg(not(feature = "telemetry"))]
    black_box(fingerprint);
    report::session(&session);
    report::figure(c"delay_microseconds", delay);
    process::exit(0)
}

#[embassy_executor::task]
async fn heartbeat() {
    let mut due = Instant::now();
    loop {
        due += BEAT;
        Timer::at(due).await;
        let delay = due.elapsed().as_micros() as u32;
        DELAY.store(DELAY.load(Relaxed).max(delay), Relaxed);
    }
}
