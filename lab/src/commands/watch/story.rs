//! What has happened so far.

use super::event::{Began, Ended, Event, Learned};
use super::game::Game;
use crate::figures::count;
use ipse::Phase;

#[derive(Default)]
pub struct Story {
    pub began: Option<Began>,
    pub learned: Option<Learned>,
    pub ended: Option<Ended>,
    pub play: Option<Play>,
    /// The phase of every iteration, and the rows removed up to it.
    pub curve: Vec<(Phase, u32)>,
    pub calls: u64,
    /// The longest delay of a heartbeat, in microseconds.
    pub delay: Option<u32>,
    pub game: Game,
}

/// What was played with what was learned.
#[derive(Clone, Copy)]
pub struct Play {
    pub pieces: u32,
    pub rows: u32,
    /// Games that are over.
    pub over: u32,
}

impl Story {
    pub fn add(&mut self, event: &Event) {
        match event {
            // A board that is reset starts afresh.
            Event::Began(began) => {
                *self = Story {
                    began: Some(*began),
                    ..Story::default()
                };
            }
            Event::Learned(learned) => {
                let rows = self.rows().saturating_add(learned.rows);
                self.curve.push((learned.phase, rows));
                self.calls = self.calls.saturating_add(learned.calls.into());
                self.game.show(&learned.state);
                self.learned = Some(*learned);
            }
            Event::Ended(ended) => self.ended = Some(*ended),
            Event::Played(played) => {
                let before = self.play.map_or((0, 0), |play| (play.rows, play.over));
                self.play = Some(Play {
                    pieces: played.pieces,
                    rows: before.0.saturating_add(played.rows),
                    over: before.1.saturating_add(played.over.into()),
                });
                self.game.show(&played.state);
            }
            Event::Beat(delay) => self.delay = self.delay.max(Some(*delay)),
        }
    }

    /// The rows removed while learning.
    pub fn rows(&self) -> u32 {
        self.curve.last().map_or(0, |(_, rows)| *rows)
    }

    /// The pieces placed by what was learned.
    pub fn pieces(&self) -> u32 {
        self.play.map_or(0, |play| play.pieces)
    }

    /// How many iterations there will be, if that is known.
    pub fn iterations(&self) -> Option<u32> {
        self.began.map(|began| began.iterations)
    }

    /// Nothing more will happen: whether there was all that was announced.
    pub fn end(&self, decoded: bool) -> Result<(), String> {
        match (self.ended, self.began, self.learned) {
            (Some(_), ..) => Ok(()),
            (None, None, None) if decoded => Err("the stream ends".into()),
            (None, None, None) => Err(
                "no line tells of an event, give --elf FILE to decode frames: the stream ends"
                    .into(),
            ),
            _ => Err("the stream ends before the learning does,".into()),
        }
    }

    /// How far it has come, to follow what happened then.
    pub fn so_far(&self) -> String {
        match (self.play, self.learned, self.iterations()) {
            (Some(play), ..) => format!("after {}", count(play.pieces.into(), "piece")),
            (None, Some(learned), Some(all)) => {
                format!("after iteration {} of {all}", learned.iteration)
            }
            (None, Some(learned), None) => format!("after iteration {}", learned.iteration),
            (None, None, _) => "before the first iteration".into(),
        }
    }
}
