//! Guides: how to do what most users want to do, step by step.
//!
//! | guide | what it is about |
//! |---|---|
//! | [`designing_a_task`] | which features, rewards and horizons make a task easy to learn |
//! | [`adding_a_learner`] | a learning procedure of your own |
//!
//! The [guides of `ipse-lab`](https://docs.rs/ipse-lab/latest/ipse_lab/guide/index.html) have a crate with a task of your
//! own, learned on the desk in ten minutes, and how to read what was learned. How to bring a task to a chip is in the guide
//! *adding a board* of [`ipse-device`](https://docs.rs/ipse-device/latest/ipse_device/guide/adding_a_board/index.html).

#[doc = include_str!("guide/designing_a_task.md")]
pub mod designing_a_task {}

#[doc = include_str!("guide/adding_a_learner.md")]
pub mod adding_a_learner {}
