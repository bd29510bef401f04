//! What a board tells: the one type of telemetry, on boards, in the lab and in a page.
//!
//! A stream of events can be read from anywhere in it. What a reader needs to know about the run is in [`Hello`],
//! which is repeated. Counts are totals since the beginning of the run, so that an event that was lost is not missed
//! for long.

use crate::command::{Command, Part};
use crate::fingerprint::Fingerprint;
#[cfg(feature = "storage")]
use crate::storage::SaveFailed;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;
use ipse::checkpoint::LoadError;
use ipse::direction::Direction;
use ipse::{Feature, Phase};
use serde::{Deserialize, Serialize};

/// The version of the protocol. It changes whenever an older reader would misread an event; new variants of [`Event`]
/// are added at the end, and older readers skip them.
pub const VERSION: u8 = 2;

/// The most features of a task with telemetry.
pub const MAX_FEATURES: usize = 32;

/// A value for each feature.
pub type List<T> = heapless::Vec<T, MAX_FEATURES>;

/// A list with the values of `values`. [`MAX_FEATURES`] is checked at compile time where telemetry is sent.
pub(crate) fn list<T: Clone>(values: &[T]) -> List<T> {
    List::from_slice(values).unwrap_or_default()
}

/// One thing that a board tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "an event is encoded where it is made, and there is nowhere to put a box"
)]
pub enum Event<'a> {
    /// What is being learned, and how.
    #[serde(borrow)]
    Hello(Hello<'a>),
    /// The board has started.
    Booted(Boot),
    /// An iteration is complete.
    Learned(Learned),
    /// The policy of a moment has played some episodes.
    Evaluated(Evaluated),
    /// A checkpoint was saved, or not.
    Saved(Saved),
    /// Learning is complete.
    Ended(Ended),
    /// The learned policy has acted.
    Acted(Acted),
    /// The current state.
    Picture(Picture<'a>),
    /// The board is alive.
    Beat(Beat),
    /// The board was told something, and does it.
    Obeyed(Command),
    /// A part of the newest checkpoint, which was asked for. It is one of 0 bytes if there is none.
    Part(Part),
    /// The board was given a checkpoint.
    Loaded(Loaded),
}

/// Everything that a reader needs to know about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Hello<'a> {
    /// The [version](VERSION) of the protocol.
    pub version: u8,
    /// The name of the task.
    pub task: &'a str,
    /// The name of the learner.
    pub learner: &'a str,
    /// The seed of the random generator.
    pub seed: u64,
    /// When learning ends.
    pub budget: Option<Budget>,
    /// The features, in the order of all lists.
    #[serde(borrow)]
    pub features: List<FeatureName<'a>>,
}

/// A feature of the task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FeatureName<'a> {
    /// The name.
    pub name: &'a str,
    /// The worth of one step of the integer value.
    pub unit: f32,
    /// The largest absolute value.
    pub bound: i16,
}

impl From<&Feature> for FeatureName<'static> {
    fn from(feature: &Feature) -> Self {
        let Feature { name, unit, bound } = *feature;
        FeatureName { name, unit, bound }
    }
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Budget {
    /// After so many iterations.
    Iterations(u32),
    /// After so many calls of the generative model.
    Calls(u32),
}

/// What a board starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Boot {
    /// The newest checkpoint, after so many iterations.
    Resumed(u32),
    /// Nothing: there is no checkpoint.
    New,
    /// Nothing: there is a checkpoint, but not for this task and these parameters.
    Refused(Refusal),
    /// Nothing: checkpoints could not be read. They are kept as long as that is so.
    Unreadable,
}

/// The reason why a checkpoint was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// It has another version of the format.
    Version(u8),
    /// It is damaged.
    Damaged,
    /// It is of another task, seed, or set of parameters.
    Foreign,
    /// It is of a longer run.
    TooFar(u32),
    /// A field is out of range.
    Invalid,
    /// The storage has room for checkpoints of another size.
    OtherLayout,
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Version(version) => Refusal::Version(version),
            LoadError::NotACheckpoint | LoadError::Damaged => Refusal::Damaged,
            LoadError::TooFar { iterations, .. } => Refusal::TooFar(iterations),
            LoadError::Invalid(_) => Refusal::Invalid,
            _ => Refusal::Foreign,
        }
    }
}

