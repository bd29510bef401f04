//! Arguments that several commands share, and the one place where they choose a type.

use crate::error::{self, Error};
use crate::games::Series;
use crate::parallel;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::str::FromStr;

/// Which game is played.
#[derive(Args, Clone, Copy)]
pub struct GameArgs {
    /// When a placement must fit on the board: after full rows are removed, or before
    #[arg(long, value_enum, default_value_t = Rule::After)]
    pub rule: Rule,

    /// Rows of the board; it always has ten columns
    #[arg(long, value_enum, default_value_t = Height::Ten)]
    pub height: Height,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Rule {
    After,
    Before,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Height {
    #[value(name = "10")]
    Ten,
    #[value(name = "20")]
    Twenty,
}

/// The features that a policy sees.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Features {
    /// Those of the paper
    Eight,
    /// Pattern diversity as well; not in the paper
    Nine,
}

impl From<Rule> for ipse::tetris::Rule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::After => Self::AfterRemoval,
            Rule::Before => Self::BeforeRemoval,
        }
    }
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Rule::After => "after",
            Rule::Before => "before",
        }
    }
}

impl Height {
    pub fn rows(self) -> usize {
        match self {
            Height::Ten => 10,
            Height::Twenty => 20,
        }
    }
}

/// Evaluates an expression with `$task` being the game that `$args` ask for. The height of the
/// board is part of the game's type, so this is where a number becomes a type.
macro_rules! with_game {
    ($args:expr, |$task:ident| $body:expr) => {{
        let args: $crate::args::GameArgs = $args;
        match args.height {
            $crate::args::Height::Ten => {
                let $task = ipse::tetris::Tetris10x10::new(args.rule.into());
                $body
            }
            $crate::args::Height::Twenty => {
                let $task = ipse::tetris::Tetris10x20::new(args.rule.into());
                $body
            }
        }
    }};
}
pub(crate) use with_game;

/// How a policy is scored.
#[derive(Args, Clone, Copy)]
pub struct SeriesArgs {
    /// How many games
    #[arg(long, value_name = "N", default_value = "30", value_parser = at_least_one::<u64>)]
    pub games: u64,

    /// End a game at so many rows
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    pub max_rows: Option<u64>,

    /// Threads to work on; all cores if not given
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    threads: Option<u64>,
}

impl SeriesArgs {
    pub fn with_seed(&self, seed: u64) -> Series {
        Series {
            games: self.games,
            seed,
            max_rows: self.max_rows,
            threads: self.threads(),
        }
    }

    /// Refuses games that might never end.
    pub fn check(&self, game: GameArgs) -> error::Result {
        match (game.height, self.max_rows) {
            (Height::Twenty, None) => Err(Error::Option(
                "on 20 rows the games of a good policy hardly end; give --max-rows N, say 10000"
                    .into(),
            )),
            _ => Ok(()),
        }
    }

    pub fn threads(&self) -> u64 {
        self.threads
            .unwrap_or_else(parallel::cores)
            .min(MAX_THREADS)
    }
}

/// More would only cost memory: no result depends on the number of threads.
const MAX_THREADS: u64 = 256;

/// Parses a number of things of which there must be one at least.
pub fn at_least_one<N: FromStr + Default + PartialEq>(text: &str) -> Result<N, String> {
    match text.parse() {
        Ok(number) if number == N::default() => Err("it must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("it must be a whole number, 1 or more".into()),
    }
}
