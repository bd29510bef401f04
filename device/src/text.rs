//! Events as text for people: one line each.

use crate::event::{Began, Ended, Event, Learned, Played};
use core::fmt::{self, Display, Formatter};
use ipse::Phase;
use ipse::direction::Direction;
use ipse::tetris::State;

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Event::Began(began) => began.fmt(f),
            Event::Learned(learned) => learned.fmt(f),
            Event::Ended(ended) => ended.fmt(f),
            Event::Played(played) => played.fmt(f),
            #[cfg(feature = "storage")]
            Event::Booted(boot) => boot.fmt(f),
            #[cfg(feature = "storage")]
            Event::NotSaved => f.write_str("not saved: the flash does not keep what is written"),
        }
    }
}

impl Display for Began {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Began { seed, iterations } = self;
        write!(f, "learning for {iterations} iterations from seed {seed}")
    }
}

#[cfg(feature = "storage")]
impl Display for crate::event::Boot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        use crate::event::Boot;
        match self {
            Boot::Resumed { iterations } => write!(f, "resumed after iteration {iterations}"),
            Boot::Anew(failed) => write!(f, "started anew: {failed}"),
        }
    }
}

impl Display for Learned {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let step = &self.step;
        let phase = match step.phase {
            Phase::Directions => "directions",
            Phase::Weights => "weights",
            Phase::Search => "search",
            _ => "learning",
        };
        write!(
            f,
            "{} s: iteration {}, {phase} ",
            Thousandths(self.ticks as i64 / 1000),
            step.iteration
        )?;
        for direction in step.directions {
            f.write_str(match direction {
                Direction::Con => "-",
                Direction::Undecided => "?",
                Direction::Pro => "+",
            })?;
        }
        weights(f, &step.weights)?;
        write!(f, ", {} calls, {} rows", step.calls, step.reward)?;
        if step.episode_ended {
            f.write_str(", game over")?;
        }
        Ok(())
    }
}

impl Display for Ended {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "learned in {} s:", Thousandths(self.ticks as i64 / 1000))?;
        weights(f, &self.weights)?;
        let Ended {
            calls,
            rows,
            fingerprint,
            ..
        } = self;
        write!(f, ", {calls} calls, {rows} rows, fingerprint {fingerprint}")
    }
}

impl Display for Played {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} s: piece {}, {} rows,",
            Thousandths(self.ticks as i64 / 1000),
            self.pieces,
            self.rows
        )?;
        heights(f, &self.state)?;
        if self.over {
            f.write_str(", game over")?;
        }
        Ok(())
    }
}

fn weights(f: &mut Formatter<'_>, weights: &[f32]) -> fmt::Result {
    for weight in weights {
        write!(f, " {}", Thousandths((weight * 1000.0) as i64))?;
    }
    Ok(())
}

fn heights(f: &mut Formatter<'_>, state: &State) -> fmt::Result {
    f.write_str(" heights")?;
    for column in state.board.columns() {
        write!(f, " {}", u32::BITS - column.leading_zeros())?;
    }
    Ok(())
}

/// A decimal fraction without the code that prints floats, which is larger than the whole agent.
struct Thousandths(i64);

impl Display for Thousandths {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let magnitude = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:03}", magnitude / 1000, magnitude % 1000)
    }
}
