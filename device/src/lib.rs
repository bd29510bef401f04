//! A session of learning on a board: it learns Tetris from nothing, tells about it, and plays.
//!
//! A board brings a clock, and an [`Observer`] that is told what happens. The host runs the same code, so that the
//! result of a board can be compared with that of the host.
//!
//! ```
//! use ipse::prelude::*;
//! use ipse::tetris::Tetris10x10;
//! use ipse_device::{Event, Session, Settings};
//!
//! let settings = Settings { iterations: 3, ..Settings::default() };
//! let learner = Ipse::new().check()?;
//! let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
//! let mut session = Session::new(settings, || 0, new);
//!
//! let mut iterations = 0;
//! let mut report = async |event: &Event| match event {
//!     Event::Learned(_) => iterations += 1,
//!     other => println!("{other}"),
//! };
//! embassy_futures::block_on(async {
//!     session.learn(&mut report).await;
//!     session.play(20, &mut report).await;
//! });
//! assert_eq!(iterations, 3);
//! # Ok::<(), Invalid>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod event;
#[cfg(feature = "faults")]
pub mod faults;
mod fingerprint;
#[cfg(feature = "defmt")]
mod frame;
mod observer;
mod session;
#[cfg(feature = "storage")]
pub mod storage;
mod text;

pub use event::{Began, Ended, Event, Features, Learned, Played};
pub use fingerprint::Fingerprint;
pub use observer::Observer;
pub use session::{Session, Settings};
#[cfg(feature = "storage")]
pub use {
    event::Boot,
    storage::{LoadFailed, Persistent, Restored, SaveFailed, Saved, Storage, UnfitRange},
};
