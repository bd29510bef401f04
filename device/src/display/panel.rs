//! An SSD1306 on I²C, and the way of frames to it.

use super::{Frame, HEIGHT, PAGES, Screen, WIDTH};
use crate::wire::Reader;
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::pipe::Pipe;
use embedded_hal_async::i2c::I2c;
use ssd1306::mode::BasicMode;
use ssd1306::prelude::{DisplayRotation, DisplaySize128x64, I2CInterface};
use ssd1306::{I2CDisplayInterface, Ssd1306Async, command::AddrMode};

type Panel<I> = Ssd1306Async<I2CInterface<I>, DisplaySize128x64, BasicMode>;

const ROWS: u8 = (HEIGHT / PAGES) as u8;

/// Shows the telemetry in a pipe on an SSD1306 at the address 0x3C, for ever.
///
/// Only pages that have changed are sent. `pause` is the time from one frame to the next, and from one attempt to find a
/// display to the next: without one nothing is lost but what is in the pipe, and one can be plugged in at any time.
pub async fn run<M: RawMutex, const N: usize, I: I2c>(
    telemetry: &Pipe<M, N>,
    mut i2c: I,
    mut pause: impl AsyncFnMut(),
) -> ! {
    let (mut reader, mut screen) = (Reader::new(), Screen::new());
    loop {
        let interface = I2CDisplayInterface::new(&mut i2c);
        let mut panel = Ssd1306Async::new(interface, DisplaySize128x64, DisplayRotation::Rotate0);
        let mut shown = None;
        if panel
            .init_with_addr_mode(AddrMode::Horizontal)
            .await
            .is_ok()
        {
            while send(&mut panel, screen.frame(), &mut shown).await.is_some() {
                pause().await;
                read(telemetry, &mut reader, &mut screen).await;
            }
        }
        pause().await;
        telemetry.clear();
    }
}

/// Waits for telemetry, and takes all that there is.
async fn read<M: RawMutex, const N: usize>(
    telemetry: &Pipe<M, N>,
    reader: &mut Reader,
    screen: &mut Screen,
) {
    let mut bytes = [0; 64];
    let mut len = telemetry.read(&mut bytes).await;
    for _ in 0..=N / bytes.len() {
        reader.read(bytes.get(..len).unwrap_or_default(), |event| {
            screen.tell(&event)
        });
        match telemetry.try_read(&mut bytes) {
            Ok(more) => len = more,
            Err(_) => break,
        }
    }
}

/// Sends the pages of a frame that differ from those that are shown. `None` if there is no display any more.
async fn send<I: I2c>(
    panel: &mut Panel<I>,
    frame: &Frame,
    shown: &mut Option<Frame>,
) -> Option<()> {
    for (number, page) in (0..).zip(&frame.0) {
        let is_shown = shown.is_some_and(|shown| shown.0.get(usize::from(number)) == Some(page));
        if !is_shown {
            let (top, bottom) = (number * ROWS, (number + 1) * ROWS);
            panel
                .set_draw_area((0, top), (WIDTH as u8, bottom))
                .await
                .ok()?;
            panel.draw(page).await.ok()?;
        }
    }
    *shown = Some(*frame);
    Some(())
}
