//! Text with colours.

use anstyle::{AnsiColor, Style};
use std::io;

pub const BOLD: Style = Style::new().bold();
pub const PRO: Style = AnsiColor::Green.on_default();
pub const CON: Style = AnsiColor::Red.on_default();

pub fn paint(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

pub fn dim(text: &str) -> String {
    paint(text, Style::new().dimmed())
}

/// The text as standard output wants it: without colours unless it is a terminal that shows them
/// and the user has not set `NO_COLOR`.
pub fn for_stdout(text: &str) -> String {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(text).to_string(),
        _ => text.into(),
    }
}

/// A text in lines of at most so many characters, unless a word has more.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + word.chars().count() < width => {
                *line += &format!(" {word}");
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}
