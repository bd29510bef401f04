//! Line charts as SVG, and SVG as PNG.

mod axis;
mod chart;
mod destination;
mod png;
mod spread;

pub use axis::{Axis, Scale};
pub use chart::{Chart, Line, Marker, Sample};
pub use destination::Destination;
pub use png::png;

/// Colours that people with any kind of colour vision can tell apart, by Okabe and Ito.
pub mod colour {
    pub const BLACK: &str = "#000000";
    pub const ORANGE: &str = "#e69f00";
    pub const SKY: &str = "#56b4e9";
    pub const GREEN: &str = "#009e73";
    pub const BLUE: &str = "#0072b2";
    pub const VERMILION: &str = "#d55e00";
    pub const PURPLE: &str = "#cc79a7";
}
