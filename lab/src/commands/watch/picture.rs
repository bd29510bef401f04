//! The picture of a state, in half blocks if there is room, and in Braille dots if there is not.

use super::grid::{Area, Grid};
use super::story::Image;
use super::view::PLAIN;
use ipse_device::Picture;

/// The largest magnification. Larger pictures say no more.
const LARGEST: usize = 8;

/// How many dots a pixel is wide and high, or how many pixels make a dot. A character is two dots wide and four high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Up(usize),
    Down(usize),
}

impl Scale {
    /// The number of dots of so many pixels.
    fn dots(self, pixels: usize) -> usize {
        match self {
            Scale::Up(factor) => pixels * factor,
            Scale::Down(factor) => pixels.div_ceil(factor),
        }
    }

    /// The largest that fits: solid blocks, or single dots, or less.
    fn fit(width: usize, height: usize, area: Area) -> Option<Scale> {
        let (dots_wide, dots_high) = (2 * area.width, 4 * area.height);
        if width == 0 || height == 0 || dots_wide == 0 || dots_high == 0 {
            return None;
        }
        let factor = (dots_wide / width).min(dots_high / height).min(LARGEST);
        Some(match factor {
            0 => Scale::Down(width.div_ceil(dots_wide).max(height.div_ceil(dots_high))),
            1 => Scale::Up(1),
            _ => Scale::Up(factor / 2 * 2),
        })
    }
}

/// The dimensions of a picture.
fn dimensions(image: &Image) -> (usize, usize) {
    let picture = picture(image);
    (picture.width.into(), picture.height().into())
}

fn picture(image: &Image) -> Picture<'_> {
    Picture {
        width: image.width,
        pixels: &image.pixels,
    }
}

/// The columns and rows that a picture takes of an area.
pub fn size(image: Option<&Image>, area: Area) -> (usize, usize) {
    let Some(image) = image else {
        return (0, 0);
    };
    let (width, height) = dimensions(image);
    match Scale::fit(width, height, area) {
        Some(scale) => (
            scale.dots(width).div_ceil(2),
            scale.dots(height).div_ceil(4),
        ),
        None => (0, 0),
    }
}

pub fn draw(grid: &mut Grid, area: Area, image: Option<&Image>) {
    let Some(image) = image else {
        return;
    };
    let (width, height) = dimensions(image);
    let Some(scale) = Scale::fit(width, height, area) else {
        return;
    };
    let is_set = |x: usize, y: usize| {
        let pixel = |x: usize, y: usize| {
            let (x, y) = (u16::try_from(x), u16::try_from(y));
            matches!((x, y), (Ok(x), Ok(y)) if picture(image).is_set(x, y))
        };
        match scale {
            Scale::Up(factor) => pixel(x / factor, y / factor),
            Scale::Down(factor) => {
                let block = |start: usize| start * factor..(start + 1) * factor;
                block(y).any(|y| block(x).any(|x| pixel(x, y)))
            }
        }
    };
    let (columns, rows) = size(Some(image), area);
    for y in 0..rows {
        for x in 0..columns {
            let character = match scale {
                Scale::Up(2..) => half_block(is_set(2 * x, 4 * y), is_set(2 * x, 4 * y + 2)),
                _ => braille(|dx, dy| is_set(2 * x + dx, 4 * y + dy)),
            };
            grid.put(area, x, y, character, PLAIN);
        }
    }
}

fn half_block(upper: bool, lower: bool) -> char {
    match (upper, lower) {
        (false, false) => ' ',
        (true, false) => '▀',
        (false, true) => '▄',
        (true, true) => '█',
    }
}

/// The character with the dots for which `is_set` is true.
pub fn braille(is_set: impl Fn(usize, usize) -> bool) -> char {
    // The bits of a Braille character, column by column.
    const BITS: [[u8; 4]; 2] = [[0, 1, 2, 6], [3, 4, 5, 7]];
    let mut dots = 0u8;
    for (x, column) in BITS.iter().enumerate() {
        for (y, bit) in column.iter().enumerate() {
            dots |= u8::from(is_set(x, y)) << bit;
        }
    }
    match dots {
        0 => ' ',
        _ => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonal of four pixels.
    fn diagonal() -> Image {
        Image {
            width: 4,
            pixels: vec![0b0010_0001, 0b1000_0100],
        }
    }

    fn drawn(image: &Image, width: usize, height: usize) -> Vec<String> {
        let mut grid = Grid::new(width, height);
        let area = grid.area();
        draw(&mut grid, area, Some(image));
        grid.lines()
    }

    #[test]
    fn a_picture_is_as_large_as_there_is_room() {
        assert_eq!(drawn(&diagonal(), 2, 1), ["⠑⢄"]);
        assert_eq!(drawn(&diagonal(), 5, 3), ["▀▄", "  ▀▄", ""]);
        assert_eq!(
            drawn(&diagonal(), 8, 4),
            ["██", "  ██", "    ██", "      ██"]
        );
        assert_eq!(drawn(&diagonal(), 1, 1), ["⠑"]);
    }

    #[test]
    fn pictures_of_any_shape_take_no_more_than_the_area() {
        let grid = Grid::new(20, 10);
        for (width, bytes) in [(0, 10), (1, 600), (4096, 512), (65535, 8), (3, 0), (9, 1)] {
            let image = Image {
                width,
                pixels: vec![0xa5; bytes],
            };
            let (columns, rows) = size(Some(&image), grid.area());
            assert!(columns <= 20 && rows <= 10, "{width} {bytes}");
            assert_eq!(drawn(&image, 20, 10).len(), 10);
        }
    }
}
