//! Inputs for a fuzzer to start from, where they are too long to be written by hand.

use crate::bytes::Bytes;
use crate::checkpoint::{self, new_from, saved};
use crate::drivers::{Drive, KINDS, VERSIONS, has_versions};
use crate::tasks::Task;
use crate::{agent, sealed};
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse_device::{
    Acted, Beat, Boot, Budget, Evaluated, Event, Failure, Hello, Learned, Loaded, MAX_FRAME, Part,
    Picture, Refusal, Saved, Session, Settings, encode,
};
use ipse_lab::formats;
use ipse_tasks::Foraging;
use std::ops::Range;

/// An input with its name.
pub type Seed = (String, Vec<u8>);

/// The bytes of any driver, with room to spare.
const PARAMETERS: usize = 80;

/// The number of iterations after which a checkpoint is saved, for each task.
const ITERATIONS: [u8; checkpoint::TASKS.len()] = [6, 0, 6, 2];

/// Drivers of every kind and version, and some that are refused.
pub fn agents() -> Vec<Seed> {
    let [lfd, m_learning, known] = ["lfd", "m-learning", "known"].map(position);
    let nan = |choice: [u8; 3]| [&choice[..], &[255], &f32::NAN.to_le_bytes()].concat();
    let refused = [
        ("alpha-nan", nan([0, lfd, 0])),
        ("schedule-nan", nan([0, m_learning, 0])),
        ("temperature-nan", nan([0, m_learning, 4])),
        ("undecided", vec![0, known, 0, 5]),
    ];
    let named = |(name, bytes): (&str, _)| (name.to_string(), bytes);
    let refused = refused.map(named).into_iter();
    kinds(&agent::TASKS).chain(refused).collect()
}

/// Checkpoints of drivers of every kind and version, after some iterations.
pub fn checkpoints() -> Vec<Seed> {
    let with_content = |(name, mut bytes): Seed| {
        let iterations = ITERATIONS[usize::from(bytes[0])];
        let run = checkpoint::drive(Run { iterations }, &bytes);
        let (left, content) = run.expect("the parameters are valid");
        bytes.truncate(PARAMETERS - left);
        match name.starts_with("tetris-10x20") {
            true => bytes.extend([checkpoint::CHANGES, iterations, 0, 0, 0]),
            false => {
                bytes.push(checkpoint::CONTENT);
                bytes.extend(content);
            }
        }
        (name, bytes)
    };
    kinds(&checkpoint::TASKS).map(with_content).collect()
}

/// Checkpoints of `train` at the beginning of a run, one of them with totals that are as large as they can be.
pub fn trainings() -> Vec<Seed> {
    let fresh = formats::fresh_checkpoint();
    let content = sealed::content(&fresh);
    // After the totals come the directions and votes of eight features, and what completes the last byte.
    let end = content.len() * 8 - 8 * VOTES;
    let mut candidates = (0..8).map(|spare| with_ones(content, end - spare - TOTALS..end - spare));
    let largest = candidates.find(|content| {
        let checkpoint = sealed::with_content(&fresh, content);
        formats::resume(&checkpoint).is_ok()
    });
    let largest = largest.expect("totals may be of any size");
    [
        ("fresh", [&[1], content].concat()),
        ("largest-totals", [&[1], &largest[..]].concat()),
        ("whole-file", [&[0], &fresh[..]].concat()),
    ]
    .map(|(name, bytes)| (name.to_string(), bytes))
    .to_vec()
}

