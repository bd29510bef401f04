//! What is known of the features of a game: their names, their directions, published weights.

use clap::ValueEnum;
use ipse::direction::Direction;
use ipse::tetris::{self, BCTS, diverse};
use serde::Serialize;

/// A feature set by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Features {
    /// Those of the paper
    Eight,
    /// Pattern diversity as well; not in the paper
    Nine,
}

pub struct FeatureSet<const P: usize> {
    pub names: [&'static str; P],
    pub directions: [Direction; P],
    /// Policies by name.
    pub published: &'static [(&'static str, [f32; P])],
}

pub const EIGHT: FeatureSet<{ tetris::FEATURES }> = FeatureSet {
    names: tetris::FEATURE_NAMES,
    directions: tetris::DIRECTIONS,
    published: &[("bcts", BCTS)],
};

pub const NINE: FeatureSet<{ diverse::FEATURES }> = FeatureSet {
    names: diverse::FEATURE_NAMES,
    directions: diverse::DIRECTIONS,
    published: &[("bcts", bcts_of_nine()), ("dt10", diverse::DT10)],
};

/// BCTS does not look at the ninth.
const fn bcts_of_nine() -> [f32; diverse::FEATURES] {
    let [a, b, c, d, e, f, g, h] = BCTS;
    [a, b, c, d, e, f, g, h, 0.]
}

impl<const P: usize> FeatureSet<P> {
    /// The same weight for every feature, in its known direction.
    pub fn equal(&self) -> [f32; P] {
        self.directions.map(|direction| match direction {
            Direction::Pro => 1.,
            Direction::Con => -1.,
            Direction::Undecided => 0.,
        })
    }
}
