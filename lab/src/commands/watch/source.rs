//! Where the bytes come from: a file, standard input, a serial port, or an emulator, which does not outlive its
//! source.

use super::Args;
use crate::error::{Error, Result};
use crate::serial;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long an instruction takes, as a power of two of nanoseconds: an STM32F405 at 168 MHz needs
/// 1.35 cycles for one, which is 8 ns. So time passes as on that board, however fast the host is.
const ICOUNT_SHIFT: u8 = 3;

/// The most pieces of a stream that wait to be watched. Whoever can wait is stopped by one; a serial port cannot, and
/// goes on while its watcher has paused.
const PIECES: usize = 1;
const PIECES_OF_A_PORT: usize = 1 << 14;

pub struct Source {
    name: String,
    is_live: bool,
    pieces: Receiver<io::Result<Piece>>,
    emulator: Option<Emulator>,
}

/// What comes from a source.
#[derive(Debug)]
pub enum Piece {
    Bytes(Vec<u8>),
    /// What has happened to the source itself.
    Note(Note),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    Disconnected,
    Connected,
    /// The bytes are not saved any more, for this reason.
    NotSaved(String),
}

/// What there is at a time.
pub enum Next {
    Piece(Piece),
    /// Nothing yet.
    Nothing,
    /// Nothing any more.
    End,
}

impl Source {
    pub fn open(args: &Args) -> Result<Source> {
        if let (Some(file), Some(save)) = (&args.file, &args.save)
            && is_same(file, save)
        {
            return Err(Error::Usage(format!(
                "--save {}: it is the file that is watched",
                save.display()
            )));
        }
        let save = args.save.as_deref().map(Save::create).transpose()?;
        if let Some(image) = &args.qemu {
            let command = qemu(image, &args.settings);
            return Source::emulator("an emulated STM32F405", image, command, QEMU, save);
        }
        if let Some(image) = &args.rp2040 {
            return Source::emulator("an emulated RP2040", image, rp2040(image), NODE, save);
        }
        if let Some(port) = &args.serial {
            return Source::serial(&serial::resolve(port)?, args.baud, save);
        }
        let (name, input): (_, Box<dyn Read + Send>) = match &args.file {
            Some(file) => {
                let input = File::open(file).map_err(|error| unreadable(file, &error))?;
                (file.display().to_string(), Box::new(input))
            }
            None if io::stdin().is_terminal() => {
                return Err(Error::Usage(
                    "nothing to watch: give FILE, --qemu IMAGE, --rp2040 IMAGE or --serial PORT, or pipe \
                     telemetry in"
                        .into(),
                ));
            }
            None => ("standard input".into(), Box::new(io::stdin())),
        };
        Ok(Source {
            name,
            is_live: false,
            pieces: read(input, save),
            emulator: None,
        })
    }

    fn emulator(
        name: &str,
        image: &Path,
        mut command: Command,
        program: Program,
        save: Option<Save>,
    ) -> Result<Source> {
        // Emulators do not say it as clearly.
        File::open(image)
            .and_then(|file| match file.metadata()?.is_file() {
                true => Ok(()),
                false => Err(io::Error::other("not a regular file")),
            })
            .map_err(|error| unreadable(image, &error))?;
        let mut emulator = Emulator::start(&mut command, program)?;
        let output = emulator.child.stdout.take();
        let output = output.ok_or_else(|| io::Error::other("there is no pipe"))?;
        Ok(Source {
            name: name.into(),
            is_live: false,
            pieces: read(output, save),
            emulator: Some(emulator),
        })
    }

    fn serial(port: &Path, baud: u32, save: Option<Save>) -> Result<Source> {
        let open = {
            let port = port.to_owned();
            move || serial::open(&port, baud, false)
        };
        let first = open()
            .map_err(|error| Error::Stream(format!("{}: cannot open: {error}", port.display())))?;
        Ok(Source {
            name: port.display().to_string(),
            is_live: true,
            pieces: read_again(first, open, save),
            emulator: None,
        })
    }

    /// What learns there.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether everything comes at the time when it happens, and cannot wait.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// What comes next, within some time.
    pub fn next(&self, patience: Duration) -> Result<Next> {
        match self.pieces.recv_timeout(patience) {
            Ok(piece) => Ok(Next::Piece(piece?)),
            Err(RecvTimeoutError::Timeout) => Ok(Next::Nothing),
            Err(RecvTimeoutError::Disconnected) => Ok(Next::End),
        }
    }

    /// Nothing more will come: whether that is as it should be.
    pub fn end(&mut self) -> Result<(), String> {
        match &mut self.emulator {
            Some(emulator) => emulator.end(),
            None => Ok(()),
        }
    }
}

fn unreadable(file: &Path, error: &io::Error) -> Error {
    Error::Stream(format!("{}: cannot read: {error}", file.display()))
}

fn is_same(a: &Path, b: &Path) -> bool {
    let (a, b) = (fs::canonicalize(a), fs::canonicalize(b));
    matches!((a, b), (Ok(a), Ok(b)) if a == b)
}

/// A file that keeps every byte that is read.
struct Save {
    path: PathBuf,
    /// Until the first error.
    file: Option<File>,
}

impl Save {
    fn create(path: &Path) -> Result<Save> {
        let file = File::create(path).map_err(|error| {
            Error::File(format!("--save: cannot write {}: {error}", path.display()))
        })?;
        Ok(Save {
            path: path.into(),
            file: Some(file),
        })
    }

