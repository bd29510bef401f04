//! What an experiment compares, and where along the way everything is scored.

use super::contender::Contender;
use super::settings::Settings;
use crate::error::{Error, Result};
use ipse::tetris::Rule;

/// Several ways to learn, to be run many times each.
pub struct Experiment {
    pub settings: Settings,
    pub arms: Vec<Arm>,
}

/// One way to learn.
pub struct Arm {
    /// On the command line and in files.
    pub name: &'static str,
    /// In tables and pictures.
    pub label: String,
    pub length: Length,
    /// How many points its curve has, unless it has fewer iterations.
    pub points: u32,
    /// The rule of the games that score it.
    pub rule: Rule,
    /// How often it is run unless the user says.
    pub replications: u64,
    /// Begins a run from a seed.
    pub begin: Box<dyn Fn(u64) -> Contender + Send + Sync>,
}

/// How long a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Iterations(u32),
    /// So many calls of the generative model, however many iterations they are.
    Calls(u64),
}

/// Points at the start of a run that is measured in calls are so many calls apart.
const CALLS_APART: u64 = 10_000;

impl Length {
    /// Where runs are scored, denser at the start. The last mark is the end.
    pub fn marks(self, points: u32) -> Vec<u64> {
        let end = self.end();
        let mark = |i: u32| {
            let share = f64::from(i) / f64::from(points);
            let mark = (end as f64 * share * share).round() as u64;
            match self {
                Length::Iterations(_) => mark.max(1),
                Length::Calls(_) => mark.max(u64::from(i) * CALLS_APART).min(end),
            }
        };
        let mut marks: Vec<u64> = (1..=points).map(mark).collect();
        marks.dedup();
        marks
    }

    pub fn end(self) -> u64 {
        match self {
            Length::Iterations(end) => end.into(),
            Length::Calls(end) => end,
        }
    }
}

impl Arm {
    pub fn marks(&self) -> Vec<u64> {
        self.length.marks(self.points)
    }
}

impl Experiment {
    /// The position of the arm with this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.arms.iter().position(|arm| arm.name == name)
    }

    /// The positions of the arms with these names; of all if there are none.
    pub fn positions(&self, names: &[String]) -> Result<Vec<usize>> {
        if names.is_empty() {
            return Ok((0..self.arms.len()).collect());
        }
        let mut positions = names
            .iter()
            .map(|name| self.position(name).ok_or_else(|| self.unknown(name)))
            .collect::<Result<Vec<_>>>()?;
        positions.sort_unstable();
        positions.dedup();
        Ok(positions)
    }

    pub fn unknown(&self, name: &str) -> Error {
        let names: Vec<_> = self.arms.iter().map(|arm| arm.name).collect();
        Error::Usage(format!("no algorithm {name:?}; give {}", names.join(", ")))
    }

    /// The seed of a replication, counted from 1: the same for every arm, so that they can be
    /// compared pair by pair.
    pub fn seed(&self, replication: u64) -> u64 {
        replication_seed(self.settings.seed, replication)
    }
}

/// SplitMix64, so that the seeds of neighbours have nothing in common.
pub fn replication_seed(main: u64, replication: u64) -> u64 {
    let mut z = main.wrapping_add(replication.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_points_are_in_the_first_quarter() {
        for length in [Length::Iterations(400), Length::Calls(1_360_000)] {
            let marks = length.marks(24);
            assert_eq!(marks.len(), 24);
            assert_eq!(marks.last(), Some(&length.end()));
            let early = marks.iter().filter(|&&mark| mark <= length.end() / 4);
            assert_eq!(early.count(), marks.len() / 2);
        }
    }

    #[test]
    fn marks_ascend_however_short_a_run_is() {
        for iterations in 1..100 {
            let marks = Length::Iterations(iterations).marks(24);
            assert!(marks.is_sorted_by(|a, b| a < b));
            assert_eq!(marks.last(), Some(&iterations.into()));
        }
    }
}
