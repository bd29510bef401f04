//! What learning takes of a board: flash, memory and time, for the table in the README.

mod elf;
mod figures;
mod readme;

use crate::bench::{self, Format};
use crate::firmware::{self, M4, QEMU, Time};
use crate::learning::{self, Profile};
use crate::setup::{self, Need};
use crate::workspace;
use elf::Footprint;
use figures::{Figures, json, table};
use std::path::PathBuf;

/// What an instruction takes on average on a Cortex-M4, whose cycles QEMU does not know.
const CYCLES_PER_INSTRUCTION: f64 = 1.35;
const M4_HZ: f64 = 168e6;

/// Measures, and writes the table into the README, or everything as JSON.
pub fn run(format: Format) -> Result<(), String> {
    let figures = measure()?;
    match format {
        Format::Json => println!("{}", json(&figures)),
        Format::Text => {
            let table = table(&figures);
            print!("{table}");
            readme::rewrite(&table)?;
        }
    }
    Ok(())
}

/// Fails if the table in the README is out of date by more than noise.
pub fn check() -> Result<(), String> {
    readme::compare(&table(&measure()?))
}

fn measure() -> Result<Vec<Figures>, String> {
    setup::require(&[Need::Target(M4.target), QEMU])?;
    Ok(vec![emulated_m4()?])
}

fn emulated_m4() -> Result<Figures, String> {
    M4.build()?;
    let host = learning::on_host(Profile::Release, &[])?;
    let bare = M4.learn("parity", &[], Time::COUNTING)?;
    let firmware = M4.learn("learn", &["pieces=0"], Time::M4)?;
    learning::same(&host, &bare)?;
    learning::same(&host, &firmware)?;
    let sums = bench::Host::build()?.sums()?;
    let decision = bench::instructions_per("decision", &bench::on_board(&M4, &sums)?)?;
    let instructions = bare.get("instructions")?;
    Ok(Figures {
        board: "STM32F405, emulated by QEMU",
        key: "stm32f405",
        unit: "instructions",
        logging: Footprint::of(&M4.image("learn"))?,
        silent: Footprint::of(&silent_image()?)?,
        agent: firmware.get("agent_bytes")?,
        stack: firmware.get("stack_bytes")?,
        decision,
        run: instructions,
        seconds: instructions * CYCLES_PER_INSTRUCTION / M4_HZ,
        hz: M4_HZ,
    })
}

/// The firmware that learns, without anything to tell it by.
fn silent_image() -> Result<PathBuf, String> {
    let folder = workspace::target().join("firmware/silent");
    let arguments = "build --release --no-default-features --bin learn --target";
    let mut command = firmware::cargo(&format!("{arguments} {}", M4.target));
    command.env("CARGO_TARGET_DIR", &folder);
    workspace::run(command)?;
    Ok(folder.join(M4.target).join("release/learn"))
}
