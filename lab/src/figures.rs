//! Numbers as people read them.

use crate::summary::Estimate;
use indicatif::HumanCount;

/// A bar of this length, to an eighth of a character.
pub fn bar(length: f64) -> String {
    let eighths = (length * 8.).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + part
}

/// With so many decimal places, and thousands set apart.
pub fn decimal(number: f64, places: usize) -> String {
    let text = format!("{:.places$}", number.abs());
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, format!(".{fraction}")),
        None => (&*text, String::new()),
    };
    let is_zero = text.bytes().all(|digit| b"0.".contains(&digit));
    let sign = if number < 0. && !is_zero { "−" } else { "" };
    format!(
        "{sign}{}{fraction}",
        HumanCount(whole.parse().unwrap_or(u64::MAX))
    )
}

/// Microseconds as seconds.
pub fn seconds(micros: u64) -> String {
    format!("{} s", decimal(micros as f64 / 1e6, 3))
}

/// Microseconds as a person would say it.
pub fn duration(micros: u64) -> String {
    let seconds = micros / 1_000_000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0 | 1, _) => format!("{} s", decimal(micros as f64 / 1e6, 1)),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{} h {minutes} min", HumanCount(hours)),
    }
}

/// The mean, and its standard error if it has one.
pub fn estimate(estimate: &Estimate) -> String {
    let places = if estimate.mean.abs() < 10. { 2 } else { 1 };
    let mean = decimal(estimate.mean, places);
    match estimate.standard_error {
        Some(error) => format!("{mean} ± {}", decimal(error, places)),
        None => mean,
    }
}

/// So many of what has a regular plural.
pub fn count(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{} {what}s", HumanCount(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_have_the_places_asked_for_and_thousands_set_apart() {
        for (number, places, printed) in [
            (1234.56, 1, "1,234.6"),
            (-1234.56, 0, "−1,235"),
            (-0.4, 1, "−0.4"),
            (-0.04, 1, "0.0"),
            (999.96, 1, "1,000.0"),
        ] {
            assert_eq!(decimal(number, places), printed);
        }
    }

    #[test]
    fn a_duration_has_two_units_at_the_most() {
        for (seconds, printed) in [
            (33, "33.0 s"),
            (119, "119.0 s"),
            (125, "2 min 5 s"),
            (7325, "2 h 2 min"),
        ] {
            assert_eq!(duration(seconds * 1_000_000), printed);
        }
    }

    #[test]
    fn a_bar_is_as_long_as_it_should_be() {
        assert_eq!((&*bar(0.), &*bar(0.5), &*bar(2.126)), ("", "▌", "██▏"));
    }
}
