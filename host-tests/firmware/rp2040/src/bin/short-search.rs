//! The run `short-search`: a search of 60 000 calls.
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
        .calls(60_000)
        .cap(10)
        .check()
        .expect("the parameters are valid");
    let mut session = rp2040_tests::session(&["short-search"], |rng| {
        Searcher::new(Tetris10x10::default(), search, rng)
    });
    rp2040_tests::learn(&mut session, pico.watchdog, pico.uart).await;
}
