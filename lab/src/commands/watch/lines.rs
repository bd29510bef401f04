//! Events as plain lines, where there is no terminal.

use super::grid::printable;
use super::story::{News, Story};
use crate::figures::{count, seconds};
use ipse::Phase;
use ipse::direction::Direction;
use ipse_device::{Acted, Command, Ended, Event, Learned};
use std::io::{self, Write};

/// Writes them.
pub struct Lines<W> {
    out: W,
    /// Whether to go on if nobody reads the lines any more, since the bytes are saved.
    must_go_on: bool,
    is_closed: bool,
}

impl<W: Write> Lines<W> {
    pub fn new(out: W, must_go_on: bool) -> Self {
        Lines {
            out,
            must_go_on,
            is_closed: false,
        }
    }

    /// Tells of an event, which is part of the story already.
    pub fn event(&mut self, story: &Story, event: &Event<'_>, news: News) -> io::Result<()> {
        if news.is_restarted {
            self.line("the board was reset")?;
        }
        let line = match event {
            _ if news.is_repeated => return Ok(()),
            Event::Hello(_) if !news.is_described => return Ok(()),
            Event::Picture(_) | Event::Beat(_) | Event::Part(_) => return Ok(()),
            Event::Obeyed(Command::Read(_) | Command::Write(_)) => return Ok(()),
            Event::Booted(boot) => format!("boot: {boot}"),
            Event::Learned(event) => learned(story, event),
            Event::Ended(event) => ended(event),
            Event::Acted(event) => acted(event),
            event => event.to_string(),
        };
        self.line(&line)
    }

    /// The last line.
    pub fn end(&mut self, story: &Story) -> io::Result<()> {
        match story.weights_line() {
            Some(line) if story.run.is_some() => self.line(&line),
            _ => Ok(()),
        }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        match writeln!(self.out, "{}", printable(line)) {
            Err(error) if self.must_go_on && error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            written => written,
        }
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

fn learned(story: &Story, event: &Learned) -> String {
    let directions = event.directions.iter().map(|direction| match direction {
        Direction::Con => '-',
        Direction::Undecided => '?',
        Direction::Pro => '+',
    });
    format!(
        "{}: {}, learning {}, directions {}, weights {}, {}, reward {}, {}",
        seconds(event.micros),
        progress(story, event),
        phase(event.phase),
        String::from_iter(directions),
        weights(&event.weights),
        count(event.calls, "call"),
        event.reward,
        count(event.episodes.into(), "episode"),
    )
}

/// The number of the iteration, and the position if that is in calls.
fn progress(story: &Story, event: &Learned) -> String {
    let position = story.position();
    match position.starts_with("iteration") {
        true => position,
        false => format!("iteration {}, {position}", event.iteration),
    }
}

pub fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Directions => "directions",
        Phase::Weights => "weights",
        Phase::Search => "weights by a search",
        _ => "something",
    }
}

fn ended(event: &Ended) -> String {
    format!(
        "learned in {}: {}, {}, reward {}, fingerprint {}",
        seconds(event.micros),
        count(event.iterations.into(), "iteration"),
        count(event.calls, "call"),
        event.reward,
        event.fingerprint
    )
}

fn acted(event: &Acted) -> String {
    format!(
        "action {}: reward {}, {}",
        event.actions,
        event.reward,
        count(event.episodes.into(), "episode")
    )
}

fn weights(weights: &[f32]) -> String {
    let weights = weights.iter().map(|weight| format!("{weight:.3}"));
    weights.collect::<Vec<_>>().join(" ")
}
