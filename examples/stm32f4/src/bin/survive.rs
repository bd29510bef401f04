//! Searches for weights that survive in Tetris, described by its surface, with as many calls as the paper allows, then
//! plays.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::{Instant, Timer};
use ipse::prelude::*;
use ipse::tetris::surface::Surface10x10;
use ipse_device::{Log, Session, Telemetry};
use stm32f4::{Board, command, settings};

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let mut board = Board::start(spawner);
    let search = Search::survival().suited_to::<Surface10x10>();
    let Ok(search) = search.check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        settings(),
        || Instant::now().as_micros(),
        |rng| Searcher::new(Surface10x10::default(), search, rng),
    );
    let telemetry = Telemetry::new(board.uart);
    let mut observers = ((board.watchdog, board.status), (Log, telemetry));

    session.resume(&mut board.checkpoints, &mut observers).await;
    let pause = async || Timer::after_millis(250).await;
    session
        .run(&mut board.checkpoints, &mut observers, command, pause)
        .await
}
