//! What the firmware for the emulated boards has in common: a clock, a stack, a command line, and an
//! end when all is lost.
#![no_std]

#[cfg(feature = "logs")]
pub mod arguments;
pub mod clock;
mod fault;
#[cfg(feature = "storage")]
pub mod flash;
pub mod stack;
#[cfg(feature = "storage")]
pub mod trouble;
#[cfg(feature = "storage")]
pub mod watchdog;

#[cfg(feature = "logs")]
pub use arguments::settings;
