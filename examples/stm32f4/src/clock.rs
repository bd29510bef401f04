//! The highest clock of the chip, and flash that keeps up with it.

use crate::wiring::{CLOCK_MHZ, CRYSTAL};
use embassy_stm32::pac::{FLASH, RCC};
use embassy_stm32::rcc::{
    APBPrescaler, Hse, HseMode, Pll, PllMul, PllPDiv, PllPreDiv, PllSource, Sysclk,
};
use embassy_stm32::time::mhz;
use embassy_stm32::{Config, Peripherals};

/// How often the crystal is looked at before the board goes on without it: for some tens of milliseconds. A crystal takes
/// two to start.
const LOOKS: u32 = 50_000;

/// Starts the clocks, and all that embassy starts.
pub fn start() -> Peripherals {
    let mut config = Config::default();
    let (divider, multiplier) = if has_crystal() {
        config.rcc.hse = Some(Hse {
            freq: mhz(CRYSTAL.megahertz),
            mode: CRYSTAL.mode,
        });
        config.rcc.pll_src = PllSource::HSE;
        (CRYSTAL.divider, CRYSTAL.multiplier)
    } else {
        // The oscillator inside has 16 MHz, within a percent.
        config.rcc.pll_src = PllSource::HSI;
        (PllPreDiv::DIV8, PllMul::from_bits(CLOCK_MHZ as u16))
    };
    config.rcc.pll = Some(Pll {
        prediv: divider,
        mul: multiplier,
        divp: Some(PllPDiv::DIV2),
        divq: None,
        divr: None,
    });
    config.rcc.apb1_pre = APBPrescaler::DIV4;
    config.rcc.apb2_pre = APBPrescaler::DIV2;
    config.rcc.sys = Sysclk::PLL1_P;
    let chip = embassy_stm32::init(config);
    // embassy sets the wait states of the flash alone, of which the core would have up to five for every fetch.
    FLASH.acr().modify(|w| {
        w.set_prften(true);
        w.set_icen(true);
        w.set_dcen(true);
    });
    chip
}

/// Starts the crystal, and returns whether it runs. Some Nucleos have none; embassy would wait for it forever.
fn has_crystal() -> bool {
    let is_external = CRYSTAL.mode == HseMode::Bypass;
    RCC.cr().modify(|w| w.set_hsebyp(is_external));
    RCC.cr().modify(|w| w.set_hseon(true));
    (0..LOOKS).any(|_| RCC.cr().read().hserdy())
}
