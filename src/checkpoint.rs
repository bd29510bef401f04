//! An agent as bytes, to go on another day as if nothing had happened.
//!
//! The bytes are the same on every machine, and so is how an agent goes on from them, to the bit.
//! Nothing in them is trusted: whatever they are, [`load`] returns an agent that could have been
//! saved, or says what is wrong.
//!
//! ```
//! use ipse::checkpoint::{load, max_size, save};
//! use ipse::tetris::{Rule, Tetris10x10};
//! use ipse::{Agent, Checked};
//! use rand_core::SeedableRng;
//! use rand_xorshift::XorShiftRng;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let tetris = Tetris10x10::new(Rule::AfterRemoval);
//! let mut agent = Agent::<_, 8, 34, 100>::new(tetris, Checked::default(), &mut rng);
//! agent.step(&mut rng);
//!
//! // Whoever runs an agent can keep a note with it; here it is nothing.
//! let mut buffer = [0; max_size::<Tetris10x10, (), 8, 34, 100, 0>()];
//! let bytes = save(&agent, &rng, &(), &mut buffer).unwrap();
//!
//! let (mut resumed, mut its_rng, ()) =
//!     load::<_, _, 8, 34, 100, 0>(tetris, Checked::default(), bytes).unwrap();
//! assert_eq!(resumed.step(&mut its_rng), agent.step(&mut rng));
//! ```
//!
//! # Form
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `IPSE` |
//! | 1 | [`VERSION`] |
//! | 4 | the CRC-32 of task and configuration, so that no other agent takes it for its own |
//! | 16 | the random numbers: the state of the generator |
//! | … | the agent |
//! | … | the note |
//! | 4 | the CRC-32 of all before |

use crate::agent::{Agent, Checked, Saved};
use crate::bytes::{Bytes, Crc32, Flaw, Source, Writer};
use crate::environment::Resumable;
use core::fmt;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// The version of the form. Every change of what was there before has a new one.
pub const VERSION: u8 = 1;

const MAGIC: [u8; 4] = *b"IPSE";
const CHECKSUM: usize = u32::SIZE;

/// Why an agent cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SaveError {
    /// It is in the middle of an iteration: [`Agent::slice`] has not yet returned a step.
    InTheMiddle,
    /// The buffer is too small.
    TooSmall {
        /// So many bytes would have been enough.
        needed: usize,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::InTheMiddle => {
                f.write_str("an agent can be saved only between two iterations")
            }
            SaveError::TooSmall { needed } => write!(f, "the checkpoint needs {needed} bytes"),
        }
    }
}

impl core::error::Error for SaveError {}

/// Why bytes are not taken for the agent that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LoadError {
    /// They do not begin like a checkpoint.
    NotACheckpoint,
    /// They are in a form that is not known here.
    Version(u8),
    /// The checksum is wrong.
    Damaged,
    /// The checkpoint is of another task or configuration.
    Foreign,
    /// The checkpoint is of a longer run. [`load`] takes it; whoever knows how long a run is to be may not.
    TooFar {
        /// So many were complete.
        iterations: u32,
    },
    /// No agent could have written them.
    Flawed(Flaw),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotACheckpoint => f.write_str("not a checkpoint"),
            LoadError::Version(version) => write!(
                f,
                "a checkpoint of version {version}, of which only {VERSION} is known"
            ),
            LoadError::Damaged => f.write_str("a damaged checkpoint: its checksum is wrong"),
            LoadError::Foreign => f.write_str("a checkpoint of another task or configuration"),
            LoadError::TooFar { iterations } => write!(
                f,
                "a checkpoint after iteration {iterations}, which is beyond the last"
            ),
            LoadError::Flawed(flaw) => write!(f, "an impossible checkpoint: {flaw}"),
        }
    }
}

impl core::error::Error for LoadError {}

impl From<Flaw> for LoadError {
    fn from(flaw: Flaw) -> Self {
        LoadError::Flawed(flaw)
    }
}

/// The most bytes of a checkpoint of any agent with these types, and a note of type `T`.
pub const fn max_size<E, T, const P: usize, const A: usize, const N: usize, const L: usize>()
-> usize
where
    E: Resumable<P, A>,
    T: Bytes,
{
    MAGIC
        .len()
        .saturating_add(size_of_val(&VERSION))
        .saturating_add(u32::SIZE)
        .saturating_add(<[u32; 4]>::SIZE)
        .saturating_add(Agent::<E, P, A, N, L>::SAVED_SIZE)
        .saturating_add(T::SIZE)
        .saturating_add(CHECKSUM)
}

/// Writes an agent, its random numbers and a note to `buffer`, and returns what was written.
pub fn save<'a, E, T, const P: usize, const A: usize, const N: usize, const L: usize>(
    agent: &Agent<E, P, A, N, L>,
    rng: &XorShiftRng,
    note: &T,
    buffer: &'a mut [u8],
) -> Result<&'a [u8], SaveError>
where
    E: Resumable<P, A>,
    T: Bytes,
{
    if !agent.is_between_iterations() {
        return Err(SaveError::InTheMiddle);
    }
    let mut writer = Writer::new(buffer);
    MAGIC.write(&mut writer);
    VERSION.write(&mut writer);
    identity(agent).write(&mut writer);
    numbers(rng).write(&mut writer);
    agent.write(&mut writer);
    note.write(&mut writer);
    let checksum = Crc32::of(writer.written());
    checksum.write(&mut writer);
    writer
        .finish()
        .map_err(|needed| SaveError::TooSmall { needed })
}

