//! What frames tell. The crate `ipse-device` defines their text.

use crate::error::{Error, Result};
use crate::task::FEATURES;
use ipse::Phase;
use ipse::direction::Direction;
use ipse::tetris::{Board, Piece, State};
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    Began(Began),
    Learned(Learned),
    Ended(Ended),
    Played(Played),
    /// The heart of the board beat, delayed by so many microseconds.
    Beat(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Began {
    pub seed: u64,
    pub iterations: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    pub iteration: u32,
    pub phase: Phase,
    pub directions: [Direction; FEATURES],
    pub weights: [f32; FEATURES],
    pub calls: u32,
    pub rows: u32,
    /// Microseconds.
    pub ticks: u64,
    pub state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    pub fingerprint: u64,
    pub weights: [f32; FEATURES],
    pub calls: u64,
    pub rows: u32,
    /// Microseconds.
    pub ticks: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    pub pieces: u32,
    pub rows: u32,
    pub over: bool,
    /// Microseconds.
    pub ticks: u64,
    pub state: State,
}

impl Event {
    /// What a frame tells, if it tells of an event. Loggers may have put something before it or
    /// after it.
    pub fn parse(frame: &str) -> Result<Option<Event>> {
        let starts = [
            "began seed=",
            "learned iteration=",
            "ended fingerprint=",
            "played pieces=",
            "beat delay=",
        ];
        let Some(start) = starts.iter().find_map(|start| frame.find(start)) else {
            return Ok(None);
        };
        let text = &frame[start..];
        let Some((kind, fields)) = text.split_once(' ') else {
            return Ok(None);
        };
        let fields = Fields(fields);
        let event = match kind {
            "began" => began(&fields),
            "learned" => learned(&fields),
            "ended" => ended(&fields),
            "played" => played(&fields),
            _ => fields.get("delay").map(Event::Beat),
        };
        match event {
            Some(event) => Ok(Some(event)),
            None => Err(Error::Stream(format!("not an event: {text}"))),
        }
    }
}

fn began(fields: &Fields) -> Option<Event> {
    Some(Event::Began(Began {
        seed: fields.get("seed")?,
        iterations: fields.get("iterations")?,
    }))
}

fn learned(fields: &Fields) -> Option<Event> {
    Some(Event::Learned(Learned {
        iteration: fields.get("iteration")?,
        phase: match fields.text("phase")? {
            "Directions" => Phase::Directions,
            "Weights" => Phase::Weights,
            // Older images call it by its aim.
            "Search" | "Survival" => Phase::Search,
            _ => return None,
        },
        directions: fields.list("directions", direction)?,
        weights: fields.weights()?,
        calls: fields.get("calls")?,
        rows: fields.get("rows")?,
        ticks: fields.get("ticks")?,
        state: fields.state()?,
    }))
}

fn ended(fields: &Fields) -> Option<Event> {
    Some(Event::Ended(Ended {
        fingerprint: u64::from_str_radix(fields.text("fingerprint")?, 16).ok()?,
        weights: fields.weights()?,
        calls: fields.get("calls")?,
        rows: fields.get("rows")?,
        ticks: fields.get("ticks")?,
    }))
}

fn played(fields: &Fields) -> Option<Event> {
    Some(Event::Played(Played {
        pieces: fields.get("pieces")?,
        rows: fields.get("rows")?,
        over: fields.get("over")?,
        ticks: fields.get("ticks")?,
        state: fields.state()?,
    }))
}

fn direction(text: &str) -> Option<Direction> {
    match text {
        "Con" => Some(Direction::Con),
        "Undecided" => Some(Direction::Undecided),
        "Pro" => Some(Direction::Pro),
        _ => None,
    }
}

/// `name=value; name=value`.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        let value = self.0.split("; ").find_map(|field| {
            let (key, value) = field.split_once('=')?;
            (key == name).then_some(value)
        })?;
        match value.split_once(']') {
            Some((list, _)) => list.strip_prefix('['),
            None => value.split_whitespace().next(),
        }
    }

    fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }

    fn list<T, const N: usize>(
        &self,
        name: &str,
        item: impl Fn(&str) -> Option<T>,
    ) -> Option<[T; N]> {
        let items: Option<Vec<T>> = self.text(name)?.split(", ").map(item).collect();
        items?.try_into().ok()
    }

    fn weights(&self) -> Option<[f32; FEATURES]> {
        let finite = |text: &str| text.parse().ok().filter(|weight: &f32| weight.is_finite());
        self.list("weights", finite)
    }

    fn state(&self) -> Option<State> {
        let columns = self.list("columns", |column| column.parse().ok())?;
        let mut piece = self.text("piece")?.chars();
        match (piece.next(), piece.next()) {
            (Some(letter), None) => Some(State {
                board: Board::from_columns(columns).ok()?,
                piece: Piece::from_letter(letter)?,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEARNED: &str = "learned iteration=57; phase=Weights; \
        directions=[Con, Pro, Con, Con, Con, Con, Undecided, Con]; \
        weights=[-1.25, 0.5, -0.1, -1e-5, 0, -1, 0, -2]; calls=3400; rows=1; over=false; \
        ticks=1234567; columns=[3, 1023, 0, 0, 0, 0, 0, 0, 0, 7]; piece=T";

    fn event(frame: &str) -> Event {
        Event::parse(frame).unwrap().unwrap()
    }

    #[test]
    fn an_iteration_is_read_field_by_field() {
        let Event::Learned(learned) = event(LEARNED) else {
            panic!("it is an iteration")
        };
        assert_eq!((learned.iteration, learned.phase), (57, Phase::Weights));
        assert_eq!(learned.directions[6], Direction::Undecided);
        assert_eq!(learned.weights[3], -1e-5);
        assert_eq!((learned.calls, learned.rows), (3400, 1));
        assert_eq!(learned.ticks, 1_234_567);
        assert_eq!(learned.state.board.columns()[1], 1023);
        assert_eq!(learned.state.piece, Piece::T);
    }

    #[test]
    fn a_search_has_had_two_names() {
        for name in ["Search", "Survival"] {
            let Event::Learned(learned) = event(&LEARNED.replace("=Weights", &format!("={name}")))
            else {
                panic!("it is an iteration")
            };
            assert_eq!(learned.phase, Phase::Search);
        }
    }

    #[test]
    fn what_loggers_put_around_an_event_does_not_matter() {
        let around = format!("0.123456 [INFO ] {LEARNED} (board src/frame.rs:34)");
        assert_eq!(event(&around), event(LEARNED));
    }

    #[test]
    fn a_frame_that_tells_of_no_event_is_passed_over() {
        for frame in ["", "hello", "Finished release in 3 s", "beat", "learned"] {
            assert_eq!(Event::parse(frame).unwrap(), None, "{frame}");
        }
    }

    #[test]
    fn an_event_with_a_field_that_is_missing_or_wrong_is_an_error_that_quotes_it() {
        for (part, instead) in [
            ("phase=Weights; ", ""),
            ("Weights", "Sleep"),
            ("-1e-5", "NaN"),
            ("1023", "1024"),
            ("1023, ", ""),
            ("Undecided", "Maybe"),
            ("piece=T", "piece=X"),
            ("piece=T", "piece=TT"),
            ("]; calls", "; calls"),
            ("rows=1", "rows=-1"),
        ] {
            assert!(LEARNED.contains(part));
            let frame = LEARNED.replacen(part, instead, 1);
            let error = Event::parse(&frame).unwrap_err().to_string();
            assert!(error.contains(&frame), "{error}");
        }
    }
}
