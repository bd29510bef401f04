//! Learns Tetris on a RISC-V core with 16 KiB of RAM, then plays. The UART tells about it.
#![no_std]
#![no_main]

mod chip;

use chip::{Uart, micros};
use embassy_futures::block_on;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Session, Settings, Telemetry};
use panic_halt as _;
use riscv as _;
use riscv_rt::entry;

/// The time between two actions, so that one can watch.
const ACTION: u64 = 250_000;

#[entry]
fn main() -> ! {
    let uart = Uart::start();
    let Ok(learner) = Ipse::new().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(Settings::default(), micros, |rng| {
        Agent::new(Tetris10x10::default(), learner, rng)
    });
    let mut observers = (&uart, Telemetry::new(&uart));
    block_on(session.learn(&mut observers));

    let mut player = session.player();
    loop {
        session.play(&mut player, &mut observers);
        let begin = micros();
        while micros() - begin < ACTION {
            uart.pump();
        }
    }
}
