//! What firmware for the emulated boards has in common: a clock, a stack, a command line, and an end
//! after a panic or a fault.
#![no_std]

#[cfg(feature = "logs")]
pub mod arguments;
pub mod clock;
mod fault;
pub mod report;
pub mod stack;
