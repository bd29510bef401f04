//! A game on the emulated board, live in the terminal.

use crate::firmware::{M4, QEMU, Time};
use crate::setup::{self, Need};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// The game takes about 25 seconds.
const LIMIT: Duration = Duration::from_secs(120);

pub fn run() -> Result<(), String> {
    setup::require(&[Need::Target(M4.target), QEMU])?;
    M4.build()?;
    write(&format!(
        "BCTS plays Tetris on an emulated STM32F405 (QEMU's {}).\n\n",
        M4.machine
    ))?;
    let mut screen = Screen::new(std::io::stdout().is_terminal());
    let played = M4.run("demo", Time::Real, LIMIT, |line| write(&screen.show(line)));
    write(&screen.drawing)?;
    played
}

fn write(text: &str) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    written.map_err(|error| format!("the game cannot be shown: {error}"))
}

/// Shows drawings that end with an empty line: on a terminal each in the place of the one before
/// and in colours, otherwise as they come.
///
/// A drawing is written at once and leaves the cursor below it, so that there is nothing to tidy up
/// whenever the game is interrupted.
struct Screen {
    is_terminal: bool,
    /// The lines of a drawing that is not complete.
    drawing: String,
    /// The number of lines of the last drawing that was shown.
    shown: usize,
}

impl Screen {
    fn new(is_terminal: bool) -> Self {
        Screen {
            is_terminal,
            drawing: String::new(),
            shown: 0,
        }
    }

    /// What to write now that `line` has come.
    fn show(&mut self, line: &str) -> String {
        if !self.is_terminal {
            return format!("{line}\n");
        }
        if !line.is_empty() {
            self.drawing.push_str(&colours(line));
            self.drawing.push('\n');
            return String::new();
        }
        let back = match self.shown {
            0 => String::new(),
            lines => format!("\x1b[{lines}A"),
        };
        let drawing = std::mem::take(&mut self.drawing);
        self.shown = drawing.lines().count();
        back + &drawing
    }
}

/// A row of the board as coloured squares; any other line as it is, to its end.
fn colours(line: &str) -> String {
    let squares: Option<Vec<String>> = line.chars().map(square).collect();
    match squares {
        Some(squares) => format!("|{}|", squares.concat()),
        None => format!("{line}\x1b[K"),
    }
}

fn square(cell: char) -> Option<String> {
    let colour = match cell {
        '.' => return Some("  ".into()),
        '#' => 100,
        'I' => 46,
        'O' => 43,
        'S' => 42,
        'Z' => 41,
        'T' => 45,
        'L' => 47,
        'J' => 44,
        _ => return None,
    };
    Some(format!("\x1b[{colour}m  \x1b[0m"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_lines_stay_as_they_are() {
        let mut screen = Screen::new(false);
        assert_eq!(screen.show("..#S"), "..#S\n");
        assert_eq!(screen.show(""), "\n");
    }

    #[test]
    fn on_a_terminal_a_drawing_appears_at_once_and_in_place_of_the_one_before() {
        let mut screen = Screen::new(true);
        assert_eq!(screen.show("...."), "");
        assert_eq!(screen.show("piece 1"), "");
        assert_eq!(screen.show(""), "|        |\npiece 1\x1b[K\n");
        assert_eq!(screen.show("...."), "");
        assert_eq!(screen.show(""), "\x1b[2A|        |\n");
    }

    #[test]
    fn every_square_of_a_row_takes_its_colour_back() {
        let row = colours("#IOSZTLJ");
        assert_eq!(row.matches("  \x1b[0m").count(), 8, "{row:?}");
    }

    #[test]
    fn a_line_of_words_is_not_taken_for_a_row() {
        assert_eq!(colours("game over"), "game over\x1b[K");
    }
}
