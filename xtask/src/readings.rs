//! What programs report: one `name value` a line.

use std::collections::HashMap;

/// Values by name.
#[derive(Debug)]
pub struct Readings(HashMap<String, String>);

impl Readings {
    /// Reads every line, which must be a name and numbers, decimal or not.
    pub fn parse(text: &str) -> Result<Self, String> {
        let reading = |line: &str| {
            let (name, value) = line.split_once(' ')?;
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let is_value = value
                .chars()
                .all(|c| c.is_ascii_hexdigit() || " +-.".contains(c));
            (is_name && is_value).then(|| (name.to_string(), value.to_string()))
        };
        text.lines()
            .map(|line| reading(line).ok_or_else(|| format!("not a reading: {line:?}")))
            .collect::<Result<_, _>>()
            .map(Readings)
    }

    /// The number that `name` has.
    pub fn get(&self, name: &str) -> Result<f64, String> {
        let value = self.text(name)?;
        value
            .parse()
            .map_err(|_| format!("not a number: {name} {value}"))
    }

    /// The value of `name`, whatever it is.
    pub fn text(&self, name: &str) -> Result<&str, String> {
        self.0
            .get(name)
            .map(String::as_str)
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
    fn bits_are_read_as_they_are() {
        let readings = Readings::parse("weights be8c1cd5 bcf976a0").unwrap();
        assert_eq!(readings.text("weights"), Ok("be8c1cd5 bcf976a0"));
        assert!(readings.get("weights").unwrap_err().contains("be8c1cd5"));
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
