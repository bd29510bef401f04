//! The run `short-surface`: a search of 30 000 calls with surface features, a guard and shrinkage.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use ipse::prelude::*;
use ipse::tetris::surface::Surface10x10;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let pico = Pico::start(spawner);
    let rollouts = Rollouts {
        count: 1,
        length: 3,
        ..Rollouts::paper()
    };
    let search = Search::survival()
        .suited_to::<Surface10x10>()
        .calls(30_000)
        .cap(5)
        .rollouts(rollouts)
        .check()
        .expect("the parameters are valid");
    let mut session = rp2040_tests::session(&["short-surface"], |rng| {
        Searcher::new(Surface10x10::default(), search, rng)
    });
    rp2040_tests::learn(&mut session, pico.watchdog, pico.uart).await;
}
