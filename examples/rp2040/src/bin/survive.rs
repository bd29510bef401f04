//! Searches for weights that survive, with all the calls that the paper allows, then plays.
#![no_std]
#![no_main]

use board::Settings;
use embassy_executor::Spawner;
use ipse::survival::Survival;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut pico = Pico::start(spawner);
    let search = Settings::survival(Survival::default().calls);
    pico.learn_and_play(search.expect("the default is valid"))
        .await
}
