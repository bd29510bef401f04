//! What a search with surface features takes: the guard and the shrinkage, and features that cost more than the paper's.

use super::elf::Footprint;
use super::figures::Image;
use super::{Effort, footprints, highest_stack, long_run, on_m4, silent_image};
use crate::firmware::{M4, SURVIVE, Time};
use crate::silicon::{self, RP2040};

/// On an STM32F405 in QEMU, the image that a user copies, which knows no shorter search.
pub fn on_stm32f405() -> Result<Image, String> {
    let silent = silent_image(SURVIVE)?;
    let whole = M4.figures(M4.qemu_with(&silent, &[], Time::M4))?;
    let count = whole.get("microseconds")? * Time::M4.instructions_per_microsecond();
    let short = M4.learn("parity", &["short-surface"], Time::COUNTING)?;
    Ok(Image {
        footprint: Footprint::of(&silent)?,
        stack: whole.get("stack_bytes")?,
        short_search: short.get("instructions")?,
        search: Some(on_m4(count)),
    })
}

/// On an RP2040 in rp2040js.
pub fn on_rp2040(effort: Effort) -> Result<Image, String> {
    let (_, footprint) = footprints(&RP2040, SURVIVE)?;
    let short = silicon::short_surface()?.readings()?;
    let short_search = short.get("cycles")?;
    let mut runs = vec![short];
    let search = match effort {
        Effort::Short => None,
        Effort::Full => {
            let (long, readings) = long_run("whole-surface", &["surface=1360000"])?;
            runs.push(readings);
            Some(long)
        }
    };
    Ok(Image {
        footprint,
        stack: highest_stack(&runs)?,
        short_search,
        search,
    })
}
