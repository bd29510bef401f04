//! What can go wrong, told in one line.

use crate::output::tell;
use std::{fmt, io};

pub type Result<T = (), E = Error> = std::result::Result<T, E>;

#[derive(Debug)]
pub enum Error {
    /// A line of standard input, counted from 1, and what is wrong with it.
    Line(usize, String),
    /// What is wrong with the options, or with how they go together: an error of usage, as clap finds others.
    Usage(String),
    /// What is wrong with a task.
    Task(String),
    /// What is wrong with a file or a folder, and which one it is.
    File(String),
    /// What is wrong with a stream of frames, or with where it comes from.
    Stream(String),
    Io(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Line(number, problem) => write!(f, "line {number}: {}", plain(problem)),
            Error::Usage(problem)
            | Error::Task(problem)
            | Error::File(problem)
            | Error::Stream(problem) => f.write_str(&plain(problem)),
            Error::Io(error) => write!(f, "cannot read or write: {error}"),
        }
    }
}

/// A message may quote what came from outside, which must not break the line or steer a terminal.
fn plain(problem: &str) -> String {
    problem.replace(char::is_control, "\u{fffd}")
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

/// Ends the program as clap would, but says in one line what clap says in several.
pub fn usage(error: &clap::Error) -> ! {
    if !error.use_stderr() || error.kind() == HELP {
        error.exit()
    }
    let text = error.render().to_string();
    let told: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    tell!("{}", told.join("; ").replace(":; ", ": "));
    std::process::exit(error.exit_code())
}

const HELP: clap::error::ErrorKind =
    clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
