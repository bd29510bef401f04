//! Lines of text on UART0, for people without a probe.

use core::fmt::{Display, Write};
use embassy_rp::peripherals::{DMA_CH0, PIN_0, UART0};
use embassy_rp::uart::{self, UartTx};
use embassy_rp::{Peri, bind_interrupts, dma};
use heapless::String;

/// Enough for any event, even if all its numbers are as long as can be.
const LINE: usize = 320;

bind_interrupts!(struct Interrupts {
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

/// Where text is sent.
pub struct Text(UartTx<'static, uart::Async>);

impl Text {
    pub(crate) fn new(
        uart: Peri<'static, UART0>,
        pin: Peri<'static, PIN_0>,
        dma: Peri<'static, DMA_CH0>,
    ) -> Self {
        let config = uart::Config::default();
        Text(UartTx::new(uart, pin, dma, Interrupts, config))
    }

    /// Sends a line.
    pub async fn print(&mut self, text: impl Display) {
        let mut line = String::<LINE>::new();
        write!(line, "{text}\r\n").expect("the line is long enough");
        let sent = self.0.write(line.as_bytes()).await;
        sent.expect("sending cannot fail");
    }
}
