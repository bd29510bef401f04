//! Telemetry: the events of a session, sent as frames.

use crate::command::{Command, Part};
use crate::event::{
    Acted, Beat, Boot, Evaluated, Event, Learned, Loaded, MAX_FEATURES, Picture, Saved, list,
};
use crate::observer::Observer;
use crate::play::Player;
use crate::session::{Features, Session};
use crate::wire::{MAX_FRAME, encode};
use ipse::array::Array;
use ipse::environment::Canvas;
use ipse::rand_core::SeedableRng;
use ipse::rand_xorshift::XorShiftRng;
use ipse::{Driver, Environment, Step};

/// Where frames go. A closure that takes bytes is a sink.
pub trait Sink {
    /// Takes a whole frame, or none of it. Returns whether it was taken. Must not wait: what cannot be sent now is
    /// dropped, and counted.
    fn try_send(&mut self, frame: &[u8]) -> bool;
}

impl<F: FnMut(&[u8]) -> bool> Sink for F {
    fn try_send(&mut self, frame: &[u8]) -> bool {
        self(frame)
    }
}

/// One sink, or a pair of them. What one cannot take now is dropped for that one alone, and it is told how much it has
/// missed.
pub trait Sinks {
    /// The number of events that each of them has missed: `u32`, or a pair of numbers.
    type Dropped: Copy + Default;

    /// Sends an event to each, and counts where it was dropped. Returns whether any of them has taken it.
    fn send(&mut self, event: &Event<'_>, dropped: &mut Self::Dropped) -> bool;
}

impl<S: Sink> Sinks for S {
    type Dropped = u32;

    // Out of line, so that the frame does not stay on the stack.
    #[inline(never)]
    fn send(&mut self, event: &Event<'_>, dropped: &mut u32) -> bool {
        let mut buffer = [0; MAX_FRAME];
        let frame = match *event {
            Event::Beat(beat) => {
                let dropped = *dropped;
                encode(&Event::Beat(Beat { dropped, ..beat }), &mut buffer)
            }
            _ => encode(event, &mut buffer),
        };
        let is_sent = frame.is_some_and(|frame| self.try_send(frame));
        *dropped = dropped.saturating_add((!is_sent).into());
        is_sent
    }
}

/// No sink.
impl Sinks for () {
    type Dropped = ();

    fn send(&mut self, _event: &Event<'_>, _dropped: &mut ()) -> bool {
        false
    }
}

impl<A: Sinks, B: Sinks> Sinks for (A, B) {
    type Dropped = (A::Dropped, B::Dropped);

    fn send(&mut self, event: &Event<'_>, dropped: &mut Self::Dropped) -> bool {
        let first = self.0.send(event, &mut dropped.0);
        self.1.send(event, &mut dropped.1) || first
    }
}

/// A pipe as a sink: another task sends what is in it, over a UART or USB.
#[cfg(feature = "pipe")]
pub struct Piped<'p, M: embassy_sync::blocking_mutex::raw::RawMutex, const N: usize>(
    pub &'p embassy_sync::pipe::Pipe<M, N>,
);

#[cfg(feature = "pipe")]
impl<M: embassy_sync::blocking_mutex::raw::RawMutex, const N: usize> Sink for Piped<'_, M, N> {
    fn try_send(&mut self, mut frame: &[u8]) -> bool {
        if self.0.free_capacity() < frame.len() {
            return false;
        }
        // A pipe takes what fits before the end of its ring, and then the rest.
        while !frame.is_empty() {
            match self.0.try_write(frame) {
                Ok(len) => frame = frame.get(len..).unwrap_or_default(),
                Err(_) => return false,
            }
        }
        true
    }
}

/// The number of events from one [`Hello`](crate::Hello) to the next.
const HELLO: u8 = 8;
/// The shortest times between two signs of life and between two pictures, in microseconds.
const BEAT: u64 = 1_000_000;
const PICTURE: u64 = 250_000;
/// The most bytes of a picture. Tasks that draw larger ones send none.
pub(crate) const PIXELS: usize = 512;
/// What is sent only once is sent so many times, since bytes may be lost.
const COPIES: usize = 3;
/// The number of slices of work for each action of an evaluation. A slice is about ten actions, so that evaluation
/// takes about a twentieth of the time.
const SLICES: u8 = 2;
/// An evaluation plays whole episodes until it has taken so many actions, and stops in the middle of an episode only
/// after so many.
const ACTIONS: [u32; 2] = [250, 1000];

