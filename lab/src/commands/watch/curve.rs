//! The learning curve: what the policy of a moment earns in an episode.

use super::grid::{Area, Grid, columns};
use super::picture::braille;
use super::story::Story;
use super::view::DIM;
use crate::draw::{BOLD, PRO};
use crate::figures::decimal;
use indicatif::HumanCount;
use ipse_device::{Budget, Evaluated};

/// The number of evaluations of a running mean.
const WINDOW: usize = 10;

/// The mean rewards of the first and of the last evaluations, if there are two sets of them, and their number.
pub fn gain(evaluations: &[Evaluated]) -> Option<(f64, f64, usize)> {
    let number = (evaluations.len() / 2).min(WINDOW);
    let last = evaluations.len() - number;
    let (first, last) = (evaluations.get(..number)?, evaluations.get(last..)?);
    (number > 0).then(|| (mean(first), mean(last), number))
}

fn mean(evaluations: &[Evaluated]) -> f64 {
    let sum: f64 = evaluations.iter().map(Evaluated::mean).sum();
    sum / evaluations.len() as f64
}

/// The mean of each evaluation and those just before it.
fn running_means(evaluations: &[Evaluated]) -> impl Iterator<Item = f64> {
    (1..=evaluations.len()).map(|end| mean(&evaluations[end.saturating_sub(WINDOW)..end]))
}

pub fn draw(grid: &mut Grid, area: Area, story: &Story) {
    let evaluations = &story.evaluations[..];
    draw_title(grid, area, evaluations);
    let (_, area) = area.split_top(1);
    let (area, below) = match area.height {
        0..=2 => area.split_bottom(0),
        _ => area.split_bottom(1),
    };
    if evaluations.is_empty() {
        let text = "the policy has not been evaluated yet";
        grid.text(area, 2, area.height / 2, text, DIM);
        return;
    }
    let scale = Scale::of(story);
    let labels = [scale.most, scale.least].map(|value| decimal(value, 0));
    let margin = labels.iter().map(|label| columns(label)).max().unwrap_or(0);
    let (axis, plot) = area.split_left(margin + 2);
    for y in 0..area.height {
        let is_end = y == 0 || y + 1 == area.height;
        grid.put(axis, margin + 1, y, if is_end { '┤' } else { '│' }, DIM);
    }
    let numbers = axis.split_left(margin).0;
    grid.text_right(numbers, 0, &labels[0], DIM);
    grid.text_right(numbers, area.height.saturating_sub(1), &labels[1], DIM);
    let (_, below) = below.split_left(margin + 2);
    grid.text(below, 0, 0, "0", DIM);
    grid.text_right(
        below,
        0,
        &format!("{} {}", HumanCount(scale.end as u64), scale.unit),
        DIM,
    );
    draw_points(grid, plot, evaluations, &scale);
    draw_means(grid, plot, evaluations, &scale);
}

fn draw_title(grid: &mut Grid, area: Area, evaluations: &[Evaluated]) {
    let x = grid.text(area, 0, 0, "reward of an episode", BOLD);
    let Some(now) = running_means(evaluations).last() else {
        return;
    };
    let number = evaluations.len().min(WINDOW);
    let mean = format!("  {}", decimal(now, 1));
    let x = grid.text(area, x, 0, &mean, PRO.bold());
    grid.text(area, x, 0, &format!(" mean of {number}"), DIM);
    let legend = " · evaluation  ⠒ mean";
    if x + 30 + columns(legend) < area.width {
        grid.text_right(area, 0, legend, DIM);
    }
}

/// From numbers to places.
struct Scale {
    least: f64,
    most: f64,
    /// The end of the axis below.
    end: f64,
    unit: &'static str,
    is_calls: bool,
}

impl Scale {
    fn of(story: &Story) -> Scale {
        let evaluations = &story.evaluations;
        let rewards = evaluations.iter().map(Evaluated::mean);
        let (least, most) = rewards.fold((0f64, 1f64), |(least, most), reward| {
            (least.min(reward), most.max(reward))
        });
        let budget = story.run.as_ref().and_then(|run| run.budget);
        let is_calls = matches!(budget, Some(Budget::Calls(_)));
        let end = match budget {
            Some(Budget::Iterations(end) | Budget::Calls(end)) => f64::from(end),
            None => 0.,
        };
        let unit = if is_calls { "calls" } else { "iterations" };
        let mut scale = Scale {
            least,
            most,
            end,
            unit,
            is_calls,
        };
        let reached = evaluations.iter().map(|past| scale.position(past));
        scale.end = reached.fold(end.max(1.), f64::max);
        scale
    }

    /// Where an evaluation is on the axis below.
    fn position(&self, evaluated: &Evaluated) -> f64 {
        match self.is_calls {
            true => evaluated.calls as f64,
            false => evaluated.iteration.into(),
        }
    }

