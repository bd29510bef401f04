//! Guides: how to bring a task to a chip.
//!
//! | guide | what it is about |
//! |---|---|
//! | [`adding_a_board`] | firmware for an emulated board, to be copied, and what to change for a board of your own |
//!
//! How to write a task and to learn it on the desk is in the [guides of `ipse`](https://docs.rs/ipse/latest/ipse/guide/index.html).

#[doc = include_str!("guide/adding_a_board.md")]
pub mod adding_a_board {}
