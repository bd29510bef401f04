//! Searches for weights that survive in Tetris, described by its surface, with as many calls as the paper allows, and
//! plays. `calls=N` on its command line changes that.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::Timer;
use emulated::{micros, observer, report, start};
use ipse::prelude::*;
use ipse::tetris::surface::Surface10x10;
use ipse_device::Session;
use semihosting::process;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let words = start();

    let search = Search::survival().suited_to::<Surface10x10>();
    let calls = words.calls.unwrap_or(search.calls);
    let search = search.calls(calls).check().expect("there are calls");
    let make = |rng: &mut XorShiftRng| Searcher::new(Surface10x10::default(), search, rng);
    let mut session = Session::new(words.settings, micros, make);
    let mut observer = observer();
    session.learn(&mut observer).await;

    let mut player = session.player();
    for _ in 0..words.actions.unwrap_or(200) {
        session.play(&mut player, &mut observer);
        Timer::after_millis(100).await;
    }
    report::session(&session);
    process::exit(0)
}
