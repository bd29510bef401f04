//! The button makes the board forget everything and start again, from the next of its own seeds: 2, 3 and so on.

use crate::{COMMANDS, settings};
use embassy_executor::Spawner;
use embassy_stm32::Peri;
use embassy_stm32::gpio::{Input, Pin, Pull};
use embassy_time::{Duration, Timer};
use ipse_device::Command;

/// The time between two looks at the button; its contacts bounce for less.
const GLANCE: Duration = Duration::from_millis(20);

pub(crate) fn start(spawner: Spawner, pin: Peri<'static, impl Pin>) {
    let button = Input::new(pin, Pull::Up);
    spawner.spawn(watch(button).expect("it is spawned once"));
}

#[embassy_executor::task]
async fn watch(button: Input<'static>) {
    let mut seed = settings().seed;
    loop {
        pressed(&button).await;
        seed += 1;
        COMMANDS.send(Command::Seed(seed)).await;
    }
}

/// Returns when the button has been pressed and let go.
async fn pressed(button: &Input<'_>) {
    while button.is_high() {
        Timer::after(GLANCE).await;
    }
    while button.is_low() {
        Timer::after(GLANCE).await;
    }
}
