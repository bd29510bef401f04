//! The LED, by which one sees what the board is doing: `Activity` of `ipse-device` has the patterns.

use embassy_executor::Spawner;
use embassy_rp::Peri;
use embassy_rp::gpio::{Level, Output};
use embassy_rp::peripherals::PIN_25;
use embassy_time::{Duration, Instant, Ticker};
use ipse_device::{Activity, Status};

static STATUS: Status = Status::new();

pub(crate) fn start(spawner: Spawner, pin: Peri<'static, PIN_25>) -> &'static Status {
    let led = Output::new(pin, Level::Low);
    spawner.spawn(show(led).expect("it is spawned once"));
    &STATUS
}

#[embassy_executor::task]
async fn show(mut led: Output<'static>) {
    let mut moments = Ticker::every(Duration::from_millis(Activity::MOMENT.into()));
    loop {
        let is_lit = STATUS.activity().is_lit(Instant::now().as_millis());
        led.set_level(is_lit.into());
        moments.next().await;
    }
}

/// Shows a fault until the watchdog restarts the board, so that there is time to see it, and for a probe to read the log.
pub(crate) fn fault() -> ! {
    const CYCLES: u32 = crate::CLOCK_HZ / 1000 * Activity::MOMENT;
    // SAFETY: nobody else runs any more.
    let mut led = Output::new(unsafe { PIN_25::steal() }, Level::High);
    loop {
        cortex_m::asm::delay(CYCLES);
        led.toggle();
    }
}
