//! What programs report: one `name value` a line.

use std::collections::HashMap;

/// Values by name.
#[derive(Debug)]
pub struct Readings(HashMap<String, f64>);

impl Readings {
    /// Reads every line, which must be a name and a number.
    pub fn parse(text: &str) -> Result<Self, String> {
        let reading = |line: &str| {
            let (name, value) = line.split_once(' ')?;
            Some((name.to_string(), value.parse().ok()?))
        };
        text.lines()
            .map(|line| reading(line).ok_or_else(|| format!("not a reading: {line:?}")))
            .collect::<Result<_, _>>()
            .map(Readings)
    }

    /// The value of `name`.
    pub fn get(&self, name: &str) -> Result<f64, String> {
        self.0
            .get(name)
            .copied()
            .ok_or_else(|| format!("nothing was reported about {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_found_by_their_name() {
        let readings = Readings::parse("placements 5834\nplacements_per_s 8.1e7\n").unwrap();
        assert_eq!(readings.get("placements"), Ok(5834.0));
        assert_eq!(readings.get("placements_per_s"), Ok(8.1e7));
    }

    #[test]
    fn a_reading_that_is_missing_is_an_error_that_names_it() {
        let error = Readings::parse("placements 5834")
            .unwrap()
            .get("decisions")
            .unwrap_err();
        assert!(error.contains("decisions"), "{error}");
    }

    #[test]
    fn a_line_that_is_no_reading_is_an_error_that_quotes_it() {
        let error = Readings::parse("placements 5834\npanicked at somewhere").unwrap_err();
        assert!(error.contains("panicked at somewhere"), "{error}");
    }
}
