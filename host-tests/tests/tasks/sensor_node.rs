//! The sensor node against the formulas of its sources, and against what it is meant to be.

use crate::{Saved, any, rng, visited};
use host_tests::picture::Picture;
use host_tests::reference::sensor_node as reference;
use ipse::prelude::*;
use ipse_tasks::SensorNode;
use ipse_tasks::sensor_node::baselines::{EnergyNeutral, Greedy, Threshold};
use ipse_tasks::sensor_node::{
    CLOUDS, GAP, Light, Node, OUTAGE, Plan, QUEUE, STORE, Send, Sky, Weather,
};

const STATES: usize = if cfg!(debug_assertions) { 50 } else { 1_000 };

fn states() -> Vec<Node> {
    let task = SensorNode::default();
    let mut states = visited(&task, STATES, 1);
    states.extend(any(&task, STATES, 2));
    states
}

/// At midnight under a clear sky, with a good link and a full store.
const MIDNIGHT: Node = Node {
    hour: 0,
    clouds: 0,
    price: 0,
    queue: 0,
    worth: 0,
    charge: STORE,
    outage: 0,
};

#[test]
fn a_state_has_ten_bytes() {
    assert_eq!(size_of::<Node>(), 10);
}

#[test]
fn light_is_that_of_kasten_and_czeplak() {
    let Weather {
        clear_sky, light, ..
    } = Weather::HAMBURG;
    for (hour, light) in (0..).zip(clear_sky) {
        assert_eq!(f64::from(light), reference::clear_sky(hour).round());
    }
    let shares = [0., 6., 7., 8.].map(|oktas| (256. * reference::transmission(oktas)).round());
    assert_eq!(light.map(f64::from), shares);
}

#[test]
fn a_mean_day_in_hamburg_brings_36_joules() {
    let task = SensorNode::default();
    let mut odds = [0.25; CLOUDS];
    for _ in 0..1_000 {
        odds = std::array::from_fn(|to| {
            let from =
                (0..CLOUDS).map(|from| odds[from] * f64::from(Weather::HAMBURG.next[from][to]));
            from.sum::<f64>() / 256.
        });
    }
    let expected = (0..).zip(odds).map(|(clouds, odds)| {
        let node = Node { clouds, ..MIDNIGHT };
        odds * f64::from(task.expected_income(&node))
    });
    let mean = expected.sum::<f64>() / 1_000.;
    assert!((mean - 36.).abs() < 0.5, "{mean} J");
}

#[test]
fn a_frame_over_the_worst_link_takes_eight_times_the_energy() {
    let energy = |price, queue| {
        let node = Node {
            price,
            queue,
            ..MIDNIGHT
        };
        let plan = |send| Plan { readings: 0, send };
        node.energy(plan(Send::All)).unwrap() - node.energy(plan(Send::None)).unwrap()
    };
    assert_eq!(energy(0, 1), 64);
    assert_eq!(energy(3, 1), 513);
    assert_eq!(energy(3, 24), 2 * energy(3, 12));
    for price in 0..4 {
        for queue in 1..=QUEUE {
            assert_eq!(
                f64::from(energy(price, queue)),
                reference::frames(price, queue)
            );
        }
    }
}

#[test]
fn an_hour_passes_as_in_the_reference() {
    let task = SensorNode::default();
    let mut browned_out = 0;
    for (seed, node) in (0..).zip(states()) {
        for plan in Plan::all() {
            let (next, reward) = task.step(&node, plan.action(), &mut rng(seed));
            if !reference::is_legal(&node, plan) {
                assert_eq!((next, reward), (node, 0), "{node:?}, {plan:?}");
                continue;
            }
            let expected = reference::step(task.weather(), &node, plan, next.clouds, next.price);
            assert_eq!((next, reward), expected, "{node:?}, {plan:?}");
            browned_out += u32::from(reward == -GAP);
        }
    }
    assert!(browned_out > 5, "{browned_out}");
}

