//! Line charts as SVG, and SVG as PNG.

mod axis;
mod chart;
mod destination;
mod forest;
mod panels;
mod png;
mod spread;

pub use axis::{Axis, Scale};
pub use chart::{Chart, Line, Marker, Sample};
pub use destination::Destination;
pub use forest::{Forest, Interval};
pub use panels::{Panel, Panels};

/// Colours after Okabe and Ito, which people with any kind of colour vision can tell apart, darkened where a line on
/// white would have less than three times the contrast.
pub mod colour {
    pub const BLACK: &str = "#000000";
    pub const ORANGE: &str = "#b87a00";
    pub const SKY: &str = "#2a8fc7";
    pub const GREEN: &str = "#008f68";
    pub const BLUE: &str = "#0072b2";
    pub const VERMILION: &str = "#d55e00";
    pub const PURPLE: &str = "#b8578c";
}

/// The patterns of lines that have to be told apart without colours.
pub const PATTERNS: [Option<&str>; 8] = [
    None,
    Some("9 3"),
    Some("2 3"),
    Some("9 3 2 3"),
    Some("5 3"),
    Some("14 4"),
    Some("9 3 2 3 2 3"),
    Some("1 5"),
];

#[cfg(test)]
mod tests {
    use super::colour::*;

    /// As WCAG 2 defines it.
    fn contrast_with_white(colour: &str) -> f64 {
        let channel = |i: usize| {
            let value = u8::from_str_radix(&colour[i..i + 2], 16).unwrap();
            let share = f64::from(value) / 255.;
            match share <= 0.04045 {
                true => share / 12.92,
                false => ((share + 0.055) / 1.055).powf(2.4),
            }
        };
        let luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
        1.05 / (luminance + 0.05)
    }

    #[test]
    fn every_line_can_be_seen_on_white() {
        for colour in [BLACK, ORANGE, SKY, GREEN, BLUE, VERMILION, PURPLE] {
            let contrast = contrast_with_white(colour);
            assert!(contrast >= 3., "{colour}: {contrast:.2}");
        }
    }

    #[test]
    fn no_two_patterns_are_the_same() {
        for (i, one) in super::PATTERNS.iter().enumerate() {
            assert!(!super::PATTERNS[..i].contains(one), "{one:?}");
        }
    }
}
