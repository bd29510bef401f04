//! Learns as the paper does, then plays.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::Instant;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Session, Settings};
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let mut pico = Pico::start(spawner);
    let Ok(learner) = Ipse::paper().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        Settings::default(),
        || Instant::now().as_micros(),
        |rng| Agent::new(Tetris10x10::default(), learner, rng),
    );
    pico.learn(&mut session).await;
    loop {
        session.play(u32::MAX, &mut pico.audience).await;
    }
}
