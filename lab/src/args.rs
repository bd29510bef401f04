//! Arguments that several commands share.

use crate::games::Series;
use crate::parallel;
use clap::Args;

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

/// A number of things.
pub trait Count: TryFrom<u64> {
    /// The largest.
    const MOST: u64;
}

impl Count for u16 {
    const MOST: u64 = u16::MAX as u64;
}

impl Count for u32 {
    const MOST: u64 = u32::MAX as u64;
}

impl Count for u64 {
    const MOST: u64 = u64::MAX;
}

/// Parses a number of things of which there must be one at least.
pub fn at_least_one<N: Count>(text: &str) -> Result<N, String> {
    ranged(text, 1, N::MOST)
}

/// Parses a number of things from `LOW` to `HIGH`.
pub fn between<const LOW: u64, const HIGH: u64, N: Count>(text: &str) -> Result<N, String> {
    ranged(text, LOW, HIGH)
}

/// Parses a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    ranged(text, 0, u64::MAX).map_err(|_| {
        let most = u64::MAX;
        format!("a seed is a whole number from 0 to {most}; each gives other random numbers")
    })
}

fn ranged<N: Count>(text: &str, low: u64, high: u64) -> Result<N, String> {
    let number = text.parse().ok().filter(|n| (low..=high).contains(n));
    let number = number.and_then(|number| N::try_from(number).ok());
    number.ok_or_else(|| format!("it must be a whole number from {low} to {high}"))
}
