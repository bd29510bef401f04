//! What the core is tested against: a slow, obvious twin of the game with boards to compare the two
//! on, references for the learners' arithmetic, and a second task, which is also the example of how
//! to write one. The tests themselves are in `tests/`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod agreement;
pub mod boards;
pub mod chance;
pub mod foraging;
pub mod reference;
pub mod twin;
