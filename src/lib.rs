//! # ipse
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod agent;
pub mod binomial;
pub mod choice;
pub mod direction;
pub mod environment;

pub mod lfd;
pub mod m_learning;
pub mod policy;
mod random;
pub mod rollout;
pub mod stew;
pub mod tetris;

pub use crate::agent::{Agent, Algorithm, Config, ConfigError, Phase, Step};
