//! Checkpoints of any bytes, and with any content under a right checksum.

use crate::agent::directions;
use crate::bytes::Bytes;
use host_tests::foraging::{BUSHES, FEATURES as REASONS, Foraging};
use ipse::bytes::Crc32;
use ipse::checkpoint::{load, max_size, save};
use ipse::environment::Resumable;
use ipse::m_learning::{Regularisation, Schedule};
use ipse::rollout::Rollouts;
use ipse::survival::Survival;
use ipse::tetris::{FEATURES, PLACEMENTS, Tetris10x10, Tetris10x20};
use ipse::{Agent, Algorithm, Checked, Config};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

const MEMORY: usize = 10;
/// What comes before the content: a mark, the version, and what the checkpoint is of.
pub const HEADER: usize = 9;
const CHECKSUM: usize = 4;

/// A checkpoint is refused, or it is what an agent would write that goes on from it: for a while, with
/// finite weights.
pub fn checkpoint(bytes: &[u8]) {
    is_accepted(bytes);
}

/// Whether these bytes make [`checkpoint`] go on from an agent.
pub fn is_accepted(bytes: &[u8]) -> bool {
    let mut bytes = Bytes::new(bytes);
    match bytes.byte() % 3 {
        0 => of::<_, REASONS, BUSHES>(Foraging, &mut bytes),
        1 => of::<_, FEATURES, PLACEMENTS>(Tetris10x10::default(), &mut bytes),
        _ => of::<_, FEATURES, PLACEMENTS>(Tetris10x20::default(), &mut bytes),
    }
}

fn of<E: Resumable<P, A> + Copy, const P: usize, const A: usize>(
    task: E,
    bytes: &mut Bytes,
) -> bool {
    let config = config(bytes);
    let is_sealed = bytes.flag();
    let bytes = bytes.rest();
    let accepted = with_room::<E, P, A, A>(task, config, is_sealed, bytes);
    if config.soft_labels == 0.0 {
        // Room that is not asked for makes no difference.
        let without = with_room::<E, P, A, 0>(task, config, is_sealed, bytes);
        assert_eq!(without, accepted);
    }
    accepted
}

/// For an agent with so much room for soft labels.
fn with_room<E, const P: usize, const A: usize, const L: usize>(
    task: E,
    config: Config<P>,
    is_sealed: bool,
    bytes: &[u8],
) -> bool
where
    E: Resumable<P, A> + Copy,
{
    let Ok(config) = config.check::<L>() else {
        return false;
    };
    let bytes = match is_sealed {
        true => sealed::<E, P, A, L>(task, config, bytes),
        false => bytes.to_vec(),
    };
    let loaded = load::<E, u64, P, A, MEMORY, L>(task, config, &bytes);
    let Ok((mut agent, mut rng, note)) = loaded else {
        return false;
    };
    let mut buffer = vec![0; max_size::<E, u64, P, A, MEMORY, L>()];
    assert_eq!(save(&agent, &rng, &note, &mut buffer), Ok(&bytes[..]));
    for _ in 0..3 {
        let before = agent.iterations();
        let step = agent.step(&mut rng);
        assert_eq!(step.iteration, before.saturating_add(1));
        assert!(
            step.weights.iter().all(|weight| weight.is_finite()),
            "{step:?}"
        );
    }
    true
}

fn config<const P: usize>(bytes: &mut Bytes) -> Config<P> {
    let paper = Regularisation::Schedule(Schedule::PAPER);
    let mut config = Config {
        algorithm: match bytes.byte() % 7 {
            0 => Algorithm::Lfd,
            1 => Algorithm::Ipse,
            2 => Algorithm::MLearning(Regularisation::None),
            3 => Algorithm::MLearning(Regularisation::CrossValidated),
            4 => Algorithm::MLearning(paper),
            6 => Algorithm::Survival(Survival {
                calls: 20_000,
                episode: 50,
                trials: 2,
                horizon: 20,
            }),
            _ => Algorithm::MLearningKnown(paper, directions(bytes)),
        },
        rollouts: Rollouts {
            count: 1,
            length: 2,
            ..Rollouts::default()
        },
        lfd_cap: bytes.flag().then_some(3),
        reuse_choices: bytes.flag(),
        ..Config::default()
    };
    let options = bytes.byte();
    config.average = options & AVERAGE != 0;
    if options & SOFT != 0 {
        config.soft_labels = 0.3;
    }
    config
}

const AVERAGE: u8 = 1;
const SOFT: u8 = 2;

/// A checkpoint with this content that nothing is wrong with from outside.
fn sealed<E: Resumable<P, A> + Copy, const P: usize, const A: usize, const L: usize>(
    task: E,
    config: Checked<P, L>,
    content: &[u8],
) -> Vec<u8> {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let agent = Agent::<E, P, A, MEMORY, L>::new(task, config, &mut rng);
    let mut buffer = vec![0; max_size::<E, u64, P, A, MEMORY, L>()];
    let fresh = save(&agent, &rng, &0u64, &mut buffer).expect("there is room");
    let mut bytes = fresh[..HEADER].to_vec();
    bytes.extend(content);
    bytes.extend(Crc32::of(&bytes).to_le_bytes());
    bytes
}

/// The bytes from which [`checkpoint`] makes a checkpoint of a real agent, to begin with.
pub fn seed(task: u8, algorithm: u8, is_soft: bool, iterations: u32) -> Vec<u8> {
    let mut bytes = vec![task, algorithm];
    if algorithm % 7 == 5 {
        // All known directions are the first that can be picked.
        let features = [REASONS, FEATURES, FEATURES][usize::from(task % 3)];
        bytes.resize(bytes.len() + features, 0);
    }
    // A cap, no choices of the first phase, no average, a right checksum.
    let options = if is_soft { SOFT } else { 0 };
    bytes.extend([1, 0, options, 1]);
    let content = match task % 3 {
        0 => content::<_, REASONS, BUSHES>(Foraging, &bytes, iterations),
        1 => content::<_, FEATURES, PLACEMENTS>(Tetris10x10::default(), &bytes, iterations),
        _ => content::<_, FEATURES, PLACEMENTS>(Tetris10x20::default(), &bytes, iterations),
    };
    bytes.extend(content);
    bytes
}

fn content<E: Resumable<P, A> + Copy, const P: usize, const A: usize>(
    task: E,
    choices: &[u8],
    iterations: u32,
) -> Vec<u8> {
    let mut rng = XorShiftRng::seed_from_u64(2);
    let config = config(&mut Bytes::new(&choices[1..]));
    let config = config.check().expect("it is valid");
    let mut agent = Agent::<E, P, A, MEMORY, A>::new(task, config, &mut rng);
    for _ in 0..iterations {
        agent.step(&mut rng);
    }
    let mut buffer = vec![0; max_size::<E, u64, P, A, MEMORY, A>()];
    let saved = save(&agent, &rng, &7u64, &mut buffer).expect("there is room");
    saved[HEADER..saved.len() - CHECKSUM].to_vec()
}
