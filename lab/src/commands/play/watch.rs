//! `ipse play --watch`: one game, drawn.
//!
//! On a terminal a piece is shown above the place where it will fall and then where it has fallen,
//! always at the same spot of the screen. Elsewhere the pictures of the fallen pieces follow each
//! other, without a pause.

use super::Args;
use crate::draw::{BOLD, Picture, colour, dim, for_stdout, paint};
use crate::error::Result;
use crate::games::{Game, seeds};
use indicatif::HumanCount;
use ipse::tetris::{Column, Piece, Tetris};
use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

/// So many rows above the board are shown. Together with a board of twenty rows, its floor and the
/// cursor's line they fill a terminal of twenty-four.
const SKY: usize = 2;

pub fn run<const H: usize, C: Column>(task: &Tetris<10, H, C>, args: &Args) -> Result {
    let policy = args.policy.policy_for(task);
    let limit = args.series.max_rows.unwrap_or(u64::MAX);
    let mut game = Game::new(task, &policy, seeds(args.seed).next().unwrap_or_default());
    let mut screen = Screen::new(Duration::from_millis(args.pace), H + SKY);
    let mut picture = Picture::new([0; 10], H);
    let mut pieces = 0;
    while game.rows < limit {
        let rows = game.rows;
        let Some((state, action)) = game.step() else {
            break;
        };
        let Some(placed) = task.place(&state, action) else {
            break;
        };
        if screen.terminal {
            let mut falling = picture.clone();
            falling.put(state.piece, lifted(placed.cells, H));
            screen.show(&falling, &panel(args, state.piece, pieces, rows))?;
        }
        pieces += 1;
        picture.put(state.piece, placed.cells);
        screen.show(&picture, &panel(args, state.piece, pieces, game.rows))?;
        picture.settle();
    }
    let (rows, pieces) = (HumanCount(game.rows.min(limit)), HumanCount(pieces));
    let end = if game.rows < limit {
        "Game over"
    } else {
        "Ended by --max-rows"
    };
    writeln!(
        io::stdout(),
        "{end}. Rows removed: {rows}. Pieces placed: {pieces}."
    )?;
    Ok(())
}

/// The cells of a piece that has not fallen yet, just above the board.
fn lifted(cells: [(u8, u8); 4], height: usize) -> [(u8, u8); 4] {
    let lowest = cells.iter().map(|&(_, row)| row).min().unwrap_or(0);
    cells.map(|(column, row)| (column, row - lowest + height as u8))
}

/// What is written beside the board.
fn panel(args: &Args, piece: Piece, pieces: u64, rows: u64) -> [String; 5] {
    let entry = |name: &str, value: String| format!("   {} {value}", dim(&format!("{name:<6}")));
    [
        entry(
            "piece",
            paint(&piece.letter().to_string(), colour(piece).bold()),
        ),
        entry("rows", paint(&HumanCount(rows).to_string(), BOLD)),
        entry("pieces", HumanCount(pieces).to_string()),
        entry("policy", args.policy.name.clone()),
        entry("seed", args.seed.to_string()),
    ]
}

struct Screen {
    terminal: bool,
    pace: Duration,
    /// The rows of a picture on a terminal.
    rows: usize,
    shown: bool,
}

impl Screen {
    fn new(pace: Duration, rows: usize) -> Self {
        Screen {
            terminal: io::stdout().is_terminal(),
            pace,
            rows,
            shown: false,
        }
    }

    fn show(&mut self, picture: &Picture, panel: &[String]) -> io::Result<()> {
        let mut lines = picture.lines(if self.terminal {
            self.rows
        } else {
            picture.rows()
        });
        for (line, text) in lines.iter_mut().skip(SKY + 1).zip(panel) {
            *line += text;
        }
        let mut out = io::stdout().lock();
        if !self.terminal {
            return writeln!(out, "{}\n", for_stdout(&lines.join("\n")));
        }
        if self.shown {
            write!(out, "\x1b[{}A", lines.len())?;
        }
        self.shown = true;
        // Each line wipes what the last picture may have left beyond its end.
        writeln!(
            out,
            "{}\x1b[K",
            for_stdout(&lines.join("\n")).replace('\n', "\x1b[K\n")
        )?;
        thread::sleep(self.pace);
        Ok(())
    }
}
