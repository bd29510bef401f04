//! The Raspberry Pi Pico or Pico 2 as a learner: its clocks, LED, display, USB, UART, flash and watchdog.
#![no_std]

#[cfg(feature = "display")]
mod display;
mod flash;
mod led;
mod uart;
mod usb;
mod watchdog;

#[cfg(feature = "display")]
pub use crate::display::Display;
pub use crate::usb::{Usb, UsbPort, command};
pub use crate::{flash::Checkpoints, uart::Uart, watchdog::Watchdog};

#[cfg(feature = "defmt")]
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_rp::clocks::ClockConfig;
use embassy_rp::config;
use ipse_device::{Log, Settings, Status};
use panic_probe as _;

/// Where nothing goes.
#[cfg(not(feature = "display"))]
pub type Display = ();

#[cfg(feature = "rp2040")]
const CLOCK_HZ: u32 = 133_000_000;
#[cfg(feature = "rp2350")]
const CLOCK_HZ: u32 = 150_000_000;

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
    /// Shows what it is sent on an SSD1306 at pins 6 and 7 of the board, with the feature `display`.
    pub display: Display,
    /// Tells the probe what happens.
    pub log: Log,
    /// Shows on the LED what the board is doing, if it observes the session.
    pub status: &'static Status,
    /// UART0, which sends on pin 1 of the board, with 115200 baud.
    pub uart: Uart,
    /// The USB port.
    pub usb: UsbPort,
    /// Restarts the board if there is no progress: it has to observe the session.
    pub watchdog: Watchdog,
}

impl Pico {
    /// Starts the clocks, the LED, the display, the UART and the watchdog.
    pub fn start(spawner: Spawner) -> Self {
        let clocks = ClockConfig::system_freq(CLOCK_HZ).expect("the PLL can make this frequency");
        let chip = embassy_rp::init(config::Config::new(clocks));
        Pico {
            checkpoints: flash::checkpoints(chip.FLASH),
            #[cfg(feature = "display")]
            display: display::start(spawner, chip.I2C0, chip.PIN_4, chip.PIN_5),
            #[cfg(not(feature = "display"))]
            display: (),
            log: Log,
            status: led::start(spawner, chip.PIN_25),
            uart: uart::start(spawner, chip.UART0, chip.PIN_0, chip.DMA_CH0),
            usb: UsbPort(chip.USB),
            watchdog: Watchdog::start(chip.WATCHDOG),
        }
    }
}
