//! Measures what the watchdog has to wait for: the longest slices of work that valid parameters allow, a checkpoint and
//! a boot, in microseconds, one `name value` a line.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::Instant;
use ipse::prelude::*;
use ipse::tetris::{DIRECTIONS, Tetris10x10};
use ipse_device::{Features, Observer, Saved, Session, Settings};
use rp2040::{Pico, Watchdog};
use rp2040_tests::Text;

/// The longest rollouts, such that no filter or fit makes them longer than others.
const LONGEST: Rollouts = Rollouts {
    count: 1,
    length: Rollouts::LENGTH_MAX,
    ..Rollouts::paper()
};
/// Those that hardly take any time.
const SHORTEST: Rollouts = Rollouts {
    count: 1,
    length: 1,
    ..Rollouts::paper()
};
/// The number of iterations after which a learner looks back at a hundred choices.
const FILLED: u32 = 200;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut pico = Pico::start(spawner);
    let mut text = Text::new(pico.uart);
    let watchdog = &mut pico.watchdog;

    let micros = rollouts(watchdog, false);
    text.print(format_args!("rollout_us {micros}")).await;
    let micros = rollouts(watchdog, true);
    text.print(format_args!("filtered_rollout_us {micros}"))
        .await;
    let micros = fit(watchdog);
    text.print(format_args!("fit_us {micros}")).await;
    let micros = validation(watchdog);
    text.print(format_args!("validation_us {micros}")).await;

    let mut session = fitted();
    let mut observers = (pico.watchdog, Saving::default());
    session
        .learn_and_save(&mut pico.checkpoints, &mut observers)
        .await;
    let micros = observers.1.longest;
    text.print(format_args!("save_us {micros}")).await;
    let mut session = fitted();
    let start = Instant::now();
    session.resume(&mut pico.checkpoints, &mut observers).await;
    let micros = start.elapsed().as_micros();
    assert!(session.is_done(), "the checkpoint was not resumed");
    text.print(format_args!("resume_us {micros}")).await;
}

fn session<D: Driver>(iterations: u32, make: impl FnOnce(&mut XorShiftRng) -> D) -> Session<D> {
    let settings = Settings {
        iterations: Some(iterations),
        save_seconds: 0,
        ..Settings::default()
    };
    Session::new(settings, || Instant::now().as_micros(), make)
}

fn agent<L: ResumableLearner<Tetris10x10>>(
    learner: Result<Checked<L>, Invalid>,
    iterations: u32,
) -> Session<Agent<Tetris10x10, L>> {
    let learner = learner.expect("the parameters are valid");
    session(iterations, |rng| {
        Agent::new(Tetris10x10::default(), learner, rng)
    })
}

/// The longest of so many slices.
fn longest<D: Driver>(session: &mut Session<D>, slices: u32, watchdog: &mut Watchdog) -> u64 {
    let mut longest = 0;
    for _ in 0..slices {
        let start = Instant::now();
        session.slice();
        longest = longest.max(start.elapsed().as_micros());
        watchdog.progress(session, 0);
    }
    longest
}

/// The longest rollout of a policy that knows the directions, and so does not lose early.
#[inline(never)]
fn rollouts(watchdog: &mut Watchdog, filter: bool) -> u64 {
    let second = MLearning::scheduled().rollouts(LONGEST);
    let learner = Known(DIRECTIONS).then(second.dominance_filter(filter));
    longest(&mut agent(learner.check(), 1), 12, watchdog)
}

/// The longest slice of the iteration in which a fit looks back at a hundred choices.
#[inline(never)]
fn fit(watchdog: &mut Watchdog) -> u64 {
    let learner = Known(DIRECTIONS).then(MLearning::unregularised().rollouts(SHORTEST));
    let mut session = agent(learner.check(), FILLED);
    while session.iterations() < FILLED {
        longest(&mut session, 1, watchdog);
    }
    longest(&mut session, 300, watchdog)
}

/// The same for a cross-validation. The choices are from a first phase that decides nothing.
#[inline(never)]
fn validation(watchdog: &mut Watchdog) -> u64 {
    let learner = Lfd::paper()
        .alpha(f32::MIN_POSITIVE)
        .then(MLearning::cross_validated())
        .cap(FILLED)
        .undecided(Undecided::Free)
        .reuse_choices(true)
        .rollouts(SHORTEST);
    let mut session = agent(learner.check(), FILLED);
    while session.iterations() < FILLED {
        longest(&mut session, 1, watchdog);
    }
    longest(&mut session, 300, watchdog)
}

/// A session whose checkpoints are as large as can be.
#[inline(never)]
fn fitted() -> Session<Agent<Tetris10x10, Ipse>> {
    let learner = Ipse::new().rollouts(SHORTEST).cap(1).check();
    agent(learner, FILLED)
}

/// The longest time that a checkpoint takes.
#[derive(Default)]
struct Saving {
    learned_at: u64,
    longest: u64,
}

impl<D: Driver> Observer<D> for Saving {
    fn learned(&mut self, session: &Session<D>, _: &Step<Features<D>>) {
        self.learned_at = session.micros();
    }

    fn saved(&mut self, session: &Session<D>, saved: Saved) {
        assert!(saved.is_saved, "a checkpoint was not saved");
        let micros = session.micros() - self.learned_at;
        self.longest = self.longest.max(micros);
    }
}
