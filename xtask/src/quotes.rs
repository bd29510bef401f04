//! The figures of the README: each must be in a document that names the command it comes from, or be held by a test.
//!
//! A figure is a number with three digits or more that count, or with a standard error, which belongs to it. The README may
//! round it. The table of resources is measured anew by a step of its own.

use crate::links::{find, prose, read};
use crate::workspace;

/// Figures that a test holds, and the test.
const HELD: [(&str, &str); 5] = [
    ("8,192", "the step \"resources within budget\""),
    ("43,000", "the step \"resources within budget\""),
    (
        "1.35",
        "the cycles of an instruction, in xtask/src/resources.rs",
    ),
    (
        "800",
        "the positions of host-tests/golden/afterstates.jsonl",
    ),
    ("800,000", "device/tests/storage/wear.rs"),
];

pub fn check() -> Result<(), String> {
    let root = workspace::root();
    let readme = read(&root.join("README.md"))?;
    let mut documents = Vec::new();
    find(&root.join("docs"), &mut documents)?;
    let texts: Result<Vec<_>, _> = documents.iter().map(|document| read(document)).collect();
    let known: Vec<Figure> = texts?.iter().flat_map(|text| figures(text)).collect();
    let quoted = figures(&without_resources(&readme));
    let is_known = |figure: &Figure| {
        HELD.iter().any(|(held, _)| *held == figure.text)
            || known.iter().any(|source| figure.quotes(source))
    };
    println!("{} figures", quoted.len());
    let lost: Vec<_> = quoted
        .iter()
        .filter(|figure| !is_known(figure))
        .map(|figure| figure.text.as_str())
        .collect();
    match lost.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "README.md: {} in no document of docs/: make them anew by their command, or list them in xtask/src/quotes.rs \
             with the test that holds them",
            lost.join(" and ")
        )),
    }
}

/// A number, as it is written, and its standard error if it has one.
#[derive(Debug, PartialEq)]
struct Figure {
    text: String,
    value: Number,
    error: Option<Number>,
}

#[derive(Debug, PartialEq)]
struct Number {
    value: f64,
    decimals: usize,
}

impl Number {
    fn parse(text: &str) -> Option<Number> {
        let digits = text.replace(',', "");
        let (_, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        Some(Number {
            value: digits.parse().ok()?,
            decimals: decimals.len(),
        })
    }

    /// Whether it is another one, or that one rounded.
    fn quotes(&self, source: &Number) -> bool {
        let half = 0.5 * 10f64.powi(-(self.decimals as i32));
        source.decimals >= self.decimals && (source.value - self.value).abs() <= half * (1.0 + 1e-9)
    }
}

impl Figure {
    /// A number that is worth looking for: one with three digits, or with an error.
    fn parse(text: &str) -> Option<Figure> {
        let (value, error) = match text.split_once('±') {
            Some((value, error)) => (value, Some(Number::parse(error)?)),
            None => (text, None),
        };
        let counting = value.replace([',', '.'], "");
        let counting = counting.trim_start_matches('0');
        (counting.len() >= 3 || error.is_some()).then_some(())?;
        Some(Figure {
            text: text.into(),
            value: Number::parse(value)?,
            error,
        })
    }

    /// Whether it is another one, or that one rounded. One with an error is quoted with that error, or without any.
    fn quotes(&self, source: &Figure) -> bool {
        let is_same_error = match (&self.error, &source.error) {
            (Some(error), Some(of_source)) => error.quotes(of_source),
            (Some(_), None) => false,
            (None, _) => true,
        };
        is_same_error && self.value.quotes(&source.value)
    }
}

/// The figures in the prose and the tables of a document, but for those in code and in addresses.
fn figures(text: &str) -> Vec<Figure> {
    let mut figures = Vec::new();
    for line in prose(text).filter(|line| !(line.starts_with('[') && line.contains("]: "))) {
        let plain = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        let plain = plain.replace(" ± ", "±");
        let words = plain.split(|c: char| !(c.is_ascii_alphanumeric() || ".,_/:-±".contains(c)));
        let numbers = words.map(|word| word.trim_matches(['.', ',', ':', '-']));
        let is_number = |word: &&str| {
            word.chars()
                .all(|c| c.is_ascii_digit() || ".,±".contains(c))
        };
        figures.extend(numbers.filter(is_number).filter_map(Figure::parse));
    }
    figures
}

fn without_resources(readme: &str) -> String {
    let rest = readme
        .split_once("<!-- resources -->")
        .and_then(|(before, rest)| {
            let (_, after) = rest.split_once("<!-- /resources -->")?;
            Some(format!("{before}{after}"))
        });
    rest.unwrap_or_else(|| readme.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        figures(text)
            .into_iter()
            .map(|figure| figure.text)
            .collect()
    }

    #[test]
    fn figures_have_three_digits_and_are_not_code_or_addresses() {
        let text = "It takes 3,618 ± 40 rows, 7.3 of 8, 98.6 %.\n`seed 1234` at [x](https://a.b/1912.02532)\n```\n555\n```\n";
        assert_eq!(texts(text), ["3,618±40", "98.6"]);
    }

    #[test]
    fn a_figure_may_be_rounded_but_not_otherwise_changed() {
        let quotes =
            |a: &str, b: &str| Figure::parse(a).unwrap().quotes(&Figure::parse(b).unwrap());
        assert!(quotes("3,618", "3,618.3") && quotes("3,618", "3,618"));
        assert!(!quotes("3,618", "3,619") && !quotes("3,618.3", "3,618"));
    }

    #[test]
    fn an_error_belongs_to_its_figure() {
        let quotes =
            |a: &str, b: &str| Figure::parse(a).unwrap().quotes(&Figure::parse(b).unwrap());
        assert!(
            quotes("3,618±40", "3,618.3±40.4")
                && quotes("3,618", "3,618±40")
                && quotes("9±1", "9.1±0.9")
        );
        assert!(!quotes("3,618±40", "3,618±41") && !quotes("3,618±40", "3,618"));
    }

    #[test]
    fn the_table_of_resources_is_left_to_its_own_step() {
        let readme = "a 100\n<!-- resources -->\n| 999 |\n<!-- /resources -->\nb 200\n";
        assert_eq!(texts(&without_resources(readme)), ["100", "200"]);
    }
}
