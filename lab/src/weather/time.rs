//! Times of the calendar, as traces have them: without a time zone.

use std::fmt;

/// A minute of a day. Days are counted from the first of January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    pub day: i64,
    pub hour: u8,
    minute: u8,
}

impl Time {
    /// The time with these parts. `Err` has the name of the part that cannot be, its value, and its largest value.
    pub fn new(parts: [u32; 5]) -> Result<Self, (&'static str, u32, u32)> {
        let [year, month, day, hour, minute] = parts;
        let days = match month {
            2 if is_leap(year) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        for (name, value, first, last) in [
            ("year", year, 1, 9999),
            ("month", month, 1, 12),
            ("day", day, 1, days),
            ("hour", hour, 0, 23),
            ("minute", minute, 0, 59),
        ] {
            if !(first..=last).contains(&value) {
                return Err((name, value, last));
            }
        }
        Ok(Time {
            day: day_number(year.into(), month.into(), day.into()),
            hour: hour as u8,
            minute: minute as u8,
        })
    }

    /// A time as `20200131:2310`, or as `2020-01-31T23:10` and what is like it: with seconds, a time zone (both of no
    /// effect), or a space in the place of the T.
    pub fn parse(text: &str) -> Option<Result<Self, (&'static str, u32, u32)>> {
        let bytes = text.as_bytes();
        let number = |range: std::ops::Range<usize>| -> Option<u32> {
            let digits = bytes.get(range)?;
            let is_number = digits.iter().all(u8::is_ascii_digit);
            let text = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
            text.parse().ok()
        };
        let is = |at: usize, any: &[u8]| bytes.get(at).is_some_and(|byte| any.contains(byte));
        let parts = if is(8, b":") && bytes.len() == 13 {
            [
                number(0..4),
                number(4..6),
                number(6..8),
                number(9..11),
                number(11..13),
            ]
        } else if is(4, b"-/") && is(7, b"-/") && is(10, b"T ") && is(13, b":") {
            let rest = bytes.get(16..)?;
            let is_known = rest.is_empty() || b":Z+-. ".contains(&rest[0]);
            let minute = number(14..16).filter(|_| is_known);
            [
                number(0..4),
                number(5..7),
                number(8..10),
                number(11..13),
                minute,
            ]
        } else {
            return None;
        };
        let [year, month, day, hour, minute] = parts;
        Some(Time::new([year?, month?, day?, hour?, minute?]))
    }

    /// So many hours later.
    pub fn later(self, hours: i64) -> Self {
        let hour = self.day * 24 + i64::from(self.hour) + hours;
        Time {
            day: hour.div_euclid(24),
            hour: hour.rem_euclid(24) as u8,
            ..self
        }
    }

    /// The month, from 1 to 12.
    pub fn month(self) -> u8 {
        date(self.day).1
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02}:{:02}", Date(self.day), self.hour, self.minute)
    }
}

/// The day with a number, as one writes it.
pub struct Date(pub i64);

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date(self.0);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// The number of a day. Years begin in March here, so that a leap day is the last of its year, and months have their
/// usual lengths: 153 days in five of them.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // The first of March of the year 0 was 719,468 days before 1970.
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The year, the month and the day with a number.
fn date(number: i64) -> (i64, u8, u8) {
    // A year has 365.2425 days on average; this guess is never too small.
    let mut year = (number * 400).div_euclid(146_097) + 1971;
    while day_number(year, 1, 1) > number {
        year -= 1;
    }
    let month = (1..=12)
        .rev()
        .find(|month| day_number(year, *month, 1) <= number);
    let month = month.unwrap_or(1);
    let day = number - day_number(year, month, 1) + 1;
    (year, month as u8, day as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other_through_leap_years() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut number = day_number(1600, 1, 1);
        for year in 1600..2410u32 {
            for (month, length) in (1..).zip(lengths) {
                let length = length + u32::from(month == 2 && is_leap(year));
                for day in 1..=length {
                    let time = Time::new([year, month, day, 0, 0]).unwrap();
                    assert_eq!(time.day, number);
                    assert_eq!(date(number), (year.into(), month as u8, day as u8));
                    number += 1;
                }
                assert!(Time::new([year, month, length + 1, 0, 0]).is_err());
            }
        }
        assert_eq!(day_number(1970, 1, 1), 0);
        assert_eq!(day_number(2000, 1, 1), 10_957);
    }

    #[test]
    fn times_are_read_as_data_sets_write_them() {
        let expected = Time::new([2020, 1, 31, 23, 10]).unwrap();
        for text in [
            "20200131:2310",
            "2020-01-31T23:10",
            "2020-01-31 23:10",
            "2020/01/31 23:10",
            "2020-01-31T23:10:00",
            "2020-01-31T23:10:00Z",
            "2020-01-31T23:10+01:00",
            "2020-01-31 23:10:00.000 UTC",
        ] {
            assert_eq!(Time::parse(text), Some(Ok(expected)), "{text}");
        }
        for text in [
            "",
            "2020",
            "20200131",
            "31.01.2020 23:10",
            "2020-1-31 23:10",
            "2020-01-31T23:1x",
            "20200131:23105",
        ] {
            assert_eq!(Time::parse(text), None, "{text}");
        }
        assert_eq!(Time::parse("20210229:0000"), Some(Err(("day", 29, 28))));
        assert_eq!(
            Time::parse("2020-13-01 00:00"),
            Some(Err(("month", 13, 12)))
        );
        assert_eq!(Time::parse("2020-01-01T24:00"), Some(Err(("hour", 24, 23))));
    }

    #[test]
    fn hours_are_added_across_days_and_years() {
        let time = Time::parse("2020-12-31T23:10").unwrap().unwrap();
        assert_eq!(time.later(1).to_string(), "2021-01-01 00:10");
        assert_eq!(time.later(-24).to_string(), "2020-12-30 23:10");
        assert_eq!(time.later(1).month(), 1);
        assert_eq!(time.month(), 12);
    }
}
