//! The traffic light against one that moves every vehicle on its own.

use crate::{Saved, any, rng, visited};
use host_tests::picture::Picture;
use host_tests::reference::intersection as reference;
use ipse::prelude::*;
use ipse_tasks::Intersection;
use ipse_tasks::intersection::baselines::{FixedTime, LongestQueue, MaxPressure};
use ipse_tasks::intersection::{CLEARING, Crossing, LANES, Phase};

const STATES: usize = if cfg!(debug_assertions) { 50 } else { 1_000 };

/// Without chance: nobody arrives.
const QUIET: Intersection = Intersection {
    vehicles: [0; 4],
    walkers: 0,
};

fn states() -> Vec<Crossing> {
    let task = Intersection::default();
    let mut states = visited(&task, STATES, 1);
    states.extend(any(&task, STATES, 2));
    states
}

#[test]
fn a_state_has_13_bytes() {
    assert_eq!(size_of::<Crossing>(), 13);
}

#[test]
fn a_slot_passes_as_in_the_reference() {
    let task = Intersection::default();
    for (seed, crossing) in (0..).zip(states()) {
        for phase in Phase::ALL {
            let mut draws = rng(seed);
            let chances = [64, 36, 50, 28, 17];
            let arrivals = chances.map(|chance| {
                let bytes = draws.next_u32().to_le_bytes();
                bytes.into_iter().filter(|byte| *byte < chance).count() as u32
            });
            let (next, reward) = task.step(&crossing, phase.action(), &mut rng(seed));
            let expected = reference::step(&crossing, phase, arrivals);
            let expected = expected.unwrap_or((crossing, 0));
            assert_eq!((next, reward), expected, "{crossing:?}, {phase:?}");
        }
    }
}

#[test]
fn features_are_those_of_the_reference() {
    for crossing in states() {
        let list = Intersection::default().list(&crossing);
        let mut visited = list.iter();
        for phase in Phase::ALL {
            if let Some(expected) = reference::features(&crossing, phase) {
                let outcome = visited.next().unwrap();
                assert_eq!(outcome.action, phase.action());
                assert_eq!(outcome.features, expected, "{crossing:?}, {phase:?}");
            }
        }
        assert_eq!(visited.next(), None);
    }
}

#[test]
fn a_promise_is_the_reward_if_nobody_arrives() {
    for crossing in states() {
        for outcome in QUIET.list(&crossing).iter() {
            let (_, reward) = QUIET.step(&crossing, outcome.action, &mut rng(3));
            assert_eq!(reward, outcome.promise, "{crossing:?}, {outcome:?}");
        }
    }
}

#[test]
fn a_change_takes_the_clearing_time_of_those_who_had_green() {
    let crossing = QUIET.reset(&mut rng(4));
    for (from, slots) in Phase::ALL.into_iter().zip(CLEARING) {
        for to in Phase::ALL.into_iter().filter(|to| *to != from) {
            let mut crossing = Crossing {
                phase: from,
                ..crossing
            };
            for _ in 0..slots {
                (crossing, _) = QUIET.step(&crossing, to.action(), &mut rng(4));
                assert_eq!(crossing.green, 0);
            }
            (crossing, _) = QUIET.step(&crossing, to.action(), &mut rng(4));
            assert_eq!((crossing.green, crossing.phase), (1, to));
        }
    }
}

#[test]
fn as_many_arrive_as_is_documented() {
    const SLOTS: u32 = 20_000;
    let task = Intersection::default();
    let empty = Crossing {
        queues: [0; 4],
        walkers: 0,
        phase: Phase::Walk,
        ..task.reset(&mut rng(5))
    };
    let mut draws = rng(6);
    let mut counts = [0f64; 5];
    for _ in 0..SLOTS {
        let (next, _) = task.step(&empty, Phase::Walk.action(), &mut draws);
        let [north, east, south, west] = next.queues;
        for (count, arrived) in counts
            .iter_mut()
            .zip([north, east, south, west, next.walkers])
        {
            *count += f64::from(arrived) * 900. / f64::from(SLOTS);
        }
    }
    for (count, documented) in counts.into_iter().zip([900., 500., 700., 400., 240.]) {
        assert!(
            (count - documented).abs() < 25.,
            "{count}, not {documented}"
        );
    }
}

#[test]
fn rewards_and_values_are_within_what_is_documented() {
    let task = Intersection::default();
    for (seed, crossing) in (0..).zip(states()) {
        assert!(
            (-1_240..=0).contains(&task.value(&crossing)),
            "{crossing:?}"
        );
        for action in 0..3 {
            let (_, reward) = task.step(&crossing, action, &mut rng(seed));
            assert!((-200..=0).contains(&reward), "{crossing:?}");
        }
    }
    assert_eq!(LANES, [2, 1, 2, 1]);
}

