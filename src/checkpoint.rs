//! Checkpoints: agents serialised to bytes, and resumed with identical results.
//!
//! The bytes are the same on every machine, and an agent that is resumed from them gives the same results everywhere,
//! to the bit. Nothing in them is trusted: [`restore`] checks every field, and returns an error that names what is
//! invalid.
//!
//! ```
//! use ipse::checkpoint::{max_size, restore, save};
//! use ipse::prelude::*;
//! use ipse::tetris::Tetris10x10;
//!
//! let new = |rng: &mut _| Ok(Agent::new(Tetris10x10::default(), Ipse::new().check()?, rng));
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let mut agent = new(&mut rng)?;
//! agent.step(&mut rng);
//!
//! // A note can be saved with an agent; here there is none.
//! let mut buffer = [0; max_size::<Agent<Tetris10x10, Ipse>, ()>()];
//! let bytes = save(&mut agent, &rng, (), &mut buffer).unwrap();
//!
//! let mut its_rng = XorShiftRng::seed_from_u64(2);
//! let mut resumed = new(&mut its_rng)?;
//! restore::<_, ()>(&mut resumed, &mut its_rng, bytes).unwrap();
//! assert_eq!(resumed.step(&mut its_rng), agent.step(&mut rng));
//! # Ok::<(), Invalid>(())
//! ```
//!
//! # Format
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `IPSE` |
//! | 1 | the [version](VERSION) of the format |
//! | 4 | the identity: the CRC-32 of the task, the parameters and everything else that decides how bits go on |
//! | 4 | the number of complete iterations |
//! | 16 | the state of the random generator |
//! | … | the agent and the note, bit by bit, the lowest bits first |
//! | 4 | the CRC-32 of all bytes before |
//!
//! # Compatibility
//!
//! A checkpoint of one version is read by every release that has the same [`VERSION`], and by no other. Whatever
//! changes the content, or how an agent goes on from the same content, has another version or another identity, so
//! that an old checkpoint is refused with [`LoadError::Version`] or [`LoadError::Foreign`] and never misread. The
//! files in `host-tests/golden/checkpoints` are read by the tests of every release with their version.

pub use crate::codec::{Codec, Crc32};
pub use crate::invalid::Invalid;

use crate::array::Array;
use crate::codec::{Decoder, Encoder, Lister};
use crate::driver::ResumableDriver;
use crate::environment::{Environment, Resumable};
use crate::math;
use core::fmt;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// The version of the format.
pub const VERSION: u8 = 2;

const MAGIC: [u8; 4] = *b"IPSE";
/// What comes before the content.
const HEADER: usize = 4 + 1 + 4 + 4 + 16;
const CHECKSUM: usize = 4;

/// A value that can be saved with an agent.
pub trait Note: Copy + Default {
    /// The maximum size in bits.
    const BITS: usize;

    /// Writes or reads it.
    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid>;
}

impl Note for () {
    const BITS: usize = 0;

    fn code(&mut self, _: &mut impl Codec) -> Result<(), Invalid> {
        Ok(())
    }
}

impl Note for u64 {
    const BITS: usize = 64;

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u64(self)
    }
}

impl<T: Note, const K: usize> Note for [T; K]
where
    [T; K]: Default,
{
    const BITS: usize = T::BITS.saturating_mul(K);

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        self.iter_mut().try_for_each(|item| item.code(codec))
    }
}

/// Visits the fields of a state, with the names under which its task saves them. Fields without a name, such as truth
/// values, are left out.
///
/// ```
/// use ipse::checkpoint::fields;
/// use ipse::prelude::*;
/// # #[derive(Clone, Copy)]
/// # struct Thermostat;
/// # impl Environment for Thermostat {
/// #     type State = i16;
/// #     type Features = [i16; 1];
/// #     type Actions = [Action; 1];
/// #     const NAME: &'static str = "thermostat";
/// #     const FEATURES: [Feature; 1] = [Feature::new("degrees off", 20)];
/// #     fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> i16 { 0 }
/// #     fn outcomes(&self, _: &i16, _: impl FnMut(Outcome<Self::Features>)) {}
/// #     fn step<R: Rng + ?Sized>(&self, cold: &i16, _: Action, _: &mut R) -> (i16, i16) { (*cold, 0) }
/// # }
/// # impl Resumable for Thermostat {
/// #     const STATE_BITS: usize = 16;
/// #     fn identify(&self, codec: &mut impl Codec) {
/// #         codec.text("thermostat");
/// #     }
/// #     fn code_state(&self, cold: &mut i16, codec: &mut impl Codec) -> Result<(), Invalid> {
/// #         codec.i16("degrees below", cold, -20..=20)
/// #     }
/// # }
///
/// let mut seen = None;
/// fields(&Thermostat, &7, |name, value| seen = Some((name, value)));
/// assert_eq!(seen, Some(("degrees below", 7.0)));
/// ```
pub fn fields<E: Resumable>(task: &E, state: &E::State, visit: impl FnMut(&'static str, f64)) {
    let mut state = *state;
    // A lister refuses nothing.
    let _ = task.code_state(&mut state, &mut Lister(visit));
}

/// The reason why an agent cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SaveError {
    /// An iteration is under way: [`Driver::slice`](crate::Driver::slice) has not yet returned a step.
    UnderWay,
    /// The buffer is too small.
    TooSmall {
        /// The number of bytes that are needed.
        needed: usize,
        /// The number of bytes of the buffer.
        buffer: usize,
    },
    /// A field has a value that its own declaration does not allow.
    Invalid(Invalid),
}

