//! Does a run without reports, and writes its readings, to be compared with those of the host, and its costs.
#![no_std]
#![no_main]

use bench::{Checkpoint, Readings, Visit};
use cortex_m_rt::entry;
use emulated::clock::Clock;
use emulated::stack;
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse_device::{Session, Settings};
use semihosting::{println, process};

#[entry]
fn main() -> ! {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    let clock = Clock::start(peripherals.SYST);
    clock.assert_counts_instructions();
    let visited = emulated_tests::run().visit(Measure(&clock));
    visited.unwrap_or_else(|invalid| panic!("{invalid}"));
    process::exit(0)
}

struct Measure<'a>(&'a Clock);

impl Visit for Measure<'_> {
    type Output = ();

    fn visit<D: ResumableDriver>(
        self,
        settings: Settings,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) {
        let mut session = Session::new(settings, || 0, make);
        let (readings, instructions) = self.0.instructions(|| Readings::of(&mut session));
        println!("{readings}");
        println!("instructions {instructions}");
        println!("agent_bytes {}", size_of::<D>());
        println!("stack_bytes {}", stack::high_water_mark());
        println!("{}", Checkpoint::of(&mut session));
    }
}