/// An iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Learned {
    /// The number of the iteration, counted from 1.
    pub iteration: u32,
    /// What was learned in it.
    #[serde(with = "as_number")]
    pub phase: Phase,
    /// The calls of the generative model so far.
    pub calls: u64,
    /// The sum of rewards so far.
    pub reward: i64,
    /// The number of episodes that have ended so far.
    pub episodes: u32,
    /// The time since the board was started, in microseconds.
    pub micros: u64,
    /// The directions.
    #[serde(with = "as_signs")]
    pub directions: List<Direction>,
    /// The votes for and against each feature: those that decided its direction, or those so far.
    pub votes: List<[u16; 2]>,
    /// The weights.
    pub weights: List<f32>,
}

/// Episodes that were played by a policy that did not change meanwhile, to see how much it earns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Evaluated {
    /// The number of iterations that the policy is from.
    pub iteration: u32,
    /// The number of calls that it is from.
    pub calls: u64,
    /// The sum of rewards.
    pub reward: i64,
    /// The number of actions.
    pub actions: u32,
    /// The number of episodes.
    pub episodes: u32,
    /// Whether the last episode came to its end. If not, it would have earned more.
    pub is_whole: bool,
}

impl Evaluated {
    /// What an episode earns on average.
    pub fn mean(&self) -> f64 {
        self.reward as f64 / f64::from(self.episodes.max(1))
    }
}

/// The result of saving a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Saved {
    /// The number of iterations in it.
    pub iteration: u32,
    /// Why it was not saved, if it was not.
    pub failure: Option<Failure>,
    /// The number of pages, or groups of pages that hold a checkpoint, that are left out since they have failed.
    pub bad_pages: u16,
    /// The number of erases so far, of all pages together and since the flash was first used.
    pub erases: u32,
}

impl Saved {
    /// Returns whether there was no failure.
    pub fn is_saved(&self) -> bool {
        self.failure.is_none()
    }
}

/// The reason why a checkpoint was not saved. What was saved before is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Failure {
    /// There was nothing that could be written.
    Refused,
    /// No block may be overwritten, since this number of blocks could not be read.
    NoPlace(u32),
    /// Every block that may be written to has failed, the one at this address last.
    Block(u32, Operation),
}

/// An operation of flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Operation {
    /// Reads bytes.
    Read,
    /// Programs words.
    Program,
    /// Erases pages.
    Erase,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 3] = [Operation::Read, Operation::Program, Operation::Erase];
}

#[cfg(feature = "storage")]
impl<E> From<SaveFailed<E>> for Failure {
    fn from(failed: SaveFailed<E>) -> Self {
        match failed {
            SaveFailed::Refused(_) => Failure::Refused,
            SaveFailed::NoPlace { unreadable } => Failure::NoPlace(unreadable),
            SaveFailed::Failed { address, cause } => Failure::Block(address, cause.operation()),
        }
    }
}

/// What became of a checkpoint that the board was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Loaded {
    /// The number of iterations from which learning goes on: those of the checkpoint, or as before.
    pub iteration: u32,
    /// Why it was refused, if it was.
    pub refusal: Option<Refusal>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ended {
    /// The number of iterations.
    pub iterations: u32,
    /// The fingerprint of all iterations.
    pub fingerprint: Fingerprint,
    /// The calls of the generative model.
    pub calls: u64,
    /// The sum of rewards.
    pub reward: i64,
    /// The number of episodes that have ended.
    pub episodes: u32,
    /// The time that learning took since the board was started, in microseconds.
    pub micros: u64,
    /// The weights.
    pub weights: List<f32>,
}

/// An action of the learned policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Acted {
    /// The number of actions so far, this one included.
    pub actions: u32,
    /// The sum of rewards so far.
    pub reward: i64,
    /// The number of episodes that have ended so far.
    pub episodes: u32,
    /// The time since the board was started, in microseconds.
    pub micros: u64,
}

