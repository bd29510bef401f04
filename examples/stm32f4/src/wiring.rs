//! What differs between boards, and what the firmware uses of a chip.

#[cfg(feature = "display")]
use crate::display;
use crate::uart::Wires;
use embassy_stm32::gpio::Level;
use embassy_stm32::peripherals::{FLASH, IWDG};
#[cfg(feature = "black-pill-f411")]
use embassy_stm32::peripherals::{PA0 as Button, PC13 as Led};
#[cfg(feature = "nucleo-f446re")]
use embassy_stm32::peripherals::{PA5 as Led, PC13 as Button};
use embassy_stm32::rcc::{HseMode, PllMul, PllPreDiv};
use embassy_stm32::{Peri, Peripherals};

/// What drives the clock of a board, and the PLL that makes twice the highest clock of its chip from it.
pub struct Crystal {
    pub megahertz: u32,
    pub mode: HseMode,
    pub divider: PllPreDiv,
    pub multiplier: PllMul,
}

/// The ST-Link of a Nucleo hands on the 8 MHz of its own crystal.
#[cfg(feature = "nucleo-f446re")]
pub const CRYSTAL: Crystal = Crystal {
    megahertz: 8,
    mode: HseMode::Bypass,
    divider: PllPreDiv::DIV4,
    multiplier: PllMul::MUL180,
};

#[cfg(feature = "black-pill-f411")]
pub const CRYSTAL: Crystal = Crystal {
    megahertz: 25,
    mode: HseMode::Oscillator,
    divider: PllPreDiv::DIV25,
    multiplier: PllMul::MUL200,
};

/// The highest clock of the chip.
#[cfg(feature = "nucleo-f446re")]
pub const CLOCK_MHZ: u32 = 180;
#[cfg(feature = "black-pill-f411")]
pub const CLOCK_MHZ: u32 = 100;

/// The level at which the LED is lit.
#[cfg(feature = "nucleo-f446re")]
pub const LIT: Level = Level::High;
#[cfg(feature = "black-pill-f411")]
pub const LIT: Level = Level::Low;

/// What the firmware uses of a board.
pub struct Wiring {
    pub led: Peri<'static, Led>,
    /// Connects its pin to ground.
    pub button: Peri<'static, Button>,
    #[cfg(feature = "display")]
    pub display: display::Wires,
    pub uart: Wires,
    pub flash: Peri<'static, FLASH>,
    pub watchdog: Peri<'static, IWDG>,
}

/// The LED, whoever has it.
///
/// # Safety
///
/// Nobody else must use it any more.
pub unsafe fn steal_led() -> Peri<'static, Led> {
    // SAFETY: the caller says so.
    unsafe { Led::steal() }
}

pub fn wiring(chip: Peripherals) -> Wiring {
    Wiring {
        #[cfg(feature = "nucleo-f446re")]
        led: chip.PA5,
        #[cfg(feature = "nucleo-f446re")]
        button: chip.PC13,
        #[cfg(feature = "black-pill-f411")]
        led: chip.PC13,
        #[cfg(feature = "black-pill-f411")]
        button: chip.PA0,
        #[cfg(feature = "display")]
        display: display::Wires {
            i2c: chip.I2C1,
            clock: chip.PB8,
            data: chip.PB9,
            tx_dma: chip.DMA1_CH7,
            rx_dma: chip.DMA1_CH0,
        },
        uart: Wires {
            usart: chip.USART2,
            tx: chip.PA2,
            rx: chip.PA3,
            tx_dma: chip.DMA1_CH6,
            rx_dma: chip.DMA1_CH5,
        },
        flash: chip.FLASH,
        watchdog: chip.IWDG,
    }
}
