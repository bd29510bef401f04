//! Franklin's sheet: the features for an action and those against it, with the votes behind each, and its weight.

use super::grid::{Area, Grid, columns};
use super::story::Feature;
use super::view::{DIM, PLAIN};
use crate::draw::{BOLD, CON, PRO};
use crate::figures::{bar, decimal};
use anstyle::{AnsiColor, Style};
use ipse::direction::Direction;

const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const AGAINST: &str = "! against its votes";
/// The columns of a weight, and of votes.
const WEIGHT: usize = 8;
const VOTES: usize = 8;
/// The least columns of a name, a bar, and the sheet if it is in two columns.
const NAME: usize = 8;
const BAR: usize = 4;
const COLUMN: usize = 34;

enum Row<'f> {
    Heading(Direction),
    Entry(&'f Feature),
}

/// The rows: headings, and the features below them.
fn list(features: &[Feature]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for direction in [Direction::Pro, Direction::Con, Direction::Undecided] {
        let entries = features
            .iter()
            .filter(|feature| feature.direction == direction);
        let mut entries = entries.map(Row::Entry).peekable();
        if direction != Direction::Undecided || entries.peek().is_some() {
            rows.push(Row::Heading(direction));
        }
        rows.extend(entries);
    }
    rows
}

/// The number of rows that it needs.
pub fn rows(features: &[Feature]) -> usize {
    list(features).len()
}

pub fn draw(grid: &mut Grid, area: Area, features: &[Feature]) {
    let rows = list(features);
    let is_too_long = rows.len() > area.height;
    if is_too_long && area.width >= 2 * COLUMN + 2 {
        let (left, right) = area.split_left(area.width / 2);
        let half = rows.len().div_ceil(2).max(area.height).min(rows.len());
        draw_rows(grid, left.split_right(2).0, &rows[..half], features);
        draw_rows(grid, right, &rows[half..], features);
    } else {
        draw_rows(grid, area, &rows, features);
    }
}

