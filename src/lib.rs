//! An agent that learns to act, from nothing, on a microcontroller.
//!
//! This is *Iterative Policy-Space Expansion* (Lichtenberg and Şimşek): first learn of each feature
//! only whether it is good or bad, then how much it weighs, in a policy space that starts as a single
//! point and grows. No std, no allocation, no unsafe code, no blocking; the same seed gives the same
//! bits on a Cortex-M0+, a Cortex-M4F and a workstation.
//!
//! ```
//! use ipse::tetris::{Rule, Tetris10x10};
//! use ipse::{Agent, Config};
//! use rand_core::SeedableRng;
//! use rand_xorshift::XorShiftRng;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let tetris = Tetris10x10::new(Rule::AfterRemoval);
//! let mut agent = Agent::<_, 8, 34, 100>::new(tetris, Config::default().check()?, &mut rng);
//!
//! for _ in 0..40 {
//!     let step = agent.step(&mut rng);
//!     if step.episode_ended {
//!         // The game was lost; the next one has begun.
//!     }
//! }
//! // What it has learned, at any moment: real weights, and a policy that acts on integers.
//! let weights: [f32; 8] = agent.weights();
//! let action = agent.policy().choose(&tetris, agent.state(), &mut rng);
//! assert!(action.is_some());
//! # Ok::<(), ipse::ConfigError>(())
//! ```
//!
//! A board that has other things to do calls [`Agent::slice`] instead of [`Agent::step`]: one rollout,
//! or learning from a few of the remembered choices, at a time.
//!
//! # Beside the paper
//!
//! | module | what | in the paper |
//! |---|---|---|
//! | [`bytes`] | what can be written as bytes and read again | |
//! | [`environment`] | the task, and its generative model | section 2 |
//! | [`direction`] | pros and cons, and dominance | sections 1 and 2 |
//! | [`tetris`] | the task of the experiments | section 5 |
//! | [`policy`] | linear policies | section 2 |
//! | [`label`] | what a choice is remembered as | section 2, and beyond |
//! | [`rollout`] | the value of an action by simulation | Algorithm 2 |
//! | [`binomial`], [`lfd`] | learning feature directions | section 3, Algorithm 1 |
//! | [`choice`] | the choice data 𝒟 | Algorithm 3 |
//! | [`stew`] | logistic regression, shrunk toward equal weights | section 4 |
//! | [`m_learning`] | M-learning in its four versions | sections 2 and 5 |
//! | [`survival`] | a search for weights that survive | beyond it |
//! | [`agent`] | IPSE: the loop of Algorithm 3, first with one learner, then with the other | section 4 |
//! | [`checkpoint`] | an agent as bytes, to go on another day | |
//!
//! Each knows only those above it. Everything but [`tetris`] works for any [`environment`]; an example
//! of another one, made to be copied, is `host-tests/src/foraging.rs` in the repository.
//!
//! # Memory
//!
//! An agent is a value of fixed size. With the paper's hundred choices on a 10 × 10 board:
//!
//! ```
//! use ipse::{Agent, tetris::Tetris10x10};
//! assert!(size_of::<Agent<Tetris10x10, 8, 34, 100>>() <= 4096);
//! // With a share of each of the 34 actions in each choice, for soft labels.
//! assert!(size_of::<Agent<Tetris10x10, 8, 34, 100, 34>>() <= 7168);
//! ```
//!
//! A step needs some 4 KiB of stack on top of that, on a Cortex-M4: a choice set and the placements that
//! it is made of. `cargo xtask resources` measures it.

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
mod average;
pub mod binomial;
pub mod bytes;
pub mod checkpoint;
pub mod choice;
pub mod direction;
pub mod environment;
mod exponential;
pub mod label;
pub mod lfd;
pub mod m_learning;
mod math;
pub mod policy;
mod random;
pub mod rollout;
pub mod stew;
pub mod survival;
pub mod tetris;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use crate::agent::{Agent, Algorithm, Checked, Config, ConfigError, Phase, Step};