/// A checkpoint that was checked, for an agent that can go on from it.
///
/// It is small, since most of it stays where it is: in the bytes.
pub struct Checkpoint<'a, S, T, const P: usize> {
    /// Of the agent with which it was checked.
    identity: u32,
    agent: Saved<'a, S, P>,
    rng: XorShiftRng,
    note: T,
}

impl<'a, S: Copy, T: Bytes, const P: usize> Checkpoint<'a, S, T, P> {
    /// Checks whether `bytes` are a checkpoint for the task and the configuration of `agent`.
    pub fn check<E, const A: usize, const N: usize, const L: usize>(
        agent: &Agent<E, P, A, N, L>,
        bytes: &'a [u8],
    ) -> Result<Self, LoadError>
    where
        E: Resumable<P, A, State = S>,
    {
        let source = &mut Source::new(open(bytes)?);
        let identity = identity(agent);
        if u32::read(source)? != identity {
            return Err(LoadError::Foreign);
        }
        let rng = generator(Bytes::read(source)?)?;
        let agent = agent.check(source)?;
        let note = T::read(source)?;
        source.end()?;
        Ok(Checkpoint {
            identity,
            agent,
            rng,
            note,
        })
    }

    /// How many iterations were complete.
    pub fn iterations(&self) -> u32 {
        self.agent.iterations
    }

    /// The note.
    pub fn note(&self) -> &T {
        &self.note
    }

    /// Makes `agent`, with which it was checked or one that is made like that, and its random numbers
    /// what was saved. An iteration under way is forgotten.
    pub fn restore<E, const A: usize, const N: usize, const L: usize>(
        self,
        agent: &mut Agent<E, P, A, N, L>,
        rng: &mut XorShiftRng,
    ) -> Result<T, LoadError>
    where
        E: Resumable<P, A, State = S>,
    {
        if self.identity != identity(agent) {
            return Err(LoadError::Foreign);
        }
        agent.restore(self.agent);
        *rng = self.rng;
        Ok(self.note)
    }
}

/// Reads an agent for `task` and `config`, its random numbers and a note.
///
/// Where memory is short, make an agent first and [restore](Checkpoint::restore) it.
pub fn load<E, T, const P: usize, const A: usize, const N: usize, const L: usize>(
    task: E,
    config: Checked<P, L>,
    bytes: &[u8],
) -> Result<(Agent<E, P, A, N, L>, XorShiftRng, T), LoadError>
where
    E: Resumable<P, A>,
    T: Bytes,
{
    let mut rng = XorShiftRng::seed_from_u64(0);
    let mut agent = Agent::new(task, config, &mut rng);
    let note = Checkpoint::check(&agent, bytes)?.restore(&mut agent, &mut rng)?;
    Ok((agent, rng, note))
}

/// What is between the version and the checksum.
fn open(bytes: &[u8]) -> Result<&[u8], LoadError> {
    let rest = bytes
        .strip_prefix(&MAGIC)
        .ok_or(LoadError::NotACheckpoint)?;
    let (version, rest) = rest.split_first().ok_or(LoadError::Damaged)?;
    if *version != VERSION {
        return Err(LoadError::Version(*version));
    }
    let (content, checksum) = rest
        .split_last_chunk::<CHECKSUM>()
        .ok_or(LoadError::Damaged)?;
    let len = bytes.len().saturating_sub(CHECKSUM);
    let checked = bytes.get(..len).unwrap_or_default();
    match u32::from_le_bytes(*checksum) == Crc32::of(checked) {
        true => Ok(content),
        false => Err(LoadError::Damaged),
    }
}

/// One number for everything that an agent must have in common with a checkpoint.
fn identity<E, const P: usize, const A: usize, const N: usize, const L: usize>(
    agent: &Agent<E, P, A, N, L>,
) -> u32
where
    E: Resumable<P, A>,
{
    let mut crc = Crc32::NEW;
    for number in [P, A, N] {
        (number as u64).write(&mut crc);
    }
    E::UNITS.write(&mut crc);
    for bound in E::BOUNDS {
        bound.cast_unsigned().write(&mut crc);
    }
    agent.task().identify(&mut crc);
    agent.config().identify(&mut crc);
    crc.value()
}

/// The state of a generator, which it does not tell: the last four numbers that it has drawn. Four
/// others are drawn from a copy, and then it is turned back to where it was.
fn numbers(rng: &XorShiftRng) -> [u32; 4] {
    let mut rng = rng.clone();
    let mut state = core::array::from_fn(|_| rng.next_u32());
    for _ in 0..4 {
        // The last came from w and x: next = w ^ w>>19 ^ t ^ t>>8, where t = x ^ x<<11. Shifts by
        // a multiple undo what shifts did.
        let [y, z, w, next] = state;
        let mixed = next ^ w ^ w >> 19;
        let t = mixed ^ mixed >> 8 ^ mixed >> 16 ^ mixed >> 24;
        let x = t ^ t << 11 ^ t << 22;
        state = [x, y, z, w];
    }
    state
}

fn generator(state: [u32; 4]) -> Result<XorShiftRng, Flaw> {
    Flaw::unless(state != [0; 4], "a generator that draws nothing but zeros")?;
    let mut seed = [0; 16];
    state.write(&mut Writer::new(&mut seed));
    Ok(XorShiftRng::from_seed(seed))
}
