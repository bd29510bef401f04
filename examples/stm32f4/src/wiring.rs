//! What differs between boards.

use embassy_stm32::gpio::AnyPin;
use embassy_stm32::rcc::PllMul;
use embassy_stm32::{Peri, Peripherals};

/// What the firmware uses of a board.
pub struct Wiring {
    pub led: Peri<'static, AnyPin>,
    /// Connects its pin to ground.
    pub button: Peri<'static, AnyPin>,
}

/// The chip's highest clock, in MHz.
#[cfg(feature = "nucleo-f446re")]
pub const CLOCK: PllMul = PllMul::MUL180;
#[cfg(feature = "black-pill-f411")]
pub const CLOCK: PllMul = PllMul::MUL100;

pub fn wiring(chip: Peripherals) -> Wiring {
    #[cfg(feature = "nucleo-f446re")]
    let (led, button) = (chip.PA5.into(), chip.PC13.into());
    #[cfg(feature = "black-pill-f411")]
    let (led, button) = (chip.PC13.into(), chip.PA0.into());
    Wiring { led, button }
}
