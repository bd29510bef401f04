//! Events as plain lines, where there is no terminal.

use super::Show;
use super::event::{Ended, Event, Learned, Played};
use super::story::Story;
use crate::figures::{count, decimal};
use ipse::direction::Direction;
use std::io::{self, Write};

/// Writes them.
pub struct Lines<W>(pub W);

impl<W: Write> Show for Lines<W> {
    fn event(&mut self, story: &Story, event: &Event) -> io::Result<()> {
        let line = match event {
            Event::Began(began) => format!(
                "learning for {} from seed {}",
                count(began.iterations.into(), "iteration"),
                began.seed
            ),
            Event::Learned(event) => learned(story, event),
            Event::Ended(event) => ended(event),
            Event::Played(event) => played(story, event),
            Event::Beat(_) => return Ok(()),
        };
        writeln!(self.0, "{line}")
    }
}

fn learned(story: &Story, event: &Learned) -> String {
    let of = story
        .iterations()
        .map_or(String::new(), |all| format!(" of {all}"));
    let directions = event.directions.map(|direction| match direction {
        Direction::Con => '-',
        Direction::Undecided => '?',
        Direction::Pro => '+',
    });
    format!(
        "{} s: iteration {}{of}, learning {}, directions {}, weights {}, {}, {} so far",
        seconds(event.ticks),
        event.iteration,
        crate::training::phase_name(event.phase),
        String::from_iter(directions),
        weights(&event.weights),
        count(event.calls.into(), "call"),
        count(story.rows().into(), "row"),
    )
}

fn ended(event: &Ended) -> String {
    format!(
        "learned in {} s: weights {}, {}, {}, fingerprint {:016x}",
        seconds(event.ticks),
        weights(&event.weights),
        count(event.calls, "call"),
        count(event.rows.into(), "row"),
        event.fingerprint
    )
}

fn played(story: &Story, event: &Played) -> String {
    let rows = story.play.map_or(0, |play| play.rows);
    let over = if event.over { ", game over" } else { "" };
    format!(
        "piece {}: {}, {rows} so far{over}",
        event.pieces,
        count(event.rows.into(), "row")
    )
}

fn weights(weights: &[f32]) -> String {
    weights
        .iter()
        .map(|weight| format!("{weight:.3}"))
        .collect::<Vec<_>>()
        .join(" ")
}

pub fn seconds(ticks: u64) -> String {
    decimal(ticks as f64 / 1e6, 3)
}
