//! What is drawn where.

use super::{Frame, HEIGHT, WIDTH};
use crate::command::Command;
use crate::event::{Budget, Event, Learned, Picture};
use core::fmt::Write;
use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_5X8};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, Drawable, Point, Primitive, Size};
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Baseline, Text};
use heapless::{String, Vec};
use ipse::Phase;
use ipse::direction::Direction;

/// The side of the square for the picture.
const PICTURE: u16 = HEIGHT as u16;
/// The first column of all that is beside the picture.
const LEFT: i32 = PICTURE as i32 + 2;
const ACROSS: u32 = WIDTH as u32 - LEFT as u32;
/// The first rows of the texts, of the line that grows, and of the bars, and the room for these.
const TITLE: i32 = 0;
const COUNT: i32 = 8;
const DONE: i32 = 16;
const BARS: i32 = 19;
const BARS_HEIGHT: u32 = 36;
const REWARD: i32 = 56;
/// The column of weight 0, and the longest bar.
const ZERO: i32 = LEFT + ACROSS as i32 / 2;
const LONGEST: u32 = ACROSS / 2 - 1;
/// The fewest and the most rows from one bar to the next, one of which is dark.
const PITCH: [u32; 2] = [2, 7];
/// The most bars. Features beyond them are left out.
const MAX_BARS: usize = (BARS_HEIGHT / PITCH[0]) as usize;
/// Bars of votes are measured by the most votes of a feature, or by so many if there are fewer.
const VOTES: u16 = 10;

/// What a reader of telemetry shows on a display.
///
/// ```
/// use ipse::prelude::*;
/// use ipse_device::display::{Frame, Screen};
/// use ipse_device::{Reader, Session, Settings, Telemetry};
/// use ipse_tasks::Foraging;
///
/// let learner = Ipse::new().check()?;
/// let settings = Settings { iterations: Some(20), ..Settings::default() };
/// let mut session = Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng));
/// let (mut reader, mut screen) = (Reader::new(), Screen::new());
/// let mut telemetry = Telemetry::new(|frame: &[u8]| {
///     reader.read(frame, |event| screen.tell(&event));
///     true
/// });
/// embassy_futures::block_on(session.learn(&mut telemetry));
/// assert_ne!(*screen.frame(), Frame::DARK);
/// # Ok::<(), Invalid>(())
/// ```
#[derive(Clone, Debug)]
pub struct Screen {
    /// The picture is drawn as it comes, everything beside it when it is asked for.
    frame: Frame,
    title: &'static str,
    count: Count,
    budget: Option<Budget>,
    /// How much of the work is done, as the length of a line.
    done: u32,
    /// The last value of the learning curve, in tenths.
    mean: Option<i64>,
    bars: Vec<Bar, MAX_BARS>,
    has_ended: bool,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
enum Count {
    Nothing,
    Iterations(u32),
    Actions { actions: u32, reward: i64 },
}

/// What is shown of a feature, as lengths.
#[derive(Clone, Copy, Debug)]
enum Bar {
    Votes { pro: u32, con: u32 },
    Pro(u32),
    Con(u32),
}

impl Default for Screen {
    fn default() -> Self {
        Self::new()
    }
}

impl Screen {
    /// The screen of a board that has told nothing yet.
    pub const fn new() -> Self {
        Screen {
            frame: Frame::DARK,
            title: "",
            count: Count::Nothing,
            budget: None,
            done: 0,
            mean: None,
            bars: Vec::new(),
            has_ended: false,
        }
    }

    /// Takes in what a board tells.
    pub fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Hello(hello) => self.budget = hello.budget,
            Event::Learned(learned) => self.learned(learned),
            Event::Evaluated(evaluated) => {
                let episodes = i64::from(evaluated.episodes.max(1));
                self.mean = Some(evaluated.reward.saturating_mul(10) / episodes);
            }
            Event::Ended(ended) => {
                self.bars = weights(&ended.weights);
                self.done = ACROSS;
                self.has_ended = true;
            }
            // A board that acts while it learns is shown as it learns.
            Event::Acted(acted) if self.has_ended => {
                let (actions, reward) = (acted.actions, acted.reward);
                self.title = "playing";
                self.count = Count::Actions { actions, reward };
            }
            Event::Picture(picture) => self.picture(picture),
            Event::Obeyed(Command::Pause) => self.title = "paused",
            Event::Obeyed(Command::Restart | Command::Seed(_)) => {
                let frame = self.frame;
                let budget = self.budget;
                *self = Screen {
                    frame,
                    budget,
                    ..Screen::new()
                };
            }
            _ => {}
        }
    }

    fn learned(&mut self, learned: &Learned) {
        self.title = match learned.phase {
            Phase::Directions => "directions",
            Phase::Search => "search",
            _ => "weights",
        };
        self.count = Count::Iterations(learned.iteration);
        self.has_ended = false;
        let (done, all) = match self.budget {
            Some(Budget::Iterations(all)) => (learned.iteration.into(), all),
            Some(Budget::Calls(all)) => (learned.calls, all),
            None => (0, 1),
        };
        self.done = part_of(done, all.into(), ACROSS);
        self.bars = match learned.phase {
            Phase::Directions => votes(learned),
            _ => weights(&learned.weights),
        };
    }

    /// Draws a picture as large as it fits: enlarged by a whole number, or reduced in steps of a quarter.
    fn picture(&mut self, picture: &Picture<'_>) {
        let size = Size::new_equal(PICTURE.into());
        fill(&mut self.frame, Point::zero(), size, BinaryColor::Off);
        let (width, height) = (picture.width, picture.height());
        let longest = width.max(height);
        if longest == 0 {
            return;
        }
        let side = (PICTURE / longest).max(1);
        let quarters = (4 * PICTURE / longest).clamp(1, 4);
        let reduced = |of: u16| (of * quarters).div_ceil(4);
        let (columns, rows) = (reduced(width), reduced(height));
        let part = |index: u16, of: u16| {
            let at = |index: u16| (4 * index / quarters).min(of);
            at(index)..at(index + 1)
        };
        let margin = |count: u16| i32::from(PICTURE.saturating_sub(count * side)) / 2;
        let (left, top) = (margin(columns), margin(rows));
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            if picture.is_covered(part(x, width), part(y, height)) {
                let at = Point::new(left + i32::from(x * side), top + i32::from(y * side));
                let size = Size::new_equal(side.into());
                // What is larger than the place for it is cut off.
                if at.x + i32::from(side) <= PICTURE.into() {
                    fill(&mut self.frame, at, size, BinaryColor::On);
                }
            }
        }
    }

    /// What is to be shown now.
    pub fn frame(&mut self) -> &Frame {
        let frame = &mut self.frame;
        let all = Size::new(ACROSS + 2, HEIGHT as u32);
        fill(frame, Point::new(LEFT - 2, 0), all, BinaryColor::Off);

        let mut line: String<24> = String::new();
        // What does not fit is cut off, here and at the edge of the display.
        let _ = match self.count {
            Count::Nothing => Ok(()),
            Count::Iterations(iterations) => write!(line, "iter {iterations}"),
            Count::Actions { actions, .. } => write!(line, "action {actions}"),
        };
        text(frame, self.title, TITLE);
        text(frame, &line, COUNT);
        fill(
            frame,
            Point::new(LEFT, DONE),
            Size::new(self.done, 1),
            BinaryColor::On,
        );

        line.clear();
        let _ = match (self.count, self.mean) {
            (Count::Actions { reward, .. }, _) => write!(line, "reward {reward}"),
            (_, Some(mean)) => {
                let sign = if mean < 0 { "-" } else { "" };
                let mean = mean.unsigned_abs();
                write!(line, "mean {sign}{}.{}", mean / 10, mean % 10)
            }
            (_, None) => Ok(()),
        };
        text(frame, &line, REWARD);
        draw_bars(frame, &self.bars);
        frame
    }
}

