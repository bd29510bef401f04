//! JSON objects from outside, and what is wrong with them in a few words.

use serde::Serializer;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// Reads one object. If `text` is none, the message says where and that it should look like
/// `expected`.
pub fn object<T: DeserializeOwned>(text: &[u8], expected: &str) -> Result<T, String> {
    let text = text.trim_ascii();
    // A derived `Deserialize` would take an array for an object.
    if !text.starts_with(b"{") {
        return Err(format!("not a JSON object; expected {expected}"));
    }
    serde_json::from_slice(text).map_err(|error| format!("{}; expected {expected}", place(&error)))
}

/// Writes a number without a point if it is whole.
pub fn number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number.fract() == 0. && number.abs() < 9e15 {
        true => serializer.serialize_i64(*number as i64),
        false => serializer.serialize_f64(*number),
    }
}

/// The same for a list.
pub fn numbers<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    struct Number(f64);
    impl serde::Serialize for Number {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            number(&self.0, serializer)
        }
    }
    serializer.collect_seq(numbers.iter().copied().map(Number))
}

fn place(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let told = error.to_string();
    let what = told
        .strip_suffix(&format!(" at line {line} column {column}"))
        .unwrap_or(&told);
    // What serde would have expected is a Rust type.
    let what = what.split(", expected").next().unwrap_or(what);
    let kind = match error.classify() {
        Category::Data => "unexpected JSON",
        _ => "not JSON",
    };
    match line {
        0 | 1 => format!("{kind} at character {column} ({what})"),
        _ => format!("{kind} in line {line} at character {column} ({what})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug)]
    struct Number {
        #[serde(rename = "n")]
        _n: u32,
    }

    fn problem(text: &str) -> String {
        object::<Number>(text.as_bytes(), "{\"n\":1}").unwrap_err()
    }

    #[test]
    fn a_message_says_what_is_wrong_and_what_was_expected() {
        for (text, message) in [
            ("1", "not a JSON object; expected {\"n\":1}"),
            ("[1]", "not a JSON object; expected {\"n\":1}"),
            (
                "{\"n\":1",
                "not JSON at character 6 (EOF while parsing an object); expected {\"n\":1}",
            ),
            (
                "{\n\"n\":-1}",
                "unexpected JSON in line 2 at character 6 (invalid value: integer `-1`); expected {\"n\":1}",
            ),
            (
                "{}",
                "unexpected JSON at character 2 (missing field `n`); expected {\"n\":1}",
            ),
        ] {
            assert_eq!(problem(text), message);
        }
    }
}
