//! Frames out of bytes: defmt's with the table of an image, or lines that someone else has decoded.

use crate::error::{Error, Result};
use defmt_decoder::{DecodeError, Encoding, StreamDecoder, Table};
use std::path::Path;

/// What an image has to say about its frames.
pub fn table(image: &Path) -> Result<Table> {
    let problem = |problem: &str| Error::Stream(format!("{}: {problem}", image.display()));
    let elf = std::fs::read(image).map_err(|error| problem(&format!("cannot read: {error}")))?;
    match Table::parse(&elf) {
        Ok(Some(table)) if !table.is_empty() => Ok(table),
        Ok(_) => Err(problem(
            "it sends no defmt frames; build the image with its logs",
        )),
        Err(error) => {
            let reason = error.to_string();
            let reason = reason.lines().next().unwrap_or_default();
            Err(problem(&format!(
                "not an image with defmt frames: {reason}"
            )))
        }
    }
}

/// The frames in a stream of bytes, as text.
pub struct Frames<'t> {
    decoder: Decoder<'t>,
    /// How many there were.
    number: u64,
    /// How many bytes came after the last end of a frame.
    pending: usize,
}

/// No frame is longer. Whoever sends more without an end sends no frames.
const LONGEST: usize = 1 << 16;

enum Decoder<'t> {
    Defmt {
        frames: Box<dyn StreamDecoder + Send + Sync + 't>,
        encoding: Encoding,
    },
    /// The bytes that were not read yet.
    Lines(Vec<u8>),
}

impl<'t> Frames<'t> {
    /// Decodes with a table, or takes lines as they are.
    pub fn new(table: Option<&'t Table>) -> Self {
        let decoder = match table {
            Some(table) => Decoder::Defmt {
                frames: table.new_stream_decoder(),
                encoding: table.encoding(),
            },
            None => Decoder::Lines(Vec::new()),
        };
        Frames {
            decoder,
            number: 0,
            pending: 0,
        }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        // Without an encoding nothing marks the end of a frame.
        let end = match &mut self.decoder {
            Decoder::Defmt { frames, encoding } => {
                frames.received(bytes);
                (*encoding != Encoding::Raw).then_some(0)
            }
            Decoder::Lines(rest) => {
                rest.extend_from_slice(bytes);
                Some(b'\n')
            }
        };
        if let Some(end) = end {
            self.pending = match bytes.iter().rposition(|&byte| byte == end) {
                Some(last) => bytes.len() - last - 1,
                None => self.pending + bytes.len(),
            };
        }
    }

    /// The next frame, if there is a whole one.
    pub fn next(&mut self) -> Result<Option<String>> {
        let frame = match &mut self.decoder {
            Decoder::Lines(rest) => Ok(line(rest)),
            Decoder::Defmt { frames, .. } => match frames.decode() {
                Ok(frame) => Ok(Some(frame.display_message().to_string())),
                Err(DecodeError::UnexpectedEof) => Ok(None),
                Err(DecodeError::Malformed) => Err(()),
            },
        };
        match frame {
            Ok(None) if self.pending > LONGEST => Err(Error::Stream(format!(
                "frame {} does not end within {LONGEST} bytes; give --elf the very image that runs on \
                 the board",
                self.number + 1
            ))),
            Ok(frame) => {
                self.number += u64::from(frame.is_some());
                Ok(frame)
            }
            Err(()) => Err(Error::Stream(format!(
                "frame {} is corrupt; give --elf the very image that runs on the board",
                self.number + 1
            ))),
        }
    }

    /// Nothing more will come.
    pub fn end(&self) -> Result<(), String> {
        match self.decoder {
            Decoder::Defmt { .. } if self.pending > 0 => {
                Err("the stream ends in the middle of a frame".into())
            }
            _ => Ok(()),
        }
    }
}

/// Takes a line from the front of `rest`.
fn line(rest: &mut Vec<u8>) -> Option<String> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let line: Vec<u8> = rest.drain(..=end).collect();
    Some(String::from_utf8_lossy(&line).trim_end().to_owned())
}
