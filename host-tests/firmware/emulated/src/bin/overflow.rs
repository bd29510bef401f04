//! Overflows its stack, on purpose, which must not pass for a success.
#![no_std]
#![no_main]

use core::hint::black_box;
use cortex_m_rt::entry;
use emulated as _;
use semihosting::{println, process};

#[entry]
fn main() -> ! {
    println!("{} levels deep", descend(0));
    process::exit(0)
}

#[expect(unconditional_recursion, reason = "there is no bottom")]
fn descend(depth: u32) -> u32 {
    let level = black_box([depth; 16]);
    descend(depth + 1) + black_box(level)[0]
}
