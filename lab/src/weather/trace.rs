//! Traces of irradiance in CSV files, as public data sets have them.
//!
//! | source | header |
//! |---|---|
//! | PVGIS, typical year or hourly series | lines about the place, then `time,G(i),…` or `time(UTC),…,G(h),…` |
//! | NSRDB | two lines about the place, then `Year,Month,Day,Hour,Minute,GHI,…` |
//! | anything else | `timestamp,ghi` or similar, with ISO 8601 times |
//!
//! The columns are found by their names, in any order and beside any others. What follows the data, as notes do in
//! PVGIS, is skipped. A time belongs to the hour that it is in.

use super::fit::Day;
use super::time::{Date, Time};
use csv::ByteRecord;
use ipse_tasks::sensor_node::Weather;

/// The largest file, in bytes: hourly values of more than a century.
pub const LIMIT: usize = 64 << 20;

/// The names of a column of irradiance and of one of times, in lower case. A unit may follow.
const LIGHT: [&str; 5] = [
    "ghi",
    "g(h)",
    "global_horizontal_irradiance",
    "shortwave_radiation",
    TILTED,
];
const TIME: [&str; 6] = [
    "time",
    "timestamp",
    "datetime",
    "date_time",
    "date time",
    "date",
];
const PARTS: [&str; 5] = ["year", "month", "day", "hour", "minute"];
/// The irradiance of the plane of the modules, which is horizontal if one has asked for that.
const TILTED: &str = "g(i)";

/// A trace.
#[derive(Debug)]
pub struct Trace {
    /// The name of the column of irradiance.
    pub column: String,
    readings: Vec<Reading>,
}

#[derive(Debug)]
struct Reading {
    line: u64,
    time: Time,
    light: f64,
}

/// Which days of a trace are wanted.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The hours to add to all times.
    pub shift: i64,
    /// The months, from 1 to 12; all of them if there is none.
    pub months: Vec<u8>,
    /// Whether days with missing hours are left out.
    pub skips_gaps: bool,
}

impl Trace {
    /// Reads a file. An error names the line, the field and its value.
    pub fn read(text: &[u8]) -> Result<Self, String> {
        if text.len() > LIMIT {
            let most = LIMIT >> 20;
            return Err(format!("larger than {most} MiB: give fewer years"));
        }
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        if text.trim_ascii().is_empty() {
            return Err("the file is empty: give a CSV file with times and irradiance".into());
        }
        for delimiter in [b',', b';', b'\t'] {
            let mut records = records(text, delimiter);
            while let Some(record) = next(&mut records)? {
                if let Some(columns) = Columns::of(&record) {
                    return Self::read_data(columns, &record, &mut records);
                }
            }
        }
        Err(no_header(text))
    }

    fn read_data(
        columns: Columns,
        header: &ByteRecord,
        records: &mut csv::Reader<&[u8]>,
    ) -> Result<Self, String> {
        let column = field(header, columns.light);
        let mut readings = Vec::new();
        let mut end = None;
        while let Some(record) = next(records)? {
            let line = line_of(&record);
            if !columns.is_data(&record) {
                // Notes after the data, or something that should have been a time.
                if record.len() == header.len() && end.is_none() {
                    columns.time(&record)?;
                }
                end.get_or_insert(line);
                continue;
            }
            if let Some(end) = end {
                return Err(format!(
                    "line {line}: data after line {end}, which has none: remove what is in between"
                ));
            }
            if record.len() != header.len() {
                return Err(format!(
                    "line {line}: fields ({}) must be {}, as in the header: is the file cut off?",
                    record.len(),
                    header.len()
                ));
            }
            readings.push(Reading {
                line,
                time: columns.time(&record)?,
                light: light(line, &column, &field(&record, columns.light))?,
            });
        }
        match readings.is_empty() {
            true => Err(format!(
                "there is no data after the header in line {}",
                line_of(header)
            )),
            false => Ok(Trace { column, readings }),
        }
    }

    /// Whether the irradiance is that of a plane that need not be horizontal.
    pub fn is_tilted(&self) -> bool {
        is_named(&self.column, TILTED)
    }

    /// The mean of each hour of each whole day. Days may be missing. One beside them, or at an end of the trace, may be
    /// incomplete, and is left out then; any other has a gap.
    pub fn days(mut self, selection: &Selection) -> Result<Vec<Day>, String> {
        for reading in &mut self.readings {
            reading.time = reading.time.later(selection.shift);
        }
        self.readings.sort_by_key(|reading| reading.time);
        self.check_unique(selection.shift)?;
        let by_day = self.readings.chunk_by(|a, b| a.time.day == b.time.day);
        let by_day: Vec<_> = by_day.collect();
        let day_of = |at: usize| by_day.get(at).and_then(|day| Some(day.first()?.time.day));
        let mut days = Vec::new();
        for (at, readings) in by_day.iter().enumerate() {
            let first = &readings[0];
            let month = first.time.month();
            if !selection.months.is_empty() && !selection.months.contains(&month) {
                continue;
            }
            let day = first.time.day;
            let is_inside =
                at > 0 && day_of(at - 1) == Some(day - 1) && day_of(at + 1) == Some(day + 1);
            match whole_day(readings) {
                Ok(day) => days.push(day),
                Err(hour) if is_inside && !selection.skips_gaps => {
                    return Err(format!(
                        "line {}: hours of {} must be 24, and {hour} is missing: fill the gap, remove the day, or give \
                         --skip-gaps (summer time makes such a day: UTC has none)",
                        first.line,
                        Date(day)
                    ));
                }
                Err(_) => {}
            }
        }
        match (days.is_empty(), self.readings.first(), self.readings.last()) {
            (true, Some(first), Some(last)) => Err(format!(
                "there is no whole day in the months that are wanted: the file has {} to {}",
                Date(first.time.day),
                Date(last.time.day)
            )),
            _ => Ok(days),
        }
    }