/// A picture of a state, as its task [draws](ipse::Environment::draw) it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Picture<'a> {
    /// The number of pixels of a row.
    pub width: u16,
    /// A bit for each pixel, row by row from the top left corner, the lowest bit of a byte first.
    pub pixels: &'a [u8],
}

impl Picture<'_> {
    /// The number of rows.
    pub fn height(&self) -> u16 {
        match self.width {
            0 => 0,
            width => (self.pixels.len() * 8 / usize::from(width)) as u16,
        }
    }

    /// Returns whether a pixel is set.
    pub fn is_set(&self, x: u16, y: u16) -> bool {
        let bit = usize::from(y) * usize::from(self.width) + usize::from(x);
        let byte = self.pixels.get(bit / 8).copied().unwrap_or(0);
        x < self.width && byte >> (bit % 8) & 1 == 1
    }

    /// Returns whether at least a third of the pixels of a rectangle are set, so that it is lit where the picture is shown
    /// smaller.
    pub(crate) fn is_covered(&self, columns: Range<u16>, rows: Range<u16>) -> bool {
        let all = columns.len() * rows.len();
        let places = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        let set = places.filter(|(x, y)| self.is_set(*x, *y)).count();
        all > 0 && 3 * set >= all
    }
}

/// A sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Beat {
    /// The time since the board was started, in microseconds.
    pub micros: u64,
    /// The longest slice of work so far, in microseconds. No other task had to wait longer for its turn.
    pub longest_slice: u32,
    /// The number of events that the sink which this one goes to has missed so far, since nobody read fast enough.
    pub dropped: u32,
}

/// Serialises a phase, whose crate does not know serde.
mod as_number {
    use super::*;
    use serde::de::Error;
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(phase: &Phase, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(number(*phase))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Phase, D::Error> {
        let number = u8::deserialize(deserializer)?;
        let phases = [Phase::Directions, Phase::Weights, Phase::Search];
        let phase = phases.get(usize::from(number));
        phase.copied().ok_or(D::Error::custom("not a phase"))
    }
}

/// The number of a phase in telemetry and in fingerprints.
pub(crate) fn number(phase: Phase) -> u8 {
    match phase {
        Phase::Directions => 0,
        Phase::Weights => 1,
        Phase::Search => 2,
        _ => u8::MAX,
    }
}

/// Serialises directions as their signs.
mod as_signs {
    use super::*;
    use serde::de::Error;
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(
        directions: &List<Direction>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(directions.iter().map(|direction| direction.sign()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<List<Direction>, D::Error> {
        let signs = List::<i8>::deserialize(deserializer)?;
        let direction = |sign: &i8| match sign {
            -1 => Some(Direction::Con),
            0 => Some(Direction::Undecided),
            1 => Some(Direction::Pro),
            _ => None,
        };
        let directions: Option<List<Direction>> = signs.iter().map(direction).collect();
        directions.ok_or(D::Error::custom("not a direction"))
    }
}

/// As a line for people.
impl Display for Event<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Event::Hello(hello) => hello.fmt(f),
            Event::Booted(boot) => boot.fmt(f),
            Event::Learned(learned) => learned.fmt(f),
            Event::Evaluated(Evaluated {
                iteration,
                reward,
                episodes,
                actions,
                ..
            }) => write!(
                f,
                "the policy of iteration {iteration} earned {reward} in {episodes} episodes of {actions} actions"
            ),
            Event::Saved(saved) => saved.fmt(f),
            Event::Ended(ended) => ended.fmt(f),
            Event::Acted(Acted {
                actions,
                reward,
                episodes,
                ..
            }) => write!(f, "action {actions}: reward {reward}, {episodes} episodes"),
            Event::Picture(picture) => {
                write!(f, "picture of {}x{}", picture.width, picture.height())
            }
            Event::Obeyed(command) => write!(f, "told to {command}"),
            Event::Part(Part { at, of, .. }) => write!(f, "byte {at} of {of} of the checkpoint"),
            Event::Loaded(loaded) => loaded.fmt(f),
            Event::Beat(beat) => write!(
                f,
                "{} s: longest slice {} µs, {} events dropped",
                Thousandths::seconds(beat.micros),
                beat.longest_slice,
                beat.dropped
            ),
        }
    }
}

impl Display for Hello<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}, seed {}", self.task, self.learner, self.seed)?;
        match self.budget {
            Some(Budget::Iterations(iterations)) => write!(f, ", {iterations} iterations"),
            Some(Budget::Calls(calls)) => write!(f, ", {calls} calls"),
            None => Ok(()),
        }
    }
}

