//! `ipse watch`: a board that learns, on a live screen.

mod event;
mod frames;
mod game;
mod lines;
mod pace;
mod screen;
mod source;
mod story;
mod view;

use crate::args::at_least_one;
use crate::error::{Error, Result};
use defmt_decoder::Table;
use event::Event;
use frames::Frames;
use lines::Lines;
use screen::Screen;
use source::Source;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use story::Story;

pub use frames::table;

/// Watch a board learn, from the defmt frames that it sends
///
/// The frames come from an emulator that is started here, from a file, or from
/// standard input. With --elf they are decoded; without it they have been
/// already, as by probe-rs. Without a terminal every event is a line.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo ipse watch --qemu --elf learn -- seed=7 iterations=200
  cargo ipse watch --rp2040 --elf learn --pieces 100
  cargo ipse watch --elf learn --input recorded.defmt
  probe-rs run --chip RP2040 learn | cargo ipse watch"
)]
pub struct Args {
    /// The image that sends the frames
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,

    /// Read frames from a file instead of standard input
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// Run the image on an emulated STM32F405 (QEMU)
    #[arg(long, requires = "elf", conflicts_with_all = ["input", "rp2040"])]
    qemu: bool,

    /// Run the image on an emulated RP2040 (rp2040js)
    #[arg(long, requires = "elf", conflicts_with = "input")]
    rp2040: bool,

    /// Stop when so many pieces have been placed by what was learned
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    pieces: Option<u32>,

    /// Words for the image, after --
    #[arg(last = true, requires = "qemu", value_name = "SETTING")]
    settings: Vec<String>,
}

/// Someone who shows what happens.
trait Show {
    /// Shows what has just happened, when it is time.
    fn event(&mut self, story: &Story, event: &Event) -> io::Result<()>;

    /// Shows what was not shown yet, if it is time.
    fn idle(&mut self, _story: &Story) -> io::Result<()> {
        Ok(())
    }

    /// Shows what was not shown yet, since nothing will come any more.
    fn end(&mut self, _story: &Story) -> io::Result<()> {
        Ok(())
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What a shell expects of a program that was interrupted.
const EXIT_INTERRUPTED: i32 = 130;

pub fn run(args: &Args) -> Result {
    let table = args.elf.as_deref().map(table).transpose()?;
    // Whoever was interrupted has to show the cursor again and to stop the emulator.
    ctrlc::set_handler(|| INTERRUPTED.store(true, Relaxed))
        .map_err(|error| Error::Stream(format!("Ctrl-C cannot be handled: {error}")))?;
    let mut story = Story::default();
    let source = Source::open(args)?;
    let mut show: Box<dyn Show> = match io::stdout().is_terminal() {
        true => Box::new(Screen::new(source.name())),
        false => Box::new(Lines(io::stdout())),
    };
    let watched = watch(
        args,
        Frames::new(table.as_ref()),
        source,
        &mut story,
        &mut *show,
    );
    let shown = show.end(&story);
    drop(show);
    if INTERRUPTED.load(Relaxed) {
        eprintln!("interrupted {}", story.so_far());
        std::process::exit(EXIT_INTERRUPTED);
    }
    watched?;
    Ok(shown?)
}

/// Shows everything until it ends or has been watched long enough.
fn watch(
    args: &Args,
    mut frames: Frames,
    mut source: Source,
    story: &mut Story,
    show: &mut dyn Show,
) -> Result {
    let is_enough = |story: &Story| {
        INTERRUPTED.load(Relaxed) || args.pieces.is_some_and(|n| story.pieces() >= n)
    };
    while let Some(bytes) = source.next(Duration::from_millis(50))? {
        if take(&bytes, &mut frames, story, show, is_enough)? {
            return Ok(());
        }
        show.idle(story)?;
        if INTERRUPTED.load(Relaxed) {
            return Ok(());
        }
    }
    source
        .end()
        .and_then(|()| frames.end())
        .and_then(|()| story.end(args.elf.is_some()))
        .map_err(|problem| Error::Stream(format!("{problem} {}", story.so_far())))
}

/// Shows every event in bytes that came. Returns whether that is enough.
fn take(
    bytes: &[u8],
    frames: &mut Frames,
    story: &mut Story,
    show: &mut dyn Show,
    is_enough: impl Fn(&Story) -> bool,
) -> Result<bool> {
    frames.push(bytes);
    while let Some(text) = frames.next()? {
        if let Some(event) = Event::parse(&text)? {
            story.add(&event);
            show.event(story, &event)?;
        }
        if is_enough(story) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// All that is shown of these bytes, without a terminal and then with one.
pub fn replay(bytes: &[u8], table: Option<&Table>) -> Result<(String, Vec<String>)> {
    let (mut frames, mut story) = (Frames::new(table), Story::default());
    let mut lines = Lines(Vec::new());
    take(bytes, &mut frames, &mut story, &mut lines, |_| false)?;
    frames
        .end()
        .and_then(|()| story.end(table.is_some()))
        .map_err(|problem| Error::Stream(format!("{problem} {}", story.so_far())))?;
    let lines = String::from_utf8_lossy(&lines.0).into_owned();
    Ok((lines, view::lines(&story, "a board", 80, 24)))
}
