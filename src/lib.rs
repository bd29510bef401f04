//! # ipse
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod environment;
pub mod policy;
pub mod tetris;
