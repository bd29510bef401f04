//! The run `surface=1360000`: a search by surface features, with as many calls as the paper allows.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use ipse::prelude::*;
use ipse::tetris::surface::Surface10x10;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let pico = Pico::start(spawner);
    let search = Search::survival()
        .suited_to::<Surface10x10>()
        .check()
        .expect("the parameters are valid");
    let mut session = rp2040_tests::session(&["surface=1360000"], |rng| {
        Searcher::new(Surface10x10::default(), search, rng)
    });
    rp2040_tests::learn(&mut session, pico.watchdog, pico.uart).await;
}
