//! Events as bytes: postcard, a CRC-32, and COBS between zero bytes.
//!
//! A frame is `0, COBS(postcard(event), CRC-32), 0`. The only zeros are those around frames, so that a reader that was
//! started late, or that has lost bytes, finds its feet again at the next zero. What is between two zeros and is no
//! frame, such as text of a boot loader, is skipped and counted.

use crate::command::Command;
use crate::event::{Event, VERSION};
use ipse::checkpoint::Crc32;
use postcard::ser_flavors::{Cobs, Flavor, Slice};
use serde::Serialize;

/// The most bytes of a frame.
pub const MAX_FRAME: usize = 1024;

/// The most bytes of a frame with a command.
pub const MAX_COMMAND: usize = 64;

/// What a command begins with and no event does, so that neither is taken for the other.
const MARK: u8 = b'c';

/// The number of bytes of the checksum.
const CRC: usize = 4;

/// Writes `event` as a frame to `buffer`, and returns the frame. `None` if the buffer is too small.
///
/// ```
/// use ipse_device::{Event, Beat, MAX_FRAME, Reader, encode};
///
/// let event = Event::Beat(Beat { micros: 1_000_000, longest_slice: 900, dropped: 0 });
/// let mut buffer = [0; MAX_FRAME];
/// let frame = encode(&event, &mut buffer).unwrap();
///
/// let mut reader = Reader::new();
/// let mut seen = 0;
/// reader.read(b"boot ok\r\n", |_| unreachable!());
/// reader.read(frame, |read| {
///     assert_eq!(read, event);
///     seen += 1;
/// });
/// assert_eq!((seen, reader.skipped()), (1, 9));
/// ```
pub fn encode<'b>(event: &Event<'_>, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    frame(event, buffer)
}

/// Writes `command` as a frame to `buffer`, and returns the frame. `None` if the buffer is too small.
///
/// ```
/// use ipse_device::{Command, CommandReader, MAX_COMMAND, encode_command};
///
/// let mut buffer = [0; MAX_COMMAND];
/// let frame = encode_command(Command::Seed(7), &mut buffer).unwrap();
/// let mut reader = CommandReader::new();
/// let mut commands = frame.iter().filter_map(|byte| reader.push(*byte));
/// assert_eq!(commands.next(), Some(Command::Seed(7)));
/// ```
pub fn encode_command(command: Command, buffer: &mut [u8]) -> Option<&[u8]> {
    frame(&(MARK, VERSION, command), buffer)
}

fn frame<'b>(content: &impl Serialize, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let room = buffer.len().min(MAX_FRAME);
    let (first, rest) = buffer.get_mut(..room)?.split_first_mut()?;
    *first = 0;
    let cobs = Cobs::try_new(Slice::new(rest)).ok()?;
    let sealed = Sealed {
        inner: cobs,
        crc: Crc32::NEW,
    };
    let len = postcard::serialize_with_flavor(content, sealed).ok()?.len();
    buffer.get(..len + 1)
}

/// Adds the checksum of what goes through it at the end.
struct Sealed<F> {
    inner: F,
    crc: Crc32,
}

impl<F: Flavor> Flavor for Sealed<F> {
    type Output = F::Output;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.crc.add(byte);
        self.inner.try_push(byte)
    }

    fn finalize(mut self) -> postcard::Result<F::Output> {
        self.inner.try_extend(&self.crc.value().to_le_bytes())?;
        self.inner.finalize()
    }
}

/// The frames in a stream, of at most `N` bytes each.
#[derive(Clone, Debug)]
struct Frames<const N: usize> {
    buffer: [u8; N],
    /// The number of bytes since the last zero. Those that do not fit are counted and not kept.
    len: usize,
    skipped: u64,
}

impl<const N: usize> Frames<N> {
    const NEW: Self = Frames {
        buffer: [0; N],
        len: 0,
        skipped: 0,
    };

    /// The content of the frame that is complete with this byte, if any.
    fn push(&mut self, byte: u8) -> Option<&[u8]> {
        if byte != 0 {
            if let Some(place) = self.buffer.get_mut(self.len) {
                *place = byte;
            }
            self.len = self.len.saturating_add(1);
            return None;
        }
        let len = core::mem::take(&mut self.len);
        if len == 0 {
            return None;
        }
        let content = self.buffer.get_mut(..len).and_then(content);
        if content.is_none() {
            self.skipped = self.skipped.saturating_add(len as u64);
        }
        content
    }
}

/// Reads events from bytes that come from anywhere in a stream.
#[derive(Clone, Debug)]
pub struct Reader {
    frames: Frames<MAX_FRAME>,
    version: Option<u8>,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader at the beginning of a stream, or anywhere in it.
    pub const fn new() -> Self {
        Reader {
            frames: Frames::NEW,
            version: None,
        }
    }

    /// Calls `hear` with every event that is complete with these bytes.
    pub fn read(&mut self, bytes: &[u8], mut hear: impl FnMut(Event<'_>)) {
        for byte in bytes {
            if let Some(event) = self.push(*byte) {
                hear(event);
            }
        }
    }

    /// The event that is complete with this byte, if any.
    pub fn push(&mut self, byte: u8) -> Option<Event<'_>> {
        let content = self.frames.push(byte)?;
        // The version comes first, so that it can be read even if the rest has changed.
        if let [0, version, ..] = content {
            self.version = Some(*version);
        }
        if self.version.is_some_and(|version| version != VERSION) {
            return None;
        }
        postcard::from_bytes(content).ok()
    }

    /// The number of bytes, zeros aside, that were no part of an intact frame.
    pub fn skipped(&self) -> u64 {
        self.frames.skipped
    }

    /// The version of the protocol that was last announced, if it is not [`VERSION`]. Its events are not read.
    pub fn foreign_version(&self) -> Option<u8> {
        self.version.filter(|version| *version != VERSION)
    }
}

/// Reads commands on a board. Bytes that are no command of this version are skipped.
#[derive(Clone, Debug)]
pub struct CommandReader(Frames<MAX_COMMAND>);

impl Default for CommandReader {
    fn default() -> Self {
        Self::new()
    }
}

impl CommandReader {
    /// A reader at the beginning of a stream, or anywhere in it.
    pub const fn new() -> Self {
        CommandReader(Frames::NEW)
    }

    /// The command that is complete with this byte, if any.
    pub fn push(&mut self, byte: u8) -> Option<Command> {
        let command = self.0.push(byte)?.strip_prefix(&[MARK, VERSION])?;
        let (command, rest) = postcard::take_from_bytes(command).ok()?;
        rest.is_empty().then_some(command)
    }
}

/// What is in a frame without its zeros, if it is intact.
fn content(frame: &mut [u8]) -> Option<&[u8]> {
    let len = cobs::decode_in_place(frame).ok()?;
    let (content, checksum) = frame.get(..len)?.split_last_chunk::<CRC>()?;
    (u32::from_le_bytes(*checksum) == Crc32::of(content)).then_some(content)
}
