//! The pixels of the display.

use embedded_graphics::Pixel;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{Dimensions, DrawTarget, OriginDimensions, Size};
use embedded_graphics::primitives::Rectangle;

/// The number of columns.
pub const WIDTH: usize = 128;
/// The number of rows.
pub const HEIGHT: usize = 64;
/// The number of pages, as the SSD1306 calls eight rows.
pub const PAGES: usize = HEIGHT / 8;

/// What is on a display, in the order in which an SSD1306 takes it: pages from the top, in each a byte for each column, whose
/// lowest bit is the highest row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame(pub [[u8; WIDTH]; PAGES]);

impl Frame {
    /// A frame with no pixel lit.
    pub const DARK: Self = Frame([[0; WIDTH]; PAGES]);

    /// Returns whether a pixel is lit, counted from the top left corner.
    pub fn is_lit(&self, x: usize, y: usize) -> bool {
        let column = self.0.get(y / 8).and_then(|page| page.get(x));
        column.is_some_and(|column| column >> (y % 8) & 1 == 1)
    }
}

impl OriginDimensions for Frame {
    fn size(&self) -> Size {
        Size::new(WIDTH as u32, HEIGHT as u32)
    }
}

impl DrawTarget for Frame {
    type Color = BinaryColor;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        for Pixel(point, color) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y)) else {
                continue;
            };
            if let Some(column) = self.0.get_mut(y / 8).and_then(|page| page.get_mut(x)) {
                let bit = 1 << (y % 8);
                match color {
                    BinaryColor::On => *column |= bit,
                    BinaryColor::Off => *column &= !bit,
                }
            }
        }
        Ok(())
    }

    /// As by default, eight pixels at a time.
    fn fill_solid(&mut self, area: &Rectangle, color: BinaryColor) -> Result<(), Self::Error> {
        let area = area.intersection(&self.bounding_box());
        let (left, top) = (area.top_left.x as usize, area.top_left.y as usize);
        let (right, bottom) = (
            left + area.size.width as usize,
            top + area.size.height as usize,
        );
        for (number, page) in self.0.iter_mut().enumerate() {
            let row = |y: usize| y.saturating_sub(8 * number).min(8);
            let bits = (0xff_u16 << row(top) & !(0xff_u16 << row(bottom))) as u8;
            for column in page.get_mut(left..right).unwrap_or_default() {
                match color {
                    BinaryColor::On => *column |= bits,
                    BinaryColor::Off => *column &= !bits,
                }
            }
        }
        Ok(())
    }
}
