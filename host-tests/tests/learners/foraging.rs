//! Every learner solves a task that is not Tetris.

use crate::rng;
use host_tests::foraging::{BUSHES, FEATURES, Foraging, Mouse};
use host_tests::reference::foraging::expected_seeds;
use ipse::direction::Direction::{Con, Pro};
use ipse::environment::{Action, Environment};
use ipse::m_learning::{Regularisation, Schedule};
use ipse::policy::Policy;
use ipse::{Agent, Algorithm, Config};

/// Unoptimised code has time for fewer runs, and less can be said about them.
const RUNS: u64 = if cfg!(debug_assertions) { 2 } else { 10 };
const SOLVED: f64 = if cfg!(debug_assertions) { 0.6 } else { 0.75 };
const ITERATIONS: usize = 200;

/// What a policy gathers, as a share of what could be gathered.
fn quality(policy: &Policy<FEATURES>) -> f64 {
    let optimum = expected_seeds(|_, value| value);
    let score = |bush: [u8; FEATURES], _| policy.score(&bush.map(i16::from)).into();
    expected_seeds(score) / optimum
}

/// The mean quality of what an algorithm learns.
fn learned(algorithm: Algorithm<FEATURES>, runs: u64) -> f64 {
    let config = Config {
        algorithm,
        ..Config::default()
    };
    let config = config.check().unwrap();
    let qualities = (0..runs).map(|seed| {
        let mut rng = rng(seed);
        let mut agent = Agent::<_, FEATURES, BUSHES, 40>::new(Foraging, config, &mut rng);
        for _ in 0..ITERATIONS {
            agent.step(&mut rng);
        }
        quality(&agent.policy())
    });
    qualities.sum::<f64>() / runs as f64
}

#[test]
fn chance_gathers_less_than_a_quarter_of_what_could_be_gathered() {
    assert!(quality(&Policy::RANDOM) < 0.25);
}

#[test]
fn lfd_gathers_three_quarters() {
    let quality = learned(Algorithm::Lfd, RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn ipse_gathers_more_than_directions_alone_can() {
    let equal = Policy::new::<Foraging, _>(&[1., -1., -1.]).unwrap();
    let quality = learned(Algorithm::Ipse, RUNS);
    let bar = match cfg!(debug_assertions) {
        true => SOLVED,
        false => self::quality(&equal),
    };
    assert!(quality > bar, "{quality}");
}

#[test]
fn m_learning_without_regularisation_gathers_three_quarters() {
    let quality = learned(Algorithm::MLearning(Regularisation::None), RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn m_learning_with_cross_validation_gathers_three_quarters() {
    let cross_validated = Algorithm::MLearning(Regularisation::CrossValidated);
    let quality = learned(cross_validated, RUNS / 2);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn m_learning_with_a_schedule_gathers_three_quarters() {
    let schedule = Regularisation::Schedule(Schedule::PAPER);
    let quality = learned(Algorithm::MLearning(schedule), RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn m_learning_with_known_directions_gathers_three_quarters() {
    let schedule = Regularisation::Schedule(Schedule::PAPER);
    let known = [Pro, Con, Con];
    let quality = learned(Algorithm::MLearningKnown(schedule, known), RUNS);
    assert!(quality > SOLVED, "{quality}");
}

#[test]
fn mice_gather_what_is_expected_of_them() {
    const NIGHTS: usize = 20_000;
    let policy = Policy::new::<Foraging, _>(&[1., -1., -1.]).unwrap();
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
