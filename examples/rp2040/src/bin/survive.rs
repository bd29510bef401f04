//! Searches for weights that survive, with as many calls as the paper allows, then plays.
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
    // The search ends when its calls are used up.
    let settings = Settings {
        iterations: u32::MAX,
        ..Settings::default()
    };
    let Ok(search) = Search::survival().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        settings,
        || Instant::now().as_micros(),
        |rng| Searcher::new(Tetris10x10::default(), search, rng),
    );
    pico.learn(&mut session).await;
    loop {
        session.play(u32::MAX, &mut pico.audience).await;
    }
}
