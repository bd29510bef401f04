//! The learners' arithmetic, slow and obvious, in exact integers or double precision.
//!
//! Nothing here is shared with the core, so that the two can only agree by both being right.

pub mod binomial;
pub mod cart_pole;
pub mod directions;
pub mod foraging;
pub mod intersection;
pub mod logit;
pub mod rollout;
pub mod sensor_node;
