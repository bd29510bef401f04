//! Searching for weights that survive.

use crate::rng;
use ipse::prelude::*;
use ipse::tetris::{Board, Piece, State, Tetris10x10};
use ipse_tasks::Foraging;

fn searcher(search: Search, rng: &mut XorShiftRng) -> Searcher<Tetris10x10> {
    Searcher::new(Tetris10x10::default(), search.check().unwrap(), rng)
}

fn with_calls(calls: u32) -> Search {
    Search::survival().calls(calls)
}

fn rows(policy: &Policy<[i16; 8]>, games: u32) -> f64 {
    let (task, mut rng) = (Tetris10x10::default(), rng(99));
    let mut rows = 0;
    for _ in 0..games {
        let mut state = task.reset(&mut rng);
        while let Some(action) = policy.choose(&task, &state, &mut rng) {
            let (next, reward) = task.step(&state, action, &mut rng);
            state = next;
            rows += i64::from(reward);
        }
    }
    rows as f64 / f64::from(games)
}

#[test]
fn directions_come_first_and_the_search_goes_on_from_what_most_choices_speak_for() {
    let mut rng = rng(3);
    let mut searcher = searcher(with_calls(200_000), &mut rng);
    let first = loop {
        let step = searcher.step(&mut rng);
        assert_eq!(step.phase, Phase::Directions);
        if searcher.progress().phase != Phase::Directions {
            break step;
        }
    };
    assert!(first.iteration <= 50);
    assert_eq!(searcher.progress().phase, Phase::Search);
    let leanings = searcher.agent().memory().leanings();
    let length = (leanings.len() as f32).sqrt();
    for (weight, leaning) in searcher.weights().iter().zip(leanings) {
        assert!((weight * length - f32::from(leaning.sign())).abs() < 1e-5);
    }
    assert_eq!(searcher.step(&mut rng).phase, Phase::Search);
}

#[test]
fn all_calls_are_counted_and_none_is_made_beyond_the_last() {
    for calls in [1, 3_000, 100_000, 250_000] {
        let mut rng = rng(5);
        let mut searcher = searcher(with_calls(calls), &mut rng);
        let mut sum = 0;
        while !searcher.progress().is_finished {
            sum += searcher.step(&mut rng).calls;
            assert_eq!(searcher.progress().calls, sum);
            assert!(sum <= calls);
        }
        assert!(sum + 12 > calls, "{sum} of {calls}");
        let weights = searcher.weights();
        for _ in 0..100 {
            let step = searcher.step(&mut rng);
            assert_eq!((step.calls, step.weights), (0, weights));
        }
    }
}

/// A good policy loses so rarely that its own episode leaves hardly any brinks.
#[test]
fn trials_leave_brinks_too() {
    let mut rng = rng(5);
    let mut searcher = searcher(with_calls(250_000), &mut rng);
    let mut donated = 0;
    while !searcher.progress().is_finished {
        let before = searcher.brinks().to_vec();
        let episode_ended = searcher.step(&mut rng).episode_ended;
        let is_new = searcher.brinks() != before;
        donated += u32::from(is_new && !episode_ended);
    }
    assert!(donated > 10, "{donated} generations");
}

