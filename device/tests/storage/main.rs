//! Checkpoints in flash: what power cuts, failures and dropped futures do to them.

mod cancellation;
mod counter;
mod failures;
mod layouts;
mod power_cuts;
mod sessions;
mod wear;