    /// Fails if two readings, which are sorted, have the same time.
    fn check_unique(&self, shift: i64) -> Result<(), String> {
        for pair in self.readings.windows(2) {
            if let [one, other] = pair
                && one.time == other.time
            {
                let (first, second) = (one.line.min(other.line), one.line.max(other.line));
                return Err(format!(
                    "line {second}: time ({}) must not be that of line {first}, too: remove one of them",
                    one.time.later(-shift)
                ));
            }
        }
        Ok(())
    }
}

/// The mean of each hour. `Err` has the first that is missing.
fn whole_day(readings: &[Reading]) -> Result<Day, u8> {
    let (mut sums, mut counts) = ([0.; 24], [0u32; 24]);
    for reading in readings {
        let hour = usize::from(reading.time.hour);
        sums[hour] += reading.light;
        counts[hour] += 1;
    }
    match (0..).zip(counts).find(|(_, count)| *count == 0) {
        Some((hour, _)) => Err(hour),
        None => Ok(std::array::from_fn(|hour| {
            sums[hour] / f64::from(counts[hour])
        })),
    }
}

/// Where the columns are.
struct Columns {
    times: Times,
    light: usize,
}

enum Times {
    One(usize),
    /// Year, month, day and hour, and the minute if there is one.
    Parts([Option<usize>; 5]),
}

impl Columns {
    /// The columns, if a record is a header.
    fn of(record: &ByteRecord) -> Option<Self> {
        let find = |name: &str| (0..record.len()).find(|at| is_named(&field(record, *at), name));
        let light = LIGHT.into_iter().find_map(find)?;
        let parts = PARTS.map(find);
        let times = match (&parts, TIME.into_iter().find_map(find)) {
            ([Some(_), Some(_), Some(_), Some(_), _], _) => Times::Parts(parts),
            (_, Some(time)) => Times::One(time),
            _ => return None,
        };
        Some(Columns { times, light })
    }

    /// Returns whether a record has something like a time, and not a note.
    fn is_data(&self, record: &ByteRecord) -> bool {
        let at = match self.times {
            Times::One(at) => at,
            Times::Parts([year, ..]) => year.unwrap_or(0),
        };
        field(record, at).starts_with(|c: char| c.is_ascii_digit())
    }

    fn time(&self, record: &ByteRecord) -> Result<Time, String> {
        let line = line_of(record);
        let refused = |(name, value, last)| {
            format!(
                "line {line}: {name} ({value}) must be a number of the calendar, at most {last}"
            )
        };
        match &self.times {
            Times::One(at) => {
                let text = field(record, *at);
                let time = Time::parse(&text).ok_or_else(|| {
                    format!(
                        "line {line}: time ({text}) must be like 20201231:2310 or 2020-12-31T23:10"
                    )
                })?;
                time.map_err(refused)
            }
            Times::Parts(columns) => {
                let mut parts = [0; 5];
                for ((part, at), name) in parts.iter_mut().zip(columns).zip(PARTS) {
                    if let Some(at) = at {
                        let text = field(record, *at);
                        let number = text.parse();
                        *part = number.map_err(|_| {
                            format!("line {line}: {name} ({text}) must be a whole number")
                        })?;
                    }
                }
                Time::new(parts).map_err(refused)
            }
        }
    }
}

/// Returns whether a column has this name, with or without a unit after it.
fn is_named(column: &str, name: &str) -> bool {
    let column = column.to_lowercase();
    let rest = column.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with(['(', '[']))
}

fn light(line: u64, column: &str, text: &str) -> Result<f64, String> {
    let most = Weather::BRIGHTEST;
    match text.parse() {
        Ok(light) if (0. ..=f64::from(most)).contains(&light) => Ok(light),
        _ => Err(format!(
            "line {line}: {column} ({text}) must be from 0 to {most} W/m²: correct it, or remove the day if the value \
             stands for a missing one"
        )),
    }
}

fn records(text: &[u8], delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text)
}

fn next(records: &mut csv::Reader<&[u8]>) -> Result<Option<ByteRecord>, String> {
    let mut record = ByteRecord::new();
    match records.read_byte_record(&mut record) {
        Ok(true) => Ok(Some(record)),
        Ok(false) => Ok(None),
        Err(error) => Err(format!("this is no CSV file: {error}")),
    }
}

/// The number of its line, counted from 1.
fn line_of(record: &ByteRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}

/// The most bytes that are shown of what is in a file. No name, time or number is longer.
const SHOWN: usize = 80;

/// The beginning of some bytes as text. Names of places need not be UTF-8.
fn shown(bytes: &[u8]) -> String {
    let bytes = bytes.trim_ascii();
    String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).into_owned()
}

/// A field as text.
fn field(record: &ByteRecord, at: usize) -> String {
    shown(record.get(at).unwrap_or_default())
}

/// What was looked for, and the first line, in which it is not.
fn no_header(text: &[u8]) -> String {
    let [light, time] = [&LIGHT[..], &TIME[..]].map(|names| names.join(", "));
    let first = text
        .split(|byte| *byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty());
    let first = shown(first.unwrap_or_default());
    format!(
        "no line is a header with an irradiance ({light}) and a time ({time}; or year, month, day and hour): add one; the \
         first line is `{first}`"
    )
}
