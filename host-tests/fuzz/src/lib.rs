//! Fuzz targets: functions of any bytes that panic unless an error or a sane result comes of them.
//!
//! There is a program for each of them in `fuzz_targets`, for `cargo fuzz`, and a folder of inputs in `corpus`. To
//! fuzz all of them, with findings that go to the corpus: `cargo xtask fuzz`. To fuzz one, in this folder, where the
//! settings for it are:
//!
//! ```text
//! cargo +nightly fuzz run --features libfuzzer agent
//! ```
//!
//! The test beside this needs no fuzzer. It runs every target on its corpus and on mutations of it.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod afterstates;
mod agent;
mod bytes;
mod checkpoint;
mod checks;
mod drivers;
mod fit;
mod lab;
mod lfd;
mod policy;
mod sealed;
pub mod seeds;
mod storage;
mod tasks;

pub use afterstates::afterstates;
pub use agent::agent;
pub use checkpoint::{checkpoint, is_accepted};
pub use fit::fit;
pub use lab::{commands, position, problem, results, telemetry, training, weather, weights};
pub use lfd::lfd;
pub use policy::policy;
pub use storage::storage;

/// A function of any bytes.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 15] = [
    ("afterstates", afterstates),
    ("agent", agent),
    ("checkpoint", checkpoint),
    ("commands", commands),
    ("fit", fit),
    ("lfd", lfd),
    ("policy", policy),
    ("position", position),
    ("problem", problem),
    ("results", results),
    ("storage", storage),
    ("telemetry", telemetry),
    ("training", training),
    ("weather", weather),
    ("weights", weights),
];