#[test]
fn charge_and_clouds_follow_the_light_that_was_measured() {
    let task = SensorNode::default();
    let (mut by_day, mut at_night) = (0, 0);
    for (seed, node) in (0..).zip(states()) {
        let light = (seed * 37 % 200) as u16;
        for plan in Plan::all().filter(|plan| reference::is_legal(&node, *plan)) {
            let mut sensor = |hour: u8| (hour == node.hour).then_some(light);
            let (next, reward) = task.step_in(&mut sensor, &node, plan.action(), &mut rng(seed));
            let expected = reference::step_in(light, &node, plan, next.clouds, next.price);
            assert_eq!((next, reward), expected, "{node:?}, {plan:?}, {light} W/m²");
            if Weather::HAMBURG.clear_sky[usize::from(node.hour)] > 0 {
                let likely = reference::likely_clouds(task.weather(), node.hour, light);
                assert!(likely.contains(&next.clouds), "{likely:?}, not {next:?}");
                by_day += 1;
            } else {
                let (unseen, _) = task.step(&node, plan.action(), &mut rng(seed));
                assert_eq!(next.clouds, unseen.clouds);
                at_night += 1;
            }
        }
    }
    assert!(by_day > 100 && at_night > 100, "{by_day}, {at_night}");
}

#[test]
fn without_a_reading_the_world_is_as_the_model_expects() {
    let task = SensorNode::default();
    let mut nothing = |_: u8| None;
    for (seed, node) in (0..).zip(states()) {
        for action in 0..20 {
            let (mut here, mut there) = (rng(seed), rng(seed));
            assert_eq!(
                task.step_in(&mut nothing, &node, action, &mut here),
                task.step(&node, action, &mut there)
            );
            assert_eq!(here, there);
        }
    }
}

#[test]
fn the_light_of_a_sky_is_that_of_its_weather() {
    let weather = Weather::GREY;
    let mut sky = Sky::new(weather, 1);
    let mut days = [0; CLOUDS];
    for hour in (0..24).cycle().take(24 * 1_000) {
        let light = sky.irradiance(hour).unwrap();
        let clear = u32::from(weather.clear_sky[usize::from(hour)]);
        let levels = weather.light.map(|share| (clear * u32::from(share)) >> 8);
        let found = levels.iter().position(|level| *level == u32::from(light));
        let level = found.unwrap_or_else(|| panic!("{light} at {hour}: {levels:?}"));
        if hour == 11 {
            days[level] += 1;
        }
    }
    // The darkest level has the longest memory.
    assert!(
        days[3] > 400 && days.iter().all(|days| *days > 10),
        "{days:?}"
    );
}

/// What a search with as many calls as its preset has learned.
const LEARNED: [f32; 8] = [0.60, -0.78, -0.10, -0.26, -0.62, 0.41, -0.52, -1.66];

#[test]
fn who_sees_the_clouds_earns_more_than_who_guesses_them() {
    let (days, seeds) = match cfg!(debug_assertions) {
        true => (1_000, 2),
        false => (2_000, 10),
    };
    let [seen, guessed] = [true, false].map(|is_seen| {
        let points = (0..seeds).map(|seed| points_in_grey_weather(is_seen, days, seed));
        points.sum::<i64>() as f64 / f64::from(days * seeds as u32)
    });
    println!("points a day: {seen:.1} with clouds that were seen, {guessed:.1} with guesses");
    assert!(seen > 1.01 * guessed, "{seen} and {guessed}");
}

/// The points of a node whose charge follows the light of another weather than that of its model, in so many days.
fn points_in_grey_weather(is_seen: bool, days: u32, seed: u64) -> i64 {
    let task = SensorNode::default();
    let policy = Policy::new::<SensorNode>(&LEARNED).unwrap();
    let (mut rng, mut sky) = (rng(seed), Sky::new(Weather::GREY, seed));
    let (mut node, mut sum) = (MIDNIGHT, 0);
    for _ in 0..24 * days {
        let action = policy.choose(&task, &node, &mut rng).unwrap();
        let (guess, _) = task.step(&node, action, &mut rng.clone());
        let (next, reward) = task.step_in(&mut sky, &node, action, &mut rng);
        let clouds = if is_seen { next.clouds } else { guess.clouds };
        node = Node { clouds, ..next };
        sum += i64::from(reward);
    }
    sum
}

