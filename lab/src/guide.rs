//! Guides: how to learn a task of your own on the desk, and to read what was learned.
//!
//! | guide | what it is about |
//! |---|---|
//! | [`first_task`] | a crate with a task of your own, learned in ten minutes |
//! | [`reading_what_it_has_learned`] | weights, directions, votes, and what to make of them |
//!
//! How to design a task, and how to add a learner, is in the [guides of `ipse`](https://docs.rs/ipse/latest/ipse/guide/index.html).

#[doc = include_str!("guide/first_task.md")]
pub mod first_task {}

#[doc = include_str!("guide/reading_what_it_has_learned.md")]
pub mod reading_what_it_has_learned {}
