//! Measures decisions and the size of an agent, and sends the results, one `name value` a line.
#![no_std]
#![no_main]

use bench::work::{self, DECISIONS, Work};
use core::hint::black_box;
use embassy_executor::Spawner;
use embassy_time::Instant;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use rp2040::Pico;
use rp2040_tests::Text;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let pico = Pico::start(spawner);
    let (task, policy) = (Tetris10x10::default(), work::bcts());
    let start = Instant::now();
    let work = work::decisions(black_box(&task), black_box(&policy), DECISIONS);
    let microseconds = start.elapsed().as_micros();
    let Work { amount, sum } = work;
    let mut text = Text::new(pico.uart);
    text.print(format_args!("decisions {amount}")).await;
    text.print(format_args!("decisions_sum {sum}")).await;
    let line = format_args!("decisions_microseconds {microseconds}");
    text.print(line).await;
    let agent = size_of::<Agent<Tetris10x10, Ipse>>();
    text.print(format_args!("agent_bytes {agent}")).await;
}
