//! Measures what the watchdog has to wait for: the longest slices of work that valid parameters allow, a checkpoint and
//! a boot, in microseconds, one `name value` a line.
#![no_std]
#![no_main]

use bench::Wide;
use embassy_executor::Spawner;
use embassy_time::Instant;
use ipse::learner::m_learning::Regularisation;
use ipse::prelude::*;
use ipse::tetris::{DIRECTIONS, Tetris10x10};
use ipse_device::{Features, Observer, Saved, Session, Settings};
use rp2040::{Pico, Watchdog};
use rp2040_tests::Text;

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
    let micros = wide_rollouts(watchdog, false);
    text.print(format_args!("wide_rollout_us {micros}")).await;
    let micros = wide_rollouts(watchdog, true);
    text.print(format_args!("wide_filtered_rollout_us {micros}"))
        .await;
    let micros = fit(MLearning::unregularised(), watchdog);
    text.print(format_args!("fit_us {micros}")).await;
    let micros = fit(MLearning::cross_validated(), watchdog);
    text.print(format_args!("validation_us {micros}")).await;

    let mut session = agent(looking_back(MLearning::scheduled()));
    let mut observers = (pico.watchdog, Saving::default());
    session
        .learn_and_save(&mut pico.checkpoints, &mut observers)
        .await;
    let micros = observers.1.longest;
    text.print(format_args!("save_us {micros}")).await;
    let mut session = agent(looking_back(MLearning::scheduled()));
    let start = Instant::now();
    session.resume(&mut pico.checkpoints, &mut observers).await;
    let micros = start.elapsed().as_micros();
    assert!(session.is_done(), "the checkpoint was not resumed");
    text.print(format_args!("resume_us {micros}")).await;
}

fn agent<L: ResumableLearner<Tetris10x10>>(
    learner: Result<Checked<L>, Invalid>,
) -> Session<Agent<Tetris10x10, L>> {
    let learner = learner.expect("the parameters are valid");
    let settings = Settings {
        iterations: Some(FILLED),
        save_seconds: 0,
        ..Settings::default()
    };
    Session::new(
        settings,
        || Instant::now().as_micros(),
        |rng| Agent::new(Tetris10x10::default(), learner, rng),
    )
}

/// Learning by the longest rollouts that are valid.
fn longest_rollouts(filter: bool) -> MLearning {
    let length = match filter {
        true => Rollouts::FILTERED_LENGTH_MAX,
        false => Rollouts::LENGTH_MAX,
    };
    let rollouts = Rollouts { length, ..SHORTEST };
    MLearning::scheduled()
        .rollouts(rollouts)
        .dominance_filter(filter)
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
    let learner = Known(DIRECTIONS).then(longest_rollouts(filter));
    longest(&mut agent(learner.check()), 4, watchdog)
}

/// The longest rollout in a task with as many actions as there may be.
#[inline(never)]
fn wide_rollouts(watchdog: &mut Watchdog, filter: bool) -> u64 {
    let learner = Known(Wide::DIRECTIONS).then(longest_rollouts(filter));
    let learner = learner.check().expect("the parameters are valid");
    let make = |rng: &mut XorShiftRng| Agent::new(Wide::default(), learner, rng);
    let now = || Instant::now().as_micros();
    let mut session = Session::new(Settings::default(), now, make);
    longest(&mut session, 2, watchdog)
}

/// The longest slice of a fit, or of a validation, that looks back at a hundred choices.
#[inline(never)]
fn fit<R: Regularisation>(second: MLearning<100, R>, watchdog: &mut Watchdog) -> u64 {
    let mut session = agent(looking_back(second));
    while session.iterations() < FILLED {
        longest(&mut session, 1, watchdog);
    }
    longest(&mut session, 150, watchdog)
}

/// A learner that has made a hundred choices when it begins to fit.
fn looking_back<R: Regularisation>(
    second: MLearning<100, R>,
) -> Result<Checked<Then<Lfd, MLearning<100, R>>>, Invalid> {
    // No votes decide at this level.
    Lfd::paper()
        .alpha(f32::MIN_POSITIVE)
        .then(second)
        .cap(FILLED)
        .undecided(Undecided::Free)
        .reuse_choices(true)
        .rollouts(SHORTEST)
        .check()
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
        assert!(saved.is_saved(), "a checkpoint was not saved");
        let micros = session.micros() - self.learned_at;
        self.longest = self.longest.max(micros);
    }
}
