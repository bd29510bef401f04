//! The Raspberry Pi Pico as a learner: its clocks, LED, UART, flash and watchdog.
#![no_std]

mod flash;
mod log;
mod uart;
mod watchdog;

pub use crate::{flash::Checkpoints, log::Log, uart::Uart, watchdog::Watchdog};

use embassy_executor::Spawner;
use embassy_rp::clocks::ClockConfig;
use embassy_rp::config;
use embassy_rp::gpio::{Level, Output};
use embassy_time::{Duration, Ticker};
use ipse_device::Settings;
use panic_probe as _;

const CLOCK_HZ: u32 = 133_000_000;
/// Half the period of the LED.
const HEARTBEAT: Duration = Duration::from_millis(250);

/// A number that an environment variable had when an image was built: `number(option_env!("NAME"))`.
pub const fn number(text: Option<&str>) -> Option<u32> {
    let Some(text) = text else {
        return None;
    };
    match u32::from_str_radix(text, 10) {
        Ok(number) => Some(number),
        Err(_) => panic!("the environment variable is not a whole number below 2^32"),
    }
}

/// The settings of a session, with the seed that the environment variable `IPSE_SEED` had when the image was built.
pub fn settings() -> Settings {
    const SEED: Option<u32> = number(option_env!("IPSE_SEED"));
    let settings = Settings::default();
    Settings {
        seed: SEED.map_or(settings.seed, u64::from),
        ..settings
    }
}

/// A Pico that is up and running.
pub struct Pico {
    /// The pages of the flash for checkpoints.
    pub checkpoints: Checkpoints,
    /// Tells the probe what happens.
    pub log: Log,
    /// UART0, which sends on pin 1 of the board, with 115200 baud.
    pub uart: Uart,
    /// Restarts the board if there is no progress: it has to observe the session.
    pub watchdog: Watchdog,
}

impl Pico {
    /// Starts the clocks, the heartbeat, the UART and the watchdog.
    pub fn start(spawner: Spawner) -> Self {
        let clocks = ClockConfig::system_freq(CLOCK_HZ).expect("the PLL can make this frequency");
        let chip = embassy_rp::init(config::Config::new(clocks));
        let led = Output::new(chip.PIN_25, Level::Low);
        spawner.spawn(heartbeat(led).expect("it is spawned once"));
        Pico {
            checkpoints: flash::checkpoints(chip.FLASH),
            log: Log,
            uart: uart::start(spawner, chip.UART0, chip.PIN_0, chip.DMA_CH0),
            watchdog: Watchdog::start(chip.WATCHDOG),
        }
    }
}

#[embassy_executor::task]
async fn heartbeat(mut led: Output<'static>) {
    let mut ticker = Ticker::every(HEARTBEAT);
    loop {
        led.toggle();
        ticker.next().await;
    }
}
