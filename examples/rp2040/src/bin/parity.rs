//! A short run, to compare with other boards and with the host.
#![no_std]
#![no_main]

use board::Settings;
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    rp2040::run(spawner, Settings::parity()).await
}
