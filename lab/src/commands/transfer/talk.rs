//! What is said over a serial port: one command after the other, each until the board has answered it.

use super::LARGEST;
use crate::error::{Error, Result};
use crate::output::tell;
use crate::serial::PortArgs;
use ipse::checkpoint::{LoadError, examine};
use ipse_device::{
    Command, Event, Loaded, MAX_COMMAND, Part, Reader, Refusal, Saved, encode_command,
};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a board may take for an answer. It looks for commands between two slices of work.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long it may take to end its iteration and to save a checkpoint.
const PATIENCE_FOR_A_SAVE: Duration = Duration::from_secs(10);
/// How often a command is repeated, and how often a whole checkpoint that was damaged by a save on the way.
const ATTEMPTS: u32 = 4;

/// An event that answers a command.
#[derive(Clone, Copy)]
enum Answer {
    Obeyed(Command),
    Saved(Saved),
    Part(Part),
    Loaded(Loaded),
}

impl Answer {
    fn of(event: &Event<'_>) -> Option<Self> {
        match event {
            Event::Obeyed(command) => Some(Answer::Obeyed(*command)),
            Event::Saved(saved) => Some(Answer::Saved(*saved)),
            Event::Part(part) => Some(Answer::Part(*part)),
            Event::Loaded(loaded) => Some(Answer::Loaded(*loaded)),
            _ => None,
        }
    }
}

/// A board at a serial port.
pub struct Talk {
    port: PathBuf,
    file: File,
    answers: Receiver<Answer>,
}

impl Talk {
    pub fn with(port: &PortArgs) -> Result<Self> {
        let (port, file) = port.open()?;
        let input = file.try_clone()?;
        let (sender, answers) = mpsc::channel();
        // It waits for bytes until the process ends.
        thread::spawn(move || read(input, |answer| sender.send(answer).is_ok()));
        Ok(Talk {
            port,
            file,
            answers,
        })
    }

    pub fn port(&self) -> String {
        self.port.display().to_string()
    }

    /// Gives the board a checkpoint to go on from.
    pub fn give(&mut self, checkpoint: &[u8]) -> Result<Loaded> {
        for attempt in 1.. {
            let loaded = self.write(checkpoint)?;
            match loaded.refusal {
                None => return Ok(loaded),
                // It is intact, so the board has saved one of its own meanwhile.
                Some(Refusal::Damaged) if attempt < ATTEMPTS => {}
                Some(Refusal::Damaged) => {
                    return Err(self.failed(
                        "the board saves checkpoints of its own too often to take one meanwhile: `cargo ipse send pause` first",
                    ));
                }
                Some(_) => return Err(self.failed(&loaded.to_string())),
            }
        }
        unreachable!("the last attempt returns")
    }

    fn write(&mut self, checkpoint: &[u8]) -> Result<Loaded> {
        let mut loaded = None;
        for part in Part::all(checkpoint) {
            let command = Command::Write(part);
            loaded = self.ask(command, |answer| match answer {
                Answer::Loaded(loaded) if part.is_last() => Some(Some(loaded)),
                Answer::Obeyed(obeyed) if obeyed == command && !part.is_last() => Some(None),
                _ => None,
            })?;
        }
        loaded.ok_or_else(|| self.failed("a checkpoint has at least one byte"))
    }

    /// Lets the board save a checkpoint, and takes the newest one.
    pub fn take(&mut self) -> Result<Vec<u8>> {
        // Telemetry that nobody has read yet comes before the first answer.
        self.part(0)?;
        let saved = self.try_to_ask(Command::Save, PATIENCE_FOR_A_SAVE, |answer| match answer {
            Answer::Saved(saved) => Some(saved),
            _ => None,
        })?;
        match saved {
            Some(saved) if saved.is_saved() => {}
            Some(saved) => tell!("{}: {saved}; its newest checkpoint is older", self.port()),
            None => tell!(
                "{}: it does not save one now; its newest checkpoint is older",
                self.port()
            ),
        }
        for attempt in 1.. {
            let checkpoint = self.read()?;
            match examine(&checkpoint) {
                Ok(_) => return Ok(checkpoint),
                // It has saved another one meanwhile.
                Err(LoadError::Damaged | LoadError::NotACheckpoint) if attempt < ATTEMPTS => {}
                Err(error) => return Err(self.failed(&error.to_string())),
            }
        }
        unreachable!("the last attempt returns")
    }

    fn read(&mut self) -> Result<Vec<u8>> {
        let mut checkpoint = Vec::new();
        loop {
            let part = self.part(checkpoint.len() as u32)?;
            if part.of == 0 {
                return Err(self.failed("there is no checkpoint"));
            }
            if part.of as usize > LARGEST {
                return Err(self.failed(&format!(
                    "its checkpoint has {} bytes, of at most {LARGEST}",
                    part.of
                )));
            }
            checkpoint.extend(part.content());
            if part.is_last() {
                return Ok(checkpoint);
            }
        }
    }

    /// The part of the newest checkpoint that begins at a byte, or one of a checkpoint that is shorter than that.
    fn part(&mut self, at: u32) -> Result<Part> {
        self.ask(Command::Read(at), |answer| match answer {
            Answer::Part(part) if part.at == at || part.of <= at => Some(part),
            _ => None,
        })
    }

    /// Sends a command until there is an answer to it.
    fn ask<T>(&mut self, command: Command, answer: impl Fn(Answer) -> Option<T>) -> Result<T> {
        for _ in 0..ATTEMPTS {
            if let Some(found) = self.try_to_ask(command, PATIENCE, &answer)? {
                return Ok(found);
            }
        }
        Err(self.failed(
            "the board does not answer; it needs an image of this release that takes commands, and nobody else may \
             read from its port",
        ))
    }

    /// Sends a command, and waits for the answer for some time.
    fn try_to_ask<T>(
        &mut self,
        command: Command,
        patience: Duration,
        answer: impl Fn(Answer) -> Option<T>,
    ) -> Result<Option<T>> {
        let mut buffer = [0; MAX_COMMAND];
        let frame = encode_command(command, &mut buffer);
        let frame = frame.ok_or_else(|| self.failed("a command has no room in its frame"))?;
        let written = self.file.write_all(frame);
        written.map_err(|error| self.failed(&format!("cannot write: {error}")))?;
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left) {
                Ok(heard) => {
                    if let Some(found) = answer(heard) {
                        return Ok(Some(found));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.failed("the board was disconnected"));
                }
            }
        }
    }

    fn failed(&self, what: &str) -> Error {
        Error::Stream(format!("{}: {what}", self.port()))
    }
}

/// Hands on the answers in a stream, as long as somebody takes them.
fn read(mut input: File, mut hand_on: impl FnMut(Answer) -> bool) {
    let mut reader = Reader::new();
    let mut bytes = [0; 1024];
    let mut is_heard = true;
    while is_heard {
        let len = match input.read(&mut bytes) {
            Ok(len @ 1..) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            _ => return,
        };
        reader.read(&bytes[..len], |event| {
            if let Some(answer) = Answer::of(&event) {
                is_heard = is_heard && hand_on(answer);
            }
        });
    }
}
