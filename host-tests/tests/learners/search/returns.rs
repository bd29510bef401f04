//! Searching for weights that collect the highest reward.

use crate::rng;
use crate::tasks::Lottery;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_tasks::Foraging;

/// A sensor with a battery and a solar cell. By day it can take as many readings as it likes; at night whatever it takes
/// is missing before the morning, and a battery that is empty costs more than readings are worth.
#[derive(Clone, Copy, Debug)]
pub struct Sensor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    hour: u8,
    charge: u8,
    /// From 0, a clear sky, to 2.
    clouds: u8,
}

const FULL: u8 = 40;
/// The value of so many readings in an hour: the first is worth the most.
const VALUE: [i16; 4] = [0, 5, 8, 9];
const BROWN_OUT: i16 = -10;

impl Slot {
    fn is_day(&self) -> bool {
        (7..17).contains(&self.hour)
    }

    /// The charge that the sun gives in an hour.
    fn sun(&self) -> u8 {
        match self.is_day() {
            true => [6, 3, 1][usize::from(self.clouds)],
            false => 0,
        }
    }
}

impl Environment for Sensor {
    type State = Slot;
    type Features = [i16; 4];
    type Actions = [Action; 4];
    const NAME: &'static str = "sensor";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("value of the readings", 9),
        Feature::new("charge missing to half", 20),
        Feature::new("charge missing to a quarter", 10),
        Feature::new("readings after dark", 3),
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Slot {
        Slot {
            hour: (rng.next_u32() % 24) as u8,
            charge: FULL / 2,
            clouds: 0,
        }
    }

