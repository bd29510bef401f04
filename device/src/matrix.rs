//! A matrix of 5×5 LEDs, as on a micro:bit: what is learned so far, or a picture of a state.

use crate::session::Session;
use crate::telemetry::{PIXELS, draw};
use ipse::direction::Direction;
use ipse::{Driver, Environment};

/// The number of LEDs of a row, and of rows.
const SIDE: u8 = 5;

/// Which of 5×5 LEDs are lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Matrix(u32);

impl Matrix {
    /// No LED is lit.
    pub const DARK: Self = Matrix(0);

    /// Returns whether an LED is lit, counted from the top left corner.
    pub const fn is_lit(self, x: u8, y: u8) -> bool {
        x < SIDE && y < SIDE && self.0 >> (y * SIDE + x) & 1 == 1
    }

    fn light(&mut self, x: u8, y: u8) {
        if x < SIDE && y < SIDE {
            self.0 |= 1 << (y * SIDE + x);
        }
    }

    /// What a session has learned so far.
    ///
    /// Each feature has two LEDs: the right one is lit if it is a reason for an action, the left one if it is a reason
    /// against, and none if that is not known yet. The first five features are at the left, the next five at the right;
    /// there is no room for more. The column in the middle fills from the bottom as learning goes on.
    pub fn of_learning<D: Driver>(session: &Session<D>, directions: &[Direction]) -> Self {
        Self::of_directions(directions, session.done_of(SIDE.into()) as u8)
    }

    /// The directions of features, and how many of five parts of the work are done.
    pub fn of_directions(directions: &[Direction], done: u8) -> Self {
        let mut matrix = Self::DARK;
        let places = (0..2 * SIDE).map(|place| (place / SIDE * 3, place % SIDE));
        for ((x, y), direction) in places.zip(directions) {
            match direction {
                Direction::Con => matrix.light(x, y),
                Direction::Pro => matrix.light(x + 1, y),
                Direction::Undecided => {}
            }
        }
        for part in 0..done.min(SIDE) {
            matrix.light(SIDE / 2, SIDE - 1 - part);
        }
        matrix
    }

    /// A picture of a state, as its task draws it, made smaller: an LED is lit if a third of what it stands for is.
    pub fn of_state<E: Environment>(task: &E, state: &E::State) -> Self {
        let mut matrix = Self::DARK;
        let mut pixels = [0; PIXELS];
        let Some(picture) = draw(task, state, &mut pixels) else {
            return matrix;
        };
        let (width, height) = E::PICTURE;
        let part = |of: u16, index: u8| {
            let at = |index: u8| of * u16::from(index) / u16::from(SIDE);
            at(index)..at(index + 1).max(at(index) + 1).min(of)
        };
        for (x, y) in (0..SIDE * SIDE).map(|place| (place % SIDE, place / SIDE)) {
            if picture.is_covered(part(width, x), part(height, y)) {
                matrix.light(x, y);
            }
        }
        matrix
    }
}