/// Sends what happens in a session to a [`Sink`], or to a pair of them, and evaluates what is learned.
///
/// It also plays a few episodes with the policy of the moment, an action after every other slice of work: what they
/// earn is the learning curve. These episodes have random numbers of their own, so that what is learned is the same as
/// without telemetry, to the bit.
///
/// ```
/// use ipse::prelude::*;
/// use ipse_device::{Event, Reader, Session, Settings, Telemetry};
/// use ipse_tasks::Foraging;
///
/// let learner = Ipse::new().check()?;
/// let settings = Settings { iterations: Some(60), ..Settings::default() };
/// let mut session = Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng));
///
/// let mut stream = Vec::new();
/// let mut telemetry = Telemetry::new(|frame: &[u8]| {
///     stream.extend_from_slice(frame);
///     true
/// });
/// embassy_futures::block_on(session.learn(&mut telemetry));
///
/// let mut iterations = 0;
/// Reader::new().read(&stream, |event| match event {
///     Event::Hello(hello) => assert_eq!(hello.features[0].name, "seeds"),
///     Event::Learned(learned) => iterations = learned.iteration,
///     _ => {}
/// });
/// assert_eq!(iterations, 60);
/// # Ok::<(), Invalid>(())
/// ```
pub struct Telemetry<D: Driver, S: Sinks> {
    sinks: S,
    dropped: S::Dropped,
    /// The number of events since the last hello.
    since_hello: u8,
    longest_slice: u32,
    /// When the last sign of life and the last picture were sent.
    last_beat: Option<u64>,
    last_picture: Option<u64>,
    slices: u8,
    evaluation: Option<Evaluation<D::Task>>,
}

/// Episodes under way, and where their policy is from.
struct Evaluation<E: Environment> {
    player: Player<E>,
    iteration: u32,
    calls: u64,
}

impl<D: Driver, S: Sinks> Telemetry<D, S> {
    /// Telemetry that goes to `sinks`.
    pub fn new(sinks: S) -> Self {
        const {
            let features = <Features<D> as Array>::LEN;
            assert!(
                features <= MAX_FEATURES,
                "telemetry has room for 32 features"
            );
        }
        Telemetry {
            sinks,
            dropped: S::Dropped::default(),
            since_hello: HELLO,
            longest_slice: 0,
            last_beat: None,
            last_picture: None,
            slices: 0,
            evaluation: None,
        }
    }

    /// The number of events that each sink has missed since nobody read fast enough.
    pub fn dropped(&self) -> S::Dropped {
        self.dropped
    }

    /// Sends an event, and now and then what a late reader has missed.
    fn send(&mut self, session: &Session<D>, event: &Event<'_>) {
        if self.since_hello >= HELLO && self.put(&Event::Hello(session.hello())) {
            self.since_hello = 0;
            if session.is_done() {
                self.put(&Event::Ended(session.result()));
            }
        }
        self.since_hello = self.since_hello.saturating_add(1);
        self.put(event);
    }

    fn put(&mut self, event: &Event<'_>) -> bool {
        self.sinks.send(event, &mut self.dropped)
    }

    /// Goes on with an evaluation, or begins one with the policy of now.
    fn evaluate(&mut self, session: &Session<D>) {
        let (task, driver) = (session.driver().task(), session.driver());
        let evaluation = self.evaluation.get_or_insert_with(|| {
            let iteration = session.iterations();
            // Other numbers than those that the session learns with.
            let rng = XorShiftRng::seed_from_u64(!session.settings().seed ^ u64::from(iteration));
            Evaluation {
                player: Player::new(task, driver.policy(), rng),
                iteration,
                calls: session.calls(),
            }
        });
        let is_whole = evaluation.player.act(task);
        let actions = evaluation.player.actions();
        let [enough, most] = ACTIONS;
        if actions < enough || !is_whole && actions < most {
            return;
        }
        let evaluated = Evaluated {
            iteration: evaluation.iteration,
            calls: evaluation.calls,
            reward: evaluation.player.reward(),
            actions,
            episodes: evaluation
                .player
                .episodes()
                .saturating_add((!is_whole).into()),
            is_whole,
        };
        self.evaluation = None;
        self.send(session, &Event::Evaluated(evaluated));
    }

