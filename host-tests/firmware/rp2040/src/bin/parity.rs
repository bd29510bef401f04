//! The run `parity`: the IPSE of the paper, in which both phases are equally long.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let pico = Pico::start(spawner);
    let learner = Ipse::paper()
        .cap(20)
        .check()
        .expect("the parameters are valid");
    let mut session = rp2040_tests::session(&["parity"], |rng| {
        Agent::new(Tetris10x10::default(), learner, rng)
    });
    rp2040_tests::learn(&mut session, pico.watchdog, pico.uart).await;
}
