//! Firmware and the emulated boards that it runs on.

use crate::readings::Readings;
use crate::setup::Need;
use crate::watch::{watch, watch_errors};
use crate::workspace;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The library that the fit's logarithms come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Math {
    Libm,
    /// By the feature `fast-math`.
    Micromath,
}

impl Math {
    /// What cargo has to be told.
    pub fn features(self) -> &'static str {
        match self {
            Math::Libm => "",
            Math::Micromath => " --features fast-math",
        }
    }

    /// Where builds go, so that none takes the place of another.
    pub fn target(self) -> PathBuf {
        match self {
            Math::Libm => workspace::target(),
            Math::Micromath => workspace::target().join("fast-math"),
        }
    }
}

/// An emulated board, and what its code is compiled for.
#[derive(Clone, Copy)]
pub struct Board {
    pub core: &'static str,
    pub machine: &'static str,
    pub target: &'static str,
    pub math: Math,
}

/// An STM32F405, the default board.
pub const M4: Board = Board {
    core: "Cortex-M4",
    machine: "netduinoplus2",
    target: "thumbv7em-none-eabihf",
    math: Math::Libm,
};

/// QEMU has no Cortex-M0+ with enough memory; this Cortex-M3 runs its code, instruction by
/// instruction the same.
pub const M0: Board = Board {
    core: "Cortex-M0+",
    machine: "mps2-an385",
    target: "thumbv6m-none-eabi",
    math: Math::Libm,
};

/// A board of Arm with a Cortex-M33.
pub const M33: Board = Board {
    core: "Cortex-M33",
    machine: "mps2-an505",
    target: "thumbv8m.main-none-eabihf",
    math: Math::Libm,
};

/// A Cortex-M0 with little memory. The small images for `M0` run here too, and what is below the
/// stack is not there, as on a board; the other machine would ignore what is written to it.
pub const SMALL_M0: Board = Board {
    core: "Cortex-M0",
    machine: "microbit",
    ..M0
};

pub const QEMU: Need = Need::Program {
    program: "qemu-system-arm",
    package: "qemu-system-arm",
};

/// What time is on an emulated board: every instruction takes 2ⁿ nanoseconds, and sleeping takes none
/// of the wall clock's.
#[derive(Clone, Copy)]
pub struct Time(pub u8);

impl Time {
    /// A nanosecond is an instruction.
    pub const COUNTING: Time = Time(0);
    /// About 125 million instructions a second, which is what a Cortex-M4 does at 168 MHz if an
    /// instruction takes 1.35 cycles.
    pub const M4: Time = Time(3);

    pub fn instructions_per_microsecond(self) -> f64 {
        1000.0 / f64::from(1u32 << self.0)
    }
}

/// The folder of the firmware that a user copies, which learns.
const EXAMPLE: &str = "examples/emulated";
/// The folder of the firmware that only tests need.
const TESTS: &str = "host-tests/firmware/emulated";
/// The images of the example: Tetris as in the paper, by a search, and two tasks of a user.
pub const LEARN: &str = "learn";
pub const SURVIVE: &str = "survive";
pub const FORAGE: &str = "forage";
pub const SENSOR: &str = "node";
const EXAMPLES: [&str; 4] = [LEARN, SURVIVE, FORAGE, SENSOR];

/// Cargo in the folder of the test firmware, with arguments as one would type them.
pub fn cargo(arguments: &str) -> Command {
    in_folder(TESTS, "firmware", arguments)
}

/// Cargo in the folder of the example.
pub fn example(arguments: &str) -> Command {
    in_folder(EXAMPLE, "example", arguments)
}

fn in_folder(folder: &str, target: &str, arguments: &str) -> Command {
    let mut command = workspace::cargo(arguments);
    command.current_dir(workspace::root().join(folder));
    command.env("CARGO_TARGET_DIR", workspace::target().join(target));
    command
}

impl Board {
    /// Builds all images of the example.
    pub fn build_example(&self) -> Result<(), String> {
        let build = format!("build --release --target {}", self.target);
        workspace::run(example(&build))
    }

    /// Builds one image of the example.
    pub fn build_image(&self, image: &str) -> Result<(), String> {
        let build = format!("build --release --bin {image} --target {}", self.target);
        workspace::run(example(&build))
    }

