//! The task on an emulated STM32F405: learned, saved, resumed and told. Another board needs another `main` like this one.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use emulated::clock::Clock;
use emulated::words::Words;
use emulated::{micros, observer, storage};
use ipse::prelude::*;
use ipse_device::Session;
use semihosting::process;
use starter::Heater;

type Learner = Agent<Heater, Ipse>;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    Clock::start(peripherals.SYST);

    let learner = Ipse::new().check().expect("the parameters are valid");
    let make = |rng: &mut XorShiftRng| Learner::new(Heater, learner, rng);
    let mut session = Session::new(Words::read().settings, micros, make);
    let mut storage = storage::<{ Session::<Learner>::BUFFER }>();
    let mut observer = observer();
    session.resume(&mut storage, &mut observer).await;
    session.learn_and_save(&mut storage, &mut observer).await;
    process::exit(0)
}
