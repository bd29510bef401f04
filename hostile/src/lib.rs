//! What must hold whatever the bytes.
//!
//! Each target takes any bytes for what it tests and panics if something comes of them that is neither
//! an error nor sane. The fuzzer (`cargo xtask fuzz`) looks for such bytes; the test beside this runs
//! the bytes in `corpus/`, among them all that were ever found, and mutations of them.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod agent;
mod bytes;
mod checkpoint;
mod fit;
mod game;
mod lab;
mod lfd;
mod policy;

pub use agent::agent;
pub use checkpoint::{checkpoint, is_accepted, seed};
pub use fit::fit;
pub use game::afterstates;
pub use lab::{frames, lines, position, problem, results, training, weights};
pub use lfd::lfd;
pub use policy::policy;

/// A test of any bytes.
pub type Target = fn(&[u8]);

/// The targets by name. Each has a folder of bytes in `corpus/`.
pub const TARGETS: [(&str, Target); 13] = [
    ("afterstates", afterstates),
    ("agent", agent),
    ("checkpoint", checkpoint),
    ("fit", fit),
    ("frames", frames),
    ("lfd", lfd),
    ("lines", lines),
    ("policy", policy),
    ("position", position),
    ("problem", problem),
    ("results", results),
    ("training", training),
    ("weights", weights),
];
