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
    /// The same with another seed, until the board itself is restarted. Then the run of its own seed goes on, if the flash
    /// still holds a checkpoint of it.
    Seed(u64),
    /// Neither learn nor play until [`Command::Continue`].
    Pause,
    /// Go on after a pause.
    Continue,
    /// Save a checkpoint after this iteration, and not only when one is due.
    Save,
    /// Send the part of the newest checkpoint that begins at this byte, as [`Event::Part`](crate::Event::Part).
    Read(u32),
    /// Take a part of a checkpoint. With the last part the checkpoint is checked, and learning goes on from it, or as
    /// before, or, if its seed or a field was refused, from the checkpoint that was saved last:
    /// [`Event::Loaded`](crate::Event::Loaded) tells which.
    Write(Part),
}

/// A part of a checkpoint on its way from a board or to it.
///
/// A board keeps the parts that it is told in the buffer of its [`Storage`](crate::storage::Storage), wherever they
/// begin and in any order. Whether all have come, and nothing was saved in between, shows in the checksum of the
/// checkpoint.
///
/// ```
/// use ipse_device::Part;
///
/// let checkpoint = [7; 70];
/// let parts: Vec<Part> = Part::all(&checkpoint).collect();
/// assert_eq!((parts.len(), parts[2].at, parts[2].of), (3, 64, 70));
/// assert_eq!(parts[2].content(), [7; 6]);
/// assert!(parts[2].is_last());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Part {
    /// The number of bytes of the whole checkpoint.
    pub of: u32,
    /// The byte at which the part begins.
    pub at: u32,
    /// The bytes. Those behind the end of the checkpoint mean nothing.
    pub bytes: [u8; Part::BYTES],
}

impl Part {
    /// The number of bytes of a part.
    pub const BYTES: usize = 32;

    /// All parts of a checkpoint.
    pub fn all(checkpoint: &[u8]) -> impl Iterator<Item = Part> {
        let parts = checkpoint.chunks(Part::BYTES);
        parts.zip((0..).step_by(Part::BYTES)).map(|(content, at)| {
            let mut bytes = [0; Part::BYTES];
            for (byte, content) in bytes.iter_mut().zip(content) {
                *byte = *content;
            }
            let of = checkpoint.len() as u32;
            Part { of, at, bytes }
        })
    }

    /// The bytes that belong to the checkpoint.
    pub fn content(&self) -> &[u8] {
        let left = self.of.saturating_sub(self.at) as usize;
        self.bytes.get(..left).unwrap_or(&self.bytes)
    }

    /// Returns whether the checkpoint ends with it.
    pub fn is_last(&self) -> bool {
        self.of.saturating_sub(self.at) as usize <= Part::BYTES
    }
}

/// As it is typed, but for the parts of checkpoints, which nobody types.
impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Command::Restart => f.write_str("restart"),
            Command::Seed(seed) => write!(f, "seed={seed}"),
            Command::Pause => f.write_str("pause"),
            Command::Continue => f.write_str("continue"),
            Command::Save => f.write_str("save"),
            Command::Read(at) => write!(f, "send byte {at} of its checkpoint"),
            Command::Write(Part { at, of, .. }) => write!(f, "take byte {at} of {of}"),
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