    fn outcomes(&self, slot: &Slot, mut visit: impl FnMut(Outcome<[i16; 4]>)) {
        for readings in 0..=3 {
            let left = i16::from(slot.charge) - i16::from(readings);
            let missing = |to: u8| (i16::from(to) - left).clamp(0, i16::from(to));
            visit(Outcome {
                action: readings,
                promise: VALUE[usize::from(readings)],
                features: [
                    VALUE[usize::from(readings)],
                    missing(FULL / 2),
                    missing(FULL / 4),
                    i16::from(readings) * i16::from(!slot.is_day()),
                ],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, slot: &Slot, readings: Action, rng: &mut R) -> (Slot, i16) {
        let idle = u8::from(slot.hour.is_multiple_of(2));
        let change = [0, 0, 0, 1, 2][rng.next_u32() as usize % 5];
        let clouds = match slot.hour {
            6 => (rng.next_u32() % 3) as u8,
            _ => (slot.clouds + change) % 3,
        };
        let (charge, reward) = match slot.charge.checked_sub(readings + idle) {
            Some(left) => (left, VALUE[usize::from(readings)]),
            None => (0, BROWN_OUT),
        };
        let next = Slot {
            hour: (slot.hour + 1) % 24,
            charge: (charge + slot.sun()).min(FULL),
            clouds,
        };
        (next, reward)
    }
}

/// The value of a day under a policy, over days that no search has seen.
fn value(policy: &Policy<[i16; 4]>) -> f64 {
    let days = if cfg!(debug_assertions) { 400 } else { 4_000 };
    let mut rng = rng(1 << 40);
    let (mut slot, mut sum) = (Sensor.reset(&mut rng), 0);
    for _ in 0..24 * days {
        let action = policy.choose(&Sensor, &slot, &mut rng).unwrap();
        let (next, reward) = Sensor.step(&slot, action, &mut rng);
        slot = next;
        sum += i64::from(reward);
    }
    sum as f64 / f64::from(days)
}

fn searched<const N: usize>(search: Search<Unknown, N>, seed: u64) -> f64 {
    let mut rng = rng(seed);
    let mut searcher = Searcher::new(Sensor, search.check().unwrap(), &mut rng);
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
    }
    value(&searcher.policy())
}

fn returns() -> Search<Unknown, 0> {
    Search::returns(96).calls(60_000)
}

#[test]
fn what_is_learned_collects_more_than_greed_and_chance() {
    let greedy = Policy::new::<Sensor>(&[1., 0., 0., 0.]).unwrap();
    let baseline = value(&greedy).max(value(&Policy::random()));
    assert!(baseline < 30., "{baseline}");
    for seed in 1..=5 {
        let learned = searched(returns(), seed);
        assert!(learned > 80., "{learned} with seed {seed}");
    }
}

/// Long enough to see the next morning, and more than once.
#[test]
fn a_horizon_of_a_few_hours_learns_less_than_one_of_days() {
    let sum = |horizon| -> f64 {
        let search = Search::returns(horizon).calls(30_000);
        (1..=3).map(|seed| searched(search, seed)).sum()
    };
    let (short, long) = (sum(2), sum(96));
    assert!(short < 0.5 * long, "{short} and {long}");
}

/// As far as the driver is concerned, it is a search like the other.
#[test]
fn all_calls_are_counted_those_for_spreads_too_and_none_is_made_beyond_the_last() {
    for calls in [1, 150, 3_000, 20_000] {
        let mut rng = rng(5);
        let search = Search::returns(40).calls(calls).check().unwrap();
        let mut searcher = Searcher::new(Sensor, search, &mut rng);
        let mut sum = 0;
        while !searcher.progress().is_finished {
            let step = searcher.step(&mut rng);
            sum += step.calls;
            assert_eq!((step.phase, step.action), (Phase::Search, None));
            assert_eq!(searcher.progress().calls, sum);
        }
        assert!(sum <= calls && sum + 12 > calls, "{sum} of {calls}");
        let weights = searcher.weights();
        for _ in 0..100 {
            let step = searcher.step(&mut rng);
            assert_eq!((step.calls, step.weights), (0, weights));
        }
    }
}

#[test]
fn no_generation_takes_more_calls_or_slices_than_its_settings_allow() {
    for (episode, horizon) in [(24, 30), (0, 1), (1, 300), (300, 2)] {
        let mut rng = rng(1);
        let search = Search::returns(horizon).episode(episode).calls(20_000);
        let mut searcher = Searcher::new(Tetris10x10::default(), search.check().unwrap(), &mut rng);
        while !searcher.progress().is_finished {
            let mut slices = 1;
            let step = loop {
                if let Some(step) = searcher.slice(&mut rng) {
                    break step;
                }
                slices += 1;
            };
            // If its own episode has just ended, the next one begins.
            let own = u32::from(episode).max(1) + 1;
            // If all candidates do alike, there are others.
            let most = own + 2 * 12 * u32::from(horizon);
            assert!(step.calls <= most.max(200), "{step:?}");
            let most = own.div_ceil(10) + 2 * u32::from(horizon);
            assert!(slices <= most.max(20), "{slices}");
        }
    }
}

#[test]
fn it_starts_from_zero_weights_and_knows_no_directions() {
    let mut rng = rng(1);
    let search = returns().check().unwrap();
    let mut searcher = Searcher::new(Sensor, search, &mut rng);
    assert_eq!(searcher.weights(), [0.; 4]);
    assert_eq!(searcher.progress().phase, Phase::Search);
    // After the measurement, too.
    let step = searcher.step(&mut rng);
    assert_eq!((step.calls, step.weights), (200, [0.; 4]));
    let step = searcher.step(&mut rng);
    assert_ne!(step.weights, [0.; 4]);
    assert_eq!(step.directions, [Direction::Undecided; 4]);
    assert!(searcher.brinks().is_empty());
}

/// Another task with one of its features in other numbers.
#[derive(Clone, Copy)]
struct Enlarged;

impl Environment for Enlarged {
    type State = Slot;
    type Features = [i16; 4];
    type Actions = [Action; 4];
    const NAME: &'static str = "enlarged";
    const FEATURES: PerFeature<Self, Feature> = {
        let mut features = Sensor::FEATURES;
        features[1] = Feature::new("a hundred times the charge missing to half", 2000);
        features
    };

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Slot {
        Sensor.reset(rng)
    }

    fn outcomes(&self, slot: &Slot, mut visit: impl FnMut(Outcome<[i16; 4]>)) {
        Sensor.outcomes(slot, |mut outcome| {
            outcome.features[1] *= 100;
            visit(outcome);
        });
    }

    fn step<R: Rng + ?Sized>(&self, slot: &Slot, action: Action, rng: &mut R) -> (Slot, i16) {
        Sensor.step(slot, action, rng)
    }
}

/// On the scale of units the weight of what is large would have to be found a hundred times as precisely.
#[test]
fn a_feature_in_large_numbers_is_weighed_on_its_own_scale() {
    let learned = |scale| -> f64 {
        let learned = |seed| {
            let mut rng = rng(seed);
            let search = Search::returns(96).calls(30_000).scale(scale);
            let mut searcher = Searcher::new(Enlarged, search.check().unwrap(), &mut rng);
            while !searcher.progress().is_finished {
                searcher.step(&mut rng);
            }
            let mut weights = searcher.weights();
            weights[1] *= 100.;
            value(&Policy::new::<Sensor>(&weights).unwrap())
        };
        (1..=6).map(learned).sum()
    };
    let (units, spread) = (learned(Scale::Units), learned(Scale::Spread));
    assert!(spread > 1.03 * units, "{spread} and {units}");
}

/// All actions of the lottery lead to the same state, so that there is never more than one branch, but everyone has
/// acted differently before.
#[test]
fn candidates_that_meet_again_are_simulated_once() {
    let mut rng = rng(3);
    let search = Search::returns(50).episode(1).calls(5_000).check().unwrap();
    let mut searcher = Searcher::new(Lottery, search, &mut rng);
    searcher.step(&mut rng);
    for _ in 0..10 {
        // Three actions at the most in the only state there is, by candidates around the mean and from anywhere.
        let calls = searcher.step(&mut rng).calls;
        assert!((51..=1 + 2 * 3 * 50).contains(&calls), "{calls}");
    }
}

#[test]
fn a_sum_of_rewards_is_bounded_and_a_short_episode_counts() {
    // The highest reward there is, in as many actions as there can be.
    #[derive(Clone, Copy)]
    struct Jackpot;

    impl Environment for Jackpot {
        type State = u16;
        type Features = [i16; 1];
        type Actions = [Action; 2];
        const NAME: &'static str = "jackpot";
        const FEATURES: PerFeature<Self, Feature> = [Feature::new("number", 1)];

        fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> u16 {
            0
        }

        fn outcomes(&self, left: &u16, mut visit: impl FnMut(Outcome<[i16; 1]>)) {
            let actions = if *left == 1 { 0 } else { 2 };
            for action in 0..actions {
                visit(Outcome {
                    action,
                    promise: 0,
                    features: [action.into()],
                });
            }
        }

        /// One action pays at once and ends the episode, the other goes on and costs.
        fn step<R: Rng + ?Sized>(&self, _: &u16, action: Action, _: &mut R) -> (u16, i16) {
            if action == 1 { (1, 1) } else { (0, i16::MIN) }
        }
    }

    let mut rng = rng(1);
    let search = Search::returns(u16::MAX).calls(400_000).check().unwrap();
    let mut searcher = Searcher::new(Jackpot, search, &mut rng);
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
    }
    let [weight] = searcher.weights();
    assert!(weight > 0., "{weight}");
}

#[test]
fn it_forages_better_than_chance() {
    let seeds = |policy: Policy<[i16; 3]>| {
        let mut rng = rng(9);
        let (mut mouse, mut sum) = (Foraging.reset(&mut rng), 0);
        for _ in 0..2_000 {
            match policy.choose(&Foraging, &mouse, &mut rng) {
                None => mouse = Foraging.reset(&mut rng),
                Some(action) => {
                    let (next, reward) = Foraging.step(&mouse, action, &mut rng);
                    mouse = next;
                    sum += i32::from(reward);
                }
            }
        }
        sum
    };
    let mut rng = rng(1);
    let search = Search::returns(40).calls(20_000).check().unwrap();
    let mut searcher = Searcher::new(Foraging, search, &mut rng);
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
    }
    let (learned, chance) = (seeds(searcher.policy()), seeds(Policy::random()));
    assert!(learned > chance, "{learned} and {chance}");
}

