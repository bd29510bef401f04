//! A brief run, to be interrupted by `emulator/durable.py`.
#![no_std]
#![no_main]

use board::Settings;
use embassy_executor::Spawner;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut pico = Pico::start(spawner);
    pico.learn_and_play(Settings::brief()).await
}
