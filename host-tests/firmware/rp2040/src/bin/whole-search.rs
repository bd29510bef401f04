//! The run `survival=1360000`: a search with as many calls as the paper allows.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let pico = Pico::start(spawner);
    let search = Search::survival()
        .check()
        .expect("the parameters are valid");
    let mut session = rp2040_tests::session(&["survival=1360000"], |rng| {
        Searcher::new(Tetris10x10::default(), search, rng)
    });
    rp2040_tests::learn(&mut session, pico.watchdog, pico.uart).await;
}
