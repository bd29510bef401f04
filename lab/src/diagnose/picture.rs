//! The picture of a state in Braille dots, for a report that has to say which state it is about.

use ipse::environment::{Canvas, Environment};

/// The largest number of pixels of a picture: as many as a telemetry frame has room for.
pub const PIXELS: usize = 64 * 64;

/// Returns whether a picture of this size can be shown, or there is none.
pub fn is_sane((width, height): (u16, u16)) -> bool {
    let pixels = usize::from(width) * usize::from(height);
    (width == 0) == (height == 0) && pixels <= PIXELS
}

/// The part of a rectangle that is beyond the edge: how far right and down it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    pub right: u32,
    pub down: u32,
}

/// A canvas that keeps what is drawn, and how far it reaches.
struct Dots {
    size: (u16, u16),
    pixels: Vec<bool>,
    reach: Reach,
}

impl Canvas for Dots {
    fn fill(&mut self, x: u16, y: u16, width: u16, height: u16) {
        if width == 0 || height == 0 {
            return;
        }
        let right = u32::from(x) + u32::from(width);
        let down = u32::from(y) + u32::from(height);
        self.reach.right = self.reach.right.max(right);
        self.reach.down = self.reach.down.max(down);
        let (wide, high) = self.size;
        for row in u32::from(y)..down.min(high.into()) {
            for column in u32::from(x)..right.min(wide.into()) {
                self.pixels[(row * u32::from(wide) + column) as usize] = true;
            }
        }
    }
}

impl Dots {
    fn of<E: Environment>(task: &E, state: &E::State) -> Self {
        let (width, height) = E::PICTURE;
        let mut dots = Dots {
            size: E::PICTURE,
            pixels: vec![false; usize::from(width) * usize::from(height)],
            reach: Reach::default(),
        };
        task.draw(state, &mut dots);
        dots
    }

    fn is_set(&self, x: usize, y: usize) -> bool {
        let (width, height) = self.size;
        x < width.into() && y < height.into() && self.pixels[y * usize::from(width) + x]
    }

    /// The character whose eight dots, two wide and four high, begin at a pixel.
    fn braille(&self, x: usize, y: usize) -> char {
        // The bits of U+2800 go down the left column, down the right one, and then along the bottom.
        const BITS: [[u32; 2]; 4] = [[0, 3], [1, 4], [2, 5], [6, 7]];
        let mut dots = 0;
        for (row, bits) in BITS.iter().enumerate() {
            for (column, bit) in bits.iter().enumerate() {
                dots |= u32::from(self.is_set(x + column, y + row)) << bit;
            }
        }
        char::from_u32(0x2800 + dots).unwrap_or(' ')
    }

    fn lines(&self) -> Vec<String> {
        let (width, height) = self.size;
        let line = |y| -> String {
            let columns = (0..usize::from(width)).step_by(2);
            columns.map(|x| self.braille(x, y)).collect()
        };
        (0..usize::from(height)).step_by(4).map(line).collect()
    }
}

/// How far the picture of a state reaches.
pub fn reach<E: Environment>(task: &E, state: &E::State) -> Reach {
    Dots::of(task, state).reach
}

/// The picture of a state. There is none if the task draws none, or one that is too large.
pub fn lines<E: Environment>(task: &E, state: &E::State) -> Vec<String> {
    match is_sane(E::PICTURE) {
        true => Dots::of(task, state).lines(),
        false => Vec::new(),
    }
}
