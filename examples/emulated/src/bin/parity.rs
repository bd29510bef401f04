//! Learns in silence and writes what it came to, to be compared with the host, and what it took.
#![no_std]
#![no_main]

use board::{Checkpoint, Learner, Readings, Session};
use cortex_m_rt::entry;
use emulated::clock::Clock;
use emulated::{settings, stack};
use semihosting::{println, process};

#[entry]
fn main() -> ! {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    let clock = Clock::start(peripherals.SYST);
    clock.assert_counts_instructions();
    let settings = settings();
    let mut session = Session::new(settings, || 0);
    let (ended, instructions) = clock.instructions(|| session.finish());
    println!("{}", Readings(&ended));
    println!("instructions {instructions}");
    println!("agent_bytes {}", size_of::<Learner>());
    println!("stack_bytes {}", stack::high_water_mark());
    tell_checkpoint(&session);
    process::exit(0)
}

/// Apart, so that it is not on the stack when that is measured.
#[inline(never)]
fn tell_checkpoint(session: &Session) {
    println!("{}", Checkpoint(session));
}
