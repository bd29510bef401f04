//! The LED, by which one sees what the board is doing: `Activity` of `ipse-device` has the patterns.

use crate::wiring::{CLOCK_MHZ, LIT, steal_led};
use embassy_executor::Spawner;
use embassy_stm32::Peri;
use embassy_stm32::gpio::{Level, Output, Pin, Speed};
use embassy_time::{Duration, Instant, Ticker};
use ipse_device::{Activity, Status};

static STATUS: Status = Status::new();

pub(crate) fn start(spawner: Spawner, pin: Peri<'static, impl Pin>) -> &'static Status {
    let led = Output::new(pin, dark(), Speed::Low);
    spawner.spawn(show(led).expect("it is spawned once"));
    &STATUS
}

fn dark() -> Level {
    match LIT {
        Level::High => Level::Low,
        Level::Low => Level::High,
    }
}

#[embassy_executor::task]
async fn show(mut led: Output<'static>) {
    let mut moments = Ticker::every(Duration::from_millis(Activity::MOMENT.into()));
    loop {
        let is_lit = STATUS.activity().is_lit(Instant::now().as_millis());
        led.set_level(if is_lit { LIT } else { dark() });
        moments.next().await;
    }
}

/// Shows a fault for some seconds, so that there is time to see it, and for a probe to read the log.
pub(crate) fn fault() {
    const MOMENTS: u32 = 64;
    const CYCLES: u32 = CLOCK_MHZ * 1000 * Activity::MOMENT;
    // SAFETY: nobody else runs any more.
    let mut led = Output::new(unsafe { steal_led() }, LIT, Speed::Low);
    for _ in 0..MOMENTS {
        cortex_m::asm::delay(CYCLES);
        led.toggle();
    }
}
