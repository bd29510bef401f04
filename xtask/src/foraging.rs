//! A task of a user on an emulated board: it is learned and saved, tells of it, and is resumed.

use crate::firmware::{FORAGE, M4, Time};
use crate::silicon::{self, RP2040};
use crate::watch::watch_bytes;
use crate::workspace;
use ipse_device::{Boot, Ended, Event, Reader};
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

const TASK: &str = "foraging";
/// The features, and the signs that their weights must have.
const FEATURES: [(&str, i8); 3] = [("seeds", 1), ("distance", -1), ("owls", -1)];
/// The emulated board takes less than a minute.
const LIMIT: Duration = Duration::from_secs(900);

/// On an RP2040 in rp2040js.
pub fn on_rp2040() -> Result<(), String> {
    let build = format!("build --release --bin {FORAGE}");
    workspace::run(RP2040.cargo(&build))?;
    let flash = new_flash(2 * 1024 * 1024)?;
    twice(|| {
        let mut node = silicon::emulator(FORAGE)?;
        node.args(["--telemetry", "-", "--flash"]).arg(&flash);
        Ok(node)
    })
}

/// On an STM32F405 in QEMU, whose flash is a file where it was started.
pub fn on_stm32f405() -> Result<(), String> {
    M4.build_example()?;
    let flash = new_flash(0)?;
    twice(|| {
        let mut qemu = M4.qemu(FORAGE, &["actions=3"], Time::M4);
        qemu.current_dir(flash.parent().ok_or("flash lies in a folder")?);
        Ok(qemu)
    })
}

/// Flash as it comes from the factory, with so many bytes.
fn new_flash(bytes: usize) -> Result<PathBuf, String> {
    let folder = workspace::target().join(FORAGE);
    let refused = |error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(refused)?;
    let flash = folder.join("flash.bin");
    fs::write(&flash, vec![0xff; bytes]).map_err(refused)?;
    Ok(flash)
}

/// Turns the board on twice, with the same flash.
fn twice(board: impl Fn() -> Result<Command, String>) -> Result<(), String> {
    let first = Heard::from(board()?, |heard| heard.ended.is_some() && heard.saves > 0)?;
    first.check_names()?;
    first.check_weights()?;
    let learned = first.ended.as_ref().map(|ended| ended.iterations);
    if first.boot != Some(Boot::New) {
        return Err(format!("a new board has booted with {:?}", first.boot));
    }
    let second = Heard::from(board()?, |heard| {
        heard.ended.is_some() && heard.boot.is_some()
    })?;
    match second.boot {
        Some(Boot::Resumed(iterations)) if Some(iterations) == learned => {}
        boot => return Err(format!("{learned:?} iterations were saved, but {boot:?}")),
    }
    match second.ended.map(timeless) == first.ended.map(timeless) {
        true => Ok(()),
        false => Err("what was resumed is not what was saved".into()),
    }
}

/// The result, whatever time it took.
fn timeless(ended: Ended) -> Ended {
    Ended { micros: 0, ..ended }
}

/// What a board has told.
#[derive(Default)]
struct Heard {
    task: String,
    features: Vec<String>,
    boot: Option<Boot>,
    /// The signs of the directions after the last iteration.
    directions: Vec<i8>,
    saves: u32,
    ended: Option<Ended>,
}

impl Heard {
    /// Lets the emulated board go on until it has told enough.
    fn from(board: Command, is_enough: impl Fn(&Heard) -> bool) -> Result<Heard, String> {
        let mut heard = Heard::default();
        let mut reader = Reader::new();
        watch_bytes(board, LIMIT, |bytes| {
            reader.read(bytes, |event| heard.hear(event));
            match is_enough(&heard) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        match reader.skipped() {
            0 => Ok(heard),
            skipped => Err(format!("{skipped} bytes of telemetry were not read")),
        }
    }

    fn hear(&mut self, event: Event<'_>) {
        match event {
            Event::Hello(hello) => {
                self.task = hello.task.into();
                let names = hello.features.iter().map(|feature| feature.name.into());
                self.features = names.collect();
            }
            Event::Booted(boot) => {
                println!("{boot}");
                self.boot = Some(boot);
            }
            Event::Learned(learned) => {
                let signs = learned.directions.iter().map(|direction| direction.sign());
                self.directions = signs.collect();
            }
            Event::Saved(saved) => {
                println!("{saved}");
                self.saves += u32::from(saved.is_saved);
            }
            Event::Ended(ended) if self.ended.is_none() => {
                println!("{ended}");
                self.ended = Some(ended);
            }
            _ => {}
        }
    }

    fn check_names(&self) -> Result<(), String> {
        let names = FEATURES.map(|(name, _)| name);
        match self.task == TASK && self.features == names {
            true => Ok(()),
            false => Err(format!(
                "the board learns {} of {:?}, but should learn {TASK} of {names:?}",
                self.task, self.features
            )),
        }
    }

    /// Directions may be undecided, since the first phase is capped; none may be wrong.
    fn check_weights(&self) -> Result<(), String> {
        let weights = self.ended.iter().flat_map(|ended| &ended.weights);
        let found: Vec<(&i8, &f32)> = self.directions.iter().zip(weights).collect();
        let is_right = |((_, sign), (direction, weight)): (&(&str, i8), &(&i8, &f32))| {
            **direction != -sign && f32::from(*sign) * **weight > 0.0
        };
        match found.len() == FEATURES.len() && FEATURES.iter().zip(&found).all(is_right) {
            true => Ok(()),
            false => Err(format!("wrong directions and weights: {found:?}")),
        }
    }
}