/// How much of `of` is `part` of `all`, rounded.
fn part_of(part: u64, all: u64, of: u32) -> u32 {
    let (all, of) = (all.max(1), u64::from(of));
    ((2 * part.min(all) * of + all) / (2 * all)) as u32
}

/// A bar for each feature without a direction by its votes, for all others by its direction.
fn votes(learned: &Learned) -> Vec<Bar, MAX_BARS> {
    let undecided = |direction: &Direction| !direction.is_decided();
    let features = learned.directions.iter().zip(&learned.votes);
    let counts = features
        .clone()
        .filter(|(direction, _)| undecided(direction));
    let most = counts.flat_map(|(_, votes)| *votes).max();
    let all = most.unwrap_or(0).max(VOTES);
    let length = |votes: u16| part_of(votes.into(), all.into(), LONGEST);
    let bar = |(direction, [pro, con]): (&Direction, &[u16; 2])| match direction {
        Direction::Pro => Bar::Pro(LONGEST),
        Direction::Con => Bar::Con(LONGEST),
        Direction::Undecided => Bar::Votes {
            pro: length(*pro),
            con: length(*con),
        },
    };
    features.map(bar).take(MAX_BARS).collect()
}

/// A bar for each feature by its weight. The largest is the longest.
fn weights(weights: &[f32]) -> Vec<Bar, MAX_BARS> {
    let largest = weights
        .iter()
        .fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
    let bar = |weight: &f32| {
        let length = (weight.abs() / largest * LONGEST as f32 + 0.5) as u32;
        match *weight < 0.0 {
            true => Bar::Con(length),
            false => Bar::Pro(length),
        }
    };
    weights.iter().map(bar).take(MAX_BARS).collect()
}

fn draw_bars(frame: &mut Frame, bars: &[Bar]) {
    if bars.is_empty() {
        return;
    }
    let count = bars.len() as u32;
    let [least, most] = PITCH;
    let pitch = (BARS_HEIGHT / count).clamp(least, most);
    let height = pitch * count;
    let top = BARS + (BARS_HEIGHT.saturating_sub(height) / 2) as i32;
    // The line of weight 0, with an end beyond the bars at both sides.
    let axis = Size::new(1, height + 1);
    fill(frame, Point::new(ZERO, top - 1), axis, BinaryColor::On);
    let tops = (top..).step_by(pitch as usize);
    for (y, bar) in tops.zip(bars) {
        let (pro, con, style) = match *bar {
            Bar::Pro(length) => (length, 0, PrimitiveStyle::with_fill(BinaryColor::On)),
            Bar::Con(length) => (0, length, PrimitiveStyle::with_fill(BinaryColor::On)),
            Bar::Votes { pro, con } => (pro, con, PrimitiveStyle::with_stroke(BinaryColor::On, 1)),
        };
        let mut draw = |x: i32, length: u32| {
            let area = Rectangle::new(Point::new(x, y), Size::new(length, pitch - 1));
            let Ok(()) = area.into_styled(style).draw(frame);
        };
        draw(ZERO + 1, pro);
        draw(ZERO - con as i32, con);
    }
}

fn fill(frame: &mut Frame, at: Point, size: Size, color: BinaryColor) {
    let Ok(()) = frame.fill_solid(&Rectangle::new(at, size), color);
}

fn text(frame: &mut Frame, text: &str, y: i32) {
    let style = MonoTextStyle::new(&FONT_5X8, BinaryColor::On);
    let at = Point::new(LEFT, y);
    let Ok(_) = Text::with_baseline(text, at, style, Baseline::Top).draw(frame);
}
