//! Guides: how to do what most users want to do, step by step.
//!
//! | guide | what it is about |
//! |---|---|
//! | [`first_task`] | a crate with a task of your own, learned on the desk in ten minutes |
//! | [`designing_a_task`] | which features, rewards and horizons make a task easy to learn |
//! | [`reading_what_it_has_learned`] | weights, directions, votes, and what to make of them |
//! | [`adding_a_learner`] | a learning procedure of your own |
//!
//! How to bring a task to a chip is in the guide *adding a board* of
//! [`ipse-device`](https://docs.rs/ipse-device/latest/ipse_device/guide/adding_a_board/index.html).

#[doc = include_str!("guide/first_task.md")]
pub mod first_task {}

#[doc = include_str!("guide/designing_a_task.md")]
pub mod designing_a_task {}

#[doc = include_str!("guide/reading_what_it_has_learned.md")]
pub mod reading_what_it_has_learned {}

#[doc = include_str!("guide/adding_a_learner.md")]
pub mod adding_a_learner {}
