//! The picture of a story.

use super::story::Story;
use crate::draw::{BOLD, CON, PRO, Picture, colour, dim, paint};
use crate::figures::{bar, count, decimal};
use crate::task::FEATURES;
use anstyle::{AnsiColor, Style};
use console::{Alignment, measure_text_width, pad_str, truncate_str};
use ipse::Phase;
use ipse::direction::Direction;
use ipse::environment::Environment;
use ipse::tetris::Tetris10x10;

/// Wider than this, lines are hard to follow.
const WIDEST: usize = 100;
/// The lines of the curve.
const LOWEST: usize = 5;
const HIGHEST: usize = 10;
/// Between the list and the board.
const GAP: usize = 3;

const DIRECTIONS: Style = AnsiColor::Yellow.on_default();
const WEIGHTS: Style = AnsiColor::Cyan.on_default();

/// At most `height` lines, for a terminal with so many columns.
pub fn lines(story: &Story, name: &str, width: usize, height: usize) -> Vec<String> {
    let width = width.min(WIDEST).saturating_sub(1);
    let mut lines = vec![
        title(story, name, width),
        progress(story, width),
        facts(story),
    ];
    lines.push(String::new());
    lines.extend(middle(story, width));
    lines.push(String::new());
    let left = height.saturating_sub(lines.len() + 1);
    lines.extend(curve(story, width, left.clamp(LOWEST, HIGHEST)));
    lines.truncate(height);
    lines
        .iter()
        .map(|line| truncate_str(line, width, "").into_owned())
        .collect()
}

fn title(story: &Story, name: &str, width: usize) -> String {
    let title = format!("{} learns Tetris on {name}", paint("ipse", BOLD));
    let seed = story
        .began
        .map(|began| dim(&format!("seed {}", began.seed)));
    apart(&title, &seed.unwrap_or_default(), width)
}

/// The left and the right end of a line.
fn apart(left: &str, right: &str, width: usize) -> String {
    let room = width.saturating_sub(measure_text_width(right));
    pad_str(left, room, Alignment::Left, None).into_owned() + right
}

fn progress(story: &Story, width: usize) -> String {
    if let Some(play) = story.play {
        let games = match play.over {
            0 => String::new(),
            over => format!(", {} lost", count(over.into(), "game")),
        };
        return format!(
            "{}  {}, {}{games}",
            paint("plays with what it learned", PRO.bold()),
            count(play.pieces.into(), "piece"),
            count(play.rows.into(), "row"),
        );
    }
    let Some(learned) = story.learned else {
        return dim("waits for the first iteration");
    };
    let phase = match learned.phase {
        Phase::Directions => paint("1 directions", DIRECTIONS.bold()),
        Phase::Weights => paint("2 weights   ", WEIGHTS.bold()),
        _ => paint("2 survival  ", WEIGHTS.bold()),
    };
    let Some(all) = story.iterations() else {
        return format!("{phase}  iteration {}", learned.iteration);
    };
    let position = format!("iteration {} of {all}", learned.iteration);
    let room = width.saturating_sub(measure_text_width(&phase) + measure_text_width(&position) + 4);
    let share = f64::from(learned.iteration) / f64::from(all.max(1));
    let done = (share.min(1.) * room as f64) as usize;
    format!(
        "{phase}  {}{}  {position}",
        paint(&"━".repeat(done), phase_style(learned.phase)),
        dim(&"─".repeat(room - done)),
    )
}

fn phase_style(phase: Phase) -> Style {
    match phase {
        Phase::Directions => DIRECTIONS,
        _ => WEIGHTS,
    }
}

fn facts(story: &Story) -> String {
    let mut facts = Vec::new();
    if let Some(learned) = story.learned {
        let ticks = story.ended.map_or(learned.ticks, |ended| ended.ticks);
        let verb = if story.ended.is_some() {
            "learned"
        } else {
            "learning"
        };
        facts.push(format!("{verb} for {} s", decimal(ticks as f64 / 1e6, 1)));
        facts.push(count(story.calls, "simulated move"));
    }
    if let Some(delay) = story.delay {
        let delay = decimal(f64::from(delay) / 1e3, 1);
        facts.push(format!("heartbeat at most {delay} ms late"));
    }
    dim(&facts.join(" · "))
}

