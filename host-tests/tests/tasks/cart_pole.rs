//! The cart and its pole against Gymnasium's model in floating point.

use crate::{Saved, any, rng, visited};
use host_tests::picture::Picture;
use host_tests::reference::cart_pole as reference;
use ipse::prelude::*;
use ipse_tasks::CartPole;
use ipse_tasks::cart_pole::baselines::Pd;
use ipse_tasks::cart_pole::{Balance, FALLEN, ONE, PUSHES, Push, TRACK};

const UPRIGHT: Balance = Balance {
    position: 0,
    speed: 0,
    angle: 0,
    spin: 0,
    pushes: 0,
};

/// A step of the state, 2⁻²⁴.
const STEP: f64 = 1. / (1 << 24) as f64;

fn real(balance: &Balance) -> reference::State {
    let Balance {
        position,
        speed,
        angle,
        spin,
        ..
    } = *balance;
    [position, speed, angle, spin].map(|steps| f64::from(steps) * STEP)
}

fn distance(one: reference::State, other: reference::State) -> f64 {
    let differences = one.into_iter().zip(other).map(|(a, b)| (a - b).abs());
    differences.fold(0., f64::max)
}

fn is_right(action: Action) -> bool {
    action == Push::Right.action()
}

/// Plays an episode.
fn play(
    seed: u64,
    mut choose: impl FnMut(&Balance) -> Action,
    mut look: impl FnMut(&Balance, Action),
) -> Balance {
    let mut rng = rng(seed);
    let mut balance = CartPole.reset(&mut rng);
    while !balance.is_over() {
        let action = choose(&balance);
        look(&balance, action);
        (balance, _) = CartPole.step(&balance, action, &mut rng);
    }
    balance
}

#[test]
fn the_limits_are_those_of_gymnasium() {
    assert!(f64::from(TRACK) * STEP <= 2.4 && f64::from(TRACK + 1) * STEP > 2.4);
    let limit = 12f64.to_radians();
    assert!(f64::from(FALLEN) * STEP <= limit && f64::from(FALLEN + 1) * STEP > limit);
    for (position, angle, is_over) in [
        (TRACK, FALLEN, false),
        (-TRACK, -FALLEN, false),
        (TRACK + 1, 0, true),
        (-TRACK - 1, 0, true),
        (0, FALLEN + 1, true),
        (0, -FALLEN - 1, true),
    ] {
        let balance = Balance {
            position,
            angle,
            ..UPRIGHT
        };
        assert_eq!(balance.is_over(), is_over);
        assert_eq!(reference::is_over(real(&balance)), is_over);
    }
}

#[test]
fn one_push_differs_from_floating_point_by_less_than_a_step() {
    let mut states = visited(&CartPole, 5_000, 1);
    states.extend(any(&CartPole, 300, 2));
    // Speeds beyond those that an episode can reach are cut off.
    states.retain(|balance| {
        !balance.is_over() && balance.speed.abs() < 15 * ONE && balance.spin.abs() < 7 * ONE
    });
    assert!(states.len() > 4_000, "{}", states.len());
    for balance in states {
        for push in Push::ALL {
            let next = real(&balance.pushed(push));
            let expected = reference::step(real(&balance), is_right(push.action()));
            assert!(distance(next, expected) < STEP, "{balance:?}, {push:?}");
        }
    }
}

/// Along 500 pushes of a rule that balances the pole, the float model is put where the integers are every 50 pushes: in
/// between, errors of at most half a step each grow by 8 % a push, to ½ · Σ 1.08ᵏ < 288 steps.
#[test]
fn fifty_pushes_differ_from_floating_point_by_less_than_300_steps() {
    for seed in 0..20 {
        let mut float = [0.; 4];
        let mut largest = 0f64;
        let end = play(
            seed,
            |balance| Pd::STEADY.choose(balance),
            |balance, action| {
                if balance.pushes % 50 == 0 {
                    float = real(balance);
                }
                largest = largest.max(distance(float, real(balance)));
                float = reference::step(float, is_right(action));
            },
        );
        assert_eq!(end.pushes, PUSHES);
        assert!(largest < 300. * STEP, "{largest}");
    }
}

