//! Small charts of the same kind side by side, on the same axes, with one legend.

use super::axis::Axis;
use super::chart::{Line, escape, opening, put, stroke};
use super::png::Picture;

pub struct Panels {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub panels: Vec<Panel>,
}

/// One of the charts. All have the same lines.
pub struct Panel {
    pub label: String,
    pub lines: Vec<Line>,
    /// A place on the axis that is marked.
    pub mark: Option<f64>,
}

const COLUMNS: usize = 3;
const WIDTH: f64 = 890.;
const LEFT: f64 = 66.;
const GAP: f64 = 22.;
const PANEL: f64 = (WIDTH - LEFT - 20. - GAP * (COLUMNS as f64 - 1.)) / COLUMNS as f64;
const HEIGHT: f64 = 190.;
/// Above a panel, for its name, and below it, for the axis.
const ABOVE: f64 = 30.;
const BELOW: f64 = 26.;
/// A line of the legend.
const LEADING: f64 = 24.;
const SAMPLE: f64 = 30.;
const NAME: f64 = (WIDTH - LEFT) / 4.;

impl Panels {
    pub fn picture(&self) -> Picture {
        let names: Vec<&str> = self.panels.iter().map(|panel| &*panel.label).collect();
        let description = format!(
            "{} over {}: {}",
            self.y.label,
            self.x.label,
            names.join("; ")
        );
        Picture::new(&self.svg(), &self.title, &description)
    }

    fn svg(&self) -> String {
        let rows = self.panels.len().div_ceil(COLUMNS) as f64;
        let legend = rows * (ABOVE + HEIGHT + BELOW) + 34.;
        let names = self.panels.first().map_or(0, |panel| panel.lines.len());
        let mut svg = opening(WIDTH, legend + LEADING * names.div_ceil(4) as f64 + 8.);
        for (i, panel) in self.panels.iter().enumerate() {
            self.draw(panel, i, &mut svg);
        }
        put(
            &mut svg,
            format_args!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
                 <text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                (LEFT + WIDTH) / 2.,
                legend - 18.,
                escape(&self.x.label),
                (legend - 34.) / 2.,
                escape(&self.y.label),
            ),
        );
        let lines = self.panels.first().map_or(&[][..], |panel| &panel.lines);
        for (i, line) in lines.iter().enumerate() {
            let x = LEFT + NAME * (i % 4) as f64;
            let y = legend + LEADING * (i / 4) as f64 + 8.;
            put(
                &mut svg,
                format_args!(
                    "<line x1=\"{x}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" {}/>\n<text x=\"{}\" y=\"{}\">{}</text>",
                    x + SAMPLE,
                    stroke(line),
                    x + SAMPLE + 7.,
                    y + 5.,
                    escape(&line.label),
                ),
            );
        }
        svg + "</svg>\n"
    }

    fn draw(&self, panel: &Panel, number: usize, svg: &mut String) {
        let left = LEFT + (PANEL + GAP) * (number % COLUMNS) as f64;
        let top = ABOVE + (ABOVE + HEIGHT + BELOW) * (number / COLUMNS) as f64;
        let bottom = top + HEIGHT;
        let x = |value: f64| left + self.x.place(value) * PANEL;
        let y = |value: f64| bottom - self.y.place(value) * HEIGHT;
        for (value, name) in self.y.ticks() {
            let name = if number.is_multiple_of(COLUMNS) {
                &*name
            } else {
                ""
            };
            put(
                svg,
                format_args!(
                    "<line class=\"grid\" x1=\"{left:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\n\
                     <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
                    left + PANEL,
                    y(value),
                    y(value),
                    left - 6.,
                    y(value) + 4.5,
                ),
            );
        }
        for (value, name) in self.x.ticks().into_iter().step_by(2) {
            put(
                svg,
                format_args!(
                    "<text class=\"tick\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
                    x(value),
                    bottom + 17.,
                ),
            );
        }
        if let Some(mark) = panel.mark {
            put(
                svg,
                format_args!(
                    "<path d=\"M{:.1} {top}V{bottom}\" stroke=\"#555555\" stroke-width=\"1.2\" \
                     stroke-dasharray=\"6 4\" fill=\"none\"/>",
                    x(mark)
                ),
            );
        }
        for line in &panel.lines {
            let points: Vec<String> = line
                .samples
                .iter()
                .map(|sample| {
                    format!(
                        "{:.1},{:.1}",
                        x(sample.x),
                        y(sample.y.clamp(self.y.from, self.y.to))
                    )
                })
                .collect();
            put(
                svg,
                format_args!(
                    "<polyline points=\"{}\" {}/>",
                    points.join(" "),
                    stroke(line)
                ),
            );
        }
        put(
            svg,
            format_args!(
                "<path class=\"axis\" d=\"M{left:.1} {top}V{bottom}H{:.1}\"/>\n\
                 <text class=\"tick\" x=\"{left:.1}\" y=\"{}\">{}</text>",
                left + PANEL,
                top - 8.,
                escape(&panel.label),
            ),
        );
    }
}
