//! Where the bytes come from: a file, standard input, or an emulator, which does not outlive its
//! source.

use super::Args;
use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long an instruction takes, as a power of two of nanoseconds: an STM32F405 at 168 MHz needs
/// 1.35 cycles for one, which is 8 ns. So time passes as on that board, however fast the host is.
const ICOUNT_SHIFT: u8 = 3;

pub struct Source {
    name: &'static str,
    bytes: Receiver<io::Result<Vec<u8>>>,
    emulator: Option<Emulator>,
}

impl Source {
    pub fn open(args: &Args) -> Result<Source> {
        let elf = args.elf.as_deref().unwrap_or(Path::new(""));
        if args.qemu {
            return Source::emulator("an emulated STM32F405", qemu(elf, &args.settings), QEMU);
        }
        if args.rp2040 {
            return Source::emulator("an emulated RP2040", rp2040(elf), NODE);
        }
        let input: Box<dyn Read + Send> = match &args.input {
            Some(file) => Box::new(File::open(file).map_err(|error| {
                Error::Stream(format!("{}: cannot read: {error}", file.display()))
            })?),
            None if io::stdin().is_terminal() => {
                return Err(Error::Option(
                    "nothing to watch: give --qemu, --rp2040 or --input FILE, or pipe frames in"
                        .into(),
                ));
            }
            None => Box::new(io::stdin()),
        };
        Ok(Source {
            name: "a board",
            bytes: read(input),
            emulator: None,
        })
    }

    fn emulator(name: &'static str, mut command: Command, program: Program) -> Result<Source> {
        let mut emulator = Emulator::start(&mut command, program)?;
        let output = emulator.child.stdout.take();
        Ok(Source {
            name,
            bytes: read(output.ok_or_else(|| io::Error::other("there is no pipe"))?),
            emulator: Some(emulator),
        })
    }

    /// What learns there.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The next bytes: none of them if there are none yet, and `None` if there will be none.
    pub fn next(&self, patience: Duration) -> Result<Option<Vec<u8>>> {
        match self.bytes.recv_timeout(patience) {
            Ok(bytes) => Ok(Some(bytes?)),
            Err(RecvTimeoutError::Timeout) => Ok(Some(Vec::new())),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
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

fn read(mut input: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, bytes) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        loop {
            let read = match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => Ok(buffer[..length].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            if sender.send(read).is_err() {
                break;
            }
        }
    });
    bytes
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

fn qemu(elf: &Path, settings: &[String]) -> Command {
    let mut command = Command::new(QEMU.name);
    command.args("-machine netduinoplus2 -display none -monitor none -serial none".split(' '));
    command.args(["-icount", &format!("shift={ICOUNT_SHIFT}")]);
    let mut semihosting = String::from("enable=on,target=native,arg=learn");
    for setting in settings {
        semihosting += ",arg=";
        semihosting += &setting.replace(',', ",,");
    }
    command.args(["-semihosting-config", &semihosting]);
    command.arg("-kernel").arg(elf);
    command
}

fn rp2040(elf: &Path) -> Command {
    let lab = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(NODE.name);
    command.arg(lab.join("../examples/rp2040/emulator/run.mjs"));
    command.args([
        elf.as_os_str(),
        &OsString::from("--rtt"),
        &OsString::from("-"),
    ]);
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

fn last_line(output: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        BufReader::new(output)
            .split(b'\n')
            .map_while(io::Result::ok)
            .map(|line| String::from_utf8_lossy(&line).trim().to_owned())
            .filter(|line| !line.is_empty())
            .last()
            .unwrap_or_default()
    })
}