    /// The place of a value among so many columns and rows, the topmost of which is 0.
    fn place(
        &self,
        evaluated: &Evaluated,
        value: f64,
        columns: usize,
        rows: usize,
    ) -> (usize, usize) {
        let place = |share: f64, places: usize| {
            (share.clamp(0., 1.) * places.saturating_sub(1) as f64).round() as usize
        };
        let height = (value - self.least) / (self.most - self.least);
        (
            place(self.position(evaluated) / self.end, columns),
            place(1. - height, rows),
        )
    }
}

fn draw_points(grid: &mut Grid, area: Area, evaluations: &[Evaluated], scale: &Scale) {
    for past in evaluations {
        let (x, y) = scale.place(past, past.mean(), area.width, area.height);
        grid.put(area, x, y, '·', DIM);
    }
}

/// A line through the running means.
fn draw_means(grid: &mut Grid, area: Area, evaluations: &[Evaluated], scale: &Scale) {
    let (width, height) = (2 * area.width, 4 * area.height);
    let mut dots = vec![false; width * height];
    let mut before = None;
    for (past, mean) in evaluations.iter().zip(running_means(evaluations)) {
        let (x, y) = scale.place(past, mean, width, height);
        let (x0, y0) = before.unwrap_or((x, y));
        let steps = x.abs_diff(x0).max(y.abs_diff(y0)).max(1);
        let between = |from: usize, to: usize, step: usize| {
            let (from, to) = (from as f64, to as f64);
            (from + (to - from) * step as f64 / steps as f64).round() as usize
        };
        for step in 0..=steps {
            let at = between(y0, y, step) * width + between(x0, x, step);
            if let Some(dot) = dots.get_mut(at) {
                *dot = true;
            }
        }
        before = Some((x, y));
    }
    for y in 0..area.height {
        for x in 0..area.width {
            let character = braille(|dx, dy| dots[(4 * y + dy) * width + 2 * x + dx]);
            if character != ' ' {
                grid.put(area, x, y, character, PRO);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::watch::story::Run;
    use anstream::adapter::strip_str;

    fn evaluated(iteration: u32, reward: i64) -> Evaluated {
        Evaluated {
            iteration,
            calls: u64::from(iteration) * 1000,
            reward,
            actions: 1,
            episodes: 1,
            is_whole: true,
        }
    }

    fn drawn(budget: Option<Budget>, evaluations: Vec<Evaluated>) -> Vec<String> {
        let run = Run {
            task: "x".into(),
            learner: "y".into(),
            seed: 0,
            budget,
            features: vec![],
        };
        let story = Story {
            run: Some(run),
            evaluations,
            ..Story::default()
        };
        let mut grid = Grid::new(60, 10);
        let area = grid.area();
        draw(&mut grid, area, &story);
        let lines = grid.lines();
        lines
            .iter()
            .map(|line| strip_str(line).to_string())
            .collect()
    }

    #[test]
    fn a_policy_that_gets_no_better_is_a_level_line() {
        let same = (1..=50).map(|iteration| evaluated(iteration, 7)).collect();
        let lines = drawn(Some(Budget::Iterations(100)), same);
        assert!(
            lines[1].starts_with("7 ┤⠈⠉") && lines[8] == "0 ┤",
            "{lines:?}"
        );
        assert!(lines[2..8].iter().all(|line| line == "  │"));
        assert!(lines[0].contains("7.0 mean of 10"));
        assert!(lines[9].ends_with("100 iterations"));
    }

    #[test]
    fn a_search_is_drawn_over_its_calls() {
        let lines = drawn(Some(Budget::Calls(1_360_000)), vec![evaluated(680, 1)]);
        assert!(lines[9].ends_with("1,360,000 calls"));
        let middle = lines[1].chars().position(|c| ('⠁'..='⣿').contains(&c));
        assert!(middle.is_some_and(|x| (28..34).contains(&x)), "{lines:?}");
    }

    #[test]
    fn the_gain_is_from_the_first_to_the_last_evaluations() {
        let rising: Vec<_> = (0..40).map(|n| evaluated(n, n.into())).collect();
        assert_eq!(gain(&rising), Some((4.5, 34.5, 10)));
        assert_eq!(gain(&rising[..3]), Some((0., 2., 1)));
        assert_eq!(gain(&rising[..1]), None);
        assert_eq!(gain(&[]), None);
    }

    #[test]
    fn numbers_of_any_size_can_be_drawn() {
        let wild = [i64::MAX, i64::MIN, 0, -5];
        let wild = wild.map(|reward| evaluated(u32::MAX, reward)).to_vec();
        for budget in [None, Some(Budget::Calls(0)), Some(Budget::Iterations(1))] {
            assert_eq!(drawn(budget, wild.clone()).len(), 10);
        }
    }
}
