//! A chart of lines with bands around them, each named where it ends.

use super::axis::{Axis, Scale};
use super::png::Picture;
use super::spread::spread;
use std::fmt::Write;

pub struct Chart {
    /// What it shows, for those who cannot see it.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub lines: Vec<Line>,
    pub markers: Vec<Marker>,
}

pub struct Line {
    pub label: String,
    pub colour: &'static str,
    /// The pattern of a line that is not solid, in SVG's terms.
    pub dashes: Option<&'static str>,
    pub width: f64,
    pub samples: Vec<Sample>,
}

/// A point of a line.
#[derive(Clone, Copy)]
pub struct Sample {
    pub x: f64,
    pub y: f64,
    /// Half the height of the band here.
    pub margin: Option<f64>,
}

/// A vertical line with a name, drawn dashed.
pub struct Marker {
    pub x: f64,
    pub label: String,
    pub colour: &'static str,
}

const WIDTH: f64 = 960.;
const HEIGHT: f64 = 480.;
const LEFT: f64 = 76.;
const RIGHT: f64 = WIDTH - 332.;
const TOP: f64 = 26.;
const BOTTOM: f64 = HEIGHT - 62.;
/// The distance between two names.
const LEADING: f64 = 19.;
/// From the end of the lines to their names.
const GUTTER: f64 = 16.;
const SAMPLE: f64 = 26.;