/// Pros and cons on the left, the board on the right.
fn middle(story: &Story, width: usize) -> Vec<String> {
    let mut board = story.game.lines();
    if let (Some(piece), [first, second, ..]) = (story.game.next(), &mut board[..]) {
        *first += &dim(" next");
        *second += &paint(&format!("   {}", piece.letter()), colour(piece).bold());
    }
    let room = width.saturating_sub(Picture::WIDTH + " next".len());
    let mut list = pros_and_cons(story, room.saturating_sub(GAP));
    list.resize(list.len().max(board.len()), String::new());
    board.resize(list.len(), String::new());
    list.iter()
        .zip(&board)
        .map(|(left, right)| pad_str(left, room, Alignment::Left, None).into_owned() + right)
        .collect()
}

fn pros_and_cons(story: &Story, width: usize) -> Vec<String> {
    let (directions, weights) = match story.learned {
        Some(learned) => (learned.directions, learned.weights),
        None => ([Direction::Undecided; FEATURES], [0.; FEATURES]),
    };
    let largest = weights
        .iter()
        .fold(0f32, |most, weight| most.max(weight.abs()));
    let mut lines = Vec::new();
    for (direction, heading) in [
        (Direction::Pro, paint("+ pro", PRO.bold())),
        (Direction::Con, paint("− con", CON.bold())),
        (Direction::Undecided, paint("? undecided", BOLD)),
    ] {
        if direction != Direction::Undecided || directions.contains(&direction) {
            lines.push(heading);
        }
        let features = (0..FEATURES).filter(|&feature| directions[feature] == direction);
        lines.extend(features.map(|feature| {
            let weight = weights[feature];
            let share = if largest > 0. {
                weight.abs() / largest
            } else {
                0.
            };
            entry(Tetris10x10::FEATURES[feature].name, weight, share, width)
        }));
    }
    lines
}

/// A feature, its weight, and a bar for its share of the largest one.
fn entry(name: &str, weight: f32, share: f32, width: usize) -> String {
    let style = if weight < 0. { CON } else { PRO };
    let room = width.saturating_sub(30);
    let bar = match weight {
        0. => dim("·"),
        _ => paint(&bar(f64::from(share) * room as f64), style),
    };
    format!("  {name:<18} {:>7}  {bar}", decimal(weight.into(), 3))
}

/// The rows removed up to every iteration. Four cells a piece and ten a row make 0.4 rows an
/// iteration the most there can be, which is the upper right corner.
fn curve(story: &Story, width: usize, height: usize) -> Vec<String> {
    let iterations = story
        .iterations()
        .unwrap_or(0)
        .max(story.curve.len() as u32);
    let most = f64::from(iterations.max(10)) * 0.4;
    let title = format!("{} {}", paint("rows removed", BOLD), story.rows());
    let legend = format!(
        "{} {}",
        paint("■ learning directions", DIRECTIONS),
        paint("■ learning weights", WEIGHTS)
    );
    let label = format!("{most:.0}");
    let room = width.saturating_sub(label.len() + 2);
    let at = |column: usize| {
        let iteration = ((column + 1) * iterations as usize).div_ceil(room);
        story.curve.get(iteration.checked_sub(1)?).copied()
    };
    let mut lines = vec![apart(&title, &legend, width)];
    for row in (0..height).rev() {
        let axis = match row {
            _ if row == height - 1 => format!("{label} ┤"),
            0 => format!("{:>w$} ┤", 0, w = label.len()),
            _ => format!("{:>w$} │", "", w = label.len()),
        };
        let cells = (0..room).map(|column| match at(column) {
            Some((phase, rows)) => {
                let level = f64::from(rows) / most * height as f64 - row as f64;
                (Some(phase), block(level))
            }
            None => (None, ' '),
        });
        lines.push(dim(&axis) + &runs(cells));
    }
    lines
}

/// A character that is filled from below.
fn block(level: f64) -> char {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    BLOCKS[(level.clamp(0., 1.) * 8.).round() as usize]
}

