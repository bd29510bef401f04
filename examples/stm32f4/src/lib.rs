//! A board with an STM32F4 as a learner: its clocks, LED, button, display, UART, flash and watchdog.
#![no_std]

mod button;
mod clock;
#[cfg(feature = "display")]
mod display;
mod flash;
mod led;
mod uart;
mod watchdog;
mod wiring;

#[cfg(feature = "display")]
pub use crate::display::Display;
pub use crate::{flash::Checkpoints, uart::Uart, watchdog::Watchdog};

#[cfg(feature = "defmt")]
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use ipse_device::{Command, Settings, Status};
use panic_probe as _;

/// Where nothing goes.
#[cfg(not(feature = "display"))]
pub type Display = ();

/// The commands that nobody has obeyed yet.
static COMMANDS: Channel<CriticalSectionRawMutex, Command, 4> = Channel::new();

/// The next command, from the UART or the button.
pub async fn command() -> Command {
    COMMANDS.receive().await
}

/// The settings of a session. The button goes on from their seed.
pub fn settings() -> Settings {
    Settings::default()
}

/// A board that is up and running.
pub struct Board {
    /// The sectors of the flash for checkpoints.
    pub checkpoints: Checkpoints,
    /// Shows what it is sent on an SSD1306 at PB8 and PB9, with the feature `display`.
    pub display: Display,
    /// Shows on the LED what the board is doing, if it observes the session.
    pub status: &'static Status,
    /// USART2, which sends on PA2 with 115200 baud, and takes commands on PA3.
    pub uart: Uart,
    /// Restarts the board if there is no progress: it has to observe the session.
    pub watchdog: Watchdog,
}

impl Board {
    /// Starts the clocks, the LED, the button, the display, the UART and the watchdog.
    pub fn start(spawner: Spawner) -> Self {
        let chip = clock::start();
        let wiring = wiring::wiring(chip);
        button::start(spawner, wiring.button);
        Board {
            checkpoints: flash::checkpoints(wiring.flash),
            #[cfg(feature = "display")]
            display: display::start(spawner, wiring.display),
            #[cfg(not(feature = "display"))]
            display: (),
            status: led::start(spawner, wiring.led),
            uart: uart::start(spawner, wiring.uart),
            watchdog: Watchdog::start(wiring.watchdog),
        }
    }
}
