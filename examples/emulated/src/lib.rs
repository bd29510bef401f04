//! What the firmware for the emulated boards has in common: a clock, and an end when all is lost.
#![no_std]

pub mod clock;

use cortex_m_rt::{ExceptionFrame, exception};
use semihosting::{eprintln, process};

/// The default would loop for ever.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    eprintln!("hard fault at {:#010x}", frame.pc());
    process::exit(1)
}
