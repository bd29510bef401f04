//! What a board reports of a run.

use board::{Began, Event, Observer, Session, Settings};
use embassy_futures::block_on;
use ipse::Phase;

fn clock() -> u64 {
    1_234_567
}

/// Three iterations of each phase, and a little game.
fn short() -> Settings {
    let settings = Settings {
        iterations: 6,
        pieces: 3,
        ..Settings::default()
    };
    settings.with(|config| config.lfd_cap = Some(3)).unwrap()
}

fn session(settings: Settings) -> Session {
    Session::new(settings, clock)
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
fn the_run_by_which_boards_are_compared_has_both_phases() {
    let phase = |event: &Event| match event {
        Event::Learned(learned) => Some(learned.step.phase),
        _ => None,
    };
    let phases: Vec<_> = events(Settings::parity())
        .iter()
        .filter_map(phase)
        .collect();
    assert!(phases[..20].iter().all(|phase| *phase == Phase::Directions));
    assert!(phases[20..].iter().all(|phase| *phase == Phase::Weights));
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

#[test]
fn a_watchdog_is_fed_after_every_slice_and_every_placement() {
    for settings in [short(), Settings::short_search()] {
        let mut slices = 0;
        let mut alone = session(settings);
        while alone.iterations() < 20.min(settings.iterations) {
            alone.slice();
            slices += 1;
        }
        let mut watchdog = Watchdog::default();
        let mut watched = session(Settings {
            iterations: alone.iterations(),
            ..settings
        });
        block_on(async {
            watched.learn(&mut watchdog).await;
            assert_eq!(watchdog.fed, slices);
            watched.play(30, &mut watchdog).await;
        });
        assert_eq!(watchdog.fed, slices + 30);
        assert!(watchdog.longest > 100, "iterations come in many slices");
    }
}

#[test]
fn another_seed_has_another_fingerprint() {
    let settings = Settings { seed: 2, ..short() };
    let (one, other) = (session(short()), session(settings));
    let [one, other] = [one, other].map(|mut session| session.finish().fingerprint);
    assert_ne!(one, other);
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
