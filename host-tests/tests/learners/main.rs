//! What must be true of the learners.

mod agent;
mod binomial;
mod boundary;
mod checkpoint;
mod choices;
mod determinism;
mod fields;
mod foraging;
mod hash;
mod labels;
mod lfd;
mod m_learning;
mod parameters;
mod policy;
mod rollout;
mod search;
mod stew;
mod tasks;
mod then;
mod unseen;

use ipse::prelude::{SeedableRng, XorShiftRng};

fn rng(seed: u64) -> XorShiftRng {
    XorShiftRng::seed_from_u64(seed)
}
