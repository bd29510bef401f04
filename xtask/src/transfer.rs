//! A checkpoint from the lab to a Pico in rp2040js and back, by a UF2 file and over USB: to the bits of a run that
//! never left the lab.

use crate::silicon::{self, RP2040};
use crate::uf2;
use crate::user_tasks::new_flash;
use crate::watch::watch_bytes;
use crate::workspace::{self, lab};
use ipse_device::{Boot, Event, ITERATIONS, Reader};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

const IMAGE: &str = "forage";
/// What the lab has to be told to learn as the image does.
const AS_THE_IMAGE: &str = "--task foraging --algorithm ipse --evaluate-every 0";
/// The iterations after which the lab hands its run over, and those at its end. The board itself ends in between.
const FIRST: u32 = 150;
const LAST: u32 = 500;

const FLASH: usize = 2 * 1024 * 1024;
const FLASH_BEGINS: u32 = 0x1000_0000;
const LIMIT: Duration = Duration::from_secs(900);

/// As a second UF2 file, and back from the flash.
pub fn by_flash() -> Result<(), String> {
    let desk = Desk::new("transfer-flash")?;
    desk.lab("push run.ckpt --flash flash.uf2")?;
    let file = fs::read(desk.file("flash.uf2")).map_err(|error| error.to_string())?;
    let mut flash = vec![0xff; FLASH];
    for (address, page) in uf2::flash_of(&file)? {
        let offset = (address - FLASH_BEGINS) as usize;
        flash[offset..][..page.len()].copy_from_slice(&page);
    }
    fs::write(&desk.flash, flash).map_err(|error| error.to_string())?;

    let mut node = silicon::emulator(IMAGE)?;
    node.args(["--telemetry", "-", "--flash"]).arg(&desk.flash);
    let (mut boot, mut saved) = (None, None);
    let mut reader = Reader::new();
    watch_bytes(node, LIMIT, |bytes| {
        reader.read(bytes, |event| match event {
            Event::Booted(booted) => boot = Some(booted),
            Event::Saved(event) if event.is_saved() => saved = Some(event.iteration),
            _ => {}
        });
        match saved {
            Some(ITERATIONS) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    })?;
    if boot != Some(Boot::Resumed(FIRST)) {
        return Err(format!("the board has booted with {boot:?}"));
    }
    let flash = desk.flash.display();
    desk.lab(&format!("pull back.ckpt --flash {flash}"))?;
    desk.ends_as_if_it_had_stayed(ITERATIONS..ITERATIONS + 1)
}

/// Over the USB port, while the board learns.
pub fn by_usb() -> Result<(), String> {
    let desk = Desk::new("transfer-usb")?;
    let commands = desk.file("commands.bin");
    fs::write(&commands, []).map_err(|error| error.to_string())?;
    let mut node = silicon::emulator(IMAGE)?;
    node.args(["--telemetry", "-", "--usb", "--commands"]);
    node.arg(&commands).arg("--flash").arg(&desk.flash);

    let mut cable = Cable::new(&commands).map_err(|error| format!("no serial port: {error}"))?;
    let port = cable.port.clone();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let there_and_back = scope.spawn(|| {
            let pushed = desk.lab(&format!("push run.ckpt --serial {port}"));
            let pulled = pushed.and_then(|()| desk.lab(&format!("pull back.ckpt --serial {port}")));
            is_over.store(true, Relaxed);
            pulled
        });
        let emulated = watch_bytes(node, LIMIT, |bytes| {
            match cable.carry(bytes).is_err() || is_over.load(Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let there_and_back = there_and_back.join().map_err(|_| "it has panicked")?;
        emulated.and(there_and_back)
    })?;
    desk.ends_as_if_it_had_stayed(FIRST + 1..ITERATIONS)
}

/// A folder in which the lab works.
struct Desk {
    ipse: PathBuf,
    folder: PathBuf,
    flash: PathBuf,
}

impl Desk {
    /// One with the image, an erased flash, and the run of the lab that is handed over.
    fn new(name: &str) -> Result<Self, String> {
        workspace::run(RP2040.cargo(&format!("build --release --bin {IMAGE}")))?;
        let flash = new_flash(name, FLASH)?;
        let folder = flash.parent().ok_or("flash lies in a folder")?;
        let desk = Desk {
            ipse: lab()?,
            folder: folder.into(),
            flash: flash.clone(),
        };
        for file in ["run.ckpt", "back.ckpt"] {
            let _ = fs::remove_file(desk.file(file));
        }
        desk.train(&format!("--iterations {FIRST} --checkpoint run.ckpt"))?;
        Ok(desk)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn lab(&self, words: &str) -> Result<(), String> {
        let mut ipse = Command::new(&self.ipse);
        ipse.args(words.split(' ')).current_dir(&self.folder);
        workspace::run(ipse)
    }

    fn train(&self, words: &str) -> Result<(), String> {
        self.lab(&format!("train {AS_THE_IMAGE} {words}"))
    }

    /// The lab goes on from what the board gave back, which is of one of these iterations.
    fn ends_as_if_it_had_stayed(&self, board: std::ops::Range<u32>) -> Result<(), String> {
        let read = |name: &str| fs::read(self.file(name)).map_err(|error| error.to_string());
        let back = ipse::checkpoint::examine(&read("back.ckpt")?);
        println!("the board gave back {back:?}");
        if !back.is_ok_and(|iterations| board.contains(&iterations)) {
            return Err(format!("it should be of an iteration in {board:?}"));
        }
        self.train(&format!(
            "--iterations {LAST} --checkpoint back.ckpt --out back.json"
        ))?;
        self.train(&format!("--iterations {LAST} --out stayed.json"))?;
        match read("back.json")? == read("stayed.json")? {
            true => Ok(()),
            false => Err("it came to other bits than a run that never left the lab".into()),
        }
    }
}

/// A serial port of this machine, with the emulated board at its other end.
struct Cable {
    port: String,
    board: File,
    commands: File,
    /// As long as it is open, so is the port.
    _kept: File,
}

impl Cable {
    fn new(commands: &Path) -> std::io::Result<Self> {
        let board = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&board)?;
        unlockpt(&board)?;
        let port = ptsname(&board, Vec::new())?;
        let port = port.to_string_lossy().into_owned();
        fcntl_setfl(&board, fcntl_getfl(&board)? | OFlags::NONBLOCK)?;
        let kept = File::options().read(true).write(true).open(&port)?;
        let mut settings = tcgetattr(&kept)?;
        settings.make_raw();
        tcsetattr(&kept, OptionalActions::Now, &settings)?;
        Ok(Cable {
            port,
            board: board.into(),
            commands: File::options().append(true).open(commands)?,
            _kept: kept,
        })
    }

    /// Hands on what the board sends, as far as somebody reads it, and what it is told.
    fn carry(&mut self, sent: &[u8]) -> std::io::Result<()> {
        match self.board.write(sent) {
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
            _ => {}
        }
        let mut told = [0; 1024];
        match self.board.read(&mut told) {
            Ok(len) => self.commands.write_all(&told[..len]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }
}
