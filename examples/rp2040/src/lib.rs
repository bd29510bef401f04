//! The Raspberry Pi Pico as a learner: its clocks, its LED, its UART.
#![no_std]

#[cfg(feature = "storage")]
mod durable;

use board::{Event, Session, Settings};
use core::fmt::Write;
#[cfg(feature = "defmt")]
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_rp::clocks::ClockConfig;
use embassy_rp::gpio::{Level, Output};
use embassy_rp::peripherals::DMA_CH0;
use embassy_rp::uart::{self, UartTx};
use embassy_rp::{bind_interrupts, config, dma};
use embassy_time::{Duration, Instant, Ticker, Timer};
use heapless::String;
use panic_probe as _;

const CLOCK_HZ: u32 = 133_000_000;
/// Half the period of the LED.
const HEARTBEAT: Duration = Duration::from_millis(250);
/// How long a placement can be looked at.
const PLACEMENT: Duration = Duration::from_millis(250);
/// Enough for any event, even if all its numbers are as long as can be.
const LINE: usize = 320;

bind_interrupts!(struct Interrupts {
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

/// Learns, tells about it on UART0 (pin 1 of the board, 115200 baud) and to the probe, and plays.
pub async fn run(spawner: Spawner, settings: Settings) -> ! {
    let clocks = ClockConfig::system_freq(CLOCK_HZ).expect("the PLL can make this frequency");
    let pico = embassy_rp::init(config::Config::new(clocks));
    let led = Output::new(pico.PIN_25, Level::Low);
    spawner.spawn(heartbeat(led).expect("it is spawned once"));

    let config = uart::Config::default();
    let mut uart = UartTx::new(pico.UART0, pico.PIN_0, pico.DMA_CH0, Interrupts, config);
    #[cfg(feature = "storage")]
    let mut watchdog = durable::Watchdog::start(pico.WATCHDOG);
    let mut report = async |event: &Event| {
        #[cfg(feature = "storage")]
        watchdog.look_at(event);
        #[cfg(feature = "defmt")]
        event.log();
        print(&mut uart, event).await;
        if let Event::Played(_) = event {
            Timer::after(PLACEMENT).await;
        }
    };

    let mut session = session(settings);
    #[cfg(feature = "storage")]
    {
        let mut storage = durable::storage(pico.FLASH);
        let boot = session.resume(&mut storage).await;
        report(&Event::Booted(boot)).await;
        session.learn_and_save(&mut storage, &mut report).await;
    }
    #[cfg(not(feature = "storage"))]
    session.learn(&mut report).await;
    loop {
        session.play(u32::MAX, &mut report).await;
    }
}

/// Apart, so that the copies of a session that are made on the way are on the stack only then.
#[inline(never)]
fn session(settings: Settings) -> Session {
    Session::new(settings, || Instant::now().as_micros()).expect("the settings are valid")
}

#[embassy_executor::task]
async fn heartbeat(mut led: Output<'static>) {
    let mut ticker = Ticker::every(HEARTBEAT);
    loop {
        led.toggle();
        ticker.next().await;
    }
}

async fn print(uart: &mut UartTx<'_, uart::Async>, event: &Event) {
    let mut line = String::<LINE>::new();
    write!(line, "{event}\r\n").expect("the line is long enough");
    uart.write(line.as_bytes())
        .await
        .expect("sending cannot fail");
}