/// Time on a board is bounded by this, and so is what is lost when its power is.
#[test]
fn no_generation_takes_more_calls_or_slices_than_its_settings_allow() {
    let settings = |episode, trials, horizon| {
        let search = with_calls(60_000).episode(episode);
        search.trials(trials).horizon(horizon)
    };
    let all = [
        with_calls(200_000),
        settings(0, 1, 1),
        settings(7, 3, 2),
        settings(40, 2, 500),
        settings(2000, 1, 10),
    ];
    for (search, seed) in all.iter().flat_map(|search| [(search, 1), (search, 2)]) {
        let mut rng = rng(seed);
        let mut searcher = searcher(search.cap(3), &mut rng);
        while searcher.progress().phase == Phase::Directions {
            searcher.step(&mut rng);
        }
        // Twelve candidates act in each slice of a trial. The first generations have no trials, and
        // are no longer than an episode for that.
        let own = u32::from(search.episode).max(1);
        let actions = u32::from(search.trials) * u32::from(search.horizon);
        let mut generations = 0;
        while !searcher.progress().is_finished {
            let mut slices = 1;
            let step = loop {
                if let Some(step) = searcher.slice(&mut rng) {
                    break step;
                }
                slices += 1;
            };
            generations += 1;
            assert!(step.calls <= own + 12 * actions, "{search:?}: {step:?}");
            // One slice more than there are tens of actions, if the first trial begins between.
            assert!(slices <= own.div_ceil(10) + actions + 1, "{search:?}");
        }
        assert!(generations > 2, "{search:?}");
    }
}

#[test]
fn slices_add_up_to_steps_to_the_bit() {
    let (mut one_rng, mut other_rng) = (rng(8), rng(8));
    let mut one = searcher(with_calls(150_000), &mut one_rng);
    let mut other = searcher(with_calls(150_000), &mut other_rng);
    while !one.progress().is_finished {
        let expected = one.step(&mut one_rng);
        let found = loop {
            if let Some(step) = other.slice(&mut other_rng) {
                break step;
            }
            assert!(
                !other.progress().is_finished,
                "in the middle of a generation"
            );
        };
        assert_eq!(found, expected);
    }
    assert_eq!(one_rng, other_rng);
}

#[test]
fn what_is_learned_survives_far_longer_than_equal_weights() {
    let mut rng = rng(1);
    let mut searcher = searcher(with_calls(400_000), &mut rng);
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
    }
    let equal = [-1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0];
    let equal = Policy::new::<Tetris10x10>(&equal).unwrap();
    // Without optimisation there is no time for games that last.
    let games = if cfg!(debug_assertions) { 4 } else { 60 };
    let (learned, equal) = (rows(&searcher.policy(), games), rows(&equal, games));
    assert!(
        learned > 1.3 * equal,
        "{learned} rows, {equal} with equal weights"
    );
}

/// With such directions games are too short to have a state from long before their end.
#[test]
fn a_search_that_begins_with_wrong_directions_finds_out() {
    for seed in [1041, 1071] {
        let mut rng = rng(seed);
        let mut searcher = searcher(with_calls(400_000), &mut rng);
        while searcher.progress().phase == Phase::Directions {
            searcher.step(&mut rng);
        }
        let before = rows(&searcher.policy(), 4);
        assert!(before < 1.0, "{before} rows");
        while !searcher.progress().is_finished {
            searcher.step(&mut rng);
        }
        let after = rows(&searcher.policy(), 4);
        assert!(after > 200.0, "{after} rows");
    }
}

#[test]
fn a_task_without_an_end_uses_up_the_calls_and_no_more() {
    let mut rng = rng(2);
    let search = with_calls(20_000).episode(10).trials(3).horizon(5);
    let search = search.memory::<12>().check().unwrap();
    let mut searcher = Searcher::new(Foraging, search, &mut rng);
    let mut steps = 0;
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
        steps += 1;
        assert!(steps < 20_000);
    }
    assert!(searcher.progress().calls <= 20_000);
    assert!(searcher.directions().iter().any(|d| d.is_decided()));
}

#[test]
fn a_board_is_safe_if_it_is_low_and_has_one_hole_at_the_most() {
    let task = Tetris10x10::default();
    let is_safe = |columns| {
        let board = Board::from_columns(columns).unwrap();
        let piece = Piece::O;
        task.is_safe(&State { board, piece })
    };
    assert!(is_safe([0; 10]));
    assert!(is_safe([0b1111, 0, 0b1111, 0, 0b1011, 1, 1, 1, 1, 1]));
    assert!(!is_safe([0b1111, 0, 0b1111, 0, 0b1001, 1, 1, 1, 1, 1]));
    assert!(!is_safe([0b11111, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
}
