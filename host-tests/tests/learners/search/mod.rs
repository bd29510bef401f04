//! Searching for weights: by failures, by returns, and against a reference without a single idea.

mod agreement;
mod guard;
mod reference;
mod returns;
mod survival;
