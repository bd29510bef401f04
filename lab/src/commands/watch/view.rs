//! The picture of a story, for a terminal of any size.

use super::grid::{Area, Grid, columns};
use super::pace::Speed;
use super::story::{Run, Story};
use super::{curve, lines, picture, sheet};
use crate::draw::{BOLD, CON, PRO};
use crate::figures::{count, decimal, duration};
use anstyle::{AnsiColor, Style};
use ipse_device::Boot;

pub const PLAIN: Style = Style::new();
pub const DIM: Style = Style::new().dimmed();
const LEARNING: Style = AnsiColor::Cyan.on_default().bold();
const PLAYING: Style = PRO.bold();
const PROBLEM: Style = AnsiColor::Yellow.on_default();

/// From this size on, the curve is beside the sheet and not below it.
const WIDE: (usize, usize) = (100, 22);
/// A terminal with fewer rows has what is below in one row.
const LOW: usize = 24;
/// Between columns.
const GAP: usize = 3;
/// The least and the most columns of the sheet beside something else.
const SHEET: (usize, usize) = (34, 80);

/// What is shown of the one who watches, and not of the board.
#[derive(Clone, Default)]
pub struct Status {
    pub source: String,
    pub is_live: bool,
    pub is_paused: bool,
    pub has_keys: bool,
    pub speed: Speed,
    /// What has gone wrong here.
    pub note: Option<String>,
}

/// As many lines as the terminal has, none longer than it is wide.
pub fn lines(story: &Story, status: &Status, width: usize, height: usize) -> Vec<String> {
    let mut grid = Grid::new(width, height);
    let (head, rest) = grid.area().split_top(3);
    let (body, foot) = rest.split_bottom(if height < LOW { 1 } else { 2 });
    draw_head(&mut grid, head, story, status);
    draw_body(&mut grid, body, story);
    draw_foot(&mut grid, foot, story, status);
    grid.lines()
}

fn draw_head(grid: &mut Grid, area: Area, story: &Story, status: &Status) {
    let right = match &story.run {
        Some(run) => {
            let end = grid.text(area, 0, 0, &run.task, BOLD);
            grid.text(
                area,
                end,
                0,
                &format!(" by {} on {}", run.learner, status.source),
                PLAIN,
            );
            format!(" seed {}", run.seed)
        }
        None => {
            grid.text(area, 0, 0, &status.source, BOLD);
            String::new()
        }
    };
    grid.text_right(area, 0, &right, DIM);
    if let Some(version) = story.foreign_version {
        let problem = format!("telemetry of version {version} cannot be read by this program");
        grid.text(area, 0, 1, &problem, PROBLEM);
    } else if story.run.is_none() {
        let wait = "waiting for the description of the run, repeated every few seconds";
        grid.text(area, 0, 1, wait, PROBLEM);
    } else {
        draw_progress(grid, area, story);
    }
    grid.text(area, 0, 2, &facts(story), DIM);
}

fn draw_progress(grid: &mut Grid, area: Area, story: &Story) {
    if let Some(acted) = story.acted.filter(|_| story.is_learned()) {
        let x = grid.text(area, 0, 1, "plays what it learned", PLAYING);
        let played = format!(
            "  {}, reward {}, {}",
            count(acted.actions.into(), "action"),
            decimal(acted.reward as f64, 0),
            count(acted.episodes.into(), "episode")
        );
        grid.text(area, x, 1, &played, PLAIN);
        return;
    }
    let Some(learned) = &story.learned else {
        grid.text(area, 0, 1, "waiting for the first iteration", DIM);
        return;
    };
    let (phase, style) = match story.is_learned() {
        true => ("has learned".to_owned(), PLAYING),
        false => (format!("learns {}", lines::phase(learned.phase)), LEARNING),
    };
    let position = story.position();
    let start = grid.text(area, 0, 1, &phase, style) + 2;
    grid.text_right(area, 1, &position, PLAIN);
    let room = area.width.saturating_sub(start + columns(&position) + 2);
    if let Some(share) = story.share().filter(|_| room >= 5) {
        let done = (share * room as f64) as usize;
        for x in 0..room {
            let (character, style) = if x < done {
                ('━', style)
            } else {
                ('─', DIM)
            };
            grid.put(area, start + x, 1, character, style);
        }
    }
}

fn facts(story: &Story) -> String {
    let mut facts = Vec::new();
    if story.micros > 0 {
        facts.push(duration(story.micros));
    }
    if let Some(learned) = &story.learned {
        facts.push(count(learned.calls, "call"));
        if !story.position().starts_with("iteration") {
            facts.push(count(learned.iteration.into(), "iteration"));
        }
        facts.push(count(learned.episodes.into(), "episode"));
        facts.push(format!("reward {}", decimal(learned.reward as f64, 0)));
    }
    facts.join(" · ")
}

