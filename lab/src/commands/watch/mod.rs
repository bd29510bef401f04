//! `ipse watch`: a board that learns, on a live screen. It knows of the task what the telemetry tells.

mod curve;
mod grid;
mod lines;
mod pace;
mod picture;
pub mod screen;
mod sheet;
mod source;
mod story;
mod verdict;
mod view;

pub use verdict::verdict;

use crate::args::at_least_one;
use crate::entry::Entries;
use crate::error::{Error, Result};
use crate::interrupt::on_interrupt;
use crate::output::tell;
use crate::serial;
use grid::Grid;
use ipse::environment::Environment;
use ipse_device::{Event, Reader};
use lines::Lines;
use screen::Screen;
use source::{Next, Note, Piece, Source};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::time::{Duration, Instant};
use story::{News, Story};
use view::Status;

/// Watch a board learn any task, from the telemetry that it sends
///
/// The telemetry comes from a file, standard input, a serial port, or an
/// emulator that is started here. Watching can begin at any time: what is being
/// learned is repeated every few events. Lost and foreign bytes are skipped.
///
/// On a terminal: q quits, space pauses, + and - change the speed of a file or
/// an emulator. Elsewhere each event is a line, and the last line has the name
/// of each feature as a JSON string, and its weight: weights "seeds"=0.5 ...
/// The exit code is 0 if learning was complete when the stream ended.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo ipse watch --serial
  cargo ipse watch --serial /dev/ttyACM0 --save run.ipse
  cargo ipse watch run.ipse
  cargo ipse watch --qemu IMAGE --actions 100 -- seed=7 iterations=200
  cargo ipse watch --rp2040 IMAGE")]
pub struct Args {
    /// A file of telemetry, as --save writes it; standard input if nothing is given
    #[arg(value_name = "FILE", group = "source")]
    file: Option<PathBuf>,

    /// Run an image on an emulated STM32F405 (QEMU)
    #[arg(long, value_name = "IMAGE", group = "source")]
    qemu: Option<PathBuf>,

    /// Run an image on an emulated RP2040 (rp2040js)
    #[arg(long, value_name = "IMAGE", group = "source")]
    rp2040: Option<PathBuf>,

    /// Read from a serial port, or without PORT from the only board that is plugged in; if it
    /// disappears, wait until it is back
    #[arg(
        long,
        value_name = "PORT",
        group = "source",
        num_args = 0..=1,
        default_missing_value = serial::ANY
    )]
    serial: Option<PathBuf>,

    /// The speed of the serial port
    #[arg(
        long,
        value_name = "N",
        default_value_t = 115_200,
        requires = "serial",
        conflicts_with_all = ["file", "qemu", "rp2040"],
        value_parser = at_least_one::<u32>
    )]
    baud: u32,

    /// Keep the bytes that are read in a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Stop when what was learned has taken so many actions
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    actions: Option<u32>,

    /// At the end, play what was learned here, and a random player beside it, if the task is known
    #[arg(long)]
    verdict: bool,

    /// Settings for the image, after --
    #[arg(
        last = true,
        value_name = "SETTING",
        requires = "qemu",
        conflicts_with_all = ["file", "rp2040", "serial"]
    )]
    settings: Vec<String>,
}

/// The picture of a state in lines of text, within so many columns and rows. Nothing if the task draws none.
pub fn picture_of<E: Environment>(
    task: &E,
    state: &E::State,
    (columns, rows): (usize, usize),
) -> Vec<String> {
    let (width, height) = E::PICTURE;
    let mut pixels = vec![0; (usize::from(width) * usize::from(height)).div_ceil(8)];
    if ipse_device::draw(task, state, &mut pixels).is_none() {
        return Vec::new();
    }
    let image = story::Image { width, pixels };
    let largest = Grid::new(columns, rows).area();
    let (columns, rows) = picture::size(Some(&image), largest);
    let mut grid = Grid::new(columns, rows);
    let area = grid.area();
    picture::draw(&mut grid, area, Some(&image));
    grid.lines()
}

/// The exit code of an interrupt, if there was one.
static INTERRUPTED: AtomicI32 = AtomicI32::new(0);

/// What a shell expects of a program that was ended by Ctrl-C.
const CTRL_C: i32 = 130;

/// How long an interrupt waits for an orderly end.
const GRACE: Duration = Duration::from_secs(2);

/// How long to wait for something to come.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long to wait for it while keys may be pressed.
const BLINK: Duration = Duration::from_millis(10);

