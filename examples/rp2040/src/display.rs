//! An SSD1306 on I2C0, on pins 6 and 7 of the board.

use embassy_executor::Spawner;
use embassy_rp::i2c::{Async, Config, I2c, InterruptHandler};
use embassy_rp::peripherals::{I2C0, PIN_4, PIN_5};
use embassy_rp::{Peri, bind_interrupts};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_time::Timer;

/// The highest frequency that the datasheet of the SSD1306 allows.
const HERTZ: u32 = 400_000;
/// The time from one frame to the next.
const PAUSE: u64 = 200;

static DISPLAY: ipse_device::display::Display<CriticalSectionRawMutex> =
    ipse_device::display::Display::new();

/// Shows what is sent here, if a display is connected, now or later.
pub type Display = &'static ipse_device::display::Display<CriticalSectionRawMutex>;

bind_interrupts!(struct Interrupts {
    I2C0_IRQ => InterruptHandler<I2C0>;
});

pub(crate) fn start(
    spawner: Spawner,
    i2c: Peri<'static, I2C0>,
    data: Peri<'static, PIN_4>,
    clock: Peri<'static, PIN_5>,
) -> Display {
    let mut config = Config::default();
    config.frequency = HERTZ;
    let i2c = I2c::new_async(i2c, clock, data, Interrupts, config);
    spawner.spawn(show(i2c).expect("it is spawned once"));
    &DISPLAY
}

#[embassy_executor::task]
async fn show(i2c: I2c<'static, I2C0, Async>) {
    let pause = async || Timer::after_millis(PAUSE).await;
    DISPLAY.show(i2c, pause).await
}
