//! Runs what is missing, on all cores, and keeps what is done.

use super::experiment::Experiment;
use super::folder::Folder;
use super::journal::Journal;
use super::replication::Replication;
use super::results::{Key, Results};
use super::shard::Shard;
use crate::error::Result;
use crate::figures::count;
use crate::output::tell;
use crate::{parallel, progress};
use indicatif::{MultiProgress, ProgressBar};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What is to be there in the end.
#[derive(Clone)]
pub struct Plan {
    /// The arms, and how many replications of each.
    pub replications: Vec<(usize, u64)>,
}

impl Plan {
    /// All that is planned, the first replications of all arms first.
    pub fn keys(&self) -> Vec<Key> {
        let of_arm = |&(arm, count): &(usize, u64)| {
            (1..=count).map(move |replication| Key { arm, replication })
        };
        let mut keys: Vec<Key> = self.replications.iter().flat_map(of_arm).collect();
        keys.sort_unstable_by_key(|key| (key.replication, key.arm));
        keys
    }
}

/// Continues with `folder` until it has everything that a shard of `plan` asks for.
pub fn run(
    experiment: &Experiment,
    plan: &Plan,
    folder: &Folder,
    shard: Shard,
    threads: u64,
) -> Result<Results> {
    let mut results = Results::default();
    folder.read(experiment, Some(&Journal::name(shard)), &mut results)?;
    let journal = Journal::open(folder, shard, experiment, &mut results)?;
    let mut keys = plan.keys();
    keys.retain(|&key| shard.has(key));
    let missing: Vec<Key> = keys
        .iter()
        .copied()
        .filter(|&key| !results.has(key))
        .collect();
    let (planned, left) = (keys.len() as u64, missing.len() as u64);
    if left < planned {
        let (done, path) = (planned - left, folder.path.display());
        tell!(
            "found {done} of {} in {path}",
            count(planned, "replication")
        );
    }
    if missing.is_empty() {
        return Ok(results);
    }
    tell!(
        "running {} on {}",
        count(left, "replication"),
        count(threads, "thread")
    );
    let start = Instant::now();
    let bars = Bars::new(experiment, &keys, &missing);
    let results = Mutex::new(results);
    let failed = AtomicBool::new(false);
    let outcomes = parallel::map(threads.min(left), missing.into_iter(), |key| {
        if failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let bar = bars.of(key.arm);
        let arm = &experiment.arms[key.arm];
        let run = Replication::run(experiment, arm, key.replication, |by| bar.inc(by));
        let kept = journal.append(experiment, key, &run);
        failed.fetch_or(kept.is_err(), Ordering::Relaxed);
        let mut results = results.lock().expect("no thread panics with the results");
        let _ = results.add(key, run);
        kept
    });
    bars.finish();
    outcomes.into_iter().collect::<Result<()>>()?;
    let seconds = start.elapsed().as_secs_f64();
    tell!("done after {}", duration(seconds));
    Ok(results.into_inner().expect("no thread panicked"))
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..120. => format!("{seconds:.1} s"),
        _ => format!("{:.1} min", seconds / 60.),
    }
}

/// A bar for each arm.
struct Bars {
    all: MultiProgress,
    bars: Vec<ProgressBar>,
}

impl Bars {
    fn new(experiment: &Experiment, planned: &[Key], missing: &[Key]) -> Self {
        let all = MultiProgress::new();
        let width = experiment.arms.iter().map(|arm| arm.name.len()).max();
        let width = width.unwrap_or(0);
        let bar = |(i, arm): (usize, &super::experiment::Arm)| {
            let of_arm = |keys: &[Key]| keys.iter().filter(|key| key.arm == i).count() as u64;
            let (planned, missing) = (of_arm(planned), of_arm(missing));
            if planned == 0 {
                return ProgressBar::hidden();
            }
            let template = format!(
                "{:width$} {{bar:24.cyan/dim}} {{percent:>3}} % of {planned}{{left}}",
                arm.name
            );
            let style = progress::style(&template);
            let bar = all.add(ProgressBar::new(planned * arm.length.end()).with_style(style));
            progress::begin_at(&bar, (planned - missing) * arm.length.end());
            bar.tick();
            bar
        };
        let bars = experiment.arms.iter().enumerate().map(bar).collect();
        Bars { all, bars }
    }

    fn of(&self, arm: usize) -> &ProgressBar {
        &self.bars[arm]
    }

    fn finish(&self) {
        let _ = self.all.clear();
    }
}
