//! A Pico on a USB cable, in rp2040js: it tells by USB what it learns, and does what it is told.

use crate::silicon::{self, RP2040};
use crate::user_tasks::new_flash;
use crate::watch::watch_bytes;
use crate::workspace;
use ipse::prelude::*;
use ipse_device::{
    Command, Event, Fingerprint, MAX_COMMAND, Reader, Session, Settings, encode_command,
};
use ipse_tasks::Foraging;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

const IMAGE: &str = "forage";
const SEED: u64 = 7;
const LIMIT: Duration = Duration::from_secs(900);

/// The commands, one after the other: each is sent a few iterations after the board has obeyed the one before.
const COMMANDS: [Command; 5] = [
    Command::Seed(SEED),
    Command::Save,
    Command::Pause,
    Command::Continue,
    Command::Restart,
];
const ITERATIONS: u32 = 3;

/// A board that learns, is told to start again from another seed, to save, to pause, to go on and to restart, comes to the
/// bits of the host with that seed.
pub fn check() -> Result<(), String> {
    workspace::run(RP2040.cargo(&format!("build --release --bin {IMAGE}")))?;
    let flash = new_flash("usb", 2 * 1024 * 1024)?;
    let orders = flash.with_file_name("commands.bin");
    std::fs::write(&orders, []).map_err(|error| format!("{}: {error}", orders.display()))?;
    let mut node = silicon::emulator(IMAGE)?;
    node.args(["--telemetry", "-", "--usb", "--commands"]);
    node.arg(&orders).arg("--flash").arg(&flash);

    let mut host = Conversation::new(&orders);
    let mut reader = Reader::new();
    watch_bytes(node, LIMIT, |bytes| {
        reader.read(bytes, |event| host.hear(&event));
        match host.failure.is_some() || host.fingerprint.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    if let Some(failure) = host.failure {
        return Err(failure);
    }
    if host.obeyed != COMMANDS.len() || !host.is_saved {
        let (obeyed, is_saved) = (host.obeyed, host.is_saved);
        return Err(format!("{obeyed} commands were obeyed, saved: {is_saved}"));
    }
    let expected = on_host()?;
    println!("fingerprint after all commands: {expected}");
    match host.fingerprint == Some(expected) {
        true => Ok(()),
        false => Err(format!("fingerprint {:?}", host.fingerprint)),
    }
}

fn on_host() -> Result<Fingerprint, String> {
    let learner = Ipse::new().check().map_err(|invalid| invalid.to_string())?;
    let settings = Settings {
        seed: SEED,
        ..Settings::default()
    };
    let mut session = Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng));
    while !session.is_done() {
        session.slice();
    }
    Ok(session.fingerprint())
}

/// What the host on the other end of the cable has said and heard.
struct Conversation<'o> {
    orders: &'o Path,
    sent: usize,
    obeyed: usize,
    /// The number of iterations since the last command was obeyed.
    since: u32,
    is_saved: bool,
    fingerprint: Option<Fingerprint>,
    failure: Option<String>,
}

impl<'o> Conversation<'o> {
    fn new(orders: &'o Path) -> Self {
        Conversation {
            orders,
            sent: 0,
            obeyed: 0,
            since: 0,
            is_saved: false,
            fingerprint: None,
            failure: None,
        }
    }

    fn hear(&mut self, event: &Event<'_>) {
        let last = COMMANDS[..self.obeyed].last();
        let is_paused = last == Some(&Command::Pause);
        let is_new = matches!(last, Some(Command::Seed(_) | Command::Restart));
        match event {
            Event::Learned(_) if is_paused => {
                self.failure = Some("it learns while it is paused".into());
            }
            Event::Learned(learned) => {
                self.since += 1;
                if is_new && self.since == 1 && learned.iteration > ITERATIONS {
                    self.failure = Some("it did not start again".into());
                }
            }
            Event::Beat(_) if is_paused => self.since = ITERATIONS,
            Event::Saved(saved) => self.is_saved |= saved.failure.is_none() && saved.iteration > 0,
            Event::Obeyed(command) => {
                println!("{event}");
                if COMMANDS.get(self.obeyed) != Some(command) {
                    self.failure = Some(format!("it was not told to {command}"));
                }
                (self.obeyed, self.since) = (self.obeyed + 1, 0);
            }
            Event::Ended(ended) => self.fingerprint = Some(ended.fingerprint),
            _ => {}
        }
        if self.since >= ITERATIONS
            && self.sent == self.obeyed
            && let Some(command) = COMMANDS.get(self.sent)
        {
            self.sent += 1;
            self.failure = self.send(*command).err();
        }
    }

    fn send(&self, command: Command) -> Result<(), String> {
        let mut buffer = [0; MAX_COMMAND];
        let frame = encode_command(command, &mut buffer).ok_or("it has no room")?;
        let mut file = OpenOptions::new().append(true).open(self.orders);
        let written = file.as_mut().map(|file| file.write_all(frame));
        written.map(|_| ()).map_err(|error| error.to_string())
    }
}
