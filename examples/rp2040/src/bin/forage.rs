//! Learns a task of its own: foraging, of which the board knows nothing but `impl Environment for Foraging`.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::{Instant, Timer};
use ipse::prelude::*;
use ipse_device::{Session, Telemetry};
use ipse_tasks::Foraging;
use rp2040::{Pico, command, settings};

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let mut pico = Pico::start(spawner);
    let Ok(learner) = Ipse::new().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        settings(),
        || Instant::now().as_micros(),
        |rng| Agent::new(Foraging, learner, rng),
    );
    let usb = pico.usb.start(spawner);
    let telemetry = Telemetry::new(((usb, pico.uart), pico.display));
    let mut observers = ((pico.watchdog, pico.status), (pico.log, telemetry));

    session.resume(&mut pico.checkpoints, &mut observers).await;
    let pause = async || Timer::after_millis(250).await;
    session
        .run(&mut pico.checkpoints, &mut observers, command, pause)
        .await
}
