//! A canvas of characters.

use ipse::environment::{Canvas, Environment};
use std::fmt;

/// A picture of one-bit pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    rows: Vec<Vec<bool>>,
}

impl Picture {
    /// The picture of a state, as its task draws it.
    pub fn of<E: Environment>(task: &E, state: &E::State) -> Self {
        let (width, height) = E::PICTURE;
        let rows = vec![vec![false; width.into()]; height.into()];
        let mut picture = Picture { rows };
        task.draw(state, &mut picture);
        picture
    }
}

impl Canvas for Picture {
    /// # Panics
    /// If a pixel is outside.
    fn fill(&mut self, x: u16, y: u16, width: u16, height: u16) {
        for row in &mut self.rows[y.into()..(y + height).into()] {
            row[x.into()..(x + width).into()].fill(true);
        }
    }
}

/// A line for each row, with a mark for each pixel.
impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            let mark = |pixel: &bool| if *pixel { '#' } else { '.' };
            writeln!(f, "{}", row.iter().map(mark).collect::<String>())?;
        }
        Ok(())
    }
}
