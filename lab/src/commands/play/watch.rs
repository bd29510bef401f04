//! `ipse play --watch`: one game, drawn.
//!
//! On a terminal every picture is at the same spot of the screen, and there are keys. Elsewhere the last picture of each action follows that
//! of the action before, without a pause.

use super::Args;
use crate::commands::watch::screen::{self, Screen};
use crate::commands::watch::{heed_interrupts, interrupted};
use crate::draw::{BOLD, dim, for_stdout, paint};
use crate::error::Result;
use crate::figures::{count, decimal};
use crate::games::{Game, Mind, seeds};
use crate::output::print;
use crate::task::{Setup, Task};
use console::{measure_text_width, truncate_str};
use indicatif::HumanCount;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

pub fn run<E: Task>(setup: &Setup<E>, name: &str, mind: Mind<E>, args: &Args) -> Result {
    let (task, measure) = (&setup.task, &setup.measure);
    let limit = measure.highest();
    let last = args.actions.or(measure.actions).unwrap_or(u64::MAX);
    let mut game = Game::new(task, mind, seeds(args.seed).next().unwrap_or_default());
    let mut film = setup.view.film();
    let mut show = Show::new(Duration::from_millis(args.pace))?;
    let mut end = "Ended at its limit";
    'game: while game.reward < limit && game.actions < last {
        let before = (game.reward, game.actions);
        let Some((state, action)) = game.step() else {
            end = "Over";
            break;
        };
        let does = setup.view.action(task, &state, action);
        let mut frames = film(task, &state, action);
        let fallen = frames.pop().unwrap_or_default();
        let panel = |(reward, actions)| {
            panel(
                measure.unit,
                limit.min(reward),
                actions,
                &does,
                name,
                args.seed,
            )
        };
        let after = panel((game.reward, game.actions));
        let before = panel(before);
        let falling = frames.into_iter().map(|frame| (frame, &before));
        let falling = falling
            .filter(|_| show.screen.is_some())
            .collect::<Vec<_>>();
        for (picture, panel) in falling.into_iter().chain([(fallen, &after)]) {
            if !show.picture(picture, panel)? {
                end = "Stopped";
                break 'game;
            }
        }
    }
    let reward = decimal(game.reward.min(limit) as f64, 0);
    let actions = count(game.actions, setup.view.noun());
    show.end(&format!(
        "{end} after {actions}: {reward} {}.\n",
        sum_of(measure)
    ))
}

/// What the sum of all rewards is a number of.
fn sum_of(measure: &crate::task::Measure) -> &'static str {
    match measure.per {
        None => measure.unit,
        Some(_) => "in all",
    }
}

/// What is written beside the picture.
fn panel(
    unit: &str,
    reward: i64,
    actions: u64,
    does: &str,
    policy: &str,
    seed: u64,
) -> [String; 5] {
    let entry = |name: &str, value: String| format!("   {} {value}", dim(&format!("{name:<7}")));
    let unit = unit.split(' ').next().unwrap_or(unit);
    [
        entry(unit, paint(&decimal(reward as f64, 0), BOLD)),
        entry("actions", HumanCount(actions).to_string()),
        entry("policy", policy.to_owned()),
        entry("seed", seed.to_string()),
        entry("", does.to_owned()),
    ]
}

/// Where pictures are shown.
struct Show {
    /// If there is a terminal that can do more than print lines.
    screen: Option<Screen>,
    pace: Duration,
    /// The lines of the highest picture so far.
    height: usize,
    /// What stays when the screen is left.
    last: Vec<String>,
}

/// How long a key waits at the most.
const BLINK: Duration = Duration::from_millis(20);
const KEYS: &str = "q quits, space pauses, + and - change the speed";

impl Show {
    fn new(pace: Duration) -> Result<Self> {
        let is_screen = io::stdout().is_terminal() && screen::is_capable();
        if is_screen {
            heed_interrupts()?;
        }
        Ok(Show {
            screen: is_screen.then(Screen::enter).transpose()?,
            pace,
            height: 0,
            last: Vec::new(),
        })
    }

    /// Shows a picture for its time. Returns whether to go on.
    fn picture(&mut self, mut picture: Vec<String>, panel: &[String]) -> io::Result<bool> {
        let width = picture.iter().map(|line| measure_text_width(line)).max();
        picture.resize(picture.len().max(panel.len()), String::new());
        beside(&mut picture, panel, width.unwrap_or(0));
        let Some(screen) = &mut self.screen else {
            let text = for_stdout(&picture.join("\n"));
            writeln!(io::stdout().lock(), "{text}\n")?;
            return Ok(true);
        };
        // What is lower stands on the same floor.
        self.height = self.height.max(picture.len());
        let missing = self.height - picture.len();
        picture.splice(..0, vec![String::new(); missing]);
        let mut left = self.pace;
        loop {
            let keys = match screen.is_paused {
                true => "paused: space goes on".to_owned(),
                false => format!("{KEYS} (× {})", screen.pace.speed.factor()),
            };
            let lines = picture.iter().cloned().chain([dim(&keys)]);
            screen.draw_lines(|width, height| fitted(lines, width, height))?;
            let start = Instant::now();
            let is_over = screen.keys(BLINK.min(left))? || interrupted().is_some();
            if is_over || left.is_zero() {
                self.last = picture;
                return Ok(!is_over);
            }
            if !screen.is_paused {
                let passed = start.elapsed().mul_f64(screen.pace.speed.factor());
                left = left.saturating_sub(passed);
            }
        }
    }

    /// Leaves the screen, and tells how it went.
    fn end(self, summary: &str) -> Result {
        drop(self.screen);
        let picture = self.last.iter().map(|line| format!("{line}\n"));
        print(&(picture.collect::<String>() + summary))?;
        match interrupted() {
            Some(code) => std::process::exit(code),
            None => Ok(()),
        }
    }
}

/// The last of some lines, as far as there is room.
fn fitted(lines: impl Iterator<Item = String>, width: usize, height: usize) -> Vec<String> {
    let mut lines: Vec<String> = lines
        .map(|line| truncate_str(&line, width, "").into_owned())
        .collect();
    lines.drain(..lines.len().saturating_sub(height));
    lines
}

/// Writes the panel to the right of the last lines of a picture that is so wide.
fn beside(picture: &mut [String], panel: &[String], width: usize) {
    let first = picture.len().saturating_sub(panel.len() + 2);
    for (line, text) in picture.iter_mut().skip(first).zip(panel) {
        let gap = width.saturating_sub(measure_text_width(line));
        *line += &" ".repeat(gap);
        *line += text;
    }
}
