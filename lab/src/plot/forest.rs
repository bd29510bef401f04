//! Differences with their intervals, one below the other.

use super::axis::{Axis, Scale};
use super::chart::{escape, opening, put};
use super::colour;
use super::png::Picture;

/// Differences from something, which is at zero.
pub struct Forest {
    pub title: String,
    pub label: String,
    pub intervals: Vec<Interval>,
}

pub struct Interval {
    pub label: String,
    pub mean: f64,
    /// Half its width.
    pub margin: f64,
}

const WIDTH: f64 = 890.;
const LEFT: f64 = 380.;
const RIGHT: f64 = WIDTH - 30.;
const TOP: f64 = 20.;
const ROW: f64 = 30.;
/// For the axis and its label.
const FOOT: f64 = 62.;

impl Forest {
    pub fn picture(&self) -> Picture {
        let names: Vec<&str> = self.intervals.iter().map(|it| &*it.label).collect();
        let description = format!("{}: {}", self.label, names.join("; "));
        Picture::new(&self.svg(), &self.title, &description)
    }

    fn svg(&self) -> String {
        let bottom = TOP + ROW * self.intervals.len() as f64;
        let ends = |sign: f64| {
            self.intervals
                .iter()
                .map(move |it| it.mean + sign * it.margin)
        };
        let (least, most) = (ends(-1.).fold(0., f64::min), ends(1.).fold(1., f64::max));
        let room = 0.04 * (most - least);
        let axis = Axis {
            label: self.label.clone(),
            scale: Scale::Linear,
            from: least - room,
            to: most + room,
        };
        let x = |value: f64| LEFT + axis.place(value) * (RIGHT - LEFT);
        let mut svg = opening(WIDTH, bottom + FOOT);
        for (value, name) in axis.ticks() {
            let (x, class) = (x(value), if value == 0. { "axis" } else { "grid" });
            put(
                &mut svg,
                format_args!(
                    "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>\n\
                     <text class=\"tick\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
                    bottom + 20.,
                ),
            );
        }
        for (i, it) in self.intervals.iter().enumerate() {
            let y = TOP + ROW * (i as f64 + 0.5);
            let (from, to) = (x(it.mean - it.margin), x(it.mean + it.margin));
            put(
                &mut svg,
                format_args!(
                    "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n\
                     <path d=\"M{from:.1} {y}H{to:.1}M{from:.1} {}v10M{to:.1} {}v10\" stroke=\"{}\" \
                     stroke-width=\"1.8\" fill=\"none\"/>\n\
                     <circle cx=\"{:.1}\" cy=\"{y}\" r=\"4.5\" fill=\"{}\"/>",
                    LEFT - 12.,
                    y + 5.,
                    escape(&it.label),
                    y - 5.,
                    y - 5.,
                    colour::BLUE,
                    x(it.mean),
                    colour::BLUE,
                ),
            );
        }
        let middle = (LEFT + RIGHT) / 2.;
        put(
            &mut svg,
            format_args!(
                "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                bottom + FOOT - 14.,
                escape(&self.label)
            ),
        );
        svg + "</svg>\n"
    }
}