#[test]
fn features_are_those_of_the_reference_but_for_rounding() {
    let task = SensorNode::default();
    // Steps of 16 mJ are rounded down; forecasts are off by less than 24 mJ; scarcity comes in sixteenths.
    let off = [0., 0., 1., 1., 17., 2.5, 2.5, 1.];
    for node in states() {
        for outcome in task.list(&node).iter() {
            let plan = Plan::of(outcome.action).unwrap();
            let mut expected = reference::features(task.weather(), &node, plan);
            expected[2..].iter_mut().for_each(|energy| *energy /= 16.);
            for (index, (value, expected)) in outcome.features.iter().zip(expected).enumerate() {
                let difference = (f64::from(*value) - expected).abs();
                assert!(
                    difference <= off[index],
                    "{index}: {value}, not {expected}: {node:?}, {plan:?}"
                );
            }
        }
    }
}

#[test]
fn the_legal_plans_are_those_of_the_reference() {
    let task = SensorNode::default();
    for node in states() {
        let legal = Plan::all().filter(|plan| reference::is_legal(&node, *plan));
        let expected: Vec<_> = legal.map(Plan::action).collect();
        let actions: Vec<_> = task.list(&node).iter().map(|o| o.action).collect();
        assert_eq!(actions, expected, "{node:?}");
    }
    let actions: Vec<_> = Plan::all().map(Plan::action).collect();
    assert_eq!(actions, Vec::from_iter(0..15));
    for plan in Plan::all() {
        assert_eq!(Plan::of(plan.action()), Some(plan));
    }
    assert_eq!(Plan::of(15), None);
}

#[test]
fn a_promise_is_kept_unless_the_node_browns_out() {
    let task = SensorNode::default();
    for (seed, node) in (0..).zip(states()) {
        for outcome in task.list(&node).iter() {
            let (next, reward) = task.step(&node, outcome.action, &mut rng(seed));
            let is_kept = reward == outcome.promise;
            let browned_out = reward == -GAP && next.outage == OUTAGE;
            assert!(is_kept != browned_out, "{node:?}, {outcome:?}, {reward}");
        }
    }
}

#[test]
fn weather_does_not_depend_on_what_the_node_does() {
    let task = SensorNode::default();
    for (seed, node) in (0..).zip(visited(&task, 200, 4)) {
        let weather = |action| {
            let mut rng = rng(seed);
            let (next, _) = task.step(&node, action, &mut rng);
            (next.clouds, next.price, rng)
        };
        for outcome in task.list(&node).iter() {
            assert_eq!(weather(outcome.action), weather(0));
        }
    }
}

#[test]
fn clouds_follow_each_other_with_their_probabilities() {
    const HOURS: u32 = 200_000;
    let task = SensorNode::default();
    let mut rng = rng(5);
    for from in 0..CLOUDS {
        let node = Node {
            clouds: from as u8,
            price: 1,
            ..MIDNIGHT
        };
        let mut counts = [0u32; CLOUDS];
        let mut prices = [0u32; 4];
        for _ in 0..HOURS {
            let next = task.step(&node, 0, &mut rng).0;
            counts[usize::from(next.clouds)] += 1;
            prices[usize::from(next.price)] += 1;
        }
        let odds = task.weather().next[from].map(|of_256| f64::from(of_256) / 256.);
        for (count, odds) in counts.into_iter().zip(odds) {
            assert_likely(count, odds);
        }
        for (count, odds) in prices.into_iter().zip([0.25, 0.5, 0.25, 0.]) {
            assert_likely(count, odds);
        }
    }

    /// Within five standard deviations.
    fn assert_likely(count: u32, odds: f64) {
        let expected = f64::from(HOURS) * odds;
        let deviation = (expected * (1. - odds)).sqrt();
        let difference = (f64::from(count) - expected).abs();
        assert!(difference <= 5. * deviation, "{count}, not {expected}");
    }
}

