//! A Cortex-M or a RISC-V core in QEMU.

use core::fmt::Arguments;
#[cfg(target_arch = "arm")]
use cortex_m as _;
#[cfg(target_arch = "arm")]
use cortex_m_rt::entry;
#[cfg(target_arch = "riscv32")]
use riscv as _;
#[cfg(target_arch = "riscv32")]
use riscv_rt::entry;
use semihosting::experimental::env;
use semihosting::{println, process};

/// Prints a line.
pub fn print(line: Arguments<'_>) {
    println!("{line}");
}

#[entry]
fn main() -> ! {
    let words = env::args::<128>().expect("the command line has at most 128 bytes");
    // The first is the name of the image.
    crate::run((&words).skip(1).map(|word| word.expect("it is text")));
    process::exit(0)
}
