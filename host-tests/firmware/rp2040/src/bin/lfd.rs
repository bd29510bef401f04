//! The run `algorithm=lfd iterations=20`: the LFD of the paper.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let pico = Pico::start(spawner);
    let learner = Lfd::paper().check().expect("the parameters are valid");
    let mut session = rp2040_tests::session(&["algorithm=lfd", "iterations=20"], |rng| {
        Agent::new(Tetris10x10::default(), learner, rng)
    });
    rp2040_tests::learn(&mut session, pico.watchdog, pico.uart).await;
}