#[test]
fn measured_light_tells_the_clouds_by_day_and_nothing_at_night() {
    let task = SensorNode::default();
    let noon = Node {
        hour: 12,
        ..MIDNIGHT
    };
    // Between eleven and twelve a clear sky gives 171 W/m².
    let levels = [400, 171, 150, 140, 123, 100, 89, 70, 60, 43, 0];
    let clouds = levels.map(|light| task.observe(&noon, light).clouds);
    assert_eq!(clouds, [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3]);
    for clouds in 0..CLOUDS as u8 {
        let night = Node { clouds, ..MIDNIGHT };
        assert_eq!(task.observe(&night, 0), night);
    }
}

#[test]
fn a_node_without_power_waits_for_the_sun() {
    let task = SensorNode::default();
    let mut rng = rng(6);
    let mut node = Node {
        charge: 300,
        queue: 5,
        worth: 40,
        hour: 16,
        ..MIDNIGHT
    };
    let all = Plan {
        readings: 4,
        send: Send::All,
    };
    (node, _) = task.step(&node, all.action(), &mut rng);
    let mut hours = 0;
    while node.outage > 0 {
        assert_eq!(task.list(&node).len(), 1);
        assert_eq!((node.queue, node.worth), (0, 0));
        (node, _) = task.step(&node, 0, &mut rng);
        hours += 1;
    }
    // The night lasts until nine, and then the store has to reach 2.8 V.
    assert!((16..30).contains(&hours), "{hours} hours");
}

#[test]
fn weather_that_cannot_be_is_refused_with_field_value_and_range() {
    let hamburg = Weather::HAMBURG;
    let refusal = |weather| SensorNode::new(weather).unwrap_err().to_string();
    assert_eq!(SensorNode::new(hamburg), Ok(SensorNode::default()));
    assert!(SensorNode::new(Weather::GREY).is_ok());

    let mut bright = hamburg;
    bright.clear_sky[3] = 1_501;
    assert_eq!(
        refusal(bright),
        "clear_sky[3] (1501) must be from 0 to 1500"
    );
    let mut more = hamburg;
    more.light[1] = 257;
    assert_eq!(refusal(more), "light[1] (257) must be from 0 to 256");
    let mut sum = hamburg;
    sum.next[2][0] += 1;
    assert_eq!(refusal(sum), "sum of next[2] (257) must be 256");
}

#[test]
fn the_brightest_weather_overflows_nothing() {
    let brightest = Weather {
        clear_sky: [Weather::BRIGHTEST; 24],
        light: [256; CLOUDS],
        ..Weather::HAMBURG
    };
    let task = SensorNode::new(brightest).unwrap();
    for node in visited(&task, STATES, 7) {
        task.outcomes(&node, |outcome| {
            for (value, feature) in outcome.features.iter().zip(SensorNode::FEATURES) {
                assert!((0..=feature.bound).contains(value), "{feature:?}: {value}");
            }
        });
    }
}

#[test]
fn rewards_and_values_are_within_what_is_documented() {
    let task = SensorNode::default();
    for (seed, node) in (0..).zip(states()) {
        assert!((-48..=768).contains(&task.value(&node)), "{node:?}");
        for action in 0..15 {
            let (_, reward) = task.step(&node, action, &mut rng(seed));
            assert!((-GAP..=384).contains(&reward), "{node:?}");
        }
    }
}

/// The fields of a state, from the lowest bit: hour 5, clouds 2, price 2, queue 5, worth 9, charge 16, outage 2.
#[test]
fn states_that_cannot_be_are_refused_with_field_value_and_range() {
    let mut saved = Saved::new(SensorNode::default());
    let field = |value: u128, at: u32| value << at;
    let (hour, queue, worth, charge, outage) = (0, 9, 14, 23, 39);
    for (bits, text) in [
        (field(24, hour), "hour (24) must be from 0 to 23"),
        (field(25, queue), "queue (25) must be from 0 to 24"),
        (field(385, worth), "worth (385) must be from 0 to 384"),
        (
            field(2, queue) | field(33, worth),
            "worth (33) must be from 0 to 32",
        ),
        (
            field(43_291, charge),
            "charge (43291) must be from 0 to 43290",
        ),
        (field(1, queue) | field(1, outage), "queue (1) must be 0"),
    ] {
        assert_eq!(saved.refusal(bits), format!("checkpoint: {text}"));
    }
}