const STYLE: &str = "\
text{font-family:'Noto Sans','DejaVu Sans',Helvetica,Arial,sans-serif;font-size:14px;fill:#222}
.tick{font-size:13px;fill:#444}
.marker{font-size:13px;font-style:italic}
.grid{stroke:#e4e4e4;stroke-width:1}
.axis{stroke:#444;stroke-width:1.2;fill:none}";

impl Chart {
    /// Scores over calls of the generative model, with zero in the picture.
    pub fn over_calls(title: String, unit: &str, lines: Vec<Line>) -> Self {
        let samples = || lines.iter().flat_map(|line| &line.samples);
        let margin = |sample: &Sample| sample.margin.unwrap_or(0.);
        let last = samples().map(|sample| sample.x).fold(1., f64::max);
        let lowest = samples().map(|sample| sample.y - margin(sample));
        let highest = samples().map(|sample| sample.y + margin(sample));
        let (from, to) = (lowest.fold(0., f64::min), highest.fold(0., f64::max));
        let axis = |label: &str, from, to| Axis {
            label: label.into(),
            scale: Scale::Linear,
            from,
            to,
        };
        Chart {
            title,
            x: axis("calls of the generative model", 0., last),
            y: axis(unit, from, if from < to { to } else { from + 1. }),
            lines,
            markers: Vec::new(),
        }
    }

    /// For files.
    pub fn picture(&self) -> Picture {
        let names: Vec<&str> = self.lines.iter().map(|line| &*line.label).collect();
        let description = format!(
            "{} over {}: {}",
            self.y.label,
            self.x.label,
            names.join("; ")
        );
        Picture::new(&self.svg(), &self.title, &description)
    }

    fn svg(&self) -> String {
        let mut svg = format!(
            "{}<clipPath id=\"area\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
            opening(WIDTH, HEIGHT),
            RIGHT - LEFT,
            BOTTOM - TOP
        );
        self.draw_axes(&mut svg);
        self.draw_markers(&mut svg);
        svg += "<g clip-path=\"url(#area)\">\n";
        for line in &self.lines {
            self.draw_band(line, &mut svg);
        }
        for line in &self.lines {
            self.draw_line(line, &mut svg);
        }
        svg += "</g>\n";
        self.draw_names(&mut svg);
        svg + "</svg>\n"
    }

    fn at_x(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (RIGHT - LEFT)
    }

    fn at_y(&self, value: f64) -> f64 {
        BOTTOM - self.y.place(value) * (BOTTOM - TOP)
    }

    fn draw_axes(&self, svg: &mut String) {
        for (value, name) in self.y.ticks() {
            let y = self.at_y(value);
            put(
                svg,
                format_args!(
                    "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n\
                 <text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
                    LEFT - 8.,
                    y + 4.5,
                ),
            );
        }
        let marks = self
            .x
            .ticks()
            .into_iter()
            .map(|(value, name)| (value, 6., name));
        let minor = self.x.minor_ticks().into_iter();
        for (value, length, name) in marks.chain(minor.map(|value| (value, 3., String::new()))) {
            let x = self.at_x(value);
            put(
                svg,
                format_args!(
                    "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{BOTTOM}\" y2=\"{}\"/>\n\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
                    BOTTOM + length,
                    BOTTOM + 21.,
                ),
            );
        }
        let (middle, centre) = ((LEFT + RIGHT) / 2., (TOP + BOTTOM) / 2.);
        put(
            svg,
            format_args!(
                "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\n\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(20 {centre}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                HEIGHT - 16.,
                escape(&self.x.label),
                escape(&self.y.label),
            ),
        );
    }

    fn draw_markers(&self, svg: &mut String) {
        for marker in &self.markers {
            let (x, colour) = (self.at_x(marker.x), marker.colour);
            let (text, anchor) = match x < (LEFT + RIGHT) / 2. {
                true => (x + 6., "start"),
                false => (x - 6., "end"),
            };
            put(
                svg,
                format_args!(
                    "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{BOTTOM}\" stroke=\"{colour}\" \
                 stroke-width=\"1.3\" stroke-dasharray=\"6 4\"/>\n\
                 <text class=\"marker\" x=\"{text:.1}\" y=\"{}\" text-anchor=\"{anchor}\" \
                     style=\"fill:{colour}\">{}</text>",
                    TOP - 8.,
                    escape(&marker.label),
                ),
            );
        }
    }

    fn draw_band(&self, line: &Line, svg: &mut String) {
        let edge = |sample: &Sample, sign: f64| {
            let margin = sample.margin.unwrap_or(0.);
            let (x, y) = (self.at_x(sample.x), self.at_y(sample.y + sign * margin));
            format!("{x:.1},{y:.1} ")
        };
        if line.samples.iter().all(|sample| sample.margin.is_none()) {
            return;
        }
        let upper = line.samples.iter().map(|sample| edge(sample, 1.));
        let lower = line.samples.iter().rev().map(|sample| edge(sample, -1.));
        let points: String = upper.chain(lower).collect();
        put(
            svg,
            format_args!(
                "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.16\"/>",
                points.trim_end(),
                line.colour
            ),
        );
    }

    fn draw_line(&self, line: &Line, svg: &mut String) {
        let place =
            |sample: &Sample| format!("{:.1},{:.1}", self.at_x(sample.x), self.at_y(sample.y));
        let points: Vec<String> = line.samples.iter().map(place).collect();
        put(
            svg,
            format_args!(
                "<polyline points=\"{}\" {}/>",
                points.join(" "),
                stroke(line)
            ),
        );
    }

    /// A name for each line, beside its end as far as there is room, with a leader to it.
    fn draw_names(&self, svg: &mut String) {
        let mut ends: Vec<(&Line, f64, f64)> = self
            .lines
            .iter()
            .filter_map(|line| {
                let last = line.samples.last()?;
                Some((line, self.at_x(last.x), self.at_y(last.y)))
            })
            .collect();
        ends.sort_by(|a, b| a.2.total_cmp(&b.2));
        let mut places: Vec<f64> = ends.iter().map(|end| end.2).collect();
        spread(&mut places, LEADING, TOP + 4., BOTTOM - 4.);
        let start = RIGHT + GUTTER;
        for ((line, x, y), place) in ends.into_iter().zip(places) {
            if x > RIGHT - 2. {
                put(
                    svg,
                    format_args!(
                        "<path d=\"M{x:.1} {y:.1}L{start} {place:.1}\" stroke=\"{}\" \
                     stroke-width=\"0.8\" fill=\"none\"/>",
                        line.colour
                    ),
                );
            }
            put(
                svg,
                format_args!(
                    "<line x1=\"{start}\" x2=\"{}\" y1=\"{place:.1}\" y2=\"{place:.1}\" {}/>\n\
                 <text x=\"{}\" y=\"{:.1}\">{}</text>",
                    start + SAMPLE,
                    stroke(line),
                    start + SAMPLE + 7.,
                    place + 4.8,
                    escape(&line.label),
                ),
            );
        }
    }
}

/// The beginning of a picture, with its styles and a white ground.
pub fn opening(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    )
}

pub fn stroke(line: &Line) -> String {
    let dashes = line.dashes.map_or(String::new(), |dashes| {
        format!(" stroke-dasharray=\"{dashes}\"")
    });
    format!(
        "stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" fill=\"none\"{dashes}",
        line.colour, line.width
    )
}

pub fn put(svg: &mut String, what: std::fmt::Arguments) {
    writeln!(svg, "{what}").expect("a string takes everything");
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
