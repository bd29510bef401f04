//! What a board is doing, for a single LED.

use crate::command::Command;
use crate::observer::Observer;
use crate::play::Player;
use crate::session::{Features, Session};
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use ipse::{Driver, Phase, Step};

/// What a board is doing. Each has a pattern of an LED that one can tell from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Activity {
    /// It learns directions: one flash every two seconds.
    Directions,
    /// It learns weights from choices: two flashes.
    Weights,
    /// It searches for weights: three flashes.
    Search,
    /// It plays what it has learned: a second on, a second off.
    Playing,
    /// It waits to be told to go on: dark for a moment every two seconds.
    Paused,
    /// It has failed and is going to be restarted: four flashes a second.
    Fault,
}

impl Activity {
    /// The time after which a pattern begins anew, in milliseconds.
    pub const PERIOD: u32 = 2000;
    /// The time in which an LED does not change, in milliseconds.
    pub const MOMENT: u32 = 125;

    const ALL: [Activity; 6] = [
        Activity::Directions,
        Activity::Weights,
        Activity::Search,
        Activity::Playing,
        Activity::Paused,
        Activity::Fault,
    ];

    /// A bit for each moment of a period, the lowest first.
    const fn pattern(self) -> u16 {
        match self {
            Activity::Directions => 0b1,
            Activity::Weights => 0b1001,
            Activity::Search => 0b100_1001,
            Activity::Playing => 0x00ff,
            Activity::Paused => 0xfffe,
            Activity::Fault => 0x5555,
        }
    }

    /// Returns whether the LED is lit at a time, in milliseconds since any moment that is the same for all calls.
    pub const fn is_lit(self, millis: u64) -> bool {
        let moment = (millis % Self::PERIOD as u64) as u32 / Self::MOMENT;
        self.pattern() >> moment & 1 == 1
    }
}

impl From<Phase> for Activity {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Directions => Activity::Directions,
            Phase::Search => Activity::Search,
            _ => Activity::Weights,
        }
    }
}

/// What a board is doing, for a task that shows it: a reference to it observes a session.
///
/// ```
/// use ipse_device::{Activity, Status};
///
/// static STATUS: Status = Status::new();
/// // The session has `&STATUS` among its observers, and another task turns the LED on and off by this:
/// assert!(STATUS.activity().is_lit(0));
/// ```
pub struct Status(AtomicU8);

impl Default for Status {
    fn default() -> Self {
        Self::new()
    }
}

impl Status {
    /// The status of a board that begins to learn.
    pub const fn new() -> Self {
        Status(AtomicU8::new(Activity::Directions as u8))
    }

    /// What the board is doing.
    pub fn activity(&self) -> Activity {
        let number = usize::from(self.0.load(Relaxed));
        Activity::ALL
            .get(number)
            .copied()
            .unwrap_or(Activity::Fault)
    }

    fn set(&self, activity: Activity) {
        self.0.store(activity as u8, Relaxed);
    }
}

impl<D: Driver> Observer<D> for &Status {
    fn began(&mut self, session: &Session<D>) {
        self.set(session.driver().progress().phase.into());
    }

    fn learned(&mut self, session: &Session<D>, _step: &Step<Features<D>>) {
        self.set(session.driver().progress().phase.into());
    }

    fn ended(&mut self, _session: &Session<D>) {
        self.set(Activity::Playing);
    }

    fn acted(&mut self, session: &Session<D>, _player: &Player<D::Task>) {
        if session.is_done() {
            self.set(Activity::Playing);
        }
    }

    fn obeyed(&mut self, _session: &Session<D>, command: Command) {
        if command == Command::Pause {
            self.set(Activity::Paused);
        }
    }
}