    /// Writes bytes, as long as that is possible. Returns what went wrong, once.
    fn write(&mut self, bytes: &[u8]) -> Option<Note> {
        let error = self.file.as_mut()?.write_all(bytes).err()?;
        self.file = None;
        let path = self.path.display();
        Some(Note::NotSaved(format!("cannot write {path}: {error}")))
    }
}

type Sender = SyncSender<io::Result<Piece>>;

/// Reads to the end.
fn read(
    mut input: impl Read + Send + 'static,
    mut save: Option<Save>,
) -> Receiver<io::Result<Piece>> {
    let (sender, pieces) = mpsc::sync_channel(PIECES);
    thread::spawn(move || {
        let result = hand_on(&mut input, &mut save, &sender);
        if let Some(Err(error)) = result {
            let _ = sender.send(Err(error));
        }
    });
    pieces
}

/// Reads, and opens what is read again whenever it ends.
fn read_again<R: Read + Send + 'static>(
    mut input: R,
    open: impl Fn() -> io::Result<R> + Send + 'static,
    mut save: Option<Save>,
) -> Receiver<io::Result<Piece>> {
    let (sender, pieces) = mpsc::sync_channel(PIECES_OF_A_PORT);
    thread::spawn(move || {
        let note = |note| sender.send(Ok(Piece::Note(note))).is_ok();
        while hand_on(&mut input, &mut save, &sender).is_some() && note(Note::Disconnected) {
            input = loop {
                match open() {
                    Ok(input) => break input,
                    Err(_) => thread::sleep(RETRY),
                }
            };
            note(Note::Connected);
        }
    });
    pieces
}

/// The time from one attempt to open a port to the next.
const RETRY: Duration = Duration::from_millis(250);

/// Saves and sends what is read, up to the end or an error. `None` if nobody wants it any more.
fn hand_on(
    input: &mut impl Read,
    save: &mut Option<Save>,
    sender: &Sender,
) -> Option<io::Result<()>> {
    let mut buffer = [0; 4096];
    loop {
        let length = match input.read(&mut buffer) {
            Ok(0) => return Some(Ok(())),
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Some(Err(error)),
        };
        let bytes = &buffer[..length];
        if let Some(note) = save.as_mut().and_then(|save| save.write(bytes)) {
            sender.send(Ok(Piece::Note(note))).ok()?;
        }
        sender.send(Ok(Piece::Bytes(bytes.to_vec()))).ok()?;
    }
}

/// A program, and what to install if it is missing.
#[derive(Clone, Copy)]
struct Program {
    name: &'static str,
    package: &'static str,
}

const QEMU: Program = Program {
    name: "qemu-system-arm",
    package: "QEMU for Arm (Debian: qemu-system-arm)",
};

const NODE: Program = Program {
    name: "node",
    package: "Node.js 18 or later (Debian: nodejs)",
};

fn qemu(image: &Path, settings: &[String]) -> Command {
    let mut command = Command::new(QEMU.name);
    command.args("-machine netduinoplus2 -display none -monitor none -serial none".split(' '));
    command.args(["-icount", &format!("shift={ICOUNT_SHIFT}")]);
    let mut semihosting = String::from("enable=on,target=native,arg=learn");
    for setting in settings {
        semihosting += ",arg=";
        semihosting += &setting.replace(',', ",,");
    }
    command.args(["-semihosting-config", &semihosting]);
    command.arg("-kernel").arg(image);
    command
}

fn rp2040(image: &Path) -> Command {
    let lab = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(NODE.name);
    command.arg(lab.join("../examples/rp2040/emulator/run.mjs"));
    command.arg(image).args(["--telemetry", "-"]);
    command
}

struct Emulator {
    program: Program,
    child: Child,
    /// Becomes the last line that it wrote to its standard error.
    last_words: Option<JoinHandle<String>>,
}

impl Emulator {
    fn start(command: &mut Command, program: Program) -> Result<Emulator> {
        // Ctrl-C is for the one who watches, who then stops the emulator.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| {
            Error::Stream(match error.kind() {
                io::ErrorKind::NotFound => {
                    format!("{} is missing: install {}", program.name, program.package)
                }
                _ => format!("{} did not start: {error}", program.name),
            })
        })?;
        let last_words = child.stderr.take().map(last_line);
        Ok(Emulator {
            program,
            child,
            last_words,
        })
    }

    fn end(&mut self) -> Result<(), String> {
        let name = self.program.name;
        let status = self.child.wait().map_err(|e| format!("{name}: {e}"))?;
        if status.success() {
            return Ok(());
        }
        let words = self.last_words.take().and_then(|words| words.join().ok());
        match words.filter(|words| !words.is_empty()) {
            Some(words) => Err(format!("{name} ended with {status} ({words})")),
            None => Err(format!("{name} ended with {status}")),
        }
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The longest line of an emulator that is kept, in bytes.
const WORDS: u64 = 1 << 12;

fn last_line(output: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let (mut output, mut last) = (BufReader::new(output), String::new());
        let mut line = Vec::new();
        while matches!(
            output.by_ref().take(WORDS).read_until(b'\n', &mut line),
            Ok(1..)
        ) {
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            if !text.is_empty() {
                last = text;
            }
            line.clear();
        }
        last
    })
}
