//! Every learner solves a task that is not Tetris.

use crate::rng;
use host_tests::reference::foraging::expected_seeds;
use ipse::prelude::Direction::{Con, Pro};
use ipse::prelude::*;
use ipse_tasks::foraging::{Foraging, Mouse};

/// Unoptimised code has time for fewer runs, and less can be said about them.
const RUNS: u64 = if cfg!(debug_assertions) { 2 } else { 10 };
const SOLVED: f64 = if cfg!(debug_assertions) { 0.6 } else { 0.75 };
const ITERATIONS: usize = 200;

/// What a policy gathers, as a share of what could be gathered.
fn quality(policy: &Policy<[i16; 3]>) -> f64 {
    let optimum = expected_seeds(|_, value| value);
    let score = |bush: [u8; 3], _| policy.score(&bush.map(i16::from)).into();
    expected_seeds(score) / optimum
}

/// The mean quality of what is learned.
fn learned<L: Learner<Foraging>>(learner: L, runs: u64) -> f64 {
    let learner = learner.check().unwrap();
    let qualities = (0..runs).map(|seed| {
        let mut rng = rng(seed);
        let mut agent = Agent::new(Foraging, learner, &mut rng);
        for _ in 0..ITERATIONS {
            agent.step(&mut rng);
        }
        quality(&agent.policy())
    });
    qualities.sum::<f64>() / runs as f64
}

#[test]
fn chance_gathers_less_than_a_quarter_of_what_could_be_gathered() {
    assert!(quality(&Policy::random()) < 0.25);
}

#[test]
fn lfd_gathers_three_quarters() {
    let quality = learned(Lfd::paper(), RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn ipse_gathers_more_than_directions_alone_can() {
    assert_gathers_more(Ipse::paper().memory::<40>());
}

#[test]
fn the_default_gathers_more_than_directions_alone_can() {
    assert_gathers_more(Ipse::new().memory::<40>());
}

fn assert_gathers_more<L: Learner<Foraging>>(ipse: L) {
    let equal = Policy::new::<Foraging>(&[1., -1., -1.]).unwrap();
    let quality = learned(ipse, RUNS);
    let bar = match cfg!(debug_assertions) {
        true => SOLVED,
        false => self::quality(&equal),
    };
    assert!(quality > bar, "{quality}");
}

#[test]
fn m_learning_without_regularisation_gathers_three_quarters() {
    let quality = learned(MLearning::unregularised().memory::<40>(), RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn m_learning_with_cross_validation_gathers_three_quarters() {
    let cross_validated = MLearning::cross_validated().memory::<40>();
    let quality = learned(cross_validated, RUNS / 2);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn m_learning_with_a_schedule_gathers_three_quarters() {
    let quality = learned(MLearning::scheduled().memory::<40>(), RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn m_learning_with_known_directions_gathers_three_quarters() {
    let known = Known([Pro, Con, Con]).then(MLearning::scheduled().memory::<40>());
    let quality = learned(known, RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn mice_gather_what_is_expected_of_them() {
    const NIGHTS: usize = 20_000;
    let policy = Policy::new::<Foraging>(&[1., -1., -1.]).unwrap();
    let mut rng = rng(40);
    let nights: Vec<f64> = (0..NIGHTS)
        .map(|_| {
            let mut seeds = 0;
            let mut mouse = Foraging.reset(&mut rng);
            while let Some(action) = policy.choose(&Foraging, &mouse, &mut rng) {
                let (next, reward) = Foraging.step(&mouse, action, &mut rng);
                (mouse, seeds) = (next, seeds + reward);
            }
            seeds.into()
        })
        .collect();
    let mean = nights.iter().sum::<f64>() / NIGHTS as f64;
    let variance = nights.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / NIGHTS as f64;
    let standard_error = (variance / NIGHTS as f64).sqrt();
    let expected = expected_seeds(|bush, _| policy.score(&bush.map(i16::from)).into());
    assert!(
        (mean - expected).abs() < 3. * standard_error,
        "{mean} ± {standard_error}, not {expected}"
    );
}

#[test]
fn what_is_out_of_reach_is_out_of_the_question() {
    let mut rng = rng(41);
    for strength in 0..=9 {
        let mouse = Mouse {
            strength,
            ..Foraging.reset(&mut rng)
        };
        let legal: Vec<Action> = Foraging.list(&mouse).iter().map(|o| o.action).collect();
        for action in 0..=Action::MAX {
            let (next, _) = Foraging.step(&mouse, action, &mut rng);
            let bush = mouse.bushes.get(usize::from(action));
            let is_within_reach = bush.is_some_and(|bush| bush.distance <= strength);
            assert_eq!(legal.contains(&action), is_within_reach, "{mouse:?}");
            assert!(is_within_reach || next == mouse, "{mouse:?}");
        }
    }
}