    /// Sends a picture of `state`, if it is time for one.
    fn show(&mut self, session: &Session<D>, state: &<D::Task as Environment>::State) {
        let now = session.micros();
        if !is_due(&mut self.last_picture, PICTURE, now) {
            return;
        }
        let mut pixels = [0; PIXELS];
        if let Some(picture) = draw(session.driver().task(), state, &mut pixels) {
            self.send(session, &Event::Picture(picture));
        }
    }
}

/// Returns whether so much time has passed since `last`, which then is now.
fn is_due(last: &mut Option<u64>, interval: u64, now: u64) -> bool {
    let is_due = last.is_none_or(|last| now.saturating_sub(last) >= interval);
    if is_due {
        *last = Some(now);
    }
    is_due
}

/// The picture of a state in `pixels`, which are zero before. `None` if the task draws none, or one that is too large.
pub fn draw<'p, E: Environment>(
    task: &E,
    state: &E::State,
    pixels: &'p mut [u8],
) -> Option<Picture<'p>> {
    let (width, height) = E::PICTURE;
    let bytes = (usize::from(width) * usize::from(height)).div_ceil(8);
    let pixels = pixels
        .get_mut(..bytes)
        .filter(|pixels| !pixels.is_empty())?;
    let mut bits = Bits {
        width,
        height,
        pixels,
    };
    task.draw(state, &mut bits);
    let Bits { pixels, .. } = bits;
    Some(Picture { width, pixels })
}

/// Pixels as bits.
struct Bits<'p> {
    width: u16,
    height: u16,
    pixels: &'p mut [u8],
}

impl Canvas for Bits<'_> {
    fn fill(&mut self, x: u16, y: u16, width: u16, height: u16) {
        for row in y..y.saturating_add(height).min(self.height) {
            for column in x..x.saturating_add(width).min(self.width) {
                let bit = usize::from(row) * usize::from(self.width) + usize::from(column);
                if let Some(byte) = self.pixels.get_mut(bit / 8) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
    }
}

impl<D: Driver, S: Sinks> Observer<D> for Telemetry<D, S> {
    fn progress(&mut self, session: &Session<D>, micros: u32) {
        self.longest_slice = self.longest_slice.max(micros);
        let now = session.micros();
        if is_due(&mut self.last_beat, BEAT, now) {
            let beat = Beat {
                micros: now,
                longest_slice: self.longest_slice,
                // Each sink is told its own.
                dropped: 0,
            };
            self.send(session, &Event::Beat(beat));
        }
        self.slices = (self.slices + 1) % SLICES;
        if self.slices == 0 && !session.is_done() {
            self.evaluate(session);
        }
    }

    fn booted(&mut self, session: &Session<D>, boot: Boot) {
        self.send(session, &Event::Booted(boot));
    }

    fn began(&mut self, session: &Session<D>) {
        self.since_hello = 0;
        self.put(&Event::Hello(session.hello()));
    }

    fn learned(&mut self, session: &Session<D>, step: &Step<Features<D>>) {
        let learned = Learned {
            iteration: step.iteration,
            phase: step.phase,
            calls: session.calls(),
            reward: session.reward(),
            episodes: session.episodes(),
            micros: session.micros(),
            directions: list(step.directions.as_ref()),
            votes: list(session.votes().as_ref()),
            weights: list(step.weights.as_ref()),
        };
        self.send(session, &Event::Learned(learned));
        self.show(session, session.driver().state());
    }

    fn saved(&mut self, session: &Session<D>, saved: Saved) {
        self.send(session, &Event::Saved(saved));
    }

    fn ended(&mut self, session: &Session<D>) {
        for _ in 0..COPIES {
            self.put(&Event::Hello(session.hello()));
            self.put(&Event::Ended(session.result()));
        }
    }

    fn acted(&mut self, session: &Session<D>, player: &Player<D::Task>) {
        let acted = Acted {
            actions: player.actions(),
            reward: player.reward(),
            episodes: player.episodes(),
            micros: session.micros(),
        };
        self.send(session, &Event::Acted(acted));
        self.show(session, player.state());
    }

    fn obeyed(&mut self, session: &Session<D>, command: Command) {
        if let Command::Restart | Command::Seed(_) = command {
            // What was evaluated is forgotten now.
            self.evaluation = None;
        }
        self.send(session, &Event::Obeyed(command));
    }

    fn part(&mut self, session: &Session<D>, part: Part) {
        self.send(session, &Event::Part(part));
    }

    fn loaded(&mut self, session: &Session<D>, loaded: Loaded) {
        self.evaluation = None;
        self.send(session, &Event::Loaded(loaded));
    }
}
