//! Learns Tetris as the paper does, then plays.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::{Instant, Timer};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Log, Session, Telemetry};
use stm32f4::{Board, command, settings};

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let mut board = Board::start(spawner);
    let Ok(learner) = Ipse::paper().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        settings(),
        || Instant::now().as_micros(),
        |rng| Agent::new(Tetris10x10::default(), learner, rng),
    );
    let telemetry = Telemetry::new((board.uart, board.display));
    let mut observers = ((board.watchdog, board.status), (Log, telemetry));

    session.resume(&mut board.checkpoints, &mut observers).await;
    let pause = async || Timer::after_millis(250).await;
    session
        .run(&mut board.checkpoints, &mut observers, command, pause)
        .await
}
