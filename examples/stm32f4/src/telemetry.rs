//! Telemetry over USART2, which the ST-Link of a Nucleo passes on to its USB port.

use crate::wiring::Uart;
use embassy_executor::Spawner;
use embassy_stm32::mode::Async;
use embassy_stm32::peripherals::DMA1_CH6;
use embassy_stm32::usart::{Config, UartTx};
use embassy_stm32::{bind_interrupts, dma};
use embassy_sync::blocking_mutex::raw::ThreadModeRawMutex;
use embassy_sync::pipe::Pipe;

bind_interrupts!(struct Interrupts {
    DMA1_STREAM6 => dma::InterruptHandler<DMA1_CH6>;
});

/// Frames on their way to the UART. Those that do not fit are dropped, and counted.
pub static PIPE: Pipe<ThreadModeRawMutex, 2048> = Pipe::new();

/// Starts the task that sends what is in the pipe, with 115200 baud.
pub fn start(spawner: Spawner, uart: Uart) {
    let uart = UartTx::new(uart.usart, uart.tx, uart.dma, Interrupts, Config::default());
    let uart = uart.expect("115200 baud can be made of any clock");
    spawner.spawn(send(uart).expect("it is spawned once"));
}

#[embassy_executor::task]
async fn send(mut uart: UartTx<'static, Async>) {
    let mut bytes = [0; 64];
    loop {
        let len = PIPE.read(&mut bytes).await;
        uart.write(&bytes[..len])
            .await
            .expect("sending cannot fail");
    }
}
