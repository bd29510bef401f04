//! Firmware for boards that one can buy, each in a folder and a workspace of its own.

use crate::setup::Need;
use crate::watch::watch;
use crate::workspace;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A board that one can buy.
pub struct Silicon {
    pub name: &'static str,
    folder: &'static str,
    /// Features that not every image has.
    pub features: &'static [&'static str],
    pub target: &'static str,
}

/// A Raspberry Pi Pico, which rp2040js emulates.
pub const RP2040: Silicon = Silicon {
    name: "RP2040",
    folder: "rp2040",
    features: &["storage"],
    target: "thumbv6m-none-eabi",
};

/// A Nucleo-F446RE, which nothing here can run.
pub const STM32F4: Silicon = Silicon {
    name: "STM32F4",
    folder: "stm32f4",
    features: &[],
    target: "thumbv7em-none-eabihf",
};

pub const NODE: Need = Need::Program {
    program: "node",
    package: "nodejs",
};
pub const NPM: Need = Need::Program {
    program: "npm",
    package: "npm",
};

/// An emulated run has no more cycles than this; the short one needs a third of it.
const CYCLES: &str = "2e9";

impl Silicon {
    fn source(&self) -> PathBuf {
        workspace::root().join("examples").join(self.folder)
    }

    /// Cargo in the folder of the board. Boards have images of the same name, so each has a place of
    /// its own for them.
    pub fn cargo(&self, arguments: &str) -> Command {
        let mut command = workspace::cargo(arguments);
        command.current_dir(self.source());
        command.env("CARGO_TARGET_DIR", workspace::target().join(self.folder));
        command
    }

    pub fn build(&self) -> Result<(), String> {
        workspace::run(self.cargo("build --release"))
    }

    /// Where an image is that was built.
    pub fn image(&self, name: &str) -> PathBuf {
        let images = workspace::target().join(self.folder).join(self.target);
        images.join("release").join(name)
    }
}

/// Runs an image on the emulated RP2040 until it has told its fingerprint, and returns that.
pub fn fingerprint(image: &str) -> Result<String, String> {
    let emulator = RP2040.source().join("emulator");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]);
    npm.current_dir(&emulator);
    workspace::run(npm)?;
    let mut node = Command::new("node");
    node.current_dir(&emulator)
        .arg("run.mjs")
        .arg(RP2040.image(image));
    node.args(["--until", "fingerprint", "--cycles", CYCLES]);
    let mut fingerprint = None;
    watch(node, Duration::from_secs(900), |line| {
        println!("{line}");
        if let Some((_, found)) = line.trim_end().split_once("fingerprint ") {
            fingerprint = Some(found.to_string());
        }
        Ok(())
    })?;
    fingerprint.ok_or_else(|| "the emulated RP2040 told no fingerprint".into())
}
