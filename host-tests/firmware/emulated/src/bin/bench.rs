//! Counts the instructions of placements and decisions, one `name value` a line.
#![no_std]
#![no_main]

use bench::work::{self, DECISIONS, Work};
use core::hint::black_box;
use cortex_m_rt::entry;
use emulated::clock::Clock;
use ipse::tetris::Tetris10x10;
use ipse::tetris::surface::{Surface10x10, SurfaceNine10x10};
use semihosting::{println, process};

#[entry]
fn main() -> ! {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    let clock = Clock::start(peripherals.SYST);
    clock.assert_counts_instructions();
    let count = |name: &str, work: &dyn Fn() -> Work| {
        let (work, instructions) = clock.instructions(work);
        println!("{name} {}\n{name}_sum {}", work.amount, work.sum);
        println!("{name}_instructions {instructions}");
    };

    let task = Tetris10x10::default();
    let policy = work::bcts();
    work::with_positions(&task, &policy, |positions| {
        count("placements", &|| {
            work::placements(black_box(&task), black_box(positions))
        });
        let (eight, nine) = (Surface10x10::default(), SurfaceNine10x10::default());
        count("surface_placements", &|| {
            work::placements(black_box(&eight), black_box(positions))
        });
        count("surface_nine_placements", &|| {
            work::placements(black_box(&nine), black_box(positions))
        });
    });
    count("decisions", &|| {
        work::decisions(black_box(&task), black_box(&policy), DECISIONS)
    });
    process::exit(0)
}
