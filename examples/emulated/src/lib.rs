//! What firmware for the emulated boards has in common: a clock, a stack, flash, a command line, a place for
//! telemetry, and an end after a panic or a fault.
#![no_std]

pub mod clock;
mod fault;
#[cfg(feature = "telemetry")]
mod flash;
pub mod report;
pub mod stack;
pub mod words;

use clock::Clock;
use embassy_time::Instant;
use ipse::Driver;
use ipse_device::Observer;
use words::Words;

/// Starts the clock, and reads the command line.
pub fn start() -> Words {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    Clock::start(peripherals.SYST);
    Words::read()
}

/// The time since the board was started, in microseconds.
pub fn micros() -> u64 {
    Instant::now().as_micros()
}

/// Telemetry on the standard output of QEMU.
///
/// If nobody reads it, QEMU itself stops until somebody does, with its clock: semihosting has no other way, and QEMU's
/// UARTs of this board wait as well. On the board no time passes meanwhile. Sinks of real boards do not wait.
#[cfg(feature = "telemetry")]
pub fn observer<D: Driver>() -> impl Observer<D> {
    use semihosting::io::{Write, stdout};
    let mut stdout = stdout().expect("QEMU has a standard output");
    ipse_device::Telemetry::new(move |frame: &[u8]| stdout.write_all(frame).is_ok())
}

/// Nobody.
#[cfg(not(feature = "telemetry"))]
pub fn observer<D: Driver>() -> impl Observer<D> {}

/// Flash in a file of the host, for checkpoints of at most `BUFFER` bytes.
#[cfg(feature = "telemetry")]
pub fn storage<const BUFFER: usize>() -> ipse_device::Storage<flash::Flash, BUFFER> {
    let flash = flash::Flash::open().expect("the host has a file for the flash");
    let storage = ipse_device::Storage::new(flash, 0..flash::SIZE as u32);
    storage.expect("it has enough pages")
}
