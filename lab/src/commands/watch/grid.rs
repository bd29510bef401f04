//! A screen of characters, and areas of it to draw in. Nothing can be drawn beyond the edge of an area.

use anstyle::Style;
use console::measure_text_width;
use std::fmt::Write;

/// What follows a character that is two columns wide.
const COVERED: char = '\0';

#[derive(Clone, Copy)]
struct Cell {
    character: char,
    style: Style,
}

const BLANK: Cell = Cell {
    character: ' ',
    style: Style::new(),
};

/// The largest screen, so that a terminal that lies about its size does not cost all memory.
const LARGEST: usize = 1000;

pub struct Grid {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
}

impl Grid {
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.min(LARGEST), height.min(LARGEST));
        Grid {
            width,
            height,
            cells: vec![BLANK; width * height],
        }
    }

    /// All of it.
    pub fn area(&self) -> Area {
        Area {
            x: 0,
            y: 0,
            width: self.width,
            height: self.height,
        }
    }

    /// Writes `text` at a place of an area, as far as it fits, and returns the column after it.
    pub fn text(&mut self, area: Area, x: usize, y: usize, text: &str, style: Style) -> usize {
        let mut x = x;
        for character in printable(text).chars() {
            let width = width(character);
            if x + width > area.width {
                break;
            }
            self.put(area, x, y, character, style);
            if width == 2 {
                self.put(area, x + 1, y, COVERED, style);
            }
            x += width;
        }
        x
    }

    /// Writes `text` such that it ends with the area.
    pub fn text_right(&mut self, area: Area, y: usize, text: &str, style: Style) {
        let x = area.width.saturating_sub(columns(text));
        self.text(area, x, y, text, style);
    }

    /// Sets a character that is one column wide.
    pub fn put(&mut self, area: Area, x: usize, y: usize, character: char, style: Style) {
        if x >= area.width || y >= area.height {
            return;
        }
        let (x, y) = (area.x + x, area.y + y);
        if x >= self.width || y >= self.height {
            return;
        }
        let at = y * self.width + x;
        // Half of a wide character is none.
        if character != COVERED && self.cells[at].character == COVERED && x > 0 {
            self.cells[at - 1] = BLANK;
        }
        if x + 1 < self.width && self.cells[at + 1].character == COVERED {
            self.cells[at + 1] = BLANK;
        }
        self.cells[at] = Cell { character, style };
    }

    /// The lines with their styles, and without blanks at their ends.
    pub fn lines(&self) -> Vec<String> {
        match self.width {
            0 => vec![String::new(); self.height],
            width => self.cells.chunks(width).map(line).collect(),
        }
    }
}

fn line(cells: &[Cell]) -> String {
    let is_blank = |cell: &Cell| cell.character == ' ';
    let end = cells.iter().rposition(|cell| !is_blank(cell));
    let cells = &cells[..end.map_or(0, |end| end + 1)];
    let mut line = String::new();
    for run in cells.chunk_by(|a, b| a.style == b.style) {
        let style = run[0].style;
        let text = run.iter().map(|cell| cell.character);
        let text: String = text.filter(|character| *character != COVERED).collect();
        let _ = write!(line, "{style}{text}{style:#}");
    }
    line
}

/// A part of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    x: usize,
    y: usize,
    pub width: usize,
    pub height: usize,
}

impl Area {
    /// So many rows from above, and the rest.
    pub fn split_top(self, rows: usize) -> (Area, Area) {
        let rows = rows.min(self.height);
        let top = Area {
            height: rows,
            ..self
        };
        let rest = Area {
            y: self.y + rows,
            height: self.height - rows,
            ..self
        };
        (top, rest)
    }

    /// All but so many rows from below, and those.
    pub fn split_bottom(self, rows: usize) -> (Area, Area) {
        self.split_top(self.height.saturating_sub(rows))
    }

    /// So many columns from the left, and the rest.
    pub fn split_left(self, columns: usize) -> (Area, Area) {
        let columns = columns.min(self.width);
        let left = Area {
            width: columns,
            ..self
        };
        let rest = Area {
            x: self.x + columns,
            width: self.width - columns,
            ..self
        };
        (left, rest)
    }

    /// All but so many columns from the right, and those.
    pub fn split_right(self, columns: usize) -> (Area, Area) {
        self.split_left(self.width.saturating_sub(columns))
    }
}

/// The number of columns of a character that is printable.
fn width(character: char) -> usize {
    match character {
        ' '..='~' => 1,
        _ => measure_text_width(character.encode_utf8(&mut [0; 4])),
    }
}

/// The number of columns of a text.
pub fn columns(text: &str) -> usize {
    printable(text).chars().map(width).sum()
}

/// The text without anything that would break a line, steer a terminal or be invisible.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_control() || width(character) == 0 {
            true => printable.extend(character.escape_unicode()),
            false => printable.push(character),
        }
    }
    printable
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style::new();

    #[test]
    fn what_does_not_fit_is_cut_off() {
        let mut grid = Grid::new(10, 2);
        let (left, right) = grid.area().split_left(4);
        grid.text(left, 2, 0, "abcdef", PLAIN);
        grid.text_right(right, 1, "0123456789", PLAIN);
        grid.text(left, 0, 2, "below", PLAIN);
        assert_eq!(grid.lines(), ["  ab", "    012345"]);
    }

    #[test]
    fn a_wide_character_takes_two_columns_or_none() {
        let mut grid = Grid::new(5, 3);
        let area = grid.area();
        grid.text(area, 0, 0, "日本語", PLAIN);
        grid.text(area, 0, 1, "日本", PLAIN);
        grid.text(area, 1, 1, "x", PLAIN);
        grid.text(area, 0, 2, "日本", PLAIN);
        grid.text(area, 2, 2, "x", PLAIN);
        assert_eq!(grid.lines(), ["日本", " x本", "日x"]);
    }

    #[test]
    fn a_text_cannot_steer_the_terminal() {
        assert_eq!(
            printable("a\x1b[2Jb\r\n\u{202e}"),
            "a\\u{1b}[2Jb\\u{d}\\u{a}\\u{202e}"
        );
        let mut grid = Grid::new(20, 1);
        let area = grid.area();
        grid.text(area, 0, 0, "\x1b[2J\u{9b}", PLAIN);
        assert!(!grid.lines()[0].contains(char::is_control));
    }
}