#[test]
fn baselines_take_legal_actions_and_do_not_brown_out_with_energy_in_the_store() {
    let task = SensorNode::default();
    for node in states() {
        let actions = [
            Greedy.choose(&task, &node),
            Threshold::TUNED.choose(&task, &node),
            EnergyNeutral::TUNED.choose(&task, &node),
        ];
        let legal: Vec<_> = task.list(&node).iter().map(|o| o.action).collect();
        for action in actions {
            assert!(legal.contains(&action), "{node:?}, {action}");
            let energy = node.energy(Plan::of(action).unwrap()).unwrap();
            assert!(energy <= node.charge || action == 0, "{node:?}, {action}");
        }
    }
}

/// The sun at eleven behind clouds, a store that is half full, seven readings and a link of two steps.
const PICTURE: &str = "\
................................................................
............................#####...............................
............................#####...............................
............................#####...............................
............................#####...............................
............................#####...............................
................................................................
................................................................
....####################################........................
................................................................
............####################################................
................................................................
................................................................
################################################################
................................................................
................................................................
..############..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#..........#..................................................
..#.########.#..................................................
..#.########.#..................................................
..#.########.#..................................................
..#.########.#....###...........................................
..#.########.#....###.............................###...........
..#.########.#....###.............................###...........
..#.########.#....................................###...........
..#.########.#....................................###...........
..#.########.#....###.###.###.###.###.###.....###.###...........
..#.########.#....###.###.###.###.###.###.....###.###...........
..#.########.#....###.###.###.###.###.###.....###.###...........
..############..................................................
................................................................
";

#[test]
fn a_picture_shows_sky_store_queue_and_link() {
    let node = Node {
        hour: 11,
        clouds: 2,
        price: 2,
        queue: 7,
        worth: 60,
        charge: STORE / 2,
        outage: 0,
    };
    let picture = Picture::of(&SensorNode::default(), &node);
    assert_eq!(picture.to_string(), PICTURE, "\n{picture}");
}

/// Points a day.
fn score(choose: impl Fn(&Node, &mut XorShiftRng) -> Action, days: u32, seed: u64) -> f64 {
    let task = SensorNode::default();
    let mut rng = rng(seed);
    let mut node = task.reset(&mut rng);
    let mut sum = 0;
    for _ in 0..24 * days {
        let action = choose(&node, &mut crate::rng(rng.clone().next_u64()));
        let (next, reward) = task.step(&node, action, &mut rng);
        (node, sum) = (next, sum + i64::from(reward));
    }
    sum as f64 / f64::from(days)
}

#[test]
fn the_default_passes_random_and_greedy() {
    let task = SensorNode::default();
    let (seeds, days) = match cfg!(debug_assertions) {
        true => (1, 100),
        false => (10, 1_000),
    };
    let random = |node: &Node, rng: &mut XorShiftRng| {
        let action = Policy::random().choose(&task, node, rng);
        action.unwrap()
    };
    let random = score(random, days, 100);
    let greedy = score(|node, _| Greedy.choose(&task, node), days, 100);
    let learned = (0..seeds).map(|seed| {
        let mut rng = rng(seed);
        let mut agent = Agent::new(task, Ipse::new().check().unwrap(), &mut rng);
        for _ in 0..200 {
            agent.step(&mut rng);
        }
        let policy = agent.policy();
        score(
            |node, rng| policy.choose(&task, node, rng).unwrap(),
            days,
            100,
        )
    });
    let learned = learned.sum::<f64>() / seeds as f64;
    assert!(
        learned > greedy.max(random),
        "{learned}: {random}, {greedy}"
    );
}
