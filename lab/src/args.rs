//! Arguments that several commands share.

use crate::games::Series;
use crate::parallel;
use clap::Args;
use std::str::FromStr;

/// Which task.
#[derive(Args, Clone)]
pub struct TaskArgs {
    /// The task; `tasks` lists all
    #[arg(long, value_name = "NAME", help_heading = "Task")]
    pub task: Option<String>,
}

/// How a policy is scored.
#[derive(Args, Clone, Copy)]
pub struct SeriesArgs {
    /// How many games, that is, episodes
    #[arg(long, value_name = "N", default_value = "30", value_parser = at_least_one::<u64>)]
    pub games: u64,

    /// Threads to work on; all cores if not given
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    threads: Option<u64>,
}

impl SeriesArgs {
    pub fn with_seed(&self, seed: u64) -> Series {
        Series {
            games: self.games,
            seed,
            threads: self.threads(),
        }
    }

    pub fn threads(&self) -> u64 {
        self.threads.unwrap_or_else(parallel::cores)
    }
}

/// Parses a number of things of which there must be one at least.
pub fn at_least_one<N: FromStr + Default + PartialEq>(text: &str) -> Result<N, String> {
    match text.parse() {
        Ok(number) if number == N::default() => Err("it must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("it must be a whole number, 1 or more".into()),
    }
}
