//! Measures a decision and the run `parity`, and tells the results by RTT, one `name value` a line. The fingerprint is the
//! last.
#![no_std]
#![no_main]

#[path = "../../../../examples/emulated/src/stack.rs"]
mod stack;

use bench::Run;
use bench::work::{self, DECISIONS, Work};
use core::hint::black_box;
use embassy_executor::Spawner;
use embassy_time::Instant;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::Session;
use panic_probe as _;
#[cfg(any(feature = "rp2040", feature = "rp2350"))]
use rp2040::Pico as Board;
use rtt_target::{rprintln, rtt_init_print};
#[cfg(any(feature = "nucleo-f446re", feature = "black-pill-f411"))]
use stm32f4::Board;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut board = Board::start(spawner);
    rtt_init_print!();
    decisions();
    let learner = Ipse::paper()
        .cap(20)
        .check()
        .expect("the parameters are valid");
    let mut run = Run::default();
    run.set("parity").unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::new(
        run.settings(),
        || Instant::now().as_micros(),
        |rng| Agent::new(Tetris10x10::default(), learner, rng),
    );
    let start = Instant::now();
    session.learn(&mut board.watchdog).await;
    rprintln!("run_microseconds {}", start.elapsed().as_micros());
    rprintln!("agent_bytes {}", size_of::<Agent<Tetris10x10, Ipse>>());
    rprintln!("stack_bytes {}", stack::high_water_mark());
    rprintln!("fingerprint {}", session.fingerprint());
}

// Out of line, so that nothing of it stays on the stack.
#[inline(never)]
fn decisions() {
    let (task, policy) = (Tetris10x10::default(), work::bcts());
    let start = Instant::now();
    let work = work::decisions(black_box(&task), black_box(&policy), DECISIONS);
    let microseconds = start.elapsed().as_micros();
    let Work { amount, sum } = work;
    rprintln!("decisions {}\ndecisions_sum {}", amount, sum);
    rprintln!("decisions_microseconds {}", microseconds);
}
