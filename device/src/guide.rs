//! Guides: how to bring a task to a chip.
//!
//! | guide | what it is about |
//! |---|---|
//! | [`adding_a_board`] | firmware for an emulated board, to be copied, and what to change for a board of your own |
//!
//! How to write a task and to learn it on the desk is in the guide
//! [*a first task*](https://docs.rs/ipse-lab/latest/ipse_lab/guide/first_task/index.html) of `ipse-lab`.

#[doc = include_str!("guide/adding_a_board.md")]
pub mod adding_a_board {}
