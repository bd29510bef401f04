//! What a board has to tell.

use crate::fingerprint::Fingerprint;
use ipse::Step;
use ipse::tetris::{FEATURES, State};

/// One thing that a board has to tell.
///
/// It comes as text for people, by its `Display`, and with the feature `defmt` as a frame for
/// programs, by `Event::log`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Learning begins.
    Began(Began),
    /// An iteration is done.
    Learned(Learned),
    /// All iterations are done.
    Ended(Ended),
    /// A piece was placed by the learned policy.
    Played(Played),
    /// The board has started.
    #[cfg(feature = "storage")]
    Booted(Boot),
    /// An iteration could not be saved.
    #[cfg(feature = "storage")]
    NotSaved,
}

/// What a board starts with.
#[cfg(feature = "storage")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boot {
    /// The newest checkpoint.
    Resumed {
        /// How many iterations were complete.
        iterations: u32,
    },
    /// Nothing, for want of a checkpoint.
    Anew(crate::storage::Missing),
}

/// What is about to be learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Began {
    /// Of all random numbers.
    pub seed: u64,
    /// How many there will be.
    pub iterations: u32,
}

/// An iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    /// What happened in it.
    pub step: Step<FEATURES>,
    /// The board after it, and the piece that comes next.
    pub state: State,
    /// When it was done, in microseconds.
    pub ticks: u64,
}

/// What was learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// Of all iterations.
    pub fingerprint: Fingerprint,
    /// The weights.
    pub weights: [f32; FEATURES],
    /// The calls of the generative model in all iterations.
    pub calls: u64,
    /// The rows removed in all iterations.
    pub rows: u32,
    /// How long it took, in microseconds.
    pub ticks: u64,
}

/// A placement by the learned policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The number of pieces so far, this one included.
    pub pieces: u32,
    /// The rows that this one removed.
    pub rows: u32,
    /// Whether the game is over. Then a new one begins.
    pub over: bool,
    /// The board after it, and the piece that comes next.
    pub state: State,
    /// When it was placed, in microseconds.
    pub ticks: u64,
}
