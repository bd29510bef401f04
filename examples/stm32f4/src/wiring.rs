//! What differs between boards.

use embassy_stm32::gpio::AnyPin;
#[cfg(feature = "telemetry")]
use embassy_stm32::peripherals::{DMA1_CH6, PA2, USART2};
use embassy_stm32::rcc::PllMul;
use embassy_stm32::{Peri, Peripherals};

/// What the firmware uses of a board.
pub struct Wiring {
    pub led: Peri<'static, AnyPin>,
    /// Connects its pin to ground.
    pub button: Peri<'static, AnyPin>,
    #[cfg(feature = "telemetry")]
    pub uart: Uart,
}

/// What telemetry is sent with, on PA2.
#[cfg(feature = "telemetry")]
pub struct Uart {
    pub usart: Peri<'static, USART2>,
    pub tx: Peri<'static, PA2>,
    pub dma: Peri<'static, DMA1_CH6>,
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
    Wiring {
        led,
        button,
        #[cfg(feature = "telemetry")]
        uart: Uart {
            usart: chip.USART2,
            tx: chip.PA2,
            dma: chip.DMA1_CH6,
        },
    }
}
