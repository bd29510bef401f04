//! An agent that learns to act, from nothing, on a microcontroller.
//!
//! This is *Iterative Policy-Space Expansion* (Lichtenberg and Şimşek): first learn for each feature only whether it
//! is good or bad, then how much it weighs, in a policy space that starts as a single point and grows. No std, no
//! allocation, no unsafe code, no blocking; the same seed gives the same bits on a Cortex-M0+, a Cortex-M4F and a
//! workstation.
//!
//! A task is one type: an [`Environment`]. It says once how many features and actions it has.
//!
//! ```
//! use ipse::prelude::*;
//! # use ipse::tetris::Tetris10x10 as MyTask;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let mut agent = Agent::new(MyTask::default(), Ipse::new().check()?, &mut rng);
//! for _ in 0..60 {
//!     let step = agent.step(&mut rng);
//!     if step.episode_ended {
//!         // The next episode has begun.
//!     }
//! }
//! // What it has learned, at any moment: real weights, and a policy that acts on integers.
//! let weights = agent.weights();
//! let action = agent.policy().choose(agent.task(), agent.state(), &mut rng);
//! assert!(action.is_some());
//! # Ok::<(), Invalid>(())
//! ```
//!
//! A board that has other things to do calls [`Agent::slice`] instead of [`Agent::step`]: one rollout, or learning
//! from a few of the remembered choices, at a time.
//!
//! # Guides
//!
//! Which features and rewards make a task easy to learn, and how to add a learner, is in [`guide`]. The guides of
//! [`ipse-lab`](https://docs.rs/ipse-lab/latest/ipse_lab/guide/index.html) go from an empty folder to a learning curve, and
//! tell how to read what was learned.
//!
//! # Beside the paper
//!
//! | module | content | in the paper |
//! |---|---|---|
//! | [`mod@array`] | arrays whose length the task states once | |
//! | [`best`] | the best of several offers | |
//! | [`environment`] | the task, and its generative model | section 2 |
//! | [`direction`] | pros and cons, and dominance | sections 1 and 2 |
//! | [`policy`] | linear policies | section 2 |
//! | [`rollout`] | the value of an action by simulation | Algorithm 2 |
//! | [`learner`] | LEARN, the parameter of Algorithm 3 | Algorithm 3 |
//! | [`learner::lfd`], [`learner::binomial`] | learning feature directions | section 3, Algorithm 1 |
//! | [`learner::stew`] | logistic regression, shrunk toward equal weights | section 4 |
//! | [`learner::m_learning`] | M-learning in its four versions | sections 2 and 5 |
//! | [`learner::ipse`] | one learner, then another | section 4 |
//! | [`agent`] | deliberate, act, learn | Algorithm 3 |
//! | [`search`] | a search for weights, by failures or by return | beyond it |
//! | [`driver`] | what agents and searches have in common | |
//! | [`checkpoint`] | an agent as bytes | |
//! | [`tetris`] | the task of the experiments | section 5 |
//!
//! # Memory
//!
//! An agent is a value of fixed size, and has nothing in it that its learner does not use. With the paper's hundred
//! choices on a 10 × 10 board:
//!
//! ```
//! use ipse::learner::labels::Soft;
//! use ipse::prelude::*;
//! use ipse::tetris::Tetris10x10;
//!
//! assert!(size_of::<Agent<Tetris10x10, Lfd>>() <= 512);
//! assert!(size_of::<Agent<Tetris10x10, Ipse>>() <= 3584);
//! // With soft labels there is a byte more for each of the 34 actions of each choice.
//! assert!(size_of::<Agent<Tetris10x10, Ipse<100, Soft>>>() <= 7168);
//! ```
//!
//! A step needs some 4 KiB of stack on top of that, on a Cortex-M4: a choice set and the placements that it is made
//! of. `cargo xtask resources` measures it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]
#![deny(clippy::arithmetic_side_effects)]

pub mod agent;
pub mod array;
pub mod best;
pub mod checkpoint;
mod codec;
pub mod direction;
pub mod driver;
pub mod environment;
mod exponential;
#[cfg(doc)]
#[cfg_attr(docsrs, doc(auto_cfg = false))]
pub mod guide;
mod invalid;
pub mod learner;
mod math;
pub mod policy;
pub mod prelude;
mod random;
mod ring;
pub mod rollout;
pub mod search;
pub mod tetris;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use crate::agent::Agent;
pub use crate::driver::{Driver, Progress, ResumableDriver, Step};
pub use crate::environment::{Environment, Feature, PerFeature, Resumable};
pub use crate::invalid::Invalid;
pub use crate::learner::{Checked, Ipse, Learner, Lfd, MLearning, Parameters, Phase};
pub use rand_core;
pub use rand_xorshift;
