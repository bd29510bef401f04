//! What learning takes of a board: flash, memory and time, for the table in the README.

mod budget;
mod elf;
mod figures;
mod readme;

use crate::bench::{self, Format};
use crate::firmware::{self, M4, QEMU, Time};
use crate::learning::{self, Profile};
use crate::setup::{self, Need};
use crate::silicon::{self, NODE, NPM, RP2040, STM32F4, Silicon};
use crate::workspace;
use elf::Footprint;
use figures::{Figures, Full, Run, json, table};
use std::path::PathBuf;

/// What an instruction takes on average on a Cortex-M4, whose cycles QEMU does not know.
const CYCLES_PER_INSTRUCTION: f64 = 1.35;
const M4_HZ: f64 = 168e6;
const RP2040_HZ: f64 = 133e6;

pub const NEEDS: [Need; 5] = [
    Need::Target(M4.target),
    Need::Target(RP2040.target),
    QEMU,
    NODE,
    NPM,
];

/// How much to measure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Everything.
    Full,
    /// All but the full run in rp2040js, which takes minutes. The short run stands in for it.
    Short,
}

/// Measures, and writes the table into the README, or everything as JSON.
pub fn run(format: Format) -> Result<(), String> {
    let figures = measure(Effort::Full)?;
    match format {
        Format::Json => println!("{}", json(&figures)),
        Format::Text => {
            let table = table(&figures);
            print!("{table}");
            readme::rewrite(&table)?;
        }
    }
    budget::check(&figures)
}

/// Fails if the table in the README is out of date by more than noise, or beyond a budget.
pub fn check() -> Result<(), String> {
    let figures = measure(Effort::Short)?;
    readme::compare(&table(&figures))?;
    budget::check(&figures)
}

fn measure(effort: Effort) -> Result<Vec<Figures>, String> {
    setup::require(&NEEDS)?;
    Ok(vec![emulated_m4()?, rp2040(effort)?, stm32f4()?])
}

fn emulated_m4() -> Result<Figures, String> {
    M4.build()?;
    let short = M4.learn("parity", &["parity"], Time::COUNTING)?;
    let search = M4.learn("parity", &["short-search"], Time::COUNTING)?;
    let bare = M4.learn("parity", &[], Time::COUNTING)?;
    let firmware = M4.learn("learn", &["pieces=0"], Time::M4)?;
    let host = learning::on_host(Profile::Release, &[])?;
    learning::same(&host, &bare)?;
    learning::same(&host, &firmware)?;
    let sums = bench::Host::build()?.sums()?;
    let instructions = bare.get("instructions")?;
    Ok(Figures {
        board: "STM32F405, in QEMU",
        key: "stm32f405",
        logging: Footprint::of(&M4.image("learn"))?,
        silent: Footprint::of(&silent_image()?)?,
        run: Some(Run {
            unit: "instructions",
            agent: firmware.get("agent_bytes")?,
            decision: bench::instructions_per("decision", &bench::on_board(&M4, &sums)?)?,
            short: short.get("instructions")?,
            search: search.get("instructions")?,
            cycles: CYCLES_PER_INSTRUCTION,
            full: Some(Full {
                stack: firmware.get("stack_bytes")?,
                count: instructions,
                seconds: instructions * CYCLES_PER_INSTRUCTION / M4_HZ,
            }),
            hz: M4_HZ,
        }),
    })
}

fn rp2040(effort: Effort) -> Result<Figures, String> {
    let (logging, silent) = footprints(&RP2040)?;
    let sums = bench::Host::build()?.sums()?;
    let bench = silicon::emulate("bench", "agent_bytes")?.readings()?;
    bench::same_decisions(&sums, RP2040.name, &bench)?;
    let seconds = bench.get("decisions_microseconds")? / 1e6;
    let full = match effort {
        Effort::Short => None,
        Effort::Full => {
            let seen = silicon::emulate(RP2040.learn, "fingerprint")?;
            let host = learning::on_host(Profile::Release, &[])?;
            learning::same_fingerprint(&host, seen.fingerprint()?)?;
            let readings = seen.readings()?;
            let cycles = readings.get("cycles")?;
            Some(Full {
                stack: readings.get("stack_bytes")?,
                count: cycles,
                seconds: cycles / RP2040_HZ,
            })
        }
    };
    Ok(Figures {
        board: "RP2040, in rp2040js",
        key: "rp2040",
        logging,
        silent,
        run: Some(Run {
            unit: "cycles",
            agent: bench.get("agent_bytes")?,
            decision: seconds * RP2040_HZ / bench.get("decisions")?,
            short: silicon::short_run()?.readings()?.get("cycles")?,
            search: silicon::short_search()?.readings()?.get("cycles")?,
            cycles: 1.0,
            full,
            hz: RP2040_HZ,
        }),
    })
}

fn stm32f4() -> Result<Figures, String> {
    let (logging, silent) = footprints(&STM32F4)?;
    Ok(Figures {
        board: "STM32F446, not run",
        key: "stm32f446",
        logging,
        silent,
        run: None,
    })
}

/// With logs and without. What is left to be run is the image with logs.
fn footprints(board: &Silicon) -> Result<(Footprint, Footprint), String> {
    let image = board.image(board.learn);
    board.build_silent()?;
    let silent = Footprint::of(&image)?;
    board.build()?;
    Ok((Footprint::of(&image)?, silent))
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
