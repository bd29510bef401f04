//! The learning curve, a row for each time that the policy is scored.

use super::Job;
use crate::draw::{BOLD, dim, paint};
use crate::figures::{bar, count, estimate};
use crate::summary::Estimate;
use crate::task::Task;
use crate::training::{Training, decided, phase_name};
use anstyle::{AnsiColor, Style};
use indicatif::HumanCount;
use ipse::array::Array;
use ipse::{Phase, Step};

/// The width of the longest bar, in characters.
const WIDTH: usize = 20;
const CURVE: Style = AnsiColor::Cyan.on_default();

pub fn heading<E: Task>(job: &Job<E>) -> String {
    let extent = match job.extent.calls {
        Some(calls) => count(calls.into(), "call"),
        None => count(job.extent.iterations.into(), "iteration"),
    };
    let title = format!(
        "{} in {}, {extent} from seed {}\n",
        paint(&job.algorithm.name(), BOLD),
        job.setup.title(),
        job.args.seed,
    );
    if job.every().is_none() {
        return title;
    }
    let games = count(job.args.series.games, "game");
    let scores = format!("{}, {games}", job.setup.measure.unit);
    let columns = format!(
        "  {:>9}  {:<14}  {scores:>22}  {:>9}",
        "iteration", "learning", "calls"
    );
    format!("{title}\n{}\n", dim(&columns))
}

pub fn row<E: Task>(
    job: &Job<E>,
    training: &Training<E>,
    step: &Step<E::Features>,
    score: &Estimate,
) -> String {
    let mut phase = phase_name(step.phase).to_owned();
    if step.phase == Phase::Directions {
        let decided = decided(step.directions.as_ref());
        phase += &format!(" {decided}/{}", E::Features::LEN);
    }
    let row = format!(
        "  {:>9}  {phase:<14}  {:>22}  {:>9}  {}",
        HumanCount(step.iteration.into()).to_string(),
        estimate(score),
        HumanCount(training.calls()).to_string(),
        paint(&job.bar(score.mean), CURVE),
    );
    format!("{}\n", row.trim_end())
}

impl<E: Task> Job<'_, E> {
    /// A bar for a score, if it is known how long the longest may be.
    fn bar(&self, mean: f64) -> String {
        let Some(full) = self.full() else {
            return String::new();
        };
        let share = mean / full;
        match share {
            ..0. => "◀".into(),
            ..=1. => bar(share * WIDTH as f64),
            _ => "█".repeat(WIDTH) + "▶",
        }
    }

    /// The score that the longest bar stands for: the limit of a game, or somewhat more than the best policy that is
    /// known.
    fn full(&self) -> Option<f64> {
        self.setup
            .measure
            .limit
            .map(|limit| limit as f64)
            .or(self.setup.best)
    }
}
