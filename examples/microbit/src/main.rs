//! Learns Tetris on a micro:bit v1, in 16 KiB of RAM, then plays. The LEDs show what it thinks, the UART tells it.
#![no_std]
#![no_main]

mod clock;
mod leds;
mod uart;

use cortex_m_rt::entry;
use embassy_futures::block_on;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Session, Settings, Telemetry};
use leds::Leds;
use nrf51_pac::Peripherals;
use panic_halt as _;
use uart::Uart;

/// The time between two actions, so that one can watch.
const ACTION: u64 = 250_000;

#[entry]
fn main() -> ! {
    let chip = Peripherals::take().expect("nobody else takes them");
    clock::start(&chip.TIMER0);
    let leds = Leds::start(chip.GPIO, chip.TIMER1);
    let uart = Uart::start(chip.UART0);

    let Ok(learner) = Ipse::new().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(Settings::default(), clock::micros, |rng| {
        Agent::new(Tetris10x10::default(), learner, rng)
    });
    let mut observers = (leds, Telemetry::new(uart));
    block_on(session.learn(&mut observers));

    let mut player = session.player();
    loop {
        session.play(&mut player, &mut observers);
        let begin = clock::micros();
        while clock::micros() - begin < ACTION {}
    }
}
