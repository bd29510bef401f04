//! What a board can be told, in the same frames that it sends.

use core::fmt::{self, Display, Formatter};
use core::str::FromStr;
use serde::{Deserialize, Serialize};

/// A command to a board that learns. New ones are added at the end; boards skip those that they do not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Command {
    /// Forget everything and start again.
    Restart,
    /// The same with another seed, until the board itself is restarted.
    Seed(u64),
    /// Neither learn nor play until [`Command::Continue`].
    Pause,
    /// Go on after a pause.
    Continue,
    /// Save a checkpoint after this iteration, and not only when one is due.
    Save,
}

/// As it is typed.
impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Command::Restart => f.write_str("restart"),
            Command::Seed(seed) => write!(f, "seed={seed}"),
            Command::Pause => f.write_str("pause"),
            Command::Continue => f.write_str("continue"),
            Command::Save => f.write_str("save"),
        }
    }
}

/// A word that is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACommand;

impl Display for NotACommand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("not a command: give restart, seed=N, pause, continue or save")
    }
}

impl core::error::Error for NotACommand {}

impl FromStr for Command {
    type Err = NotACommand;

    fn from_str(word: &str) -> Result<Self, NotACommand> {
        Ok(match word {
            "restart" => Command::Restart,
            "pause" => Command::Pause,
            "continue" => Command::Continue,
            "save" => Command::Save,
            _ => {
                let seed = word.strip_prefix("seed=").ok_or(NotACommand)?;
                Command::Seed(seed.parse().map_err(|_| NotACommand)?)
            }
        })
    }
}