/// Streams of telemetry: the events of a session as they are sent, some of them as the content of frames, and a name
/// that is meant to steer a terminal.
pub fn telemetries() -> Vec<Seed> {
    let learner = Ipse::new()
        .check()
        .expect("the paper's parameters are valid");
    let settings = Settings {
        iterations: Some(6),
        ..Settings::default()
    };
    let make = |rng: &mut XorShiftRng| Agent::new(Foraging, learner, rng);
    let mut session = Session::new(settings, || 0, make);
    while !session.is_done() {
        session.slice();
    }
    let hello = session.hello();
    let learned = Learned {
        iteration: 6,
        phase: Phase::Weights,
        calls: session.calls(),
        reward: session.reward(),
        episodes: session.episodes(),
        micros: 1_000_000,
        directions: [Direction::Pro, Direction::Con].into_iter().collect(),
        votes: session.votes().iter().copied().collect(),
        weights: [0.5, 0.25, f32::NAN, -1.].into_iter().collect(),
    };
    let evaluated = |iteration, reward| {
        Event::Evaluated(Evaluated {
            iteration,
            calls: 100,
            reward,
            actions: 10,
            episodes: 2,
            is_whole: true,
        })
    };
    let acted = Acted {
        actions: 3,
        reward: -1,
        episodes: 1,
        micros: 2_000_000,
    };
    let saved = Saved {
        iteration: 5,
        failure: Some(Failure::NoPlace(1)),
        bad_pages: 1,
        erases: 7,
    };
    let beat = Beat {
        micros: 3_000_000,
        longest_slice: 900,
        dropped: 2,
    };
    let picture = Picture {
        width: 9,
        pixels: &[0x5a; 18],
    };
    let part = Part {
        of: 100,
        at: 96,
        bytes: [0x5a; Part::BYTES],
    };
    let loaded = Loaded {
        iteration: 5,
        refusal: Some(Refusal::Foreign),
    };
    let run = [
        Event::Booted(Boot::Refused(Refusal::Damaged)),
        Event::Hello(hello.clone()),
        Event::Learned(learned),
        evaluated(1, 5),
        evaluated(5, -7),
        Event::Saved(saved),
        Event::Picture(picture),
        Event::Part(part),
        Event::Loaded(loaded),
        Event::Beat(beat),
        Event::Ended(session.result()),
        Event::Acted(acted),
    ];
    let escape = Hello {
        task: "\x1b[2J",
        learner: "\u{202e}\n",
        budget: Some(Budget::Calls(0)),
        ..hello
    };
    let escape = [Event::Hello(escape), evaluated(u32::MAX, i64::MIN)];
    [
        ("frames", frames(&run)),
        ("run", contents([1, 80, 24], &run)),
        ("wide", contents([1, 200, 60], &run)),
        ("escape", contents([1, 60, 20], &escape)),
    ]
    .map(|(name, bytes)| (name.to_string(), bytes))
    .to_vec()
}

fn frames(events: &[Event<'_>]) -> Vec<u8> {
    let frame = |event| encode(event, &mut [0; MAX_FRAME]).map(<[u8]>::to_vec);
    let frames = events.iter().filter_map(frame);
    frames.flatten().collect()
}

/// What is in the frames of these events, each after its length.
fn contents(start: [u8; 3], events: &[Event<'_>]) -> Vec<u8> {
    let mut bytes = start.to_vec();
    for event in events {
        let frame = frames(std::slice::from_ref(event));
        let sealed = cobs::decode_vec(&frame[1..]).expect("it is a frame");
        let content = &sealed[..sealed.len() - 4];
        bytes.push(u8::try_from(content.len()).expect("it is a short event"));
        bytes.extend(content);
    }
    bytes
}

/// The bits of the totals: calls, reward and episodes.
const TOTALS: usize = 2 * 64 + 32;
/// The bits of a direction and of its votes.
const VOTES: usize = 2 + 2 * 16;

/// The bytes with some bits set, counted from the lowest of the first byte.
fn with_ones(bytes: &[u8], bits: Range<usize>) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for bit in bits {
        bytes[bit / 8] |= 1 << (bit % 8);
    }
    bytes
}

fn position(kind: &str) -> u8 {
    let found = KINDS.iter().position(|name| *name == kind);
    found.expect("it is a kind") as u8
}

/// Every kind and version of driver on the first task, and every kind on the others, with parameters that are
/// valid.
fn kinds(tasks: &'static [&str]) -> impl Iterator<Item = Seed> {
    let each = |task: u8| {
        (0..KINDS.len() as u8).flat_map(move |kind| {
            let versions = match task == 0 && has_versions(kind.into()) {
                true => VERSIONS.len() as u8,
                false => 1,
            };
            (0..versions).map(move |version| [task, kind, version])
        })
    };
    (0..tasks.len() as u8).flat_map(each).map(|choice| {
        let [task, kind, version] = choice;
        let mut name = format!("{}-{}", tasks[usize::from(task)], KINDS[usize::from(kind)]);
        if has_versions(kind.into()) {
            name = format!("{name}-{}", VERSIONS[usize::from(version)]);
        }
        // The first items of all lists of parameters are valid.
        let mut rng = XorShiftRng::from_seed([kind + 1; 16]);
        let mut bytes = choice.to_vec();
        bytes.resize_with(PARAMETERS, || (rng.next_u32() % 2) as u8);
        (name, bytes)
    })
}

#[derive(Clone, Copy)]
struct Run {
    iterations: u8,
}

impl Drive for Run {
    /// The number of bytes that are left, and the content of the checkpoint.
    type Result = (usize, Vec<u8>);

    fn drive<D: ResumableDriver<Task: Task>>(
        self,
        new: impl Fn(&mut XorShiftRng) -> D,
        bytes: Bytes,
    ) -> Self::Result {
        let (mut driver, mut rng) = new_from(new, 2);
        for _ in 0..self.iterations {
            driver.step(&mut rng);
        }
        let checkpoint = saved(&mut driver, &rng, 7);
        (bytes.rest().len(), sealed::content(&checkpoint).to_vec())
    }
}