/// Why watching has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// Nothing more will come.
    End,
    /// What was asked for has been seen.
    Enough,
    Interrupted,
}

/// From now on, [`interrupted`] tells an interrupt.
///
/// Whoever is interrupted has to restore the terminal and to stop the emulator. If the terminal is gone, reading its keys
/// may never end.
pub fn heed_interrupts() -> Result {
    on_interrupt(|code| {
        INTERRUPTED.store(code, Relaxed);
        std::thread::sleep(GRACE);
        screen::restore();
        std::process::exit(code);
    })
}

/// The exit code of an interrupt, if there was one.
pub fn interrupted() -> Option<i32> {
    Some(INTERRUPTED.load(Relaxed)).filter(|code| *code != 0)
}

pub fn run(args: &Args, entries: &Entries) -> Result {
    heed_interrupts()?;
    let mut source = Source::open(args)?;
    let mut watch = Watch::new(args.actions);
    let is_screen = io::stdout().is_terminal() && screen::is_capable();
    let stop = match is_screen {
        true => watch.on_screen(&source),
        false => watch.in_lines(&source, args.save.is_some()),
    };
    let stop = stop.and_then(|stop| match stop {
        Stop::End => source
            .end()
            .map(|()| stop)
            .map_err(|problem| Error::Stream(format!("{problem} {}", watch.story.so_far()))),
        _ => Ok(stop),
    });
    // An emulator is stopped before anything is said.
    let name = source.name().to_owned();
    drop(source);
    let verdict = args.verdict.then(|| watch.verdict(entries)).flatten();
    if is_screen {
        let mut out = anstream::stdout().lock();
        for line in view::summary(&watch.story, &name)
            .into_iter()
            .chain(verdict)
        {
            writeln!(out, "{line}")?;
        }
    } else {
        if let Some(verdict) = verdict {
            tell!("{verdict}");
        }
        let problems = watch.story.problems();
        if !problems.is_empty() {
            tell!("note: {}", grid::printable(&problems.join(", ")));
        }
    }
    if matches!(stop, Ok(Stop::Interrupted)) {
        tell!("interrupted {}", watch.story.so_far());
        std::process::exit(INTERRUPTED.load(Relaxed));
    }
    if stop? == Stop::End {
        watch.story.end().map_err(Error::Stream)?;
    }
    match watch.not_saved {
        Some(problem) => Err(Error::File(problem)),
        None => Ok(()),
    }
}

/// Bytes on their way to a story.
struct Watch {
    reader: Reader,
    story: Story,
    /// Bytes that have come, and how many of them have been read.
    bytes: Vec<u8>,
    read: usize,
    /// The number of actions that are enough.
    enough: Option<u32>,
    is_disconnected: bool,
    /// Why the bytes are not saved.
    not_saved: Option<String>,
}

impl Watch {
    fn new(enough: Option<u32>) -> Self {
        Watch {
            reader: Reader::new(),
            story: Story::default(),
            bytes: Vec::new(),
            read: 0,
            enough,
            is_disconnected: false,
            not_saved: None,
        }
    }

