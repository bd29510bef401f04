//! Searches for weights that survive at Tetris, with as many calls as the paper allows, then plays.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::{Instant, Timer};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Session, Telemetry};
use rp2040::{Pico, settings};

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let mut pico = Pico::start(spawner);
    let Ok(search) = Search::survival().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        settings(),
        || Instant::now().as_micros(),
        |rng| Searcher::new(Tetris10x10::default(), search, rng),
    );
    let mut observers = (pico.watchdog, (pico.log, Telemetry::new(pico.uart)));

    session.resume(&mut pico.checkpoints, &mut observers).await;
    session
        .learn_and_save(&mut pico.checkpoints, &mut observers)
        .await;

    let mut player = session.player();
    loop {
        session.play(&mut player, &mut observers);
        Timer::after_millis(250).await;
    }
}
