//! The run `brief`, with checkpoints, to be interrupted by `durable.py`.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use rp2040::Pico;
use rp2040_tests::Text;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut pico = Pico::start(spawner);
    let rollouts = Rollouts {
        count: 1,
        length: 2,
        ..Rollouts::paper()
    };
    let learner = Ipse::paper()
        .cap(4)
        .rollouts(rollouts)
        .check()
        .expect("the parameters are valid");
    let mut session = rp2040_tests::session(&["brief"], |rng| {
        Agent::new(Tetris10x10::default(), learner, rng)
    });
    let mut observers = (pico.watchdog, Text::new(pico.uart));
    session.resume(&mut pico.checkpoints, &mut observers).await;
    session
        .learn_and_save(&mut pico.checkpoints, &mut observers)
        .await;
    let (_, mut text) = observers;
    text.end(&session).await;
}