#[test]
fn baselines_take_legal_actions() {
    for crossing in states() {
        let actions = [
            FixedTime::TUNED.choose(&crossing),
            LongestQueue::TUNED.choose(&crossing),
            MaxPressure::TUNED.choose(&crossing),
        ];
        for action in actions {
            let phase = Phase::of(action).unwrap();
            assert!(crossing.allows(phase), "{crossing:?}, {phase:?}");
        }
    }
}

/// The fields of a state, from the lowest bit: four times queue 6 and wait 6, walkers 6, their wait 6, phase 2,
/// clearing 1, green 6.
#[test]
fn states_that_cannot_be_are_refused_with_field_value_and_range() {
    let mut saved = Saved::new(Intersection::default());
    let field = |value: u128, at: u32| value << at;
    for (bits, text) in [
        (field(41, 0), "queue (41) must be from 0 to 40"),
        (field(1, 0) | field(61, 6), "wait (61) must be from 0 to 60"),
        (field(1, 42), "wait (1) must be 0"),
        (field(41, 48), "walkers (41) must be from 0 to 40"),
        (field(3, 54), "walkers' wait (3) must be 0"),
        (field(3, 60), "phase (3) must be from 0 to 2"),
        (field(2, 60) | field(1, 62), "clearing (1) must be 0"),
        (field(1, 62) | field(4, 63), "green (4) must be 0"),
        (field(61, 63), "green (61) must be from 0 to 60"),
    ] {
        assert_eq!(saved.refusal(bits), format!("checkpoint: {text}"));
    }
}

/// The mean of those who wait, with a minus.
fn score(choose: impl Fn(&Crossing, &mut XorShiftRng) -> Action, slots: u32) -> f64 {
    let task = Intersection::default();
    let (mut rng, mut coins) = (rng(100), rng(101));
    let mut crossing = task.reset(&mut rng);
    let mut sum = 0;
    for _ in 0..slots {
        let action = choose(&crossing, &mut coins);
        let (next, reward) = task.step(&crossing, action, &mut rng);
        (crossing, sum) = (next, sum + i64::from(reward));
    }
    sum as f64 / f64::from(slots)
}

/// Unoptimised code has time for one seed and fewer iterations, and less can be said about that.
#[test]
fn ipse_passes_fixed_time_and_longest_queue() {
    let task = Intersection::default();
    let (seeds, iterations, slots) = match cfg!(debug_assertions) {
        true => (1, 600, 5_000),
        false => (10, 1_000, 20_000),
    };
    let learned = (0..seeds).map(|seed| {
        let mut rng = rng(seed);
        let ipse = Ipse::new().average(true).check().unwrap();
        let mut agent = Agent::new(task, ipse, &mut rng);
        (0..iterations).for_each(|_| _ = agent.step(&mut rng));
        let policy = agent.policy();
        score(
            |state, rng| policy.choose(&task, state, rng).unwrap(),
            slots,
        )
    });
    let learned = learned.sum::<f64>() / seeds as f64;
    let fixed = score(|crossing, _| FixedTime::TUNED.choose(crossing), slots);
    let longest = score(|crossing, _| LongestQueue::TUNED.choose(crossing), slots);
    let bar = match cfg!(debug_assertions) {
        true => fixed,
        false => fixed.max(longest),
    };
    assert!(learned > bar, "{learned}: {fixed}, {longest}");
}

const PICTURE: &str = "\
................................................................
.#.#.#.#.#.#.#.#................................................
.#.#.#.#.#.#.#.#................................................
................................................................
.#.#.#..........................................................
.#.#.#..........................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
............................###.................................
............................###.................................
............................###.................................
............................###.................................
............................###.................................
............................###.................................
............................###.................................
............................###.................................
....................#.......###............#....................
............................###.................................
................................................................
........................################........................
................................................................
................................................................
................................................................
................................................................
..........................................###...................
..........................................###...................
..........................................###...................
................................................................
................................................................
.......###############..........................................
.......###############..........................................
.......###############..........................................
................................................................
................................................................
................................................................
................................................................
........................################........................
................................................................
.................................###............................
....................#............###.......#....................
.................................###............................
.................................###............................
.................................###............................
.................................###............................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
";

#[test]
fn a_picture_shows_queues_and_who_has_green() {
    let crossing = Crossing {
        queues: [20, 6, 12, 30],
        waits: [0, 3, 0, 3],
        walkers: 11,
        walkers_wait: 9,
        phase: Phase::NorthSouth,
        clearing: 0,
        green: 3,
    };
    let picture = Picture::of(&Intersection::default(), &crossing);
    assert_eq!(picture.to_string(), PICTURE, "\n{picture}");
}
