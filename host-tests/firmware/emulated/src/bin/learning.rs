//! Counts the instructions of an iteration of learning, rollouts and fit apart, one `name value` a
//! line.
#![no_std]
#![no_main]

use bench::work::{self, ITERATIONS, Slice};
use cortex_m_rt::entry;
use emulated::clock::Clock;
use semihosting::{println, process};

#[entry]
fn main() -> ! {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    let clock = Clock::start(peripherals.SYST);
    clock.assert_counts_instructions();

    let (mut rollouts, mut fit) = (0, 0);
    let sum = work::learning(ITERATIONS, |slice, work| {
        let ((), instructions) = clock.instructions(work);
        match slice {
            Slice::Rollouts => rollouts += instructions,
            Slice::Fit => fit += instructions,
        }
    });
    println!("iterations {ITERATIONS}\nweights_sum {sum}");
    println!("rollouts_instructions {rollouts}\nfit_instructions {fit}");
    process::exit(0)
}