fn draw_rows(grid: &mut Grid, area: Area, rows: &[Row<'_>], features: &[Feature]) {
    let fitting = match rows.len() > area.height {
        true => area.height.saturating_sub(1),
        false => rows.len(),
    };
    let headings = rows
        .iter()
        .filter(|row| matches!(row, Row::Heading(_)))
        .count();
    let is_roomy = rows.len() + headings <= area.height;
    let largest = features.iter().filter_map(|feature| feature.weight);
    let largest = largest.filter(|weight| weight.is_finite());
    let layout = Layout {
        name: features
            .iter()
            .map(|feature| columns(&feature.name))
            .max()
            .unwrap_or(0),
        largest: largest.fold(0., |most: f32, weight| most.max(weight.abs())),
        has_contradictions: features.iter().any(Feature::is_against_its_votes),
    };
    layout.draw_titles(grid, area);
    let mut y = 0;
    for (number, row) in rows[..fitting].iter().enumerate() {
        match row {
            Row::Heading(direction) => {
                y += usize::from(is_roomy && number > 0);
                let (heading, style) = match direction {
                    Direction::Pro => ("+ pro", PRO.bold()),
                    Direction::Con => ("− con", CON.bold()),
                    Direction::Undecided => ("? undecided", BOLD),
                };
                grid.text(area, 0, y, heading, style);
            }
            Row::Entry(feature) => layout.draw(grid, area, y, feature),
        }
        y += 1;
    }
    if fitting < rows.len() {
        let more = format!("  … {} more", rows.len() - fitting);
        grid.text(area, 0, y, &more, DIM);
    }
}

struct Layout {
    /// The longest name.
    name: usize,
    /// The largest absolute weight.
    largest: f32,
    has_contradictions: bool,
}

impl Layout {
    /// The areas of the name with its mark, the weight, the votes, and the rest.
    fn areas(&self, area: Area) -> [Area; 4] {
        let fixed = 2 + WEIGHT + VOTES;
        let name = self.name.min(area.width.saturating_sub(fixed)).max(NAME);
        let (name, rest) = area.split_left(2 + name);
        let (weight, rest) = rest.split_left(WEIGHT);
        let (votes, rest) = rest.split_left(VOTES);
        [name, weight, votes, rest.split_left(1).1]
    }

    fn draw_titles(&self, grid: &mut Grid, area: Area) {
        let [_, weight, votes, _] = self.areas(area);
        grid.text_right(weight, 0, "weight", DIM);
        grid.text_right(votes, 0, "votes", DIM);
    }

    /// A mark, the name, the weight, the votes, and a bar for the share of the largest weight.
    fn draw(&self, grid: &mut Grid, area: Area, y: usize, feature: &Feature) {
        let is_against = feature.is_against_its_votes();
        if is_against {
            grid.text(area, 0, y, "!", WARNING);
        }
        let [name, weight, votes, mut rest] = self.areas(area);
        grid.text(name, 2, y, &feature.name, PLAIN);
        let (text, style) = match feature.weight {
            Some(weight) => (number(weight), if weight < 0. { CON } else { PRO }),
            None => ("–".into(), DIM),
        };
        grid.text_right(weight, y, &text, style);
        if let Some([pro, con]) = feature.votes {
            grid.text_right(votes, y, &format!("{pro}:{con}"), DIM);
        }
        if self.has_contradictions && rest.width > AGAINST.len() + BAR {
            let (bars, marks) = rest.split_right(AGAINST.len());
            if is_against {
                grid.text(marks, 0, y, AGAINST, WARNING);
            }
            rest = bars.split_right(1).0;
        }
        if rest.width >= BAR {
            self.draw_bar(grid, rest, y, feature.weight);
        }
    }

    fn draw_bar(&self, grid: &mut Grid, area: Area, y: usize, weight: Option<f32>) {
        let weight = weight.filter(|weight| weight.is_finite()).unwrap_or(0.);
        if weight == 0. {
            grid.text(area, 0, y, "·", DIM);
            return;
        }
        let length = f64::from(weight.abs() / self.largest) * area.width as f64;
        // Solid for what is added, shaded for what is taken away.
        match weight > 0. {
            true => grid.text(area, 0, y, &bar(length), PRO),
            false => grid.text(
                area,
                0,
                y,
                &"▒".repeat((length.round() as usize).max(1)),
                CON,
            ),
        };
    }
}

/// A weight with its sign, in seven columns.
fn number(weight: f32) -> String {
    let magnitude = f64::from(weight.abs());
    let sign = if weight < 0. { "−" } else { "+" };
    match weight {
        _ if weight.is_nan() => "NaN".into(),
        _ if weight.is_infinite() => format!("{sign}∞"),
        0. => "0".into(),
        _ if magnitude >= 99_999.5 => format!("{sign}{magnitude:.0e}"),
        _ if magnitude >= 100. => format!("{sign}{}", decimal(magnitude, 0)),
        _ => format!("{sign}{}", decimal(magnitude, 3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anstream::adapter::strip_str;

    fn feature(name: &str, sign: i32, votes: [u16; 2], weight: f32) -> Feature {
        Feature {
            name: name.into(),
            direction: Direction::of(sign),
            votes: Some(votes),
            weight: Some(weight),
        }
    }

    fn drawn(features: &[Feature], width: usize, height: usize) -> Vec<String> {
        let mut grid = Grid::new(width, height);
        let area = grid.area();
        draw(&mut grid, area, features);
        let lines = grid.lines();
        lines
            .iter()
            .map(|line| strip_str(line).to_string())
            .collect()
    }

    #[test]
    fn a_feature_is_below_its_direction_with_its_votes() {
        let features = [
            feature("distance", -1, [2, 14], -1.),
            feature("seeds", 1, [14, 2], 2.),
            feature("owls", 0, [3, 3], 0.),
        ];
        let expected = [
            "+ pro       weight   votes",
            "  seeds     +2.000    14:2 ████████████",
            "− con",
            "  distance  −1.000    2:14 ▒▒▒▒▒▒",
            "? undecided",
            "  owls           0     3:3 ·",
        ];
        assert_eq!(drawn(&features, 39, 6), expected);
    }

    #[test]
    fn a_weight_against_its_direction_is_marked_at_any_width() {
        let features = [
            feature("eroded cells", -1, [10, 15], 0.5),
            feature("holes", -1, [1, 30], -0.5),
        ];
        let wide = drawn(&features, 70, 4);
        assert!(wide[2].starts_with("! eroded") && wide[2].ends_with("! against its votes"));
        assert!(wide[3].starts_with("  holes") && !wide[3].contains('!'));
        let narrow = drawn(&features, 34, 4);
        assert!(narrow[2].starts_with("! eroded") && narrow[2].contains("10:15"));
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let name = |number: i32| format!("f{number}");
        let features: Vec<Feature> = (0..20).map(|n| feature(&name(n), 1, [1, 0], 1.)).collect();
        let lines = drawn(&features, 40, 10);
        assert_eq!(lines[9], "  … 13 more");
        let both = drawn(&features, 80, 11).join("\n");
        assert!((0..20).all(|n| both.contains(&name(n))), "{both}");
    }

    #[test]
    fn weights_that_are_no_numbers_are_shown_as_such() {
        let weights = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1e-40];
        let shown = weights.map(number);
        assert_eq!(shown, ["NaN", "+∞", "−∞", "+3e38", "−0.000"]);
        let features = weights.map(|weight| feature("x", 0, [0, 0], weight));
        assert_eq!(drawn(&features, 60, 8).len(), 8);
    }
}