impl Display for Boot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Boot::Resumed(iterations) => write!(f, "resumed after iteration {iterations}"),
            Boot::New => f.write_str("new: there is no checkpoint"),
            Boot::Refused(refusal) => {
                write!(f, "new: the checkpoint was refused: {refusal}")
            }
            Boot::Unreadable => f.write_str("new: checkpoints could not be read, and are kept"),
        }
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Version(version) => write!(f, "format version {version}"),
            Refusal::Damaged => f.write_str("it is damaged"),
            Refusal::Foreign => f.write_str("it is of another task, seed or set of parameters"),
            Refusal::TooFar(iterations) => {
                write!(f, "it has {iterations} iterations, more than this run")
            }
            Refusal::Invalid => f.write_str("a field is out of range"),
            Refusal::OtherLayout => f.write_str("it has room of another size"),
        }
    }
}

impl Display for Loaded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.refusal {
            None => f.write_str("took the checkpoint that it was given")?,
            Some(refusal) => write!(f, "refused the checkpoint that it was given: {refusal}")?,
        }
        write!(f, "; goes on after iteration {}", self.iteration)
    }
}

impl Display for Learned {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::Directions => "directions",
            Phase::Weights => "weights",
            Phase::Search => "search",
            _ => "learning",
        };
        let seconds = Thousandths::seconds(self.micros);
        write!(f, "{seconds} s: iteration {}, {phase} ", self.iteration)?;
        for direction in &self.directions {
            f.write_str(match direction {
                Direction::Con => "-",
                Direction::Undecided => "?",
                Direction::Pro => "+",
            })?;
        }
        weights(f, &self.weights)?;
        write!(f, ", {} calls, reward {}", self.calls, self.reward)
    }
}

impl Display for Saved {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "iteration {} was ", self.iteration)?;
        match self.failure {
            None => f.write_str("saved")?,
            Some(failure) => write!(f, "not saved: {failure}")?,
        }
        write!(f, ", {} bad pages", self.bad_pages)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused => f.write_str("there was nothing to write"),
            Failure::NoPlace(unreadable) => write!(
                f,
                "no block may be overwritten, since {unreadable} could not be read"
            ),
            Failure::Block(address, operation) => {
                let operation = match operation {
                    Operation::Read => "read",
                    Operation::Program => "write",
                    Operation::Erase => "erase",
                };
                write!(f, "{operation} failed at {address:#x}")
            }
        }
    }
}

impl Display for Ended {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "learned in {} s:", Thousandths::seconds(self.micros))?;
        weights(f, &self.weights)?;
        let Ended {
            calls,
            reward,
            fingerprint,
            ..
        } = self;
        write!(
            f,
            ", {calls} calls, reward {reward}, fingerprint {fingerprint}"
        )
    }
}

fn weights(f: &mut Formatter<'_>, weights: &[f32]) -> fmt::Result {
    for weight in weights {
        write!(f, " {}", Thousandths((weight * 1000.0) as i64))?;
    }
    Ok(())
}

/// A decimal fraction without the code that prints floats, which is larger than the whole agent.
struct Thousandths(i64);

impl Thousandths {
    fn seconds(micros: u64) -> Self {
        Thousandths((micros / 1000) as i64)
    }
}

impl Display for Thousandths {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let magnitude = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:03}", magnitude / 1000, magnitude % 1000)
    }
}
