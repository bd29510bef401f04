//! What must be true of the learners.

mod agent;
mod binomial;
mod checkpoint;
mod choices;
mod determinism;
mod foraging;
mod labels;
mod lfd;
mod m_learning;
mod policy;
mod rollout;
mod stew;
mod survival;
mod tasks;

use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

fn rng(seed: u64) -> XorShiftRng {
    XorShiftRng::seed_from_u64(seed)
}
