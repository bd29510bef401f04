//! An SSD1306 on I²C, and the way of frames to it.

use super::{Frame, HEIGHT, PAGES, Screen, WIDTH};
use crate::telemetry::{Piped, Sink};
use crate::wire::{MAX_FRAME, Reader};
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::pipe::Pipe;
use embedded_hal_async::i2c::I2c;
use ssd1306::mode::BasicMode;
use ssd1306::prelude::{DisplayRotation, DisplaySize128x64, I2CInterface};
use ssd1306::{I2CDisplayInterface, Ssd1306Async, command::AddrMode};

type Panel<I> = Ssd1306Async<I2CInterface<I>, DisplaySize128x64, BasicMode>;

const ROWS: u8 = (HEIGHT / PAGES) as u8;

/// Room for the frames of a moment, with one of the largest.
const PIPE: usize = 2 * MAX_FRAME;

/// A display that shows telemetry: a reference to it is a sink, and another task shows what goes there.
///
/// ```no_run
/// use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
/// use ipse_device::display::Display;
///
/// static DISPLAY: Display<CriticalSectionRawMutex> = Display::new();
/// // Telemetry has `&DISPLAY` among its sinks, and a task shows it:
/// async fn show(i2c: impl embedded_hal_async::i2c::I2c) -> ! {
///     DISPLAY.show(i2c, async || { /* wait for 100 ms */ }).await
/// }
/// ```
pub struct Display<M: RawMutex>(Pipe<M, PIPE>);

impl<M: RawMutex> Sink for &Display<M> {
    fn try_send(&mut self, frame: &[u8]) -> bool {
        Piped(&self.0).try_send(frame)
    }
}

impl<M: RawMutex> Default for Display<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: RawMutex> Display<M> {
    /// A display that is dark.
    pub const fn new() -> Self {
        Display(Pipe::new())
    }

    /// Shows the telemetry on an SSD1306 at the address 0x3C, for ever.
    ///
    /// Only pages that have changed are sent. `pause` is the time from one frame to the next, and from one attempt to find
    /// the SSD1306 to the next, so that it can be plugged in at any time.
    pub async fn show<I: I2c>(&self, mut i2c: I, mut pause: impl AsyncFnMut()) -> ! {
        let (mut reader, mut screen) = (Reader::new(), Screen::new());
        loop {
            let interface = I2CDisplayInterface::new(&mut i2c);
            let mut panel =
                Ssd1306Async::new(interface, DisplaySize128x64, DisplayRotation::Rotate0);
            let mut shown = None;
            if panel
                .init_with_addr_mode(AddrMode::Horizontal)
                .await
                .is_ok()
            {
                while send(&mut panel, screen.frame(), &mut shown).await.is_some() {
                    pause().await;
                    self.read(&mut reader, &mut screen).await;
                }
            }
            pause().await;
            self.0.clear();
        }
    }

    /// Waits for telemetry, and takes what there is.
    async fn read(&self, reader: &mut Reader, screen: &mut Screen) {
        let mut bytes = [0; 64];
        let mut len = self.0.read(&mut bytes).await;
        // Not for longer than until a full pipe is empty, however fast it is filled.
        let mut left = PIPE;
        loop {
            reader.read(bytes.get(..len).unwrap_or_default(), |event| {
                screen.tell(&event)
            });
            left = left.saturating_sub(len);
            if left == 0 {
                return;
            }
            match self.0.try_read(&mut bytes) {
                Ok(more) => len = more,
                Err(_) => return,
            }
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