fn draw_body(grid: &mut Grid, area: Area, story: &Story) {
    let features = story.features();
    if area.width >= WIDE.0 && area.height >= WIDE.1 {
        let (left, right) = area.split_left((area.width * 9 / 20).clamp(SHEET.0, SHEET.1));
        sheet::draw(grid, inset(left), &features);
        let right = right.split_left(GAP).1;
        // The picture gets what it needs, up to two thirds.
        let (most, _) = right.split_top(right.height * 2 / 3);
        let (_, rows) = picture::size(story.picture.as_ref(), most);
        let (above, below) = right.split_top(1 + rows + usize::from(rows > 0));
        picture::draw(grid, above.split_top(1).1, story.picture.as_ref());
        curve::draw(grid, below, story);
        return;
    }
    let curve_rows = if area.height >= 17 { 6 } else { 5 };
    let most = area.height.saturating_sub(curve_rows);
    let (top, _) = area.split_top(most);
    let (_, room) = top.split_left(SHEET.0 + GAP);
    let (columns, rows) = picture::size(story.picture.as_ref(), room);
    let rows = rows.max(sheet::rows(&features));
    let (top, below) = area.split_top(rows.min(most));
    let (left, right) = top.split_right(columns);
    let gap = if columns > 0 { GAP } else { 0 };
    sheet::draw(grid, left.split_right(gap).0, &features);
    picture::draw(grid, right, story.picture.as_ref());
    curve::draw(grid, below, story);
}

/// An area without its first row, so that it does not stick to what is above.
fn inset(area: Area) -> Area {
    area.split_top(1).1
}

fn draw_foot(grid: &mut Grid, area: Area, story: &Story, status: &Status) {
    let mut keys = match (status.has_keys, status.is_live) {
        (false, _) => String::new(),
        (true, true) => "q quit  space pause".to_owned(),
        (true, false) => format!("q quit  space pause  + - speed ×{}", status.speed.factor()),
    };
    let mut style = DIM;
    if status.is_paused {
        keys = keys.replace("pause", "PAUSED");
        style = BOLD;
    }
    let area_of_health = match area.height {
        0 | 1 => {
            let (left, right) = area.split_right(columns(&keys));
            grid.text(right, 0, 0, &keys, style);
            left.split_right(2).0
        }
        _ => {
            grid.text(area, 0, 1, &keys, style);
            area
        }
    };
    let mut x = 0;
    for (text, style) in health(story, status) {
        if x > 0 {
            x = grid.text(area_of_health, x, 0, " · ", DIM);
        }
        x = grid.text(area_of_health, x, 0, &text, style);
    }
}

/// What is wrong, and then what is well.
fn health(story: &Story, status: &Status) -> Vec<(String, Style)> {
    let mut health: Vec<(String, Style)> = Vec::new();
    health.extend(status.note.clone().map(|note| (note, CON.bold())));
    let problems = story.problems().into_iter();
    health.extend(problems.map(|problem| (problem, PROBLEM)));
    let mut features = story.features().into_iter();
    if features.any(|feature| feature.is_against_its_votes()) {
        health.push((sheet::AGAINST.into(), PROBLEM));
    }
    if let Some(beat) = story.beat {
        let slice = decimal(f64::from(beat.longest_slice) / 1e3, 1);
        health.push((format!("longest slice {slice} ms"), DIM));
    }
    if let Some(saved) = story.saved.filter(|saved| saved.is_saved()) {
        let erases = count(saved.erases.into(), "erase");
        health.push((
            format!("saved at iteration {}, {erases}", saved.iteration),
            DIM,
        ));
    }
    if let Some(boot @ (Boot::Resumed(_) | Boot::New)) = story.boot {
        health.push((boot.to_string(), DIM));
    }
    if story.restarts > 0 {
        health.push((count(story.restarts.into(), "reset"), DIM));
    }
    health
}

/// What stays on the terminal when the screen is left.
pub fn summary(story: &Story, source: &str) -> Vec<String> {
    let mut summary = Vec::new();
    let Some(run) = &story.run else {
        return summary;
    };
    let Run {
        task,
        learner,
        seed,
        ..
    } = run;
    summary.push(format!("{task} by {learner} on {source}, seed {seed}"));
    let learned = match (&story.ended, &story.learned) {
        (Some(ended), _) => Some(format!(
            "learned in {}: {}, {}",
            duration(ended.micros),
            count(ended.iterations.into(), "iteration"),
            count(ended.calls, "call"),
        )),
        (None, Some(_)) if story.is_learned() => Some(format!("learned: {}", story.position())),
        (None, Some(_)) => Some(format!("not learned to the end: {}", story.position())),
        (None, None) => None,
    };
    summary.extend(learned);
    if let Some((first, last, number)) = curve::gain(&story.evaluations) {
        summary.push(format!(
            "an episode earned {} at first and {} at last (means of {})",
            decimal(first, 1),
            decimal(last, 1),
            count(number as u64, "evaluation"),
        ));
    }
    if let Some(acted) = story.acted {
        summary.push(format!(
            "played {}: reward {}, {}",
            count(acted.actions.into(), "action"),
            decimal(acted.reward as f64, 0),
            count(acted.episodes.into(), "episode"),
        ));
    }
    let problems = story.problems();
    if !problems.is_empty() {
        summary.push(format!("note: {}", problems.join(", ")));
    }
    summary.extend(story.weights_line());
    summary
        .iter()
        .map(|line| super::grid::printable(line))
        .collect()
}
