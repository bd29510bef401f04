//! A task of one's own on the emulated board: learned, saved, resumed, played and told, in forty lines.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::Timer;
use emulated::{micros, observer, start, storage};
use ipse::prelude::*;
use ipse_device::Session;
use ipse_tasks::Foraging;
use semihosting::process;

type Learner = Agent<Foraging, Ipse>;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let words = start();

    let learner = Ipse::new().check().expect("the parameters are valid");
    let make = |rng: &mut XorShiftRng| Learner::new(Foraging, learner, rng);
    let mut session = Session::new(words.settings, micros, make);
    let mut storage = storage::<{ Session::<Learner>::BUFFER }>();
    let mut observer = observer();
    session.resume(&mut storage, &mut observer).await;
    session.learn_and_save(&mut storage, &mut observer).await;

    let mut player = session.player();
    for _ in 0..words.actions.unwrap_or(200) {
        session.play(&mut player, &mut observer);
        Timer::after_millis(100).await;
    }
    process::exit(0)
}
