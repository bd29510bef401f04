//! What has happened so far, as far as the events tell.
//!
//! They come from outside: lists may be of any length, numbers of any size, and any event may be missing.

use super::grid::printable;
use crate::figures::count;
use indicatif::HumanCount;
use ipse::direction::Direction;
use ipse_device::{
    Acted, Beat, Boot, Budget, Ended, Evaluated, Event, Failure, Hello, Learned, Reader, Saved,
    VERSION,
};

/// The most evaluations that are kept. If there are more, every second one is left out.
const EVALUATIONS: usize = 4096;

#[derive(Default)]
pub struct Story {
    pub run: Option<Run>,
    pub boot: Option<Boot>,
    pub learned: Option<Learned>,
    pub evaluations: Vec<Evaluated>,
    pub saved: Option<Saved>,
    /// The number of checkpoints that could not be saved, and why the last of them.
    pub not_saved: u32,
    pub failure: Option<Failure>,
    pub ended: Option<Ended>,
    pub acted: Option<Acted>,
    pub picture: Option<Image>,
    pub beat: Option<Beat>,
    /// How often the board has gone back to an earlier iteration, or begun another run.
    pub restarts: u32,
    /// The number of events so far.
    pub events: u64,
    /// The latest time on the board, in microseconds.
    pub micros: u64,
    /// The number of bytes that were no telemetry.
    pub skipped: u64,
    /// A version of the protocol that cannot be read.
    pub foreign_version: Option<u8>,
}

/// What is being learned, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub task: String,
    pub learner: String,
    pub seed: u64,
    pub budget: Option<Budget>,
    pub features: Vec<String>,
}

/// A picture of a state.
pub struct Image {
    pub width: u16,
    pub pixels: Vec<u8>,
}

/// What is known of a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    pub name: String,
    pub direction: Direction,
    /// Those for it and those against it.
    pub votes: Option<[u16; 2]>,
    pub weight: Option<f32>,
}

impl Feature {
    /// Returns whether the weight has another sign than the direction that was voted for.
    pub fn is_against_its_votes(&self) -> bool {
        let sign = f32::from(self.direction.sign());
        self.weight.is_some_and(|weight| weight * sign < 0.)
    }
}

impl From<&Hello<'_>> for Run {
    fn from(hello: &Hello<'_>) -> Self {
        let names = hello.features.iter().map(|feature| feature.name.to_owned());
        Run {
            task: hello.task.into(),
            learner: hello.learner.into(),
            seed: hello.seed,
            budget: hello.budget,
            features: names.collect(),
        }
    }
}

impl Run {
    /// Returns whether it is the same, even if it ends at another time.
    fn is(&self, other: &Run) -> bool {
        let Run { budget, .. } = *self;
        *self
            == Run {
                budget,
                ..other.clone()
            }
    }
}

/// What an event has changed, other than what it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// There is a description of the run that was not known.
    pub is_described: bool,
    /// The board was reset, and has begun another run or gone back to an earlier iteration.
    pub is_restarted: bool,
    /// The event was told before.
    pub is_repeated: bool,
}

impl Story {
    pub fn add(&mut self, event: &Event<'_>) -> News {
        self.events = self.events.saturating_add(1);
        let mut news = News::default();
        match event {
            Event::Hello(hello) => self.describe(hello.into(), &mut news),
            Event::Booted(boot) => {
                news.is_repeated = self.boot.replace(*boot) == Some(*boot);
                // Its clock starts again.
                (self.micros, self.beat) = (0, None);
            }
            Event::Learned(learned) => {
                let last = self.learned.as_ref().map(|learned| learned.iteration);
                if last.is_some_and(|last| learned.iteration < last) {
                    self.go_back_to(learned.iteration);
                    news.is_restarted = true;
                }
                (self.ended, self.acted) = (None, None);
                self.micros = learned.micros;
                self.learned = Some(learned.clone());
            }
            Event::Evaluated(evaluated) => self.evaluate(*evaluated),
            Event::Saved(saved) => {
                self.not_saved = self.not_saved.saturating_add((!saved.is_saved()).into());
                self.failure = saved.failure.or(self.failure);
                self.saved = Some(*saved);
            }
            Event::Ended(ended) => {
                news.is_repeated = self.ended.as_ref() == Some(ended);
                self.ended = Some(ended.clone());
            }
            Event::Acted(acted) => {
                self.micros = acted.micros;
                self.acted = Some(*acted);
            }
            Event::Picture(picture) => {
                self.picture = Some(Image {
                    width: picture.width,
                    pixels: picture.pixels.to_vec(),
                });
            }
            Event::Beat(beat) => {
                self.micros = beat.micros;
                self.beat = Some(*beat);
            }
            _ => {}
        }
        news
    }

    /// What the reader says about the stream itself.
    pub fn heed(&mut self, reader: &Reader) {
        self.skipped = reader.skipped();
        self.foreign_version = reader.foreign_version();
    }

    fn describe(&mut self, run: Run, news: &mut News) {
        news.is_restarted = self.run.as_ref().is_some_and(|before| !run.is(before));
        news.is_described = self.run.as_ref() != Some(&run);
        if news.is_restarted {
            *self = Story {
                boot: self.boot,
                restarts: self.restarts.saturating_add(1),
                events: self.events,
                ..Story::default()
            };
        }
        self.run = Some(run);
    }

    /// Forgets what happened from this iteration on.
    fn go_back_to(&mut self, iteration: u32) {
        self.restarts = self.restarts.saturating_add(1);
        self.evaluations.retain(|past| past.iteration < iteration);
        self.saved = self.saved.filter(|saved| saved.iteration < iteration);
    }

