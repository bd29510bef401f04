//! What a module is asked by the page, and what it answers.

use crate::answer::{Begun, Progress, Refusal};
use crate::live::Live;
use crate::set::{Offer, Set, Way};
use crate::stream::Stream;
use ipse::checkpoint::LoadError;
use ipse_device::label::split;
use serde::Serialize;

/// A module: what there is to choose, the run, and the board that is listened to.
///
/// Every question but [`input`](Self::input) and [`output`](Self::output) leaves an answer and returns its length.
pub struct Page {
    offer: Offer,
    run: Option<Box<dyn Live>>,
    /// The telemetry of the run, and of a board.
    own: Stream,
    board: Stream,
    input: Vec<u8>,
    output: Vec<u8>,
}

/// Writes a value as JSON.
pub fn write(out: &mut Vec<u8>, value: &impl Serialize) {
    let json = serde_json::to_vec(value);
    out.extend(json.unwrap_or_else(|_| b"null".to_vec()));
}

fn wide(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl Page {
    /// A module for a task with a set of features.
    pub fn new<E>(set: Set<E>) -> Self {
        Page {
            offer: set.offer,
            run: None,
            own: Stream::default(),
            board: Stream::default(),
            input: Vec::new(),
            output: Vec::new(),
        }
    }

    /// Room for the bytes of the next question.
    pub fn input(&mut self, length: usize) -> &mut [u8] {
        self.input.clear();
        self.input.resize(length, 0);
        &mut self.input
    }

    /// The last answer.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// The task, its features and its learners.
    pub fn about(&mut self) -> usize {
        let about = self.offer.about.clone();
        self.answer(&about)
    }

    /// Starts a run by the number of a learner, from a seed of two halves, for so many iterations or, with 0, as many as are
    /// usual.
    pub fn start(&mut self, learner: u32, low: u32, high: u32, iterations: u32) -> usize {
        let iterations = Some(iterations).filter(|iterations| *iterations > 0);
        let Some(way) = self.way(learner) else {
            return self.refuse("there is no such learner".into(), false);
        };
        let run = (way.start)(wide(low, high), iterations);
        self.begin(run)
    }

    /// Goes on from a checkpoint, which is the input. It is refused as foreign if it is of another learner.
    pub fn resume(&mut self, learner: u32) -> usize {
        let Some(way) = self.way(learner) else {
            return self.refuse("there is no such learner".into(), false);
        };
        match (way.resume)(split(&self.input).1) {
            Ok(run) => self.begin(run),
            Err(error) => self.refuse(error.to_string(), error == LoadError::Foreign),
        }
    }

    /// The run as a file for `cargo ipse train --checkpoint`.
    pub fn save(&mut self) -> usize {
        match self.run.as_mut().map(|run| run.save()) {
            Some(Ok(file)) => {
                self.output = file;
                self.output.len()
            }
            // It is asked again between two iterations.
            Some(Err(_)) | None => {
                self.output.clear();
                0
            }
        }
    }

    /// Works for so many slices, or until so many iterations are complete. Answers with the events of the work.
    pub fn learn(&mut self, slices: u32, iterations: u32) -> usize {
        let Some(run) = &mut self.run else {
            return self.refuse("nothing is being learned".into(), false);
        };
        run.learn(slices, iterations);
        let progress = Progress {
            iterations: run.iterations(),
            is_done: run.is_done(),
        };
        let frames = run.telemetry();
        self.output.clear();
        self.output.extend(b"{\"progress\":");
        write(&mut self.output, &progress);
        self.output.extend(b",\"events\":[");
        self.own.read(&frames, &mut self.output);
        self.output.extend(b"]}");
        self.output.len()
    }

    /// Reads telemetry of a board, which is the input. Answers with its events. An empty input is a new connection.
    pub fn hear(&mut self) -> usize {
        if self.input.is_empty() {
            self.board = Stream::default();
        }
        self.output.clear();
        self.output.extend(b"{\"events\":[");
        self.board.read(&self.input, &mut self.output);
        self.output.extend(b"],\"skipped\":");
        write(&mut self.output, &self.board.skipped());
        self.output.extend(b",\"version\":");
        write(&mut self.output, &self.board.foreign_version());
        self.output.extend(b"}");
        self.output.len()
    }

    /// Lets both players take so many actions.
    pub fn play(&mut self, actions: u32) -> usize {
        self.ask(|run| run.play(actions))
    }

    /// All games as they stand.
    pub fn view(&mut self) -> usize {
        self.ask(|run| run.view())
    }

    /// The actions of the player that acts on what was learned, the best first.
    pub fn judge(&mut self) -> usize {
        self.ask(|run| run.judge())
    }

    /// What speaks for and against one of them, by its rank, counted from 0.
    pub fn ledger(&mut self, rank: u32) -> usize {
        self.ask(|run| run.ledger(rank as usize))
    }

    /// Has the player act on the weights in the input, 32-bit floats with their lowest byte first.
    pub fn weigh(&mut self) -> usize {
        let (floats, _) = self.input.as_chunks();
        let weights: Vec<f32> = floats.iter().copied().map(f32::from_le_bytes).collect();
        let Some(run) = &mut self.run else {
            return self.refuse("nothing is being learned".into(), false);
        };
        match run.weigh(Some(&weights)) {
            Ok(()) => self.answer(&true),
            Err(error) => self.refuse(error, false),
        }
    }

    /// Has the player act on what was learned again.
    pub fn release(&mut self) -> usize {
        self.ask(|run| run.weigh(None).is_ok())
    }

    /// What a game earns on average with what has been learned.
    pub fn score(&mut self, games: u32, actions: u32, low: u32, high: u32) -> usize {
        self.ask(|run| run.score(games, actions, wide(low, high)))
    }

    fn way(&self, learner: u32) -> Option<&Way> {
        self.offer.ways.get(learner as usize)
    }

    fn begin(&mut self, run: Box<dyn Live>) -> usize {
        let answer = Begun {
            seed: run.seed().to_string(),
            iterations: run.iterations(),
        };
        self.run = Some(run);
        self.own = Stream::default();
        self.answer(&answer)
    }

    fn ask<T: Serialize>(&mut self, question: impl FnOnce(&mut dyn Live) -> T) -> usize {
        let Some(run) = &mut self.run else {
            return self.refuse("nothing is being learned".into(), false);
        };
        let answer = question(&mut **run);
        self.answer(&answer)
    }

    fn refuse(&mut self, error: String, is_foreign: bool) -> usize {
        self.answer(&Refusal { error, is_foreign })
    }

    fn answer(&mut self, value: &impl Serialize) -> usize {
        self.output.clear();
        write(&mut self.output, value);
        self.output.len()
    }
}
