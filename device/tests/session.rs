//! What a session on a board does and reports.

use embassy_futures::block_on;
use ipse::ResumableDriver;
use ipse::checkpoint::LoadError;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Began, Event, Observer, Session, Settings};

fn clock() -> u64 {
    1_234_567
}

/// Three iterations of each phase, and a short game.
fn short() -> Settings {
    Settings {
        iterations: 6,
        pieces: 3,
        ..Settings::default()
    }
}

fn session(settings: Settings) -> Session<Agent<Tetris10x10, Ipse>> {
    let learner = Ipse::paper().cap(3).check().unwrap();
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
    Session::new(settings, clock, new)
}

/// A search of a thousand calls, from nothing.
fn search(settings: Settings) -> Session<Searcher<Tetris10x10>> {
    let search = Search::survival().calls(1_000).cap(1);
    let search = search.rollouts(Rollouts {
        count: 1,
        length: 1,
        ..Rollouts::paper()
    });
    let search = search.check().unwrap();
    let new = |rng: &mut _| Searcher::new(Tetris10x10::default(), search, rng);
    Session::new(settings, clock, new)
}

/// All events of a run and of the game after it.
fn events(settings: Settings) -> Vec<Event> {
    let mut events = Vec::new();
    let mut session = session(settings);
    let mut report = async |event: &Event| events.push(*event);
    block_on(async {
        session.learn(&mut report).await;
        session.play(settings.pieces, &mut report).await;
    });
    events
}

#[test]
fn every_iteration_is_reported_between_a_beginning_and_an_end() {
    let events = events(short());
    assert_eq!(events.len(), 1 + 6 + 1 + 3);
    assert_eq!(
        events[0],
        Event::Began(Began {
            seed: 1,
            iterations: 6
        })
    );
    for (event, iteration) in events[1..=6].iter().zip(1..) {
        assert!(matches!(event, Event::Learned(learned) if learned.step.iteration == iteration));
    }
    assert!(matches!(events[7], Event::Ended(_)));
}

#[test]
fn the_phase_is_reported_with_each_iteration() {
    let phase = |event: &Event| match event {
        Event::Learned(learned) => Some(learned.step.phase),
        _ => None,
    };
    let phases: Vec<_> = events(short()).iter().filter_map(phase).collect();
    assert!(phases[..3].iter().all(|phase| *phase == Phase::Directions));
    assert!(phases[3..].iter().all(|phase| *phase == Phase::Weights));
}

#[test]
fn a_session_ends_when_its_driver_has_finished() {
    let endless = Settings {
        iterations: u32::MAX,
        ..short()
    };
    let mut search = search(endless);
    let ended = search.finish();
    assert!(search.is_done() && search.driver().progress().is_finished);
    assert!(ended.calls <= 1_000, "{} calls", ended.calls);

    let lfd = Lfd::paper().check().unwrap();
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), lfd, rng);
    let mut directions = Session::new(endless, clock, new);
    directions.finish();
    assert!(directions.driver().is_between_iterations());
    let decided = directions.driver().directions();
    assert!(decided.iter().all(|direction| direction.is_decided()));
}

#[test]
fn a_session_ends_at_its_last_iteration() {
    let mut session = session(short());
    session.finish();
    assert_eq!(session.iterations(), 6);
}

#[test]
fn whether_others_get_a_turn_makes_no_difference_to_what_is_learned() {
    let without = session(short()).finish();
    let with = block_on(session(short()).learn(&mut async |_: &Event| {}));
    assert_eq!(with.fingerprint, without.fingerprint);
    assert_eq!(with.weights, without.weights);
}

/// Counts slices, and how many of them the longest iteration has.
#[derive(Default)]
struct Watchdog {
    fed: u32,
    since_the_last: u32,
    longest: u32,
}

impl Observer for Watchdog {
    async fn hear(&mut self, event: &Event) {
        if let Event::Learned(_) = event {
            self.longest = self.longest.max(self.since_the_last);
            self.since_the_last = 0;
        }
    }

    fn progress(&mut self) {
        self.fed += 1;
        self.since_the_last += 1;
    }
}

