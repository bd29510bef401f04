//! Agents of any configuration.

use crate::bytes::Bytes;
use host_tests::foraging::{BUSHES, FEATURES, Foraging};
use ipse::direction::Direction::{self, Con, Pro, Undecided};
use ipse::environment::{Action, Environment, Outcome};
use ipse::m_learning::{Regularisation, Scaling, Schedule};
use ipse::rollout::Rollouts;
use ipse::survival::Survival;
use ipse::{Agent, Algorithm, Config};
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

const MEMORY: usize = 6;
const ITERATIONS: u32 = 12;

/// A configuration is refused, or an agent learns with it, whether its task keeps its promises or not:
/// every iteration ends, is counted, and leaves finite weights.
pub fn agent(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let seed = bytes.word();
    let mut config = config(&mut bytes);
    let lies = bytes.flag();
    config.soft_labels = bytes.likely(&[0.0, 0.3, 1e-30, 1e30]);
    // With room for soft labels, and without, as on a board.
    match (lies, config.soft_labels == 0.0) {
        (false, false) => learn::<_, BUSHES>(Foraging, config, seed),
        (true, false) => learn::<_, BUSHES>(Liar, config, seed),
        (false, true) => learn::<_, 0>(Foraging, config, seed),
        (true, true) => learn::<_, 0>(Liar, config, seed),
    }
}

fn learn<E: Environment<FEATURES, BUSHES>, const L: usize>(
    task: E,
    config: Config<FEATURES>,
    seed: u32,
) {
    let Ok(checked) = config.check() else { return };
    let rng = &mut XorShiftRng::seed_from_u64(seed.into());
    let mut agent = Agent::<E, FEATURES, BUSHES, MEMORY, L>::new(task, checked, rng);
    for iteration in 1..=ITERATIONS {
        let step = agent.step(rng);
        assert_eq!((step.iteration, agent.iterations()), (iteration, iteration));
        let finite = step.weights.iter().all(|weight| weight.is_finite());
        assert!(finite, "{step:?} under {config:?}");
        if let Algorithm::Survival(search) = config.algorithm {
            assert!(agent.calls() <= search.calls);
        }
    }
}

/// A task with more actions than it admits, some of them under the same number, with features beyond
/// their bounds and rewards beyond all measure.
struct Liar;

impl Environment<FEATURES, BUSHES> for Liar {
    type State = u32;
    const UNITS: [f32; FEATURES] = [1.0, 0.5, -1e30];
    const BOUNDS: [i16; FEATURES] = [1, 0, i16::MIN];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        rng.next_u32()
    }

    fn outcomes(&self, state: &u32, mut visit: impl FnMut(Outcome<FEATURES>)) {
        let mut any = XorShiftRng::seed_from_u64((*state).into());
        for _ in 0..any.next_u32() % 3 * BUSHES as u32 {
            visit(Outcome {
                action: any.next_u32() as u8 % 16,
                reward: any.next_u32() as i16,
                features: std::array::from_fn(|_| any.next_u32() as i16),
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, state: &u32, action: Action, rng: &mut R) -> (u32, i16) {
        (rng.next_u32(), (state ^ u32::from(action)) as i16)
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
        average: bytes.flag(),
        ..Config::default()
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
