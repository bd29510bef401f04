//! Events as defmt frames for programs.
//!
//! A frame's text is the name of the event and its fields, `name=value`, with `"; "` between them.
//! Lists are in brackets, with `", "` between their items. The level does not matter: frames have
//! none, and nothing filters them.
//!
//! ```text
//! began seed=1; iterations=400
//! learned iteration=57; phase=Weights; directions=[Con, Pro, …]; weights=[-1.25, 0.5, …];
//!     calls=3400; rows=1; over=false; ticks=1234567; columns=[3, 1023, …]; piece=T
//! ended fingerprint=85944171f73967e8; weights=[…]; calls=1234567; rows=160; ticks=56789012
//! booted resumed=true; iteration=20
//! booted resumed=false; reason=nothing was saved
//! unsaved
//! played pieces=12; rows=0; over=false; ticks=1234567; columns=[…]; piece=L
//! ```
//!
//! Each is a single line. A column has its bottom row in bit 0; the piece is the next one to place;
//! rows are those of that iteration or placement, but in `ended` all of them; ticks are
//! microseconds; a direction is `Con`, `Undecided` or `Pro`, a phase `Directions` or `Weights`.

#[cfg(feature = "storage")]
use crate::event::Boot;
use crate::event::{Began, Ended, Event, Learned, Played};
use ipse::tetris::State;

impl Event {
    /// Writes the event to the global logger of defmt.
    pub fn log(&self) {
        match self {
            Event::Began(Began { seed, iterations }) => {
                defmt::println!("began seed={=u64}; iterations={=u32}", seed, iterations);
            }
            Event::Learned(Learned { step, state, ticks }) => defmt::println!(
                "learned iteration={=u32}; phase={}; directions={}; weights={}; \
                 calls={=u32}; rows={=i32}; over={=bool}; ticks={=u64}; columns={}; \
                 piece={}",
                step.iteration,
                step.phase,
                step.directions,
                step.weights,
                step.calls,
                step.reward,
                step.episode_ended,
                ticks,
                columns(state),
                state.piece
            ),
            Event::Ended(Ended {
                fingerprint,
                weights,
                calls,
                rows,
                ticks,
            }) => defmt::println!(
                "ended fingerprint={=u64:016x}; weights={}; calls={=u64}; rows={=u32}; \
                 ticks={=u64}",
                fingerprint.value(),
                weights,
                calls,
                rows,
                ticks
            ),
            Event::Played(Played {
                pieces,
                rows,
                over,
                state,
                ticks,
            }) => defmt::println!(
                "played pieces={=u32}; rows={=u32}; over={=bool}; ticks={=u64}; \
                 columns={}; piece={}",
                pieces,
                rows,
                over,
                ticks,
                columns(state),
                state.piece
            ),
            #[cfg(feature = "storage")]
            Event::Booted(Boot::Resumed { iterations }) => {
                defmt::println!("booted resumed=true; iteration={=u32}", iterations);
            }
            #[cfg(feature = "storage")]
            Event::Booted(Boot::Anew(reason)) => {
                defmt::println!("booted resumed=false; reason={}", reason);
            }
            #[cfg(feature = "storage")]
            Event::NotSaved => defmt::println!("unsaved"),
        }
    }
}

fn columns(state: &State) -> [u16; 10] {
    state.board.columns().map(|column| column as u16)
}
