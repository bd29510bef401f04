//! A rule for the cart that a person would write, to compare with what was learned.
//!
//! A rule that pushes at random is [`Policy::random`](ipse::prelude::Policy::random).

use super::{Balance, Push};
use ipse::prelude::Action;

/// Pushes in the direction in which the pole falls: a proportional and a derivative part for the pole, and the same for
/// the cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pd {
    /// The weight of the position of the cart.
    pub position: i16,
    /// The weight of its speed.
    pub speed: i16,
    /// The weight of the angle of the pole.
    pub angle: i16,
    /// The weight of its angular speed.
    pub spin: i16,
}

impl Pd {
    /// Weights that hold the pole for 500 pushes in every episode that was tried.
    pub const STEADY: Self = Pd {
        position: 1,
        speed: 2,
        angle: 16,
        spin: 4,
    };

    /// The action in a state.
    pub fn choose(&self, balance: &Balance) -> Action {
        let parts = [
            (self.position, balance.position),
            (self.speed, balance.speed),
            (self.angle, balance.angle),
            (self.spin, balance.spin),
        ];
        let parts = parts.map(|(weight, value)| i64::from(weight) * i64::from(value));
        match parts.iter().sum::<i64>() > 0 {
            true => Push::Right.action(),
            false => Push::Left.action(),
        }
    }
}
