//! What a board has to tell.

use crate::fingerprint::Fingerprint;
#[cfg(feature = "storage")]
use embedded_storage_async::nor_flash::NorFlashErrorKind;
use ipse::tetris::{State, Tetris10x10};
use ipse::{Environment, PerFeature, Step};

/// The features of the task.
pub type Features = <Tetris10x10 as Environment>::Features;

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Boot {
    /// The newest checkpoint.
    Resumed {
        /// The number of complete iterations.
        iterations: u32,
    },
    /// Nothing, for want of a checkpoint.
    Anew(crate::storage::LoadFailed<NorFlashErrorKind>),
}

/// The run that is about to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Began {
    /// The seed of the random generator.
    pub seed: u64,
    /// The number of iterations after which it ends.
    pub iterations: u32,
}

/// An iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    /// What happened in it.
    pub step: Step<Features>,
    /// The board after it, and the piece that comes next.
    pub state: State,
    /// When it was done, in microseconds.
    pub ticks: u64,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// The fingerprint of all iterations.
    pub fingerprint: Fingerprint,
    /// The weights.
    pub weights: PerFeature<Tetris10x10, f32>,
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