/// A room that cools down unless it is heated, and is as cold as can be after a while. Whoever never heats, or always does,
/// collects the same with all weights that are near.
#[derive(Clone, Copy, Debug)]
struct Room;

impl Environment for Room {
    /// Degrees too cold.
    type State = i16;
    type Features = [i16; 3];
    type Actions = [Action; 3];
    const NAME: &'static str = "room";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("too cold", 20),
        Feature::new("too warm", 20),
        Feature::new("power", 2),
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> i16 {
        (rng.next_u32() % 9) as i16
    }

    fn outcomes(&self, cold: &i16, mut visit: impl FnMut(Outcome<[i16; 3]>)) {
        for power in 0..3 {
            let later = (cold + 1 - power).clamp(-20, 20);
            let features = [later.max(0), (-later).max(0), power];
            let (action, promise) = (power as Action, 0);
            visit(Outcome {
                action,
                promise,
                features,
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, cold: &i16, action: Action, _: &mut R) -> (i16, i16) {
        let power = i16::from(action);
        let later = (cold + 1 - power).clamp(-20, 20);
        (later, -2 * later.abs() - power)
    }
}

/// Without a look elsewhere, one seed in ten stays where its first step has led it.
#[test]
fn no_seed_is_stuck_where_all_candidates_collect_the_same() {
    for seed in 0..40 {
        let mut rng = rng(seed);
        let search = Search::returns(50).calls(8_000).check().unwrap();
        let mut searcher = Searcher::new(Room, search, &mut rng);
        while !searcher.progress().is_finished {
            searcher.step(&mut rng);
        }
        let policy = searcher.policy();
        let (mut cold, mut sum) = (8, 0);
        for _ in 0..100 {
            let action = policy.choose(&Room, &cold, &mut rng).unwrap();
            let (next, reward) = Room.step(&cold, action, &mut rng);
            cold = next;
            sum += reward;
        }
        // One power an hour, and some to warm up; at either end it would be 4,000.
        assert!(sum > -400, "{sum} with seed {seed}");
    }
}
