//! Learns as the paper does, then plays.
#![no_std]
#![no_main]

use board::Settings;
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    rp2040::run(spawner, Settings::default()).await
}
