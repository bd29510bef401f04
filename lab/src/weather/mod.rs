//! `ipse weather`: the weather of a place for the sensor node, fitted to a trace of irradiance.

mod fit;
mod time;
mod trace;

use crate::error::{Error, Result};
use clap::builder::RangedU64ValueParser;
use fit::Fitted;
use ipse_tasks::sensor_node::Weather;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use trace::{LIMIT, Selection, Trace};

/// Fit the weather of the sensor node to a trace of irradiance
///
/// Reads a CSV file of hours and global horizontal irradiance in W/m², as PVGIS
/// (hourly series with a slope of 0, or a typical year), NSRDB and Open-Meteo
/// offer them for any place, or with a header like `timestamp,ghi`. Prints a
/// `Weather` as Rust, to be pasted into code: `SensorNode::new(weather)`.
///
/// Times are taken as they are; the clock of the node has to agree with them.
/// Several values of one hour are averaged. Give the months in which the node
/// has to live: over a year, a clear sky is one in summer.
///
/// The clear sky of an hour is the 95th percentile over all days. What came
/// through, as a share of it, falls into four levels, by the smallest sum of
/// squares. They follow each other as often as they did from one hour of daylight
/// to the next; what happened over night is left out, since nothing is seen of it.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Example, with hourly data of PVGIS for Hamburg:
  cargo ipse weather Timeseries_53.550_9.990_SA3_0deg_0deg_2005_2023.csv --month 12 --shift 1"
)]
pub struct Args {
    /// The CSV file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Only days of these months, from 1 to 12: --month 11,12,1
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        value_parser = RangedU64ValueParser::<u8>::new().range(1..=12)
    )]
    month: Vec<u8>,

    /// Add so many hours to all times, as from UTC to local time
    #[arg(
        long,
        value_name = "HOURS",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i64).range(-14..=14)
    )]
    shift: i64,

    /// Leave out days with missing hours
    #[arg(long)]
    skip_gaps: bool,
}

pub fn run(args: &Args) -> Result {
    let selection = Selection {
        shift: args.shift,
        months: args.month.clone(),
        skips_gaps: args.skip_gaps,
    };
    let refused = |problem| Error::File(format!("{}: {problem}", args.file.display()));
    let text = read(&args.file).map_err(|error| refused(format!("cannot be read: {error}")))?;
    let answer = answer(&text, &selection).map_err(refused)?;
    Ok(io::stdout().write_all(answer.as_bytes())?)
}

/// What is in a file, up to the first byte that is too many.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let file = File::open(path)?;
    file.take(LIMIT as u64 + 1).read_to_end(&mut text)?;
    Ok(text)
}

/// What is printed about a file.
fn answer(text: &[u8], selection: &Selection) -> Result<String, String> {
    let trace = Trace::read(text)?;
    let (column, is_tilted) = (trace.column.clone(), trace.is_tilted());
    let days = trace.days(selection)?;
    let fitted = fit::fit(&days).map_err(|unfit| unfit.to_string())?;
    let mut answer = facts(&fitted);
    if is_tilted {
        answer += &format!("// {column} is horizontal only if the slope of the plane was 0.\n");
    }
    Ok(answer + &rust(&fitted.weather))
}

/// The weather of a file, all of its months.
pub fn weather(text: &[u8]) -> Result<Weather, String> {
    let days = Trace::read(text)?.days(&Selection::default())?;
    let fitted = fit::fit(&days).map_err(|unfit| unfit.to_string())?;
    Ok(fitted.weather)
}

/// What the weather was found from, as a comment.
fn facts(fitted: &Fitted) -> String {
    let percent = |hours: usize| format!("{:.0} %", 100. * hours as f64 / fitted.hours as f64);
    format!(
        "// Fitted to {} days: {} hours of daylight, {} of them at the levels of `light`, and {} pairs of hours.\n",
        fitted.days,
        fitted.hours,
        fitted.at_level.map(percent).join(", "),
        fitted.pairs
    )
}

/// Weather as Rust.
fn rust(weather: &Weather) -> String {
    let Weather {
        clear_sky,
        light,
        next,
    } = weather;
    let list = |numbers: &[u16]| {
        let numbers: Vec<_> = numbers.iter().map(u16::to_string).collect();
        numbers.join(", ")
    };
    let mut rust = String::from("Weather {\n    clear_sky: [\n");
    for hours in clear_sky.chunks(12) {
        let _ = writeln!(rust, "        {},", list(hours));
    }
    let _ = writeln!(rust, "    ],\n    light: [{}],\n    next: [", list(light));
    for row in next {
        let _ = writeln!(rust, "        [{}],", list(row));
    }
    rust + "    ],\n}\n"
}