/// Feeds a watchdog in a session that was learned without one before.
fn feed<D>(alone: &mut Session<D>, watched: &mut Session<D>)
where
    D: ResumableDriver<Task = Tetris10x10>,
{
    let mut slices = 0;
    while !alone.is_done() {
        alone.slice();
        slices += 1;
    }
    let mut watchdog = Watchdog::default();
    block_on(async {
        watched.learn(&mut watchdog).await;
        assert_eq!(watchdog.fed, slices);
        watched.play(30, &mut watchdog).await;
    });
    assert_eq!(watchdog.fed, slices + 30);
    assert!(watchdog.longest > 20, "iterations come in many slices");
}

#[test]
fn a_watchdog_is_fed_after_every_slice_and_every_placement() {
    feed(&mut session(short()), &mut session(short()));
    feed(&mut search(short()), &mut search(short()));
}

#[test]
fn another_seed_has_another_fingerprint() {
    let settings = Settings { seed: 2, ..short() };
    let [one, other] = [short(), settings].map(|settings| session(settings).finish());
    assert_ne!(one.fingerprint, other.fingerprint);
}

/// The checkpoint of a session.
fn bytes_of(session: &mut Session<Agent<Tetris10x10, Ipse>>) -> Vec<u8> {
    let mut buffer = [0; Session::<Agent<Tetris10x10, Ipse>>::MAX_BYTES];
    session.save(&mut buffer).unwrap().to_vec()
}

#[test]
fn a_session_goes_on_from_its_checkpoint_with_the_same_bits() {
    let mut half = session(short());
    while half.iterations() < 3 {
        half.slice();
    }
    let mut resumed = session(short());
    resumed.restore(&bytes_of(&mut half)).unwrap();
    assert_eq!(resumed.iterations(), 3);
    assert_eq!(resumed.finish(), session(short()).finish());
}

#[test]
fn a_checkpoint_with_another_seed_is_foreign_and_leaves_a_session_that_is_as_new() {
    let mut other = session(Settings { seed: 2, ..short() });
    other.finish();
    let mut refused = session(short());
    let error = refused.restore(&bytes_of(&mut other));
    assert_eq!(error, Err(LoadError::Foreign));
    assert_eq!(refused.finish(), session(short()).finish());
}

#[test]
fn a_checkpoint_beyond_the_last_iteration_is_refused_and_changes_nothing() {
    let mut longer = session(short());
    longer.finish();
    let bytes = bytes_of(&mut longer);
    let mut short = session(Settings {
        iterations: 5,
        ..short()
    });
    short.finish();
    let too_far = LoadError::TooFar {
        iterations: 6,
        limit: 5,
    };
    assert_eq!(short.check(&bytes), Err(too_far));
    assert_eq!(short.restore(&bytes), Err(too_far));
    assert_eq!(short.iterations(), 5);
}

#[test]
fn a_checkpoint_with_other_parameters_is_foreign() {
    let mut capped = session(short());
    capped.finish();
    let learner = Ipse::paper().cap(4).check().unwrap();
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
    let other = Session::new(short(), clock, new);
    assert_eq!(other.check(&bytes_of(&mut capped)), Err(LoadError::Foreign));
}

#[test]
fn play_goes_on_in_a_new_game_when_one_is_over() {
    let settings = Settings {
        iterations: 1,
        pieces: 500,
        ..Settings::default()
    };
    let mut pieces = 0;
    let mut games = 0;
    let mut cells = 0;
    for event in events(settings) {
        let Event::Played(played) = event else {
            continue;
        };
        pieces += 1;
        assert_eq!(played.pieces, pieces);
        cells = cells + 4 - 10 * played.rows;
        let columns = played.state.board.columns();
        let on_board: u32 = columns.iter().map(|column| column.count_ones()).sum();
        assert_eq!(on_board, cells);
        if played.over {
            (games, cells) = (games + 1, 0);
        }
    }
    assert_eq!(pieces, 500);
    assert!(games > 1, "{games} games");
}

#[test]
fn every_event_is_one_line_of_text() {
    let lines: Vec<_> = events(short()).iter().map(Event::to_string).collect();
    assert!(
        lines
            .iter()
            .all(|line| line.lines().count() == 1 && line.len() < 250)
    );
    assert_eq!(lines[0], "learning for 6 iterations from seed 1");
    assert!(
        lines[1].starts_with("1.234 s: iteration 1, directions ????????"),
        "{}",
        lines[1]
    );
    assert!(lines[7].starts_with("learned in 0.000 s:"), "{}", lines[7]);
    assert!(
        lines[8].starts_with("1.234 s: piece 1, 0 rows, heights "),
        "{}",
        lines[8]
    );
}