/// Both worlds under the same rule, each with its own state: 500 pushes in both. They part, since in a pole on a cart
/// the smallest difference grows, but the rule holds them together, within 0.2 m and 0.04 rad.
#[test]
fn under_a_rule_500_pushes_stay_near_floating_point() {
    let rule = Pd::STEADY;
    let weights = [rule.position, rule.speed, rule.angle, rule.spin].map(f64::from);
    for seed in 0..20 {
        let mut float = None;
        let end = play(
            seed,
            |balance| rule.choose(balance),
            |balance, _| {
                let here = float.unwrap_or(real(balance));
                assert!(!reference::is_over(here));
                let [x, _, theta, _] = real(balance);
                assert!((here[0] - x).abs() < 0.2, "{here:?}, {balance:?}");
                assert!((here[2] - theta).abs() < 0.04, "{here:?}, {balance:?}");
                let sum: f64 = here.iter().zip(weights).map(|(x, w)| x * w).sum();
                float = Some(reference::step(here, sum > 0.));
            },
        );
        assert_eq!(end.pushes, PUSHES);
    }
}

#[test]
fn a_mirrored_state_has_the_mirrored_future() {
    let mut states = visited(&CartPole, 2_000, 3);
    states.extend(any(&CartPole, 200, 4));
    for balance in states {
        let right = balance.pushed(Push::Right);
        assert_eq!(balance.mirrored().pushed(Push::Left), right.mirrored());
    }
}

#[test]
fn features_are_those_of_the_next_state() {
    for balance in visited(&CartPole, 2_000, 5) {
        for outcome in CartPole.list(&balance).iter() {
            let expected = reference::features(real(&balance), is_right(outcome.action));
            let steps = [1024., 4096., 4096., 1024.];
            for ((value, expected), steps) in outcome.features.iter().zip(expected).zip(steps) {
                let difference = expected * steps - f64::from(*value);
                assert!((-0.001..1.001).contains(&difference), "{balance:?}");
            }
        }
    }
}

/// What `host-tests/gymnasium/play.py` is held against, so that it plays the policies of this task.
#[test]
fn units_and_features_are_those_of_the_golden_file() {
    let text = include_str!("../../golden/cart_pole.json");
    let golden: serde_json::Value = serde_json::from_str(text).unwrap();
    let units: [f32; 4] = serde_json::from_value(golden["units"].clone()).unwrap();
    assert_eq!(CartPole::FEATURES.map(|feature| feature.unit), units);
    let states = golden["states"].as_array().unwrap();
    assert!(states.len() >= 50, "{}", states.len());
    for case in states {
        let [position, speed, angle, spin] = serde_json::from_value(case["state"].clone()).unwrap();
        let balance = Balance {
            position,
            speed,
            angle,
            spin,
            pushes: 0,
        };
        let outcomes = CartPole.list(&balance);
        let features: Vec<_> = outcomes.iter().map(|outcome| outcome.features).collect();
        let expected: Vec<[i16; 4]> = serde_json::from_value(case["features"].clone()).unwrap();
        assert_eq!(features, expected, "{balance:?}");
    }
}

#[test]
fn an_episode_is_over_after_500_pushes_and_each_brings_one() {
    let mut sum = 0;
    let end = play(
        1,
        |balance| Pd::STEADY.choose(balance),
        |balance, action| sum += CartPole.step(balance, action, &mut rng(1)).1,
    );
    assert_eq!((end.pushes, sum), (500, 500));
    assert!(CartPole.is_terminal(&end));
    assert_eq!(CartPole.value(&end), 0);
}

