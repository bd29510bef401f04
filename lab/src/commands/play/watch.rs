//! `ipse play --watch`: one game, drawn.
//!
//! On a terminal every picture is at the same spot of the screen. Elsewhere the last picture of each action follows that
//! of the action before, without a pause.

use super::Args;
use crate::draw::{BOLD, dim, for_stdout, paint};
use crate::error::Result;
use crate::figures::{count, decimal};
use crate::games::{Game, Mind, seeds};
use crate::task::{Setup, Task};
use console::measure_text_width;
use indicatif::HumanCount;
use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

pub fn run<E: Task>(setup: &Setup<E>, name: &str, mind: Mind<E>, args: &Args) -> Result {
    let (task, measure) = (&setup.task, &setup.measure);
    let limit = measure.highest();
    let last = args.actions.or(measure.actions).unwrap_or(u64::MAX);
    let mut game = Game::new(task, mind, seeds(args.seed).next().unwrap_or_default());
    let mut film = setup.view.film();
    let mut screen = Screen::new(Duration::from_millis(args.pace));
    let mut is_over = false;
    while game.reward < limit && game.actions < last {
        let before = (game.reward, game.actions);
        let Some((state, action)) = game.step() else {
            is_over = true;
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
        if screen.terminal {
            for frame in frames {
                screen.show(frame, &panel(before))?;
            }
        }
        screen.show(fallen, &panel((game.reward, game.actions)))?;
    }
    let end = match is_over {
        true => "Over",
        false => "Ended at its limit",
    };
    let reward = decimal(game.reward.min(limit) as f64, 0);
    let actions = count(game.actions, setup.view.noun());
    let text = format!("{end} after {actions}: {reward} {}.\n", sum_of(measure));
    Ok(io::stdout().write_all(text.as_bytes())?)
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

struct Screen {
    terminal: bool,
    pace: Duration,
    /// The lines of the largest picture so far, which are those that are on a terminal.
    lines: usize,
}

impl Screen {
    fn new(pace: Duration) -> Self {
        Screen {
            terminal: io::stdout().is_terminal(),
            pace,
            lines: 0,
        }
    }

    fn show(&mut self, mut picture: Vec<String>, panel: &[String]) -> io::Result<()> {
        let width = picture.iter().map(|line| measure_text_width(line)).max();
        let width = width.unwrap_or(0);
        picture.resize(picture.len().max(panel.len()), String::new());
        let mut out = io::stdout().lock();
        if !self.terminal {
            beside(&mut picture, panel, width);
            return writeln!(out, "{}\n", for_stdout(&picture.join("\n")));
        }
        let before = self.lines;
        self.lines = self.lines.max(picture.len());
        // What is lower stands on the same floor.
        let missing = self.lines - picture.len();
        picture.splice(..0, vec![String::new(); missing]);
        beside(&mut picture, panel, width);
        if before > 0 {
            write!(out, "\x1b[{before}A")?;
        }
        // Each line wipes what the last picture may have left beyond its end.
        let text = for_stdout(&picture.join("\n")).replace('\n', "\x1b[K\n");
        writeln!(out, "{text}\x1b[K")?;
        thread::sleep(self.pace);
        Ok(())
    }
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
