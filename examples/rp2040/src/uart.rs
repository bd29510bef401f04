//! UART0 at the end of a pipe: whoever writes to the pipe does not wait for the UART.

use embassy_executor::Spawner;
use embassy_rp::peripherals::{DMA_CH0, PIN_0, UART0};
use embassy_rp::uart::{Async, Config, UartTx};
use embassy_rp::{Peri, bind_interrupts, dma};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;
use ipse_device::Piped;

/// Room for a burst of frames. The UART sends as much in 180 ms.
const PIPE: usize = 2048;
/// The number of bytes that the DMA sends before it is given the next: those of 22 ms, which is longer than most slices
/// of learning.
const CHUNK: usize = 256;

static BYTES: Pipe<CriticalSectionRawMutex, PIPE> = Pipe::new();

/// Where frames go. What the UART cannot keep up with is dropped, frame by frame.
pub type Uart = Piped<'static, CriticalSectionRawMutex, PIPE>;

bind_interrupts!(struct Interrupts {
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

pub(crate) fn start(
    spawner: Spawner,
    uart: Peri<'static, UART0>,
    pin: Peri<'static, PIN_0>,
    dma: Peri<'static, DMA_CH0>,
) -> Uart {
    let uart = UartTx::new(uart, pin, dma, Interrupts, Config::default());
    spawner.spawn(send(uart).expect("it is spawned once"));
    Piped(&BYTES)
}

#[embassy_executor::task]
async fn send(mut uart: UartTx<'static, Async>) {
    let mut chunk = [0; CHUNK];
    loop {
        let len = BYTES.read(&mut chunk).await;
        uart.write(&chunk[..len])
            .await
            .expect("sending cannot fail");
    }
}
