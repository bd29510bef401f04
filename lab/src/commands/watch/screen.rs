//! The live screen of a terminal.
//!
//! Each picture is written at once in the place of the one before, and leaves the cursor below it.
//! So the last one stays, and all there is to tidy up is the cursor.

use super::event::Event;
use super::story::Story;
use super::{Show, view};
use crate::draw::for_stdout;
use console::{Term, truncate_str};
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest time between two pictures.
const PERIOD: Duration = Duration::from_millis(40);
/// How long an iteration and a placement can be seen, at least.
const ITERATION: Duration = Duration::from_millis(20);
const PLACEMENT: Duration = Duration::from_millis(60);

pub struct Screen {
    /// What is watched.
    name: &'static str,
    term: Term,
    /// The number of lines of the last picture.
    lines: usize,
    drawn: Option<Instant>,
    changed: bool,
}

impl Screen {
    pub fn new(name: &'static str) -> Self {
        let term = Term::stdout();
        // Where it cannot be hidden, it is seen.
        let _ = term.hide_cursor();
        Screen {
            name,
            term,
            lines: 0,
            drawn: None,
            changed: true,
        }
    }

    fn draw(&mut self, story: &Story) -> io::Result<()> {
        let (height, width) = self.term.size();
        let (height, width) = (usize::from(height), usize::from(width));
        let lines = view::lines(story, self.name, width, height.saturating_sub(1));
        let mut picture = match self.lines {
            0 => String::new(),
            lines => format!("\x1b[{lines}A"),
        };
        for line in &lines {
            // Each line wipes what the last picture may have left beyond its end.
            picture += &for_stdout(&truncate_str(line, width, ""));
            picture += "\x1b[K\n";
        }
        // A smaller picture, after the terminal was resized, wipes what is below it.
        picture += "\x1b[J";
        self.lines = lines.len();
        self.drawn = Some(Instant::now());
        self.changed = false;
        let mut out = io::stdout().lock();
        out.write_all(picture.as_bytes())?;
        out.flush()
    }

    fn is_due(&self) -> bool {
        self.drawn.is_none_or(|drawn| drawn.elapsed() >= PERIOD)
    }
}

impl Show for Screen {
    fn event(&mut self, story: &Story, event: &Event) -> io::Result<()> {
        self.changed = true;
        let pause = match event {
            Event::Played(_) => PLACEMENT,
            Event::Learned(_) => ITERATION,
            _ => return Ok(()),
        };
        if self.is_due() {
            self.draw(story)?;
        }
        thread::sleep(pause);
        Ok(())
    }

    fn catch_up(&mut self, story: &Story) -> io::Result<()> {
        match self.changed {
            true => self.draw(story),
            false => Ok(()),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.term.show_cursor();
    }
}
