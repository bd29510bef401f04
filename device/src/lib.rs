//! A session of learning on a board, for any task.
//!
//! A [`Session`] drives an agent or a search in slices, so that other tasks of the board get their turns. It resumes
//! the newest checkpoint at boot and saves others ([`Storage`]), tells [observers](Observer) what happens, and plays
//! what was learned. [`Telemetry`] is the observer that tells everyone else: it sends [`Event`]s as frames over a UART,
//! USB, RTT or a pipe, and a [`Reader`] gets them out of the bytes on the other side, with nothing but this crate. The
//! host runs the same code, so that the result of a board can be compared with that of the host.
//!
//! ```
//! use ipse::prelude::*;
//! use ipse_device::{Session, Settings};
//! use ipse_tasks::Foraging;
//!
//! let learner = Ipse::new().check()?;
//! let settings = Settings { iterations: Some(100), ..Settings::default() };
//! // A clock counts microseconds. Here there is none.
//! let mut session = Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng));
//! embassy_futures::block_on(session.learn(&mut ()));
//! assert_eq!(session.iterations(), 100);
//!
//! let mut player = session.player();
//! for _ in 0..20 {
//!     session.play(&mut player, &mut ());
//! }
//! assert!(player.reward() > 0);
//! # Ok::<(), Invalid>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod activity;
mod command;
#[cfg(feature = "display")]
pub mod display;
mod event;
#[cfg(feature = "faults")]
pub mod faults;
mod fingerprint;
#[cfg(all(doc, feature = "faults", feature = "pipe", feature = "storage"))]
#[cfg_attr(docsrs, doc(auto_cfg = false))]
pub mod guide;
pub mod label;
mod log;
mod matrix;
mod observer;
mod play;
mod session;
#[cfg(feature = "storage")]
pub mod storage;
mod telemetry;
pub mod uf2;
mod wire;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "storage")]
pub use crate::storage::Storage;
#[cfg(feature = "pipe")]
pub use crate::telemetry::Piped;
pub use crate::{
    activity::{Activity, Status},
    command::{Command, Part},
    event::{
        Acted, Beat, Boot, Budget, Ended, Evaluated, Event, Failure, FeatureName, Hello, Learned,
        List, Loaded, MAX_FEATURES, Operation, Picture, Refusal, Saved, VERSION,
    },
    fingerprint::Fingerprint,
    log::Log,
    matrix::Matrix,
    observer::Observer,
    play::Player,
    session::{Features, ITERATIONS, Record, Session, Settings},
    telemetry::{Sink, Sinks, Telemetry, draw},
    wire::{CommandReader, MAX_COMMAND, MAX_FRAME, Reader, encode, encode_command},
};
