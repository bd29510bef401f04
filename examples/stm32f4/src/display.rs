//! An SSD1306 on I2C1, on PB8 and PB9.

use embassy_executor::Spawner;
use embassy_stm32::i2c::{self, Config, I2c, Master};
use embassy_stm32::mode::Async;
use embassy_stm32::peripherals::{DMA1_CH0, DMA1_CH7, I2C1, PB8, PB9};
use embassy_stm32::time::Hertz;
use embassy_stm32::{Peri, bind_interrupts, dma};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_time::Timer;

/// The highest frequency that the datasheet of the SSD1306 allows.
const HERTZ: Hertz = Hertz::khz(400);
/// The time from one frame to the next.
const PAUSE: u64 = 200;

static DISPLAY: ipse_device::display::Display<CriticalSectionRawMutex> =
    ipse_device::display::Display::new();

/// Shows what is sent here, if a display is connected, now or later.
pub type Display = &'static ipse_device::display::Display<CriticalSectionRawMutex>;

/// What it takes.
pub(crate) struct Wires {
    pub i2c: Peri<'static, I2C1>,
    pub clock: Peri<'static, PB8>,
    pub data: Peri<'static, PB9>,
    pub tx_dma: Peri<'static, DMA1_CH7>,
    pub rx_dma: Peri<'static, DMA1_CH0>,
}

bind_interrupts!(struct Interrupts {
    I2C1_EV => i2c::EventInterruptHandler<I2C1>;
    I2C1_ER => i2c::ErrorInterruptHandler<I2C1>;
    DMA1_STREAM0 => dma::InterruptHandler<DMA1_CH0>;
    DMA1_STREAM7 => dma::InterruptHandler<DMA1_CH7>;
});

pub(crate) fn start(spawner: Spawner, wires: Wires) -> Display {
    let mut config = Config::default();
    config.frequency = HERTZ;
    // Without a display nothing else holds the wires high.
    (config.scl_pullup, config.sda_pullup) = (true, true);
    let i2c = I2c::new(
        wires.i2c,
        wires.clock,
        wires.data,
        wires.tx_dma,
        wires.rx_dma,
        Interrupts,
        config,
    );
    spawner.spawn(show(i2c).expect("it is spawned once"));
    &DISPLAY
}

#[embassy_executor::task]
async fn show(i2c: I2c<'static, Async, Master>) {
    let pause = async || Timer::after_millis(PAUSE).await;
    DISPLAY.show(i2c, pause).await
}
