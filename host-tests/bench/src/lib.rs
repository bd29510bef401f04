//! Runs and workloads by which a workstation and boards are compared.
//!
//! A [run](runs) is a session with settings that are given as words. Wherever it takes place, its
//! [`readings`] must be the same. A [workload](mod@work) is a part of the core that is measured.

#![no_std]
#![forbid(unsafe_code)]

pub mod readings;
pub mod runs;
pub mod wide;
pub mod work;

pub use readings::{CHECKPOINT, Checkpoint, Readings};
pub use runs::{COMPARED, Run, Visit};
pub use wide::Wide;
