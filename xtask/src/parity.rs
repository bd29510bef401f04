//! The same run on every machine at hand, which must come to the same bits.

use crate::firmware::{Board, M0, M4, M33, Math, QEMU, SMALL_M0, Time};
use crate::learning::{self, Profile};
use crate::readings::Readings;
use crate::setup::{self, Need};
use crate::silicon::{self, NODE, NPM, RP2040};
use crate::workspace;
use std::path::PathBuf;
use std::process::Command;

/// The run: the IPSE of the paper, in which both phases are equally long.
const WORDS: [&str; 1] = ["parity"];

const M3: Board = Board {
    core: "Cortex-M3",
    machine: "mps2-an385",
    target: "thumbv7m-none-eabi",
    math: Math::Libm,
};
const RV32: Board = Board {
    core: "RV32IMAC",
    machine: "sifive_e",
    target: "riscv32imac-unknown-none-elf",
    math: Math::Libm,
};
const WASM: &str = "wasm32-unknown-unknown";

pub const NEEDS: [Need; 10] = [
    Need::Target(M0.target),
    Need::Target(M3.target),
    Need::Target(M4.target),
    Need::Target(M33.target),
    Need::Target(RV32.target),
    Need::Target(WASM),
    QEMU,
    RISCV_QEMU,
    NODE,
    NPM,
];

/// QEMU for RISC-V.
pub const RISCV_QEMU: Need = Need::Program {
    program: "qemu-system-riscv32",
    package: "qemu-system-misc",
};

/// Somewhere to learn.
struct Machine {
    name: String,
    /// What of the result it tells.
    tells: &'static [&'static str],
    learn: Box<dyn Fn() -> Result<Readings, String>>,
}

/// Everything that can be compared, and what a board tells that has little room for words.
const ALL: [&str; 6] = [
    "fingerprint",
    "weights",
    "calls",
    "reward",
    "episodes",
    "checkpoint",
];
const FINGERPRINT: [&str; 1] = ["fingerprint"];

/// Prints machine and fingerprint, one a line.
pub fn run() -> Result<(), String> {
    setup::require(&NEEDS)?;
    check()
}

/// The same, where everything is installed.
pub fn check() -> Result<(), String> {
    let expected = learning::on_host(Profile::Release, &WORDS)?;
    compare(&expected, &machines())
}

/// Tells about every machine, and fails if any differs.
fn compare(expected: &Readings, machines: &[Machine]) -> Result<(), String> {
    let mut failures = Vec::new();
    for machine in machines {
        let found = (machine.learn)();
        let text = |readings: &Readings| readings.text("fingerprint").map(str::to_string);
        let told = found.as_ref().map_err(Clone::clone).and_then(text);
        let result = found.and_then(|found| learning::same_in(machine.tells, expected, &found));
        let told = told.unwrap_or_else(|_| "nothing".into());
        let verdict = if result.is_ok() { "" } else { "  DIFFERS" };
        println!("{:34} {told}{verdict}", machine.name);
        if let Err(message) = result {
            failures.push(format!("{}: {message}", machine.name));
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failures.join("\n")),
    }
}

fn machines() -> Vec<Machine> {
    let machine = |name: &str, learn: Box<dyn Fn() -> Result<Readings, String>>| Machine {
        name: name.into(),
        tells: &ALL,
        learn,
    };
    let host = |name: &str, profile: Profile| {
        let name = format!("{}, {name}", std::env::consts::ARCH);
        machine(&name, Box::new(move || learning::on_host(profile, &WORDS)))
    };
    let in_qemu = |board: Board, learn: fn(&Board) -> Result<Readings, String>| {
        let name = format!("{}, QEMU {}", board.core, board.machine);
        machine(&name, Box::new(move || learn(&board)))
    };
    // Boards that have test firmware of their own, which is built anyway.
    let on_board = |board: &Board| learning::on_board(board, &WORDS);
    vec![
        host("debug", Profile::Debug),
        host("release", Profile::Release),
        machine("wasm32, node", Box::new(in_node)),
        in_qemu(SMALL_M0, alone),
        in_qemu(M0, on_board),
        in_qemu(M3, alone),
        in_qemu(M4, on_board),
        in_qemu(M33, alone),
        in_qemu(RV32, alone),
        Machine {
            tells: &FINGERPRINT,
            ..machine("RP2040, rp2040js", Box::new(on_rp2040))
        },
    ]
}

/// Builds the image that needs nothing but a core.
fn build(target: &str) -> Result<PathBuf, String> {
    let mut cargo = cargo(&format!("build --release --target {target}"));
    cargo.arg("--quiet");
    workspace::run(cargo)?;
    let file = if target == WASM {
        "parity.wasm"
    } else {
        "parity"
    };
    Ok(folder().join(target).join("release").join(file))
}

/// Cargo in its folder.
pub fn cargo(arguments: &str) -> Command {
    let mut cargo = workspace::cargo(arguments);
    cargo.current_dir(workspace::root().join("host-tests/firmware/parity"));
    cargo.env("CARGO_TARGET_DIR", folder());
    cargo
}

fn folder() -> PathBuf {
    workspace::target().join("parity")
}

fn alone(board: &Board) -> Result<Readings, String> {
    let image = build(board.target)?;
    board.readings(board.qemu_with(&image, &WORDS, Time::COUNTING))
}

fn in_node() -> Result<Readings, String> {
    let module = build(WASM)?;
    let mut node = Command::new("node");
    node.arg(workspace::root().join("host-tests/firmware/parity/run.mjs"));
    node.arg(module).args(WORDS);
    Readings::parse(&workspace::output(node)?)
}

fn on_rp2040() -> Result<Readings, String> {
    let build = RP2040.cargo_tests("build --release --bin parity");
    build.map_or(Ok(()), workspace::run)?;
    silicon::short_run()?.readings()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(name: &str, readings: Result<&'static str, &'static str>) -> Machine {
        Machine {
            name: name.into(),
            tells: &FINGERPRINT,
            learn: Box::new(move || Readings::parse(readings?)),
        }
    }

    #[test]
    fn a_machine_that_differs_fails_by_name_and_so_does_one_that_tells_nothing() {
        let expected = Readings::parse("fingerprint 0f").unwrap();
        let right = || machine("right", Ok("fingerprint 0f"));
        assert_eq!(compare(&expected, &[right()]), Ok(()));
        for wrong in [Ok("fingerprint 0e"), Ok("calls 3"), Err("it crashed")] {
            let machines = [right(), machine("wrong", wrong), right()];
            let message = compare(&expected, &machines).unwrap_err();
            assert!(message.starts_with("wrong: "), "{message}");
        }
    }

    #[test]
    fn the_machines_that_are_promised_are_there() {
        let machines = machines();
        for promised in [
            "debug",
            "release",
            "wasm32",
            "Cortex-M0,",
            "Cortex-M0+",
            "Cortex-M3,",
            "Cortex-M4",
            "Cortex-M33",
            "RV32",
            "RP2040",
        ] {
            let is_there = machines
                .iter()
                .any(|machine| machine.name.contains(promised));
            assert!(is_there, "{promised}");
        }
    }
}