    /// Builds the test firmware for the board.
    pub fn build(&self) -> Result<(), String> {
        let features = self.math.features();
        let mut command = cargo(&format!(
            "build --release --target {}{features}",
            self.target
        ));
        command.env("CARGO_TARGET_DIR", self.folder());
        workspace::run(command)
    }

    /// The same board with firmware that uses other functions.
    pub const fn with(self, math: Math) -> Board {
        Board { math, ..self }
    }

    fn folder(&self) -> PathBuf {
        self.math.target().join("firmware")
    }

    /// Builds the firmware that keeps checkpoints and restarts.
    pub fn build_durable(&self) -> Result<(), String> {
        let build = "build --release --features storage --bin durable --target";
        workspace::run(cargo(&format!("{build} {}", self.target)))
    }

    /// Runs firmware that was built to its end and returns what it wrote.
    pub fn output(&self, firmware: &str, time: Time) -> Result<String, String> {
        let mut output = String::new();
        let collect = |line: &str| {
            output.push_str(line);
            output.push('\n');
            Ok(())
        };
        match self.run(firmware, time, Duration::from_secs(60), collect) {
            Ok(()) => Ok(output),
            Err(message) => Err(format!("{output}{message}")),
        }
    }

    /// Runs firmware that learns, with settings as words, and returns what it came to. If it has
    /// telemetry, that is lost.
    pub fn learn(&self, firmware: &str, words: &[&str], time: Time) -> Result<Readings, String> {
        let qemu = self.qemu(firmware, words, time);
        let readings = match firmware {
            LEARN => self.figures(qemu),
            _ => self.readings(qemu),
        };
        readings.map_err(|message| format!("{firmware}: {message}"))
    }

    /// Runs firmware that was built to its end and hands on every line that it writes.
    pub fn run(
        &self,
        firmware: &str,
        time: Time,
        limit: Duration,
        hand_on: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<(), String> {
        watch(self.qemu(firmware, &[], time), limit, hand_on)
            .map_err(|message| format!("{firmware} on {}: {message}", self.machine))
    }

    /// QEMU as this board, with settings as words.
    pub fn qemu(&self, firmware: &str, words: &[&str], time: Time) -> Command {
        let mut command = self.machine(firmware, words, time);
        command.arg("-kernel").arg(self.image(firmware));
        command
    }

    /// QEMU as this board, with an image from elsewhere.
    pub fn qemu_with(&self, image: &Path, words: &[&str], time: Time) -> Command {
        let mut command = self.machine(LEARN, words, time);
        command.arg("-kernel").arg(image);
        command
    }

    /// Runs QEMU to its end and returns the figures that its image writes to the standard error.
    pub fn figures(&self, qemu: Command) -> Result<Readings, String> {
        self.collect(|limit, collect| watch_errors(qemu, limit, collect))
    }

    /// Runs QEMU to its end and returns all that its image writes.
    pub fn readings(&self, qemu: Command) -> Result<Readings, String> {
        self.collect(|limit, collect| watch(qemu, limit, collect))
    }

    fn collect(
        &self,
        watch: impl FnOnce(Duration, &mut dyn FnMut(&str) -> Result<(), String>) -> Result<(), String>,
    ) -> Result<Readings, String> {
        let mut output = String::new();
        let mut collect = |line: &str| {
            output.push_str(line);
            output.push('\n');
            Ok(())
        };
        match watch(Duration::from_secs(600), &mut collect) {
            Ok(()) => Readings::parse(&output),
            Err(message) => Err(format!("{output}on {}: {message}", self.machine)),
        }
    }

    fn machine(&self, firmware: &str, words: &[&str], time: Time) -> Command {
        let mut command = Command::new(match self.target.starts_with("riscv32") {
            true => "qemu-system-riscv32",
            false => "qemu-system-arm",
        });
        command.args(["-machine", self.machine]);
        command.args("-display none -monitor none -serial none".split(' '));
        let mut semihosting = format!("enable=on,target=native,arg={firmware}");
        for word in words {
            semihosting += &format!(",arg={word}");
        }
        command.args(["-semihosting-config", &semihosting]);
        command.args(["-icount", &format!("shift={},sleep=off", time.0)]);
        command
    }

    /// Where firmware is that was built.
    pub fn image(&self, firmware: &str) -> PathBuf {
        let folder = match firmware {
            _ if EXAMPLES.contains(&firmware) => workspace::target().join("example"),
            _ => self.folder(),
        };
        folder.join(self.target).join("release").join(firmware)
    }
}
