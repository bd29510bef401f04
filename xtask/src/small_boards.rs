//! Boards with 16 KiB of RAM that learn Tetris in QEMU, tell about it by their UART, and come to the bits of the host.

use crate::firmware::QEMU;
use crate::learning::{self, Profile};
use crate::parity::RISCV_QEMU;
use crate::setup::Need;
use crate::watch::watch_bytes;
use crate::workspace;
use ipse_device::{Event, Reader};
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Duration;

/// A folder of the examples whose one image has the same name.
#[derive(Clone, Copy)]
pub struct SmallBoard {
    pub name: &'static str,
    target: &'static str,
    qemu: Need,
    machine: &'static str,
}

pub const MICROBIT: SmallBoard = SmallBoard {
    name: "microbit",
    target: "thumbv6m-none-eabi",
    qemu: QEMU,
    machine: "microbit",
};

pub const HIFIVE1: SmallBoard = SmallBoard {
    name: "hifive1",
    target: "riscv32imac-unknown-none-elf",
    qemu: RISCV_QEMU,
    machine: "sifive_e",
};

/// After so many iterations the weights are compared. The first phase has a cap of 50, so both phases are seen.
const ITERATIONS: u32 = 56;
const LIMIT: Duration = Duration::from_secs(900);

impl SmallBoard {
    pub fn needs(&self) -> [Need; 2] {
        [Need::Target(self.target), self.qemu]
    }

    /// Cargo in the folder of the board.
    pub fn cargo(&self, arguments: &str) -> Command {
        let mut cargo = workspace::cargo(arguments);
        cargo.current_dir(workspace::root().join("examples").join(self.name));
        cargo.env("CARGO_TARGET_DIR", workspace::target().join(self.name));
        cargo
    }

    /// It is tidy, builds, and learns what the host learns.
    pub fn check(&self) -> Result<(), String> {
        workspace::run(self.cargo("fmt --check"))?;
        workspace::run(self.cargo("clippy --release -- -D warnings"))?;
        workspace::run(self.cargo("build --release"))?;
        let iterations = format!("iterations={ITERATIONS}");
        let host = learning::on_host(Profile::Release, &["algorithm=ipse", &iterations])?;
        let found = self.learn()?;
        println!("weights after {ITERATIONS} iterations: {found}");
        match host.text("weights")? {
            expected if expected == found => Ok(()),
            expected => Err(format!("weights {found}, but on the host {expected}")),
        }
    }

    /// The bits of the weights after some iterations.
    fn learn(&self) -> Result<String, String> {
        let mut reader = Reader::new();
        let mut weights = None;
        watch_bytes(self.qemu(), LIMIT, |bytes| {
            reader.read(bytes, |event| {
                if let Event::Learned(learned) = event
                    && learned.iteration == ITERATIONS
                {
                    let bits = learned.weights.iter();
                    let bits = bits.map(|weight| format!("{:08x}", weight.to_bits()));
                    weights = Some(bits.collect::<Vec<_>>().join(" "));
                }
            });
            match weights {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        match reader.skipped() {
            0 => weights.ok_or_else(|| "it has told no weights".into()),
            skipped => Err(format!("{skipped} bytes of telemetry were not read")),
        }
    }

    fn qemu(&self) -> Command {
        let Need::Program { program, .. } = self.qemu else {
            unreachable!("QEMU is a program");
        };
        let mut qemu = Command::new(program);
        qemu.args(["-machine", self.machine]);
        qemu.args("-display none -monitor none -serial stdio".split(' '));
        let image = workspace::target().join(self.name).join(self.target);
        qemu.arg("-kernel")
            .arg(image.join("release").join(self.name));
        qemu
    }
}
