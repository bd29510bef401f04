//! What the sensor node takes: an image with all that a device outdoors has. It acts, keeps checkpoints and sends
//! telemetry while it learns.

use super::elf::Footprint;
use super::figures::{Image, Long, Node};
use super::{CYCLES_PER_INSTRUCTION, Effort, M4_HZ, RP2040_HZ};
use crate::firmware::{M4, SENSOR, Time};
use crate::readings::Readings;
use crate::sensor_node::CALLS;
use crate::silicon::{self, RP2040};
use crate::user_tasks::{Heard, SENSOR_NODE, new_flash};
use crate::workspace;
use std::time::Duration;

/// On an STM32F405 in QEMU, where even the whole search takes no more than seconds.
pub fn on_stm32f405() -> Result<Node, String> {
    let short = run_on_stm32f405(&["actions=0", &format!("calls={CALLS}")])?;
    let whole = run_on_stm32f405(&["actions=0"])?;
    let instructions = |readings: &Readings| -> Result<f64, String> {
        Ok(readings.get("microseconds")? * Time::M4.instructions_per_microsecond())
    };
    let (short_search, count) = (instructions(&short)?, instructions(&whole)?);
    Ok(Node {
        image: Image {
            footprint: Footprint::of(&M4.image(SENSOR))?,
            stack: super::highest_stack(&[short, whole])?,
        },
        short_search,
        search: Some(Long {
            count,
            seconds: count * CYCLES_PER_INSTRUCTION / M4_HZ,
        }),
    })
}

fn run_on_stm32f405(words: &[&str]) -> Result<Readings, String> {
    let flash = new_flash(SENSOR, 0)?;
    let mut qemu = M4.qemu(SENSOR, words, Time::M4);
    qemu.current_dir(flash.parent().ok_or("flash lies in a folder")?);
    M4.figures(qemu)
}

/// Enough cycles for the short search, and for the whole one, whose image the emulator then leaves.
const SHORT: f64 = 0.7e9;
const WHOLE: f64 = 8e9;

/// On an RP2040 in rp2040js.
pub fn on_rp2040(effort: Effort) -> Result<Node, String> {
    workspace::run(SENSOR_NODE.build_for_rp2040())?;
    let (short_search, short) = run_on_rp2040(SHORT)?;
    workspace::run(RP2040.cargo(&format!("build --release --bin {SENSOR}")))?;
    let footprint = Footprint::of(&RP2040.image(SENSOR))?;
    let mut runs = vec![short];
    let search = match effort {
        Effort::Short => None,
        Effort::Full => {
            let (count, readings) = run_on_rp2040(WHOLE)?;
            runs.push(readings);
            let seconds = count / RP2040_HZ;
            Some(Long { count, seconds })
        }
    };
    Ok(Node {
        image: Image {
            footprint,
            stack: super::highest_stack(&runs)?,
        },
        short_search,
        search,
    })
}

/// The cycles in which it has learned, and what the emulator has seen besides.
fn run_on_rp2040(cycles: f64) -> Result<(f64, Readings), String> {
    let flash = new_flash(SENSOR, 2 * 1024 * 1024)?;
    let telemetry = flash.with_extension("telemetry");
    let mut node = silicon::emulator(SENSOR)?;
    node.arg("--flash").arg(&flash);
    node.arg("--telemetry").arg(&telemetry);
    node.args(["--cycles", &cycles.to_string()]);
    let readings = silicon::see(node, Duration::from_secs(3600))?.readings()?;
    let ended = Heard::in_file(&telemetry)?.ended;
    let ended = ended.ok_or_else(|| format!("{cycles} cycles are not enough to learn"))?;
    Ok((ended.micros as f64 * RP2040_HZ / 1e6, readings))
}