impl From<Invalid> for SaveError {
    fn from(invalid: Invalid) -> Self {
        SaveError::Invalid(invalid)
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::UnderWay => {
                f.write_str("checkpoint: an agent can only be saved between two iterations")
            }
            SaveError::TooSmall { needed, buffer } => write!(
                f,
                "checkpoint: the buffer has {buffer} bytes, and {needed} are needed"
            ),
            SaveError::Invalid(invalid) => write!(f, "checkpoint: {invalid}"),
        }
    }
}

impl core::error::Error for SaveError {}

/// The reason why bytes are not a checkpoint for an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes do not begin with the header of a checkpoint.
    NotACheckpoint,
    /// The version of the format is another one.
    Version(u8),
    /// The checksum is wrong.
    Damaged,
    /// The checkpoint is of another task, or of an agent with other parameters.
    Foreign,
    /// The checkpoint is of a longer run than the one that was asked for, of [`restore_up_to`].
    TooFar {
        /// The number of complete iterations.
        iterations: u32,
        /// The number of iterations of the run.
        limit: u32,
    },
    /// A field is out of range, or contradicts another.
    Invalid(Invalid),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkpoint: ")?;
        match self {
            LoadError::NotACheckpoint => f.write_str("the bytes do not begin with \"IPSE\""),
            LoadError::Version(version) => {
                write!(
                    f,
                    "format version {version} is not supported, only {VERSION}"
                )
            }
            LoadError::Damaged => f.write_str("the checksum is wrong"),
            LoadError::Foreign => {
                f.write_str("it was saved for another task or with other parameters")
            }
            LoadError::TooFar { iterations, limit } => {
                write!(
                    f,
                    "iterations ({iterations}) exceed those of the run ({limit})"
                )
            }
            LoadError::Invalid(invalid) => invalid.fmt(f),
        }
    }
}

impl core::error::Error for LoadError {}

impl From<Invalid> for LoadError {
    fn from(invalid: Invalid) -> Self {
        LoadError::Invalid(invalid)
    }
}

/// The most bytes of a checkpoint of any driver of type `D` with a note of type `T`.
pub const fn max_size<D: ResumableDriver, T: Note>() -> usize {
    let bits = D::BITS.saturating_add(T::BITS);
    HEADER
        .saturating_add(bits.div_ceil(8))
        .saturating_add(CHECKSUM)
}

/// Writes a driver, the state of its random generator and a note to `buffer`, and returns what was written.
///
/// Saving changes nothing. The driver is borrowed mutably since one function both writes and reads each type.
pub fn save<'a, D: ResumableDriver, T: Note>(
    driver: &mut D,
    rng: &XorShiftRng,
    mut note: T,
    buffer: &'a mut [u8],
) -> Result<&'a [u8], SaveError> {
    if !driver.is_between_iterations() {
        return Err(SaveError::UnderWay);
    }
    let room = buffer.len();
    let mut encoder = Encoder::new(buffer);
    let codec = &mut encoder;
    for byte in MAGIC {
        let _ = codec.bits(byte.into(), 8);
    }
    let _ = codec.bits(VERSION.into(), 8);
    for word in [identity(driver), driver.progress().iterations] {
        let _ = codec.bits(word, 32);
    }
    for word in numbers(rng) {
        let _ = codec.bits(word, 32);
    }
    driver.code(codec)?;
    note.code(codec)?;
    encoder.align();
    let checksum = encoder.checksum();
    let _ = encoder.bits(checksum, 32);
    encoder.finish().map_err(|needed| SaveError::TooSmall {
        needed,
        buffer: room,
    })
}

/// The number of complete iterations in a checkpoint for the task and the parameters of `driver`. The content is
/// not looked at.
pub fn iterations<D: ResumableDriver>(driver: &D, bytes: &[u8]) -> Result<u32, LoadError> {
    Header::of(driver, bytes).map(|header| header.iterations)
}

/// The number of complete iterations in an intact checkpoint, whatever its task and parameters are. The content is not
/// looked at.
pub fn examine(bytes: &[u8]) -> Result<u32, LoadError> {
    Header::read(bytes).map(|header| header.iterations)
}

/// Makes `driver` and its random generator those that were saved, and returns the note.
///
/// `driver` must have been made for the same task and with the same parameters. If the bytes are refused by their
/// header or checksum, nothing has changed. If a field of the content is invalid, `driver` is reset to a new one, for
/// which random numbers were drawn.
pub fn restore<D: ResumableDriver, T: Note>(
    driver: &mut D,
    rng: &mut XorShiftRng,
    bytes: &[u8],
) -> Result<T, LoadError> {
    restore_up_to(u32::MAX, driver, rng, bytes)
}

