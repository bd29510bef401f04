//! The live screen of a terminal.
//!
//! Each picture is written at once in the place of the one before, and leaves the cursor below it.
//! So the last one stays, and all there is to tidy up is the cursor.

use super::event::Event;
use super::pace::Pace;
use super::story::Story;
use super::{Show, view};
use crate::draw::for_stdout;
use console::Term;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest time between two pictures.
const PERIOD: Duration = Duration::from_millis(40);

pub struct Screen {
    /// What is watched.
    name: &'static str,
    term: Term,
    /// The number of lines of the last picture.
    lines: usize,
    drawn: Option<Instant>,
    changed: bool,
    pace: Pace,
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
            pace: Pace::default(),
        }
    }

    fn draw(&mut self, story: &Story) -> io::Result<()> {
        let (height, width) = self.term.size();
        // The cursor has a line of its own.
        let height = usize::from(height).saturating_sub(1);
        let lines = view::lines(story, self.name, width.into(), height);
        let mut picture = match self.lines {
            0 => String::new(),
            lines => format!("\x1b[{lines}A"),
        };
        for line in &lines {
            // Each line wipes what the last picture may have left beyond its end.
            picture += &for_stdout(line);
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
}

impl Show for Screen {
    fn event(&mut self, story: &Story, event: &Event) -> io::Result<()> {
        self.changed = true;
        let ticks = match event {
            Event::Learned(learned) => learned.ticks,
            Event::Played(played) => played.ticks,
            // The last iteration is worth a picture.
            Event::Ended(_) => return self.draw(story),
            Event::Began(_) | Event::Beat(_) => return Ok(()),
        };
        thread::sleep(self.pace.wait(ticks, Instant::now()));
        self.idle(story)
    }

    fn idle(&mut self, story: &Story) -> io::Result<()> {
        match self.drawn.is_none_or(|drawn| drawn.elapsed() >= PERIOD) {
            true => self.end(story),
            false => Ok(()),
        }
    }

    fn end(&mut self, story: &Story) -> io::Result<()> {
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