    fn evaluate(&mut self, evaluated: Evaluated) {
        if self.evaluations.len() >= EVALUATIONS {
            let mut number = 0;
            self.evaluations.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
        self.evaluations.push(evaluated);
    }

    /// The number of actions of what was learned.
    pub fn actions(&self) -> u32 {
        self.acted.map_or(0, |acted| acted.actions)
    }

    /// The weights of now, if there are any.
    pub fn weights(&self) -> Option<&[f32]> {
        let ended = self.ended.as_ref().map(|ended| &ended.weights[..]);
        ended.or(self.learned.as_ref().map(|learned| &learned.weights[..]))
    }

    /// All features, with what is known of them.
    pub fn features(&self) -> Vec<Feature> {
        let names = self.run.as_ref().map_or(&[][..], |run| &run.features);
        let weights = self.weights().unwrap_or_default();
        let learned = self.learned.as_ref();
        let (directions, votes) = learned.map_or((&[][..], &[][..]), |learned| {
            (&learned.directions[..], &learned.votes[..])
        });
        let feature = |index: usize| Feature {
            name: match names.get(index) {
                Some(name) => name.clone(),
                None => format!("feature {}", index + 1),
            },
            direction: directions.get(index).copied().unwrap_or_default(),
            votes: votes.get(index).copied(),
            weight: weights.get(index).copied(),
        };
        let lengths = [names.len(), weights.len(), directions.len(), votes.len()];
        let features = lengths.into_iter().max().unwrap_or(0);
        (0..features).map(feature).collect()
    }

    /// Returns whether learning is complete.
    pub fn is_learned(&self) -> bool {
        let budget = self.run.as_ref().and_then(|run| run.budget);
        self.ended.is_some()
            || self.learned.as_ref().is_some_and(|learned| match budget {
                Some(Budget::Iterations(iterations)) => learned.iteration >= iterations,
                Some(Budget::Calls(calls)) => learned.calls >= calls.into(),
                None => false,
            })
    }

    /// Nothing more will happen: whether there was all that was announced.
    pub fn end(&self) -> Result<(), String> {
        if let Some(version) = self.foreign_version {
            return Err(format!(
                "the board sends telemetry of version {version}, and this program reads version {VERSION}: use \
                 the lab and the firmware of the same release"
            ));
        }
        match &self.run {
            None if self.events == 0 && self.skipped == 0 => {
                Err("the stream is empty: there is no telemetry in it".into())
            }
            None if self.events == 0 => Err(format!(
                "there is no telemetry in the stream ({})",
                count(self.skipped, "other byte")
            )),
            None => Err(format!(
                "the stream ends before the run is described, {}",
                self.so_far()
            )),
            Some(_) if self.is_learned() => Ok(()),
            Some(_) => Err(format!(
                "the stream ends before learning does, {}",
                self.so_far()
            )),
        }
    }

    /// How far it has come, to follow what happened then.
    pub fn so_far(&self) -> String {
        match (self.acted, &self.learned) {
            (Some(acted), _) => format!("after {}", count(acted.actions.into(), "action")),
            (None, Some(_)) => format!("after {}", self.position()),
            (None, None) => "before the first iteration".into(),
        }
    }

    /// The share of learning that is done, if that is known.
    pub fn share(&self) -> Option<f64> {
        let share = |part: f64, all: u32| (part / f64::from(all.max(1))).min(1.);
        let learned = self.learned.as_ref()?;
        match self.run.as_ref()?.budget? {
            Budget::Iterations(all) => Some(share(learned.iteration.into(), all)),
            Budget::Calls(all) => Some(share(learned.calls as f64, all)),
        }
    }

    /// How far learning has come, in the unit of its budget.
    pub fn position(&self) -> String {
        let (iteration, calls) = match &self.learned {
            Some(learned) => (learned.iteration, learned.calls),
            None => (0, 0),
        };
        match self.run.as_ref().and_then(|run| run.budget) {
            Some(Budget::Iterations(all)) => {
                format!(
                    "iteration {} of {}",
                    HumanCount(iteration.into()),
                    HumanCount(all.into())
                )
            }
            Some(Budget::Calls(all)) => {
                format!("{} of {} calls", HumanCount(calls), HumanCount(all.into()))
            }
            None => format!("iteration {}", HumanCount(iteration.into())),
        }
    }

    /// Everything that went wrong on the way, for people.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.skipped > 0 {
            problems.push(format!("{} skipped", count(self.skipped, "byte")));
        }
        if let Some(dropped) = self.beat.map(|beat| beat.dropped).filter(|&n| n > 0) {
            problems.push(format!(
                "{} dropped by the board",
                count(dropped.into(), "event")
            ));
        }
        if let Some(failure) = self.failure {
            problems.push(format!(
                "{} not saved: {failure}",
                count(self.not_saved.into(), "checkpoint")
            ));
        }
        if let Some(bad) = self.saved.map(|saved| saved.bad_pages).filter(|&n| n > 0) {
            problems.push(format!("{} of flash", count(bad.into(), "bad page")));
        }
        if let Some(boot @ (Boot::Refused(_) | Boot::Unreadable)) = self.boot {
            problems.push(boot.to_string());
        }
        problems
    }

    /// The names and weights of all features: `weights "landing height"=-1.25 "holes"=-0.5`. Each name is a string
    /// of JSON, and each weight the shortest decimal number that reads as the same `f32`.
    pub fn weights_line(&self) -> Option<String> {
        self.weights()?;
        let mut line = String::from("weights");
        for Feature { name, weight, .. } in self.features() {
            if let Some(weight) = weight {
                line += &format!(" {}={weight}", quoted(&name));
            }
        }
        Some(line)
    }
}

/// A string of JSON, without any character that is not printable.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if printable(character.encode_utf8(&mut [0; 4])).starts_with('\\') => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    quoted += &format!("\\u{unit:04x}");
                }
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}
