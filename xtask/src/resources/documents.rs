//! The tables in the documents, between two markers.

use super::figures::{Figures, LEFT_OUT, Rows, table};
use crate::workspace;
use std::fs;
use std::path::PathBuf;

const BEGIN: &str = "<!-- resources -->\n";
const END: &str = "<!-- /resources -->";

/// The documents with a table, and the rows that it has there.
const DOCUMENTS: [(&str, Rows); 2] = [
    ("README.md", Rows::Headlines),
    ("docs/RESOURCES.md", Rows::All),
];

/// Numbers that differ by no more than this part of them are the same: another compiler makes a
/// little more or a little less of the same code.
const NOISE: f64 = 0.03;

/// Puts the tables between the markers.
pub fn rewrite(figures: &[Figures]) -> Result<(), String> {
    for (document, rows) in DOCUMENTS {
        let text = read(document)?;
        let (before, _, after) = split(document, &text)?;
        let table = table(figures, rows);
        fs::write(path(document), format!("{before}{table}{after}"))
            .map_err(|error| format!("{document} cannot be written: {error}"))?;
    }
    Ok(())
}

/// Fails if what is between the markers is not what was measured, but for noise and for what was not measured this time.
pub fn compare(figures: &[Figures]) -> Result<(), String> {
    for (document, rows) in DOCUMENTS {
        let text = read(document)?;
        let (_, found, _) = split(document, &text)?;
        let table = table(figures, rows);
        if !agree(found, &table) {
            return Err(format!(
                "the table in {document} is out of date: run `cargo xtask resources`\n{table}"
            ));
        }
    }
    Ok(())
}

fn path(document: &str) -> PathBuf {
    workspace::root().join(document)
}

fn read(document: &str) -> Result<String, String> {
    fs::read_to_string(path(document))
        .map_err(|error| format!("{document} cannot be read: {error}"))
}

/// What comes before the table, the table, and what comes after it.
fn split<'a>(document: &str, text: &'a str) -> Result<(&'a str, &'a str, &'a str), String> {
    let missing = || format!("{document} lacks the lines {} and {END}", BEGIN.trim_end());
    let begin = text.find(BEGIN).ok_or_else(missing)? + BEGIN.len();
    let (before, rest) = text.split_at(begin);
    let (table, after) = rest.split_at(rest.find(END).ok_or_else(missing)?);
    Ok((before, table, after))
}

/// Whether a table has the words that were measured and almost the same numbers.
fn agree(table: &str, measured: &str) -> bool {
    let (table, measured) = (cells(table), cells(measured));
    let agrees = |(cell, measured): (&Cell, &Cell)| measured.is_left_out() || cell.agrees(measured);
    table.len() == measured.len() && table.iter().zip(&measured).all(agrees)
}

/// A cell of a table: its number, and the words around it.
struct Cell {
    number: Option<f64>,
    words: String,
}

impl Cell {
    fn is_left_out(&self) -> bool {
        self.number.is_none() && self.words == LEFT_OUT
    }

    fn agrees(&self, other: &Cell) -> bool {
        let is_close = match (self.number, other.number) {
            (Some(a), Some(b)) => (a - b).abs() <= NOISE * a.abs().max(b.abs()),
            (a, b) => a == b,
        };
        is_close && self.words == other.words
    }
}

fn cells(table: &str) -> Vec<Cell> {
    let cells = table.lines().flat_map(|line| line.split('|'));
    cells.map(|cell| cell_of(cell.trim())).collect()
}

/// A number is at the beginning, with spaces between its thousands.
fn cell_of(text: &str) -> Cell {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ' '))
        .unwrap_or(text.len());
    let (number, words) = text.split_at(end);
    Cell {
        number: number.replace(' ', "").parse().ok(),
        words: words.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_between_the_markers() {
        let text = "before\n<!-- resources -->\n| table |\n<!-- /resources -->\nafter\n";
        let (before, table, after) = split("README.md", text).unwrap();
        assert_eq!(before, "before\n<!-- resources -->\n");
        assert_eq!(table, "| table |\n");
        assert_eq!(after, "<!-- /resources -->\nafter\n");
    }

    #[test]
    fn a_missing_marker_is_an_error_that_names_it() {
        for text in ["", "<!-- resources -->\n", "<!-- /resources -->\n"] {
            let error = split("docs/RESOURCES.md", text).unwrap_err();
            assert!(
                error.contains("docs/RESOURCES.md") && error.contains("<!-- resources -->"),
                "{error}"
            );
        }
    }

    #[test]
    fn tables_agree_up_to_noise_in_their_numbers_and_to_the_letter_in_their_words() {
        let table = "| flash | 92 492 B |\n| time | 27.3 s at 168 MHz |\n";
        assert!(agree(table, table));
        assert!(agree(table, &table.replace("92 492", "92 000")));
        assert!(!agree(table, &table.replace("92 492", "82 492")));
        assert!(!agree(table, &table.replace("168 MHz", "133 MHz")));
        assert!(!agree(table, "| flash | 92 492 B |\n"));
        assert!(!agree(table, &table.replace("27.3 s", "s")));
    }

    #[test]
    fn what_was_not_measured_this_time_is_not_compared() {
        let table = "| flash | 92 492 B |\n| time | 27.3 s |\n";
        assert!(agree(table, "| flash | 92 492 B |\n| time |  |\n"));
        assert!(!agree("| flash | 92 492 B |\n| time |  |\n", table));
    }
}
