//! USART2, which the ST-Link of a Nucleo passes on to its USB port: telemetry goes out, commands come in.
//!
//! Nobody waits for it. What it cannot keep up with is dropped, frame by frame.

use crate::COMMANDS;
use embassy_executor::Spawner;
use embassy_stm32::gpio::Pull;
use embassy_stm32::mode::Async;
use embassy_stm32::peripherals::{DMA1_CH5, DMA1_CH6, PA2, PA3, USART2};
use embassy_stm32::usart::{self, Config, RingBufferedUartRx, UartTx};
use embassy_stm32::{Peri, bind_interrupts, dma};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;
use ipse_device::{CommandReader, Piped};
use static_cell::ConstStaticCell;

/// Room for a burst of frames. The UART sends as much in 180 ms.
const PIPE: usize = 2048;
/// The number of bytes that the DMA sends before it is given the next: those of 22 ms, which is longer than most slices
/// of learning.
const CHUNK: usize = 256;

static BYTES: Pipe<CriticalSectionRawMutex, PIPE> = Pipe::new();

/// Where frames go.
pub type Uart = Piped<'static, CriticalSectionRawMutex, PIPE>;

/// What it takes.
pub(crate) struct Wires {
    pub usart: Peri<'static, USART2>,
    pub tx: Peri<'static, PA2>,
    pub rx: Peri<'static, PA3>,
    pub tx_dma: Peri<'static, DMA1_CH6>,
    pub rx_dma: Peri<'static, DMA1_CH5>,
}

bind_interrupts!(struct Interrupts {
    DMA1_STREAM5 => dma::InterruptHandler<DMA1_CH5>;
    DMA1_STREAM6 => dma::InterruptHandler<DMA1_CH6>;
    USART2 => usart::InterruptHandler<USART2>;
});

/// Starts the tasks that send and receive, with 115200 baud.
pub(crate) fn start(spawner: Spawner, wires: Wires) -> Uart {
    static RECEIVED: ConstStaticCell<[u8; 64]> = ConstStaticCell::new([0; 64]);
    let mut config = Config::default();
    // Nothing may be connected to it.
    config.rx_pull = Pull::Up;
    let uart = usart::Uart::new(
        wires.usart,
        wires.rx,
        wires.tx,
        wires.tx_dma,
        wires.rx_dma,
        Interrupts,
        config,
    );
    let (sender, receiver) = uart.expect("115200 baud can be made of any clock").split();
    let receiver = receiver.into_ring_buffered(RECEIVED.take());
    spawner.spawn(send(sender).expect("it is spawned once"));
    spawner.spawn(receive(receiver).expect("it is spawned once"));
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

#[embassy_executor::task]
async fn receive(mut uart: RingBufferedUartRx<'static>) {
    let mut reader = CommandReader::new();
    let mut chunk = [0; 16];
    loop {
        // Noise on the wire ends a read. The next one starts anew, and a frame that is not whole is dropped.
        let len = uart.read(&mut chunk).await.unwrap_or(0);
        for command in chunk[..len].iter().filter_map(|byte| reader.push(*byte)) {
            // If several wait already, this one is dropped: what is obeyed is told.
            let _ = COMMANDS.try_send(command);
        }
    }
}