/// Like [`restore`], but refuses a checkpoint of more than `limit` iterations before anything has changed.
pub fn restore_up_to<D: ResumableDriver, T: Note>(
    limit: u32,
    driver: &mut D,
    rng: &mut XorShiftRng,
    bytes: &[u8],
) -> Result<T, LoadError> {
    let header = Header::of(driver, bytes)?;
    let iterations = header.iterations;
    if iterations > limit {
        return Err(LoadError::TooFar { iterations, limit });
    }
    let saved = generator(header.numbers)?;
    match read(driver, header) {
        Ok(note) => {
            *rng = saved;
            Ok(note)
        }
        Err(invalid) => {
            driver.forget(rng);
            Err(invalid.into())
        }
    }
}

fn read<D: ResumableDriver, T: Note>(driver: &mut D, header: Header) -> Result<T, Invalid> {
    let codec = &mut Decoder::new(header.content);
    driver.code(codec)?;
    let mut note = T::default();
    note.code(codec)?;
    codec.end()?;
    let (read, told) = (driver.progress().iterations, header.iterations);
    Invalid::outside("iterations", read, told, told)?;
    driver.plausible()?;
    Ok(note)
}

/// What comes before the content of an intact checkpoint.
struct Header<'a> {
    identity: u32,
    iterations: u32,
    numbers: [u32; 4],
    content: &'a [u8],
}

impl<'a> Header<'a> {
    /// That of a checkpoint for the task and the parameters of `driver`.
    fn of<D: ResumableDriver>(driver: &D, bytes: &'a [u8]) -> Result<Self, LoadError> {
        let header = Header::read(bytes)?;
        match header.identity == identity(driver) {
            true => Ok(header),
            false => Err(LoadError::Foreign),
        }
    }

    fn read(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let rest = bytes
            .strip_prefix(&MAGIC)
            .ok_or(LoadError::NotACheckpoint)?;
        let (version, rest) = rest.split_first().ok_or(LoadError::Damaged)?;
        if *version != VERSION {
            return Err(LoadError::Version(*version));
        }
        let (rest, checksum) = rest.split_last_chunk().ok_or(LoadError::Damaged)?;
        let covered = bytes.len().saturating_sub(CHECKSUM);
        let covered = bytes.get(..covered).unwrap_or_default();
        if u32::from_le_bytes(*checksum) != Crc32::of(covered) {
            return Err(LoadError::Damaged);
        }
        let (words, content) = rest.split_first_chunk::<24>().ok_or(LoadError::Damaged)?;
        let mut words = words.chunks_exact(4).map(|word| {
            let word = word.first_chunk().copied();
            u32::from_le_bytes(word.unwrap_or_default())
        });
        let mut word = || words.next().unwrap_or(0);
        Ok(Header {
            identity: word(),
            iterations: word(),
            numbers: [word(), word(), word(), word()],
            content,
        })
    }
}

/// The CRC-32 of everything that an agent must have in common with a checkpoint.
#[inline(never)]
fn identity<D: ResumableDriver>(driver: &D) -> u32 {
    let mut encoder = Encoder::new(&mut []);
    let codec = &mut encoder;
    let actions = <<D::Task as Environment>::Actions as Array>::LEN;
    let _ = codec.bits(actions as u32, 32);
    for feature in <D::Task as Environment>::FEATURES.as_ref() {
        codec.text(feature.name);
        let _ = codec.bits(feature.unit.to_bits(), 32);
        let _ = codec.bits(feature.bound.cast_unsigned().into(), 16);
    }
    driver.task().identify(codec);
    // Checked parameters are within their ranges.
    let _ = driver.identify(codec);
    let _ = codec.bits(math::IS_FAST.into(), 1);
    encoder.align();
    encoder.checksum()
}

/// The state of a generator, which it does not tell: the last four numbers that it has drawn. Four others are
/// drawn from a copy, and then it is turned back to where it was.
fn numbers(rng: &XorShiftRng) -> [u32; 4] {
    let mut rng = rng.clone();
    let mut state = core::array::from_fn(|_| rng.next_u32());
    for _ in 0..4 {
        // The last came from w and x: next = w ^ w>>19 ^ t ^ t>>8, where t = x ^ x<<11. Shifts by a multiple undo
        // what shifts did.
        let [y, z, w, next] = state;
        let mixed = next ^ w ^ w >> 19;
        let t = mixed ^ mixed >> 8 ^ mixed >> 16 ^ mixed >> 24;
        let x = t ^ t << 11 ^ t << 22;
        state = [x, y, z, w];
    }
    state
}

fn generator(state: [u32; 4]) -> Result<XorShiftRng, Invalid> {
    if state == [0; 4] {
        return Err(Invalid::text(
            "random generator",
            0,
            "in a state other than zero",
        ));
    }
    let mut seed = [0; 16];
    for (bytes, word) in seed.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Ok(XorShiftRng::from_seed(seed))
}
