//! # ipse
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]
#![deny(clippy::arithmetic_side_effects)]

pub mod agent;
pub mod binomial;
pub mod choice;
pub mod direction;
pub mod environment;
mod exponential;

pub mod lfd;
pub mod m_learning;
pub mod policy;
mod random;
pub mod rollout;
pub mod stew;
pub mod tetris;

pub use crate::agent::{Agent, Algorithm, Config, ConfigError, Phase, Step};
