//! Learns from soft labels, and tells what came of it, one `name value` a line.
#![no_std]
#![no_main]

use bench::Work;
use cortex_m_rt::entry;
use emulated::stack;
use semihosting::{println, process};

#[entry]
fn main() -> ! {
    let Work { amount, sum } = bench::soft_labels();
    println!("soft_labels {amount}\nsoft_labels_sum {sum}");
    println!("stack_bytes {}", stack::high_water_mark());
    process::exit(0)
}