#[test]
fn episodes_start_within_a_twentieth_of_upright() {
    let (mut low, mut high) = (0., 0.);
    for seed in 0..1_000 {
        for coordinate in real(&CartPole.reset(&mut rng(seed))) {
            low = coordinate.min(low);
            high = coordinate.max(high);
        }
    }
    assert!((-0.05..-0.0499).contains(&low), "{low}");
    assert!((0.0499..0.05).contains(&high), "{high}");
}

#[test]
fn chance_holds_the_pole_for_some_twenty_pushes() {
    let mut coins = rng(6);
    let pushes =
        (0..500).map(|seed| play(seed, |_| (coins.next_u32() >> 31) as Action, |_, _| ()).pushes);
    let mean = pushes.map(f64::from).sum::<f64>() / 500.;
    // Gymnasium's own figure is 22.
    assert!((20.0..25.).contains(&mean), "{mean}");
}

/// The fields of a state, from the lowest bit: position 27, speed 30, angle 24, spin 29, pushes 9.
#[test]
fn states_that_cannot_be_are_refused_with_field_value_and_range() {
    let mut saved = Saved::new(CartPole);
    for (value, at, text) in [
        (
            45_634_029,
            0,
            "position (45634029) must be from -45634028 to 45634028",
        ),
        (
            268_435_457,
            27,
            "speed (268435457) must be from -268435456 to 268435456",
        ),
        (
            6_198_167,
            57,
            "angle (6198167) must be from -6198166 to 6198166",
        ),
        (
            134_217_729,
            81,
            "spin (134217729) must be from -134217728 to 134217728",
        ),
        (501, 110, "pushes (501) must be from 0 to 500"),
    ] {
        let text = format!("checkpoint: {text}");
        assert_eq!(saved.refusal((value as u128) << at), text);
    }
}

#[test]
fn values_are_at_most_a_second_and_zero_at_the_end() {
    assert_eq!(CartPole.value(&UPRIGHT), 50);
    for balance in any(&CartPole, 300, 7) {
        let value = CartPole.value(&balance);
        assert!((0..=50).contains(&value) && (value == 0 || !balance.is_over()));
    }
}

#[test]
fn the_default_balances_the_pole_within_400_choices() {
    let seeds = if cfg!(debug_assertions) { 2 } else { 20 };
    let held = (0..seeds).filter(|seed| {
        let mut rng = rng(*seed);
        let mut agent = Agent::new(CartPole, Ipse::new().check().unwrap(), &mut rng);
        (0..100).for_each(|_| _ = agent.step(&mut rng));
        let policy = agent.policy();
        let mut coins = crate::rng(8);
        (0..100).all(|seed| {
            let choose = |balance: &_| policy.choose(&CartPole, balance, &mut coins).unwrap();
            play(1_000 + seed, choose, |_, _| ()).pushes == PUSHES
        })
    });
    let held = held.count() as u64;
    assert!(held * 20 >= seeds * 19, "{held} of {seeds}");
}

const PICTURE: &str = "\
................................................................
................................................................
................................#...............................
................................#...............................
................................#...............................
...............................#................................
...............................#................................
...............................#................................
...............................#................................
..............................#.................................
..............................#.................................
.............................#..................................
.............................#..................................
.............................#..................................
.............................#..................................
............................#...................................
............................#...................................
...........................#....................................
...........................#....................................
...........................#....................................
...........................#....................................
..........................#.....................................
..........................#.....................................
..........................#.....................................
..........................#.....................................
..........................#.....................................
......................#########.................................
......................#########.................................
......................#########.................................
......................#########.................................
################################################################
...............#.................................#..............
";

#[test]
fn a_picture_shows_track_cart_and_pole() {
    let balance = Balance {
        position: -ONE,
        angle: ONE / 10,
        ..UPRIGHT
    };
    let picture = Picture::of(&CartPole, &balance);
    assert_eq!(picture.to_string(), PICTURE, "\n{picture}");
}
