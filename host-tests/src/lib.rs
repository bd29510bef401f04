//! What the core is tested against: a slow, obvious twin of the game with boards to compare the two
//! on, references for the learners' arithmetic, and checkpoints bit by bit. The tests themselves are in `tests/`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod agreement;
pub mod boards;
pub mod chance;
pub mod forge;
pub mod picture;
pub mod reference;
pub mod twin;
