//! Learns and plays under embassy, beside a heartbeat.
//!
//! Tells what happens in defmt frames on the standard output of QEMU, and in the end what it came to
//! on the standard error, one `name value` a line.
#![no_std]
#![no_main]

use board::{Event, Session};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
#[cfg(feature = "logs")]
use defmt_semihosting as _;
use embassy_executor::Spawner;
use embassy_time::{Duration, Instant, Timer};
use emulated::clock::Clock;
use semihosting::process;

const BEAT: Duration = Duration::from_millis(100);
/// Between two placements, so that one can watch.
const PAUSE: Duration = Duration::from_millis(100);

/// The longest delay of a beat, in microseconds.
static DELAY: AtomicU32 = AtomicU32::new(0);

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    Clock::start(peripherals.SYST);
    spawner.spawn(heartbeat().expect("there is one heart"));

    #[cfg(feature = "logs")]
    let settings = emulated::settings();
    #[cfg(not(feature = "logs"))]
    let settings = board::Settings::default();
    let mut session = Session::new(settings, || Instant::now().as_micros());
    let ended = session.learn(&mut report).await;
    let delay = DELAY.load(Relaxed);
    session.play(settings.pieces, &mut report).await;
    summarise(&ended, delay);
    process::exit(0)
}

async fn report(event: &Event) {
    #[cfg(feature = "logs")]
    event.log();
    if let Event::Played(_) = event {
        Timer::after(PAUSE).await;
    }
}

#[embassy_executor::task]
async fn heartbeat() {
    let mut due = Instant::now();
    loop {
        due += BEAT;
        Timer::at(due).await;
        let delay = due.elapsed().as_micros() as u32;
        DELAY.store(DELAY.load(Relaxed).max(delay), Relaxed);
        #[cfg(feature = "logs")]
        defmt::println!("beat delay={=u32}", delay);
    }
}

#[cfg(feature = "logs")]
fn summarise(ended: &board::Ended, delay: u32) {
    use semihosting::eprintln;
    eprintln!("{}", board::Readings(ended));
    eprintln!("microseconds {}", ended.ticks);
    eprintln!("delay_microseconds {delay}");
    eprintln!("agent_bytes {}", size_of::<board::Learner>());
    eprintln!("stack_bytes {}", emulated::stack::high_water_mark());
}

/// Without logs, the result is of no use, which the compiler must not know.
#[cfg(not(feature = "logs"))]
fn summarise(ended: &board::Ended, delay: u32) {
    core::hint::black_box((ended, delay));
}