    fn push(&mut self, bytes: Vec<u8>) {
        (self.bytes, self.read) = (bytes, 0);
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Disconnected => {
                self.is_disconnected = true;
                // A frame that was cut off is not completed by what comes next.
                self.push(vec![0]);
            }
            Note::Connected => self.is_disconnected = false,
            Note::NotSaved(problem) => self.not_saved = Some(problem),
        }
    }

    /// Goes on to the next event, and hands it to `hear`. `None` if there is none in the bytes that have come.
    fn next<T>(&mut self, hear: impl FnOnce(&Story, &Event<'_>, News) -> T) -> Option<T> {
        let mut heard = None;
        while let Some(byte) = self.bytes.get(self.read) {
            self.read += 1;
            if let Some(event) = self.reader.push(*byte) {
                let news = self.story.add(&event);
                heard = Some(hear(&self.story, &event, news));
                break;
            }
        }
        self.story.heed(&self.reader);
        heard
    }

    /// What the learned policy is worth, if learning is complete.
    fn verdict(&self, entries: &Entries) -> Option<String> {
        let run = self.story.run.as_ref()?;
        let weights = &self.story.ended.as_ref()?.weights;
        let features = self.story.features();
        let features: Vec<&str> = features.iter().map(|feature| &*feature.name).collect();
        entries.verdict(&run.task, &features, weights)
    }

    fn stop(&self) -> Option<Stop> {
        // A board may act while it learns.
        let is_enough = |n| self.story.is_learned() && self.story.actions() >= n;
        let is_enough = self.enough.is_some_and(is_enough);
        match INTERRUPTED.load(Relaxed) {
            1.. => Some(Stop::Interrupted),
            _ => is_enough.then_some(Stop::Enough),
        }
    }

    /// Writes a line an event.
    fn in_lines(&mut self, source: &Source, is_saved: bool) -> Result<Stop> {
        let mut lines = Lines::new(io::stdout(), is_saved);
        let stop = self.write_lines(source, &mut lines);
        lines.end(&self.story)?;
        stop
    }

    fn write_lines(&mut self, source: &Source, lines: &mut Lines<impl Write>) -> Result<Stop> {
        loop {
            while let Some(written) =
                self.next(|story, event, news| lines.event(story, event, news))
            {
                written?;
                if let Some(stop) = self.stop() {
                    return Ok(stop);
                }
            }
            match source.next(PATIENCE)? {
                Next::Piece(Piece::Bytes(bytes)) => self.push(bytes),
                Next::Piece(Piece::Note(note)) => {
                    match &note {
                        Note::Disconnected => tell!("{}: disconnected", source.name()),
                        Note::Connected => tell!("{}: connected again", source.name()),
                        // That is told at the end.
                        Note::NotSaved(_) => {}
                    }
                    self.note(note);
                }
                Next::Nothing => {}
                Next::End => return Ok(Stop::End),
            }
            if let Some(stop) = self.stop() {
                return Ok(stop);
            }
        }
    }

    /// Draws on the terminal until the one who watches has seen enough.
    fn on_screen(&mut self, source: &Source) -> Result<Stop> {
        let mut screen = Screen::enter()?;
        // When the next event is due.
        let mut due = Instant::now();
        loop {
            let now = Instant::now();
            if !screen.is_paused {
                let until = now + BLINK;
                while due <= now && Instant::now() < until {
                    let Some(micros) = self.next(|story, _, _| story.micros) else {
                        match source.next(Duration::ZERO)? {
                            Next::Piece(Piece::Bytes(bytes)) => self.push(bytes),
                            Next::Piece(Piece::Note(note)) => self.note(note),
                            Next::Nothing => break,
                            Next::End => {
                                screen.draw(&self.story, &self.status(source))?;
                                return Ok(Stop::End);
                            }
                        }
                        continue;
                    };
                    if let Some(stop) = self.stop() {
                        screen.draw(&self.story, &self.status(source))?;
                        return Ok(stop);
                    }
                    if !source.is_live() {
                        due = now + screen.pace.wait(micros, now);
                    }
                }
            }
            screen.draw_if_due(&self.story, &self.status(source))?;
            let wait = due.saturating_duration_since(Instant::now());
            if screen.keys(wait.clamp(Duration::ZERO, PATIENCE).max(BLINK))? {
                return Ok(Stop::Enough);
            }
            if let Some(stop) = self.stop() {
                return Ok(stop);
            }
        }
    }

    fn status(&self, source: &Source) -> Status {
        let note = match (self.is_disconnected, &self.not_saved) {
            (true, _) => Some("disconnected, waiting for the port".to_owned()),
            (false, problem) => problem.clone(),
        };
        Status {
            source: source.name().to_owned(),
            is_live: source.is_live(),
            note,
            ..Status::default()
        }
    }
}

/// All that is shown of a stream.
#[derive(Debug)]
pub struct Shown {
    /// Without a terminal.
    pub lines: String,
    /// On a terminal of the size that was asked for.
    pub screen: Vec<String>,
    /// What stays on the terminal.
    pub summary: Vec<String>,
    /// What is wrong with the stream, if anything is.
    pub result: std::result::Result<(), String>,
}

/// Shows a whole stream.
pub fn replay(stream: &[u8], width: usize, height: usize) -> Shown {
    let mut watch = Watch::new(None);
    let mut lines = Lines::new(Vec::new(), false);
    watch.push(stream.to_vec());
    let mut written = Ok(());
    while let Some(line) = watch.next(|story, event, news| lines.event(story, event, news)) {
        written = written.and(line);
    }
    let written = written.and_then(|()| lines.end(&watch.story));
    let status = Status {
        source: "a board".into(),
        ..Status::default()
    };
    let result = written.map_err(|error| error.to_string());
    Shown {
        lines: String::from_utf8_lossy(&lines.into_inner()).into_owned(),
        screen: view::lines(&watch.story, &status, width, height),
        summary: view::summary(&watch.story, &status.source),
        result: result.and_then(|()| watch.story.end()),
    }
}
