//! The terminal: an alternate screen, keys, and everything as it was before at the end.

use super::pace::Pace;
use super::story::Story;
use super::view::{self, Status};
use super::{CTRL_C, INTERRUPTED};
use crate::draw::for_stdout;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue, style};
use std::io::{self, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest time between two pictures.
const PERIOD: Duration = Duration::from_millis(40);
/// Where a terminal does not tell its size.
const SIZE: (u16, u16) = (80, 24);

/// Returns whether the terminal can do more than print lines.
pub fn is_capable() -> bool {
    !matches!(std::env::var("TERM").as_deref(), Ok("dumb" | ""))
}

pub struct Screen {
    pub pace: Pace,
    pub is_paused: bool,
    /// Whether keys can be read.
    has_keys: bool,
    /// What is on the screen, and its size.
    shown: Vec<String>,
    size: (u16, u16),
    drawn: Option<Instant>,
}

/// Whether the terminal has to be restored.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

impl Screen {
    pub fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        // The message of a panic would vanish with the alternate screen.
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                restore();
                before(info);
            }));
        });
        IS_ENTERED.store(true, Relaxed);
        let screen = Screen {
            pace: Pace::default(),
            is_paused: false,
            has_keys: terminal::enable_raw_mode().is_ok(),
            shown: Vec::new(),
            size: (0, 0),
            drawn: None,
        };
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    /// Draws if it has been long enough since the last time.
    pub fn draw_if_due(&mut self, story: &Story, status: &Status) -> io::Result<()> {
        match self.drawn.is_none_or(|drawn| drawn.elapsed() >= PERIOD) {
            true => self.draw(story, status),
            false => Ok(()),
        }
    }

    /// Draws what is not on the screen yet.
    pub fn draw(&mut self, story: &Story, status: &Status) -> io::Result<()> {
        let status = Status {
            is_paused: self.is_paused,
            speed: self.pace.speed,
            has_keys: self.has_keys,
            ..status.clone()
        };
        self.draw_lines(|width, height| view::lines(story, &status, width, height))
    }

    /// Draws these lines, for a terminal of this width and height, as far as they are not on the screen yet.
    pub fn draw_lines(
        &mut self,
        lines: impl FnOnce(usize, usize) -> Vec<String>,
    ) -> io::Result<()> {
        self.drawn = Some(Instant::now());
        let size = match terminal::size() {
            Ok((0, _) | (_, 0)) | Err(_) => SIZE,
            Ok(size) => size,
        };
        let lines = lines(size.0.into(), size.1.into());
        let mut out = io::stdout().lock();
        if self.size != size {
            queue!(out, Clear(ClearType::All))?;
            self.shown.clear();
            self.size = size;
        }
        self.shown.resize(lines.len(), String::new());
        let changed = lines.iter().zip(&self.shown).enumerate();
        let mut changed = changed
            .filter(|(_, (line, shown))| line != shown)
            .peekable();
        if changed.peek().is_none() {
            return Ok(());
        }
        queue!(out, BeginSynchronizedUpdate)?;
        for (y, (line, _)) in changed {
            queue!(
                out,
                MoveTo(0, y as u16),
                Clear(ClearType::UntilNewLine),
                style::Print(for_stdout(line))
            )?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        self.shown = lines;
        out.flush()
    }

    /// Waits for keys, and does what they ask for. Returns whether that is to quit.
    pub fn keys(&mut self, patience: Duration) -> io::Result<bool> {
        if !self.has_keys {
            thread::sleep(patience);
            return Ok(false);
        }
        let mut patience = patience;
        loop {
            match event::poll(patience) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(_) => {
                    self.has_keys = false;
                    return Ok(false);
                }
            }
            patience = Duration::ZERO;
            let Event::Key(key) = event::read()? else {
                // A new size is seen when the next picture is drawn.
                self.drawn = None;
                continue;
            };
            if self.press(key) {
                return Ok(true);
            }
        }
    }

    fn press(&mut self, key: KeyEvent) -> bool {
        if key.kind == KeyEventKind::Release {
            return false;
        }
        self.drawn = None;
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                INTERRUPTED.store(CTRL_C, Relaxed);
            }
            KeyCode::Char('q' | 'Q') => return true,
            KeyCode::Char(' ') => self.is_paused = !self.is_paused,
            KeyCode::Char('+' | '=') => self.pace.speed = self.pace.speed.faster(),
            KeyCode::Char('-' | '_') => self.pace.speed = self.pace.speed.slower(),
            _ => {}
        }
        false
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Leaves the terminal as it was. Whoever cannot be told so is gone.
pub fn restore() {
    if IS_ENTERED.swap(false, Relaxed) {
        let _ = execute!(
            io::stdout(),
            EndSynchronizedUpdate,
            Show,
            LeaveAlternateScreen
        );
        let _ = terminal::disable_raw_mode();
    }
}