/// Characters of the same phase, painted together.
fn runs(cells: impl Iterator<Item = (Option<Phase>, char)>) -> String {
    let mut line = String::new();
    let mut run: (Option<Phase>, String) = (None, String::new());
    let paint_run = |(phase, text): &(Option<Phase>, String)| match phase {
        Some(phase) => paint(text, phase_style(*phase)),
        None => text.clone(),
    };
    for (phase, cell) in cells {
        if phase != run.0 {
            line += &paint_run(&run);
            run = (phase, String::new());
        }
        run.1.push(cell);
    }
    line + &paint_run(&run)
}

#[cfg(test)]
mod tests {
    use super::super::event::Event;
    use super::*;

    fn story(frames: &[&str]) -> Story {
        let mut story = Story::default();
        for frame in frames {
            story.add(&Event::parse(frame).unwrap().unwrap());
        }
        story
    }

    const BEGAN: &str = "began seed=1; iterations=20";
    const LEARNED: &str = "learned iteration=7; phase=Directions; \
        directions=[Con, Pro, Con, Con, Con, Con, Undecided, Con]; \
        weights=[-1.25, 0.5, -0.1, -0.00001, 0, -1, 0, -2]; calls=3400; rows=1; over=false; \
        ticks=1234567; columns=[3, 1023, 0, 0, 0, 0, 0, 0, 0, 7]; piece=T";
    const ENDED: &str = "ended fingerprint=0123456789abcdef; weights=[1, 1, 1, 1, 1, 1, 1, 1]; \
        calls=3400; rows=1; ticks=1234567";
    const PLAYED: &str = "played pieces=1234567; rows=4; over=true; ticks=1; \
        columns=[0, 0, 0, 0, 0, 0, 0, 0, 0, 15]; piece=O";
    const BEAT: &str = "beat delay=123456789";

    #[test]
    fn whatever_happened_fits_on_the_terminal() {
        let frames = [BEGAN, LEARNED, BEAT, ENDED, PLAYED];
        for stories in (0..=frames.len()).map(|n| story(&frames[..n])) {
            for (width, height) in [(80, 23), (100, 50), (300, 100), (20, 10), (5, 1), (1, 0)] {
                let lines = lines(&stories, "an emulated STM32F405", width, height);
                assert!(lines.len() <= height, "{}", lines.len());
                for line in lines {
                    assert!(measure_text_width(&line) < width, "{line}");
                }
            }
        }
    }

    #[test]
    fn a_feature_is_listed_below_its_direction() {
        let lines = pros_and_cons(&story(&[LEARNED]), 50);
        let text = anstream::adapter::strip_str(&lines.join("\n")).to_string();
        let words: Vec<&str> = text.lines().map(|line| line.trim_start()).collect();
        assert!(words[0] == "+ pro" && words[1].starts_with("eroded piece cells"));
        assert!(words[2] == "− con" && words[3].starts_with("landing height"));
        assert!(words[9] == "? undecided" && words[10].starts_with("hole depth"));
    }

    #[test]
    fn the_largest_weight_has_the_longest_bar_and_half_of_it_a_bar_half_as_long() {
        let lines = pros_and_cons(&story(&[LEARNED]), 50);
        let length = |name: &str| {
            let line = lines.iter().find(|line| line.contains(name)).unwrap();
            line.matches('█').count()
        };
        assert_eq!(length("rows with holes"), 20);
        assert_eq!(length("board wells"), 10);
        assert_eq!(length("hole depth"), 0);
    }

    #[test]
    fn the_curve_reaches_the_corner_if_rows_cannot_be_removed_faster() {
        let mut best = story(&[BEGAN]);
        best.curve = (1..=20).map(|i| (Phase::Weights, i * 2 / 5)).collect();
        let text = |story: &Story| {
            anstream::adapter::strip_str(&curve(story, 60, 5).join("\n")).to_string()
        };
        assert!(text(&best).lines().nth(1).unwrap().ends_with('█'));
        best.curve.truncate(10);
        assert!(!text(&best).lines().nth(1).unwrap().ends_with('█'));
    }
}
