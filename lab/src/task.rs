//! The tasks of the lab, and what is known of them in advance.

use ipse::array::Array;
use ipse::direction::Direction;
use ipse::environment::{Environment, PerFeature, Resumable};
use ipse::tetris::diverse::{self, Diverse};
use ipse::tetris::{self, BCTS, Column, Tetris, Tetris10x10};

/// A task that learners can be trained on, on several threads, and resumed in.
pub trait Task:
    Resumable<
        Features: Array<Of<f32>: Send + Sync, Of<i32>: Send + Sync, Of<Direction>: Send + Sync>,
    > + Copy
    + Send
    + Sync
    + 'static
{
    /// The right directions of its features: m-known is told them, and what others learn is held against them.
    const DIRECTIONS: PerFeature<Self, Direction>;

    /// The weights of published policies, by name.
    const PUBLISHED: &'static [(&'static str, PerFeature<Self, f32>)];
}

/// The eight features of the paper.
pub type Eight = <Tetris10x10 as Environment>::Features;
/// The number of them.
pub const FEATURES: usize = Eight::LEN;

impl<const H: usize, C: Column + Send + Sync + 'static> Task for Tetris<10, H, C> {
    const DIRECTIONS: PerFeature<Self, Direction> = tetris::DIRECTIONS;
    const PUBLISHED: &'static [(&'static str, PerFeature<Self, f32>)] = &[("bcts", BCTS)];
}

impl<const H: usize, C: Column + Send + Sync + 'static> Task for Diverse<10, H, C> {
    const DIRECTIONS: PerFeature<Self, Direction> = diverse::DIRECTIONS;
    const PUBLISHED: &'static [(&'static str, PerFeature<Self, f32>)] =
        &[("bcts", BCTS_OF_NINE), ("dt10", diverse::DT10)];
}

/// BCTS does not look at the ninth feature.
const BCTS_OF_NINE: [f32; FEATURES + 1] = {
    let [a, b, c, d, e, f, g, h] = BCTS;
    [a, b, c, d, e, f, g, h, 0.]
};
