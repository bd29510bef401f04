//! Measures what decisions and the agent take, and sends it, one `name value` a line.
#![no_std]
#![no_main]

use bench::DECISIONS;
use core::hint::black_box;
use embassy_executor::Spawner;
use embassy_time::Instant;
use ipse::tetris::Tetris10x10;
use rp2040::Pico;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut pico = Pico::start(spawner);
    let (task, policy) = (Tetris10x10::default(), bench::bcts());
    let start = Instant::now();
    let work = bench::decisions(black_box(&task), black_box(&policy), DECISIONS);
    let microseconds = start.elapsed().as_micros();
    let bench::Work { amount, sum } = work;
    let name = "decisions";
    pico.audience
        .text
        .print(format_args!("{name} {amount}"))
        .await;
    pico.audience
        .text
        .print(format_args!("{name}_sum {sum}"))
        .await;
    let line = format_args!("{name}_microseconds {microseconds}");
    pico.audience.text.print(line).await;
    let agent = size_of::<board::Learner>();
    pico.audience
        .text
        .print(format_args!("agent_bytes {agent}"))
        .await;
}
