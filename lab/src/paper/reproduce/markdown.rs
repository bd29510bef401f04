//! Tables in Markdown, and the numbers in them.

use crate::figures::decimal;
use crate::statistics::Difference;
use crate::summary::Estimate;

/// A table whose first column is text and whose others are numbers.
pub fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heading: Vec<String> = heading.iter().map(ToString::to_string).collect();
    let rule = vec!["---:".to_owned(); heading.len() - 1];
    let rule = [vec!["---".to_owned()], rule].concat();
    [line(&heading), line(&rule)]
        .into_iter()
        .chain(rows.iter().map(|row| line(row)))
        .collect()
}

/// Rows, to a whole one unless they are few.
pub fn rows(estimate: &Estimate) -> String {
    let places = if estimate.mean.abs() < 10. { 1 } else { 0 };
    let mean = decimal(estimate.mean, places);
    match estimate.standard_error {
        Some(error) => format!("{mean} ± {}", decimal(error, places)),
        None => mean,
    }
}

/// The difference, its 95 % interval, and p.
pub fn difference(difference: Option<Difference>) -> [String; 3] {
    match difference {
        None => ["–", "–", "–"].map(String::from),
        Some(it) => [
            signed(it.mean) + " ± " + &decimal(it.standard_error, 0),
            format!(
                "{} to {}",
                signed(it.mean - it.margin),
                signed(it.mean + it.margin)
            ),
            probability(it.p),
        ],
    }
}

fn signed(number: f64) -> String {
    let text = decimal(number, 0);
    match text.starts_with('−') || text == "0" {
        true => text,
        false => format!("+{text}"),
    }
}

fn probability(p: f64) -> String {
    match p {
        ..0.0001 => "< 0.0001".into(),
        ..0.1 => format!("{p:.4}"),
        _ => format!("{p:.2}"),
    }
}
