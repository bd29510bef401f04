//! Observers of a session.

use crate::command::{Command, Part};
use crate::event::{Boot, Loaded, Saved};
use crate::play::Player;
use crate::session::{Features, Session};
use ipse::{Driver, Step};

/// An observer of a session: [telemetry](crate::Telemetry), a watchdog, an LED.
///
/// No method may wait, so that no observer can delay learning. `()` is an observer that ignores everything, and a pair
/// of observers is an observer.
///
/// ```
/// use ipse_device::{Observer, Session};
/// use ipse::Driver;
///
/// struct Watchdog;
///
/// impl<D: Driver> Observer<D> for Watchdog {
///     fn progress(&mut self, _: &Session<D>, _micros: u32) {
///         // Feed it here.
///     }
/// }
/// ```
pub trait Observer<D: Driver> {
    /// Called after each slice of work and each action of a player, with the time that it took in microseconds. Feed a
    /// watchdog here: the number of slices of an iteration is bounded, and a slice that hangs does not lead to this
    /// call.
    fn progress(&mut self, _session: &Session<D>, _micros: u32) {}

    /// The board has started.
    fn booted(&mut self, _session: &Session<D>, _boot: Boot) {}

    /// Learning begins, or goes on.
    fn began(&mut self, _session: &Session<D>) {}

    /// An iteration is complete.
    fn learned(&mut self, _session: &Session<D>, _step: &Step<Features<D>>) {}

    /// A checkpoint was saved, or could not be saved.
    fn saved(&mut self, _session: &Session<D>, _saved: Saved) {}

    /// Learning is complete.
    fn ended(&mut self, _session: &Session<D>) {}

    /// A player has taken an action by what was learned.
    fn acted(&mut self, _session: &Session<D>, _player: &Player<D::Task>) {}

    /// The board was told something, and does it.
    fn obeyed(&mut self, _session: &Session<D>, _command: Command) {}

    /// A part of the newest checkpoint was asked for. It is one of 0 bytes if there is none.
    fn part(&mut self, _session: &Session<D>, _part: Part) {}

    /// The board was given a checkpoint.
    fn loaded(&mut self, _session: &Session<D>, _loaded: Loaded) {}
}

impl<D: Driver> Observer<D> for () {}

macro_rules! hand_on {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method(&mut self, session: &Session<D>, $($argument: $type),*) {
            self.0.$method(session, $($argument),*);
            self.1.$method(session, $($argument),*);
        }
    )*};
}

impl<D: Driver, A: Observer<D>, B: Observer<D>> Observer<D> for (A, B) {
    hand_on! {
        progress(micros: u32);
        booted(boot: Boot);
        began();
        learned(step: &Step<Features<D>>);
        saved(saved: Saved);
        ended();
        acted(player: &Player<D::Task>);
        obeyed(command: Command);
        part(part: Part);
        loaded(loaded: Loaded);
    }
}
