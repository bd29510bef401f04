//! How far a diagnosis has come, for whoever waits for it.

use std::sync::Mutex;

/// A part of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Promises,
    Learning,
    Scoring,
    Features,
    Horizon,
}

impl Stage {
    /// What is being done.
    pub fn title(self) -> &'static str {
        match self {
            Stage::Promises => "testing promises",
            Stage::Learning => "learning",
            Stage::Scoring => "scoring policies",
            Stage::Features => "measuring features",
            Stage::Horizon => "looking ahead",
        }
    }
}

/// The progress of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub stage: Stage,
    /// From 0 to 1.
    pub share: f64,
}

/// A function that is told about progress, from any thread.
pub type Listener<'a> = &'a (dyn Fn(Progress) + Sync);

/// The work of a stage, counted in units of its own.
pub struct Meter<'a> {
    stage: Stage,
    total: u64,
    listener: Option<Listener<'a>>,
    /// The units that are done, and the percent that were told last.
    done: Mutex<(u64, u64)>,
}

impl<'a> Meter<'a> {
    pub fn new(stage: Stage, total: u64, listener: Option<Listener<'a>>) -> Self {
        let meter = Meter {
            stage,
            total: total.max(1),
            listener,
            done: Mutex::new((0, 0)),
        };
        meter.tell(0);
        meter
    }

    /// A meter that nobody reads.
    pub fn silent() -> Self {
        Meter::new(Stage::Learning, 1, None)
    }

    /// Adds units of work, and tells of every percent.
    pub fn add(&self, units: u64) {
        if self.listener.is_none() {
            return;
        }
        // A listener that panics is not the concern of the others.
        let Ok(mut done) = self.done.lock() else {
            return;
        };
        done.0 += units;
        let percent = (100 * done.0 / self.total).min(100);
        if percent > done.1 {
            done.1 = percent;
            self.tell(percent);
        }
    }

    fn tell(&self, percent: u64) {
        if let Some(listener) = self.listener {
            listener(Progress {
                stage: self.stage,
                share: percent as f64 / 100.,
            });
        }
    }
}
