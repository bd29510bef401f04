//! What the firmware for the emulated boards has in common: a clock, a stack, a command line, and an
//! end when all is lost.
#![no_std]

#[cfg(feature = "logs")]
mod arguments;
pub mod clock;
mod fault;
pub mod stack;

#[cfg(feature = "logs")]
pub use arguments::settings;
