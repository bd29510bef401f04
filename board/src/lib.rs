//! What every board does: it learns Tetris from nothing, tells about it, and plays.
//!
//! A board brings a clock and a place to tell things to. The host runs the very same code to know
//! what a board has to come to.
//!
//! ```
//! use board::{Event, Session, Settings};
//!
//! let settings = Settings { iterations: 3, ..Settings::default() };
//! let mut session = Session::new(settings, || 0);
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
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod arguments;
mod event;
mod fingerprint;
#[cfg(feature = "defmt")]
mod frame;
mod observer;
mod readings;
mod session;
#[cfg(feature = "storage")]
mod storage;
mod text;

pub use arguments::NotASetting;
pub use event::{Began, Ended, Event, Learned, Played};
pub use fingerprint::Fingerprint;
pub use observer::Observer;
pub use readings::{Checkpoint, Readings};
pub use session::{Learner, MEMORY, Session, Settings};
#[cfg(feature = "storage")]
pub use {
    event::Boot,
    storage::{Missing, NotSaved, Storage, UnfitRange},
};
