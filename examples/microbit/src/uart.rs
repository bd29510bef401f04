//! Telemetry on the UART, which the interface chip of the board passes on to its USB port.

use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;
use ipse_device::{Piped, Sink};
use nrf51_pac::{Interrupt, NVIC, UART0, interrupt};

/// P0.24, which sends, and 115200 baud.
const TX: u32 = 24;
const BAUD: u32 = 0x01d7_e000;

/// Frames on their way. Those that do not fit are dropped, and counted.
static PIPE: Pipe<CriticalSectionRawMutex, 1024> = Pipe::new();

/// The UART, at the end of the pipe.
pub struct Uart(());

impl Uart {
    pub fn start(uart: UART0) -> Self {
        uart.pseltxd.write(|w| unsafe { w.bits(TX) });
        uart.baudrate.write(|w| unsafe { w.bits(BAUD) });
        uart.enable.write(|w| w.enable().enabled());
        uart.tasks_starttx.write(|w| unsafe { w.bits(1) });
        uart.intenset.write(|w| w.txdrdy().set());
        // SAFETY: the handler is below, and all that it needs is set up.
        unsafe { NVIC::unmask(Interrupt::UART0) };
        // The first byte, which separates frames, is followed by one interrupt for each byte.
        uart.txd.write(|w| unsafe { w.bits(0) });
        Uart(())
    }
}

impl Sink for Uart {
    fn try_send(&mut self, frame: &[u8]) -> bool {
        let is_taken = Piped(&PIPE).try_send(frame);
        // If the UART has nothing to do, no interrupt comes by itself.
        NVIC::pend(Interrupt::UART0);
        is_taken
    }
}

/// Sends the next byte, if the last one has been sent.
#[interrupt]
fn UART0() {
    static mut IS_SENDING: bool = true;
    // SAFETY: after the start, only this handler uses the UART.
    let uart = unsafe { &*UART0::ptr() };
    if uart.events_txdrdy.read().bits() != 0 {
        uart.events_txdrdy.reset();
        *IS_SENDING = false;
    }
    let mut byte = [0];
    if !*IS_SENDING && PIPE.try_read(&mut byte).is_ok() {
        uart.txd.write(|w| unsafe { w.bits(byte[0].into()) });
        *IS_SENDING = true;
    }
}
