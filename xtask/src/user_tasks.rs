//! Tasks of a user on emulated boards: they are learned and saved, tell of it, and are resumed.

use crate::firmware::{FORAGE, M4, SENSOR, Time};
use crate::sensor_node;
use crate::silicon::{self, RP2040};
use crate::watch::watch_bytes;
use crate::workspace;
use ipse_device::{Acted, Boot, Ended, Event, Reader};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// An emulated board takes less than a minute.
const LIMIT: Duration = Duration::from_secs(900);

/// An image that learns a task, and what must come of it.
pub struct Image {
    name: &'static str,
    task: &'static str,
    /// The features, and the signs that their weights must have, 0 for any.
    features: &'static [(&'static str, i8)],
    /// The calls of its search, if it is one, and not those that it is built with.
    calls: Option<u32>,
    /// The number of actions to wait for, after it was resumed.
    actions: u32,
    /// What else has to be true of the first and the second time that the board is turned on.
    check: fn(&Heard, &Heard) -> Result<(), String>,
}

pub const FORAGING: Image = Image {
    name: FORAGE,
    task: "foraging",
    features: &[("seeds", 1), ("distance", -1), ("owls", -1)],
    calls: None,
    actions: 0,
    check: |_, _| Ok(()),
};

/// With so few calls it does not learn yet what a good link is worth.
pub const SENSOR_NODE: Image = Image {
    name: SENSOR,
    task: "sensor-node",
    features: &[
        ("record", 1),
        ("waiting", -1),
        ("energy", 0),
        ("radio premium", 0),
        ("scarcity", -1),
        ("surplus", 1),
        ("reserve", -1),
        ("overdraft", -1),
    ],
    calls: Some(sensor_node::CALLS),
    actions: sensor_node::HOURS,
    check: sensor_node::check,
};

impl Image {
    /// On an RP2040 in rp2040js.
    pub fn on_rp2040(&self) -> Result<(), String> {
        workspace::run(self.build_for_rp2040())?;
        let flash = new_flash(self.name, 2 * 1024 * 1024)?;
        self.twice(|| {
            let mut node = silicon::emulator(self.name)?;
            node.args(["--telemetry", "-", "--flash"]).arg(&flash);
            Ok(node)
        })
    }

    /// Cargo that builds it with its number of calls, which an RP2040 cannot be told otherwise.
    pub fn build_for_rp2040(&self) -> Command {
        let mut build = RP2040.cargo(&format!("build --release --bin {}", self.name));
        if let Some(calls) = self.calls {
            build.env("IPSE_CALLS", calls.to_string());
        }
        build
    }

    /// On an STM32F405 in QEMU, whose flash is a file where it was started.
    pub fn on_stm32f405(&self) -> Result<(), String> {
        M4.build_example()?;
        let flash = new_flash(self.name, 0)?;
        let mut words = vec![format!("actions={}", self.actions.max(3))];
        words.extend(self.calls.map(|calls| format!("calls={calls}")));
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        self.twice(|| {
            let mut qemu = M4.qemu(self.name, &words, Time::M4);
            qemu.current_dir(flash.parent().ok_or("flash lies in a folder")?);
            Ok(qemu)
        })
    }

    /// Turns the board on twice, with the same flash.
    fn twice(&self, board: impl Fn() -> Result<Command, String>) -> Result<(), String> {
        let first = Heard::from(board()?, |heard| heard.ended.is_some() && heard.saves > 0)?;
        self.check_names(&first)?;
        self.check_weights(&first)?;
        let learned = first.ended.as_ref().map(|ended| ended.iterations);
        if first.boot != Some(Boot::New) {
            return Err(format!("a new board has booted with {:?}", first.boot));
        }
        let second = Heard::from(board()?, |heard| {
            heard.ended.is_some() && heard.boot.is_some() && heard.actions() >= self.actions
        })?;
        match second.boot {
            Some(Boot::Resumed(iterations)) if Some(iterations) == learned => {}
            boot => return Err(format!("{learned:?} iterations were saved, but {boot:?}")),
        }
        if second.ended.as_ref().map(timeless) != first.ended.as_ref().map(timeless) {
            return Err("what was resumed is not what was saved".into());
        }
        (self.check)(&first, &second)
    }

    fn check_names(&self, heard: &Heard) -> Result<(), String> {
        let names: Vec<_> = self.features.iter().map(|(name, _)| *name).collect();
        match heard.task == self.task && heard.features == names {
            true => Ok(()),
            false => Err(format!(
                "the board learns {} of {:?}, but should learn {} of {names:?}",
                heard.task, heard.features, self.task
            )),
        }
    }

    /// Directions may be undecided, since the first phase is capped, or not learned at all; none may be wrong.
    fn check_weights(&self, heard: &Heard) -> Result<(), String> {
        let weights = heard.ended.iter().flat_map(|ended| &ended.weights);
        let found: Vec<(&i8, &f32)> = heard.directions.iter().zip(weights).collect();
        let is_right = |((_, sign), (direction, weight)): (&(&str, i8), &(&i8, &f32))| {
            *sign == 0 || **direction != -sign && f32::from(*sign) * **weight > 0.0
        };
        match found.len() == self.features.len() && self.features.iter().zip(&found).all(is_right) {
            true => Ok(()),
            false => Err(format!("wrong directions and weights: {found:?}")),
        }
    }
}

/// Flash as it comes from the factory, with so many bytes, as a file in a folder of this name.
pub fn new_flash(folder: &str, bytes: usize) -> Result<PathBuf, String> {
    let folder = workspace::target().join(folder);
    let refused = |error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(refused)?;
    let flash = folder.join("flash.bin");
    fs::write(&flash, vec![0xff; bytes]).map_err(refused)?;
    Ok(flash)
}

/// The result, whatever time it took.
fn timeless(ended: &Ended) -> Ended {
    Ended {
        micros: 0,
        ..ended.clone()
    }
}

/// What a board has told.
#[derive(Default)]
pub struct Heard {
    task: String,
    features: Vec<String>,
    boot: Option<Boot>,
    /// The signs of the directions after the last iteration.
    directions: Vec<i8>,
    saves: u32,
    /// The actions so far, and how many of them it has taken before everything was learned.
    pub acted: Vec<Acted>,
    pub acted_while_learning: usize,
    pub ended: Option<Ended>,
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
        heard.whole(&reader)
    }

    /// What a board has told in a file.
    pub fn in_file(file: &Path) -> Result<Heard, String> {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut heard = Heard::default();
        let mut reader = Reader::new();
        reader.read(&bytes, |event| heard.hear(event));
        heard.whole(&reader)
    }

    fn whole(self, reader: &Reader) -> Result<Heard, String> {
        match reader.skipped() {
            0 => Ok(self),
            skipped => Err(format!("{skipped} bytes of telemetry were not read")),
        }
    }

    /// The number of actions so far.
    fn actions(&self) -> u32 {
        self.acted.last().map_or(0, |acted| acted.actions)
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
                self.acted_while_learning = self.acted.len();
            }
            Event::Saved(saved) => {
                println!("{saved}");
                self.saves += u32::from(saved.is_saved());
            }
            Event::Ended(ended) if self.ended.is_none() => {
                println!("{ended}");
                self.ended = Some(ended);
            }
            Event::Acted(acted) => self.acted.push(acted),
            _ => {}
        }
    }
}
