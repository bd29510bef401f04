//! The most common imports: `use ipse::prelude::*`.

pub use crate::agent::Agent;
pub use crate::array::Array;
pub use crate::codec::Codec;
pub use crate::direction::Direction;
pub use crate::driver::{Driver, Progress, ResumableDriver, Step};
pub use crate::environment::{
    Action, Canvas, Environment, Feature, Outcome, PerFeature, Resumable, Survival,
};
pub use crate::invalid::Invalid;
pub use crate::learner::labels::Soft;
pub use crate::learner::m_learning::Schedule;
pub use crate::learner::{
    Checked, Choice, Ipse, Known, Learner, Lfd, MLearning, Parameters, Phase, Prior,
    ResumableLearner, Tally, Then, Undecided, Unknown,
};
pub use crate::policy::Policy;
pub use crate::rollout::{Rollouts, Values};
pub use crate::search::{Guard, Objective, Scale, Search, Searcher, Sigma, Starts};
pub use rand_core::{Rng, SeedableRng};
pub use rand_xorshift::XorShiftRng;
