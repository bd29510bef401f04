//! Agents of any configuration.

use crate::bytes::Bytes;
use host_tests::foraging::{BUSHES, FEATURES, Foraging};
use ipse::direction::Direction::{self, Con, Pro, Undecided};
use ipse::m_learning::{Regularisation, Scaling, Schedule};
use ipse::rollout::Rollouts;
use ipse::survival::Survival;
use ipse::{Agent, Algorithm, Config};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

const MEMORY: usize = 6;
const ITERATIONS: u32 = 12;

/// A configuration is refused, or an agent learns with it: every iteration ends, is counted, and leaves
/// finite weights.
pub fn agent(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let rng = &mut XorShiftRng::seed_from_u64(bytes.word().into());
    let config = config(&mut bytes);
    let agent = Agent::<_, FEATURES, BUSHES, MEMORY>::new(Foraging, config, rng);
    assert_eq!(agent.as_ref().err(), config.check().err().as_ref());
    let Ok(mut agent) = agent else { return };
    for iteration in 1..=ITERATIONS {
        let step = agent.step(rng);
        assert_eq!((step.iteration, agent.iterations()), (iteration, iteration));
        let finite = step.weights.iter().all(|weight| weight.is_finite());
        assert!(finite, "{step:?} under {config:?}");
        if let Some(learner) = agent.learner() {
            assert!(learner.choices().len() <= MEMORY);
        }
        if let Algorithm::Survival(search) = config.algorithm {
            assert!(agent.calls() <= search.calls);
        }
    }
}

fn config(bytes: &mut Bytes) -> Config<FEATURES> {
    Config {
        algorithm: algorithm(bytes),
        rollouts: Rollouts {
            count: u16::from(bytes.byte() % 4),
            length: u16::from(bytes.byte() % 8),
            discount: bytes.likely(&[0.995, 0.0, 1.0]),
            common_random_numbers: bytes.flag(),
        },
        alpha: bytes.likely(&[0.05, 0.5]),
        schedule: schedule(bytes),
        scaling: bytes.pick(&[Scaling::PerInstance, Scaling::Total]),
        lfd_cap: bytes.flag().then(|| bytes.word() % 16),
        reuse_choices: bytes.flag(),
        dominance_filter: bytes.flag(),
    }
}

fn algorithm(bytes: &mut Bytes) -> Algorithm<FEATURES> {
    match bytes.byte() % 5 {
        0 => Algorithm::Lfd,
        1 => Algorithm::Ipse,
        4 => Algorithm::Survival(survival(bytes)),
        2 => Algorithm::MLearning(regularisation(bytes)),
        _ => Algorithm::MLearningKnown(regularisation(bytes), directions(bytes)),
    }
}

fn survival(bytes: &mut Bytes) -> Survival {
    Survival {
        calls: bytes.word() % 10_000,
        episode: u16::from(bytes.byte()),
        trials: u16::from(bytes.byte() % 8),
        horizon: u16::from(bytes.byte() % 16),
    }
}

fn regularisation(bytes: &mut Bytes) -> Regularisation {
    match bytes.byte() % 3 {
        0 => Regularisation::None,
        1 => Regularisation::CrossValidated,
        _ => Regularisation::Schedule(schedule(bytes)),
    }
}

pub fn directions<const P: usize>(bytes: &mut Bytes) -> [Direction; P] {
    std::array::from_fn(|_| bytes.pick(&[Pro, Con, Pro, Con, Pro, Undecided]))
}

/// Refused schedules are the paper's.
fn schedule(bytes: &mut Bytes) -> Schedule {
    let (start, exponent) = (bytes.likely(&[5.0, 0.0]), bytes.likely(&[1.0, 0.5, 0.0]));
    let schedule = Schedule::new(start, exponent);
    let valid = |x: f32| x.is_finite() && x >= 0.0;
    assert_eq!(schedule.is_ok(), valid(start) && valid(exponent));
    if let Ok(schedule) = schedule {
        let (k, later) = (bytes.word() >> 1, bytes.word() >> 2);
        let (lambda, later) = (schedule.lambda(k), schedule.lambda(k + later));
        assert!(
            lambda >= later && later >= 0.0,
            "{schedule:?} in iteration {k}"
        );
    }
    schedule.unwrap_or(Schedule::PAPER)
}
