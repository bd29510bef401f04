//! An STM32F4 as a learner: it learns, tells about it over USART2, and plays. The button makes it forget everything
//! and start again, from the next seed.
#![no_std]
#![no_main]

#[cfg(feature = "telemetry")]
mod telemetry;
mod wiring;

#[cfg(feature = "defmt")]
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_futures::select::select;
use embassy_stm32::gpio::{Input, Level, Output, Pull, Speed};
use embassy_stm32::rcc::{APBPrescaler, Pll, PllPDiv, PllPreDiv, PllSource, Sysclk};
use embassy_time::{Duration, Instant, Ticker, Timer};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
#[cfg(feature = "telemetry")]
use ipse_device::{Piped, Telemetry};
use ipse_device::{Session, Settings};
use panic_probe as _;

/// Half the period of the LED.
const HEARTBEAT: Duration = Duration::from_millis(250);
/// The time between two actions, so that one can watch.
const ACTION: Duration = Duration::from_millis(250);
/// The time between two looks at the button; its contacts bounce for less.
const GLANCE: Duration = Duration::from_millis(20);

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let chip = embassy_stm32::init(full_speed());
    let wiring = wiring::wiring(chip);
    #[cfg(feature = "telemetry")]
    telemetry::start(spawner, wiring.uart);
    let led = Output::new(wiring.led, Level::Low, Speed::Low);
    let button = Input::new(wiring.button, Pull::Up);
    spawner.spawn(heartbeat(led).expect("it is spawned once"));

    let mut settings = Settings::default();
    loop {
        select(learn_and_play(settings), pressed(&button)).await;
        settings.seed += 1;
    }
}

/// The PLL makes twice the clock from the internal oscillator, which every board has.
fn full_speed() -> embassy_stm32::Config {
    let mut config = embassy_stm32::Config::default();
    config.rcc.pll_src = PllSource::HSI;
    config.rcc.pll = Some(Pll {
        prediv: PllPreDiv::DIV8,
        mul: wiring::CLOCK,
        divp: Some(PllPDiv::DIV2),
        divq: None,
        divr: None,
    });
    config.rcc.apb1_pre = APBPrescaler::DIV4;
    config.rcc.apb2_pre = APBPrescaler::DIV2;
    config.rcc.sys = Sysclk::PLL1_P;
    config
}

/// Learns as the paper does, then plays.
async fn learn_and_play(settings: Settings) -> ! {
    let Ok(learner) = Ipse::paper().check() else {
        panic!("the parameters are invalid");
    };
    let mut session = Session::new(
        settings,
        || Instant::now().as_micros(),
        |rng| Agent::new(Tetris10x10::default(), learner, rng),
    );
    #[cfg(feature = "telemetry")]
    let mut observer = Telemetry::new(Piped(&telemetry::PIPE));
    #[cfg(not(feature = "telemetry"))]
    let mut observer = ();
    session.learn(&mut observer).await;
    let mut player = session.player();
    loop {
        session.play(&mut player, &mut observer);
        Timer::after(ACTION).await;
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

/// Returns when the button has been pressed and let go.
async fn pressed(button: &Input<'_>) {
    while button.is_high() {
        Timer::after(GLANCE).await;
    }
    while button.is_low() {
        Timer::after(GLANCE).await;
    }
}
