//! The Raspberry Pi Pico as a learner: its clocks, its LED, its UART.
#![no_std]

#[cfg(feature = "storage")]
mod durable;
#[cfg(feature = "uart")]
mod text;

#[cfg(feature = "defmt")]
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_rp::clocks::ClockConfig;
use embassy_rp::config;
use embassy_rp::gpio::{Level, Output};
use embassy_time::{Duration, Ticker, Timer};
use ipse::ResumableDriver;
use ipse::tetris::Tetris10x10;
use ipse_device::{Ended, Event, Observer, Session};
use panic_probe as _;

const CLOCK_HZ: u32 = 133_000_000;
/// Half the period of the LED.
const HEARTBEAT: Duration = Duration::from_millis(250);
/// The time between two placements, so that one can watch.
const PLACEMENT: Duration = Duration::from_millis(250);

/// A Pico that is up and running.
pub struct Pico {
    /// Whoever is told what happens.
    pub audience: Audience,
    #[cfg(feature = "storage")]
    checkpoints: durable::Checkpoints,
}

/// The probe, the UART, and the watchdog.
pub struct Audience {
    /// UART0, which sends on pin 1 of the board, with 115200 baud.
    #[cfg(feature = "uart")]
    pub text: text::Text,
    #[cfg(feature = "storage")]
    watchdog: durable::Watchdog,
}

impl Observer for Audience {
    async fn hear(&mut self, event: &Event) {
        #[cfg(feature = "defmt")]
        event.log();
        #[cfg(feature = "uart")]
        self.text.print(event).await;
        if let Event::Played(_) = event {
            Timer::after(PLACEMENT).await;
        }
    }

    #[cfg(feature = "storage")]
    fn progress(&mut self) {
        self.watchdog.feed();
    }
}

impl Pico {
    /// Starts the clocks and the heartbeat.
    pub fn start(spawner: Spawner) -> Self {
        let clocks = ClockConfig::system_freq(CLOCK_HZ).expect("the PLL can make this frequency");
        let chip = embassy_rp::init(config::Config::new(clocks));
        let led = Output::new(chip.PIN_25, Level::Low);
        spawner.spawn(heartbeat(led).expect("it is spawned once"));
        Pico {
            audience: Audience {
                #[cfg(feature = "uart")]
                text: text::Text::new(chip.UART0, chip.PIN_0, chip.DMA_CH0),
                #[cfg(feature = "storage")]
                watchdog: durable::Watchdog::new(chip.WATCHDOG),
            },
            #[cfg(feature = "storage")]
            checkpoints: durable::checkpoints(chip.FLASH),
        }
    }

    /// Learns until the last iteration.
    #[cfg(not(feature = "storage"))]
    pub async fn learn<D>(&mut self, session: &mut Session<D>) -> Ended
    where
        D: ResumableDriver<Task = Tetris10x10>,
    {
        session.learn(&mut self.audience).await
    }

    /// Learns until the last iteration, from the newest checkpoint on.
    #[cfg(feature = "storage")]
    pub async fn learn<D>(&mut self, session: &mut Session<D>) -> Ended
    where
        D: ResumableDriver<Task = Tetris10x10>,
    {
        let Pico {
            audience,
            checkpoints,
        } = self;
        audience.watchdog.start();
        let boot = session.resume(checkpoints).await;
        audience.hear(&Event::Booted(boot)).await;
        session.learn_and_save(checkpoints, audience).await
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
