//! Checkpoints: an agent goes on from one as if nothing had happened, and whatever the bytes are,
//! none goes on that could not have been saved.

use crate::rng;
use host_tests::foraging::{BUSHES, FEATURES as REASONS, Foraging};
use ipse::bytes::Crc32;
use ipse::checkpoint::{Checkpoint, LoadError, SaveError, load, max_size, save};
use ipse::direction::Direction::{Con, Pro};
use ipse::environment::{Environment, Resumable};
use ipse::m_learning::{Regularisation, Scaling, Schedule};
use ipse::rollout::Rollouts;
use ipse::survival::Survival;
use ipse::tetris::diverse::Diverse10x10;
use ipse::tetris::{DIRECTIONS, FEATURES, PLACEMENTS, Rule, Tetris10x10, Tetris10x20};
use ipse::{Agent, Algorithm, Config, Phase, Step};
use rand_core::Rng;
use rand_xorshift::XorShiftRng;
use std::collections::BTreeSet;

const PAPER: Regularisation = Regularisation::Schedule(Schedule::PAPER);

/// Short rollouts, and both phases within a few iterations.
fn quick<const P: usize>(algorithm: Algorithm<P>) -> Config<P> {
    Config {
        algorithm,
        rollouts: Rollouts {
            count: 2,
            length: 3,
            ..Rollouts::default()
        },
        lfd_cap: Some(6),
        ..Config::default()
    }
}

fn algorithms<const P: usize>(known: [ipse::direction::Direction; P]) -> [Algorithm<P>; 7] {
    [
        Algorithm::Lfd,
        Algorithm::Ipse,
        Algorithm::Survival(Survival {
            calls: 9000,
            episode: 40,
            trials: 3,
            horizon: 30,
        }),
        Algorithm::MLearning(Regularisation::None),
        Algorithm::MLearning(Regularisation::CrossValidated),
        Algorithm::MLearning(PAPER),
        Algorithm::MLearningKnown(PAPER, known),
    ]
}

fn bytes_of<E, const P: usize, const A: usize, const N: usize, const L: usize>(
    agent: &Agent<E, P, A, N, L>,
    rng: &XorShiftRng,
) -> Vec<u8>
where
    E: Resumable<P, A>,
{
    let mut buffer = vec![0; max_size::<E, u32, P, A, N, L>()];
    save(agent, rng, &7u32, &mut buffer).unwrap().to_vec()
}

type Loaded<E, const P: usize, const A: usize, const N: usize, const L: usize = 0> =
    Result<(Agent<E, P, A, N, L>, XorShiftRng, u32), LoadError>;

/// A run that is stopped, saved and resumed after every iteration gives the steps and the bytes of
/// one that is not.
fn assert_goes_on<E, const P: usize, const A: usize, const N: usize, const L: usize>(
    task: E,
    config: Config<P>,
    iterations: usize,
) where
    E: Resumable<P, A> + Copy,
{
    let config = config.check().unwrap();
    let mut rng = rng(3);
    let mut agent = Agent::<E, P, A, N, L>::new(task, config, &mut rng);
    let (mut resumed, mut its_rng) = (agent.clone(), rng.clone());
    for _ in 0..iterations {
        let bytes = bytes_of(&resumed, &its_rng);
        assert_eq!(bytes, bytes_of(&agent, &rng), "{config:?}");
        let note: u32;
        (resumed, its_rng, note) = load(task, config, &bytes).unwrap();
        assert_eq!(note, 7);
        assert_eq!(bytes, bytes_of(&resumed, &its_rng), "{config:?}");
        let expected: Step<P> = agent.step(&mut rng);
        assert_eq!(resumed.step(&mut its_rng), expected, "{config:?}");
    }
    assert_eq!(rng, its_rng);
}

#[test]
fn every_learner_goes_on_from_every_iteration_to_the_bit() {
    for algorithm in algorithms(DIRECTIONS) {
        let config = quick(algorithm);
        assert_goes_on::<_, FEATURES, PLACEMENTS, 8, 0>(Tetris10x10::default(), config, 24);
    }
    for algorithm in algorithms([Pro, Con, Con]) {
        let config = quick(algorithm);
        assert_goes_on::<_, REASONS, BUSHES, 12, 0>(Foraging, config, 80);
    }
}

#[test]
fn a_learner_with_every_option_goes_on_to_the_bit() {
    let config = Config {
        reuse_choices: true,
        dominance_filter: true,
        average: true,
        soft_labels: 0.5,
        scaling: Scaling::Total,
        ..quick(Algorithm::Ipse)
    };
    assert_goes_on::<_, FEATURES, PLACEMENTS, 100, PLACEMENTS>(Tetris10x10::default(), config, 30);
    let diverse = Diverse10x10::default();
    assert_goes_on::<_, 9, PLACEMENTS, 8, 0>(diverse, quick(Algorithm::Ipse), 12);
    let tetris = Tetris10x20::new(Rule::BeforeRemoval);
    assert_goes_on::<_, FEATURES, PLACEMENTS, 100, PLACEMENTS>(tetris, config, 20);
    let soft = Config {
        soft_labels: 0.3,
        ..quick(Algorithm::MLearning(Regularisation::CrossValidated))
    };
    assert_goes_on::<_, REASONS, BUSHES, 12, BUSHES>(Foraging, soft, 80);
}

type Player = Agent<Tetris10x10, FEATURES, PLACEMENTS, 10>;

fn player(iterations: usize) -> (Player, XorShiftRng) {
    let mut rng = rng(1);
    let config = quick(Algorithm::Ipse).check().unwrap();
    let mut agent = Agent::new(Tetris10x10::default(), config, &mut rng);
    for _ in 0..iterations {
        agent.step(&mut rng);
    }
    (agent, rng)
}

fn checkpoint(iterations: usize) -> Vec<u8> {
    let (agent, rng) = player(iterations);
    bytes_of(&agent, &rng)
}

fn reload(bytes: &[u8]) -> Loaded<Tetris10x10, FEATURES, PLACEMENTS, 10> {
    let config = quick(Algorithm::Ipse).check().unwrap();
    load(Tetris10x10::default(), config, bytes)
}

fn refusal(bytes: &[u8]) -> LoadError {
    reload(bytes).map(drop).unwrap_err()
}

#[test]
fn in_the_middle_of_an_iteration_nothing_is_saved() {
    let (mut agent, mut rng) = player(8);
    assert_eq!(agent.slice(&mut rng), None);
    let mut buffer = [0; 1000];
    loop {
        let saved = save(&agent, &rng, &(), &mut buffer).map(drop);
        assert_eq!(saved, Err(SaveError::InTheMiddle));
        if agent.slice(&mut rng).is_some() {
            break;
        }
    }
    assert!(save(&agent, &rng, &(), &mut buffer).is_ok());
}

#[test]
fn a_buffer_that_is_too_small_is_told_how_large_it_has_to_be() {
    let (agent, rng) = player(30);
    let needed = checkpoint(30).len();
    for len in 0..needed {
        let mut buffer = vec![0; len];
        let saved = save(&agent, &rng, &7u32, &mut buffer);
        assert_eq!(saved, Err(SaveError::TooSmall { needed }));
    }
    assert!(save(&agent, &rng, &7u32, &mut vec![0; needed]).is_ok());
}

#[test]
fn the_largest_size_is_that_of_a_full_memory() {
    assert_largest_size::<0>(0.);
    assert_largest_size::<PLACEMENTS>(0.3);
}

fn assert_largest_size<const L: usize>(soft_labels: f32) {
    let mut rng = rng(1);
    let config = Config {
        average: true,
        soft_labels,
        ..quick(Algorithm::MLearning(PAPER))
    };
    let config = config.check().unwrap();
    let mut agent = Agent::new(Tetris10x10::default(), config, &mut rng);
    let size = |agent: &Agent<_, FEATURES, PLACEMENTS, 100, L>, rng: &_| bytes_of(agent, rng).len();
    let bound = max_size::<Tetris10x10, u32, FEATURES, PLACEMENTS, 100, L>();
    assert!(size(&agent, &rng) < bound);
    while agent.learner().unwrap().choices().len() < 100 {
        agent.step(&mut rng);
    }
    assert_eq!(size(&agent, &rng), bound);
}

const SEARCH: Survival = Survival {
    calls: 9000,
    episode: 300,
    trials: 30,
    horizon: 80,
};

fn searcher() -> (Player, XorShiftRng) {
    let mut rng = rng(1);
    let config = quick(Algorithm::Survival(SEARCH)).check().unwrap();
    let agent = Agent::new(Tetris10x10::default(), config, &mut rng);
    (agent, rng)
}

fn reload_search(bytes: &[u8]) -> Loaded<Tetris10x10, FEATURES, PLACEMENTS, 10> {
    let config = quick(Algorithm::Survival(SEARCH)).check().unwrap();
    load(Tetris10x10::default(), config, bytes)
}

#[test]
fn a_search_whose_calls_do_not_add_up_is_refused() {
    let (mut agent, mut rng) = searcher();
    while !agent.is_finished() {
        agent.step(&mut rng);
        let original = bytes_of(&agent, &rng);
        let mut flawed = original.clone();
        flawed[CALLS] ^= 1;
        assert!(reload_search(&sealed(original)).is_ok());
        if agent.phase() == Phase::Survival {
            let error = reload_search(&sealed(flawed)).err().unwrap();
            assert!(error.to_string().contains("do not add up"), "{error}");
        }
    }
}

#[test]
fn a_search_that_cannot_have_been_is_refused_with_the_reason() {
    let (mut agent, mut rng) = searcher();
    while agent.phase() == Phase::Directions {
        agent.step(&mut rng);
    }
    let first_phase = agent.iterations() as u8;
    let begun = bytes_of(&agent, &rng);
    (0..4).for_each(|_| _ = agent.step(&mut rng));
    let original = bytes_of(&agent, &rng);
    assert!(reload_search(&original).is_ok());

    // It stands where choices do in other learners.
    let mean = CHOICES;
    let average = mean + 4 * FEATURES;
    let averaged = average + 4 * FEATURES;
    assert_ne!(original[averaged..averaged + 4], [0; 4]);
    // After the account come the states to play on from, with their number, and then the trail.
    let brinks = averaged + 12;
    let age = brinks + 8 + 13 * usize::from(original[brinks]);
    let first_age = brinks + 8;
    assert_eq!(begun[first_age..first_age + 2], [19, 0], "no trail yet");

    let nan = f32::NAN.to_le_bytes();
    let half: Vec<u8> = original[mean..average]
        .chunks(4)
        .flat_map(|bytes| (f32::from_le_bytes(bytes.try_into().unwrap()) / 2.0).to_le_bytes())
        .collect();
    let votes = [[first_phase + 1, 0, 0, 0], [0; 4]].concat();
    let none = "a search before its first generation";
    let flaws: [(&Vec<u8>, usize, &[u8], &str); 12] = [
        (&original, FIRST_PHASE, &[first_phase + 4], none),
        (&begun, mean, &original[mean..average], none),
        (&original, average, &[0; 32], "an average that is none"),
        (&original, mean, &half, "a mean that is not of length one"),
        (
            &original,
            mean,
            &[0; 32],
            "a mean that is not of length one",
        ),
        (&original, mean, &nan, "weights that are not finite"),
        (&original, mean, &[0x3f; 32], "weights that are too large"),
        (&original, averaged, &[0; 4], "an average of nothing"),
        (&original, age, &[20], "a past that cannot have been"),
        (&begun, first_age, &[18], "a past that cannot have been"),
        (&begun, first_age, &[0], "a past that cannot have been"),
        (&original, TALLIES, &votes, "more votes than choices"),
    ];
    for (bytes, position, change, reason) in flaws {
        let mut flawed = bytes.clone();
        flawed[position..position + change.len()].copy_from_slice(change);
        let error = reload_search(&sealed(flawed)).err().unwrap().to_string();
        assert!(error.contains(reason), "{error} instead of {reason}");
    }
}

#[test]
fn an_average_from_before_the_search_has_settled_is_refused() {
    let mut rng = rng(1);
    let config = quick(Algorithm::Survival(Survival {
        calls: 90_000,
        ..SEARCH
    }));
    let (task, config) = (Tetris10x10::default(), config.check().unwrap());
    let mut agent = Player::new(task, config, &mut rng);
    while agent.phase() == Phase::Directions {
        agent.step(&mut rng);
    }
    agent.step(&mut rng);
    let mut bytes = bytes_of(&agent, &rng);
    let average = CHOICES + 4 * FEATURES;
    let averaged = average + 4 * FEATURES;
    assert_eq!(bytes[averaged..averaged + 4], [0; 4]);
    bytes.copy_within(CHOICES..average, average);
    bytes[averaged] = 1;
    let loaded: Loaded<_, FEATURES, PLACEMENTS, 10> = load(task, config, &sealed(bytes));
    let error = loaded.err().unwrap().to_string();
    assert!(error.contains("an average that is none"), "{error}");
}

#[test]
fn an_agent_that_is_made_otherwise_does_not_become_what_was_saved() {
    let (agent, rng) = player(20);
    let bytes = bytes_of(&agent, &rng);
    let config = Config {
        alpha: 0.01,
        ..quick(Algorithm::Ipse)
    };
    let mut its_rng = rng.clone();
    let mut other = Player::new(
        Tetris10x10::default(),
        config.check().unwrap(),
        &mut its_rng,
    );
    let before = bytes_of(&other, &its_rng);
    let checked = Checkpoint::<_, u32, FEATURES>::check(&agent, &bytes).unwrap();
    let restored = checked.restore(&mut other, &mut its_rng);
    assert_eq!(restored, Err(LoadError::Foreign));
    assert_eq!(bytes_of(&other, &its_rng), before);
}

#[test]
fn a_search_that_begins_without_a_vote_goes_on() {
    let mut rng = rng(1);
    let config = quick(Algorithm::Survival(Survival {
        calls: 100,
        ..SEARCH
    }));
    let task = Tetris10x10::default();
    let config = config.check().unwrap();
    let mut agent = Player::new(task, config, &mut rng);
    assert_eq!(agent.weights(), [0.0; FEATURES]);
    while !agent.is_finished() {
        let loaded: Loaded<_, FEATURES, PLACEMENTS, 10> =
            load(task, config, &bytes_of(&agent, &rng));
        assert!(loaded.is_ok());
        agent.step(&mut rng);
    }
}

#[test]
fn an_agent_with_the_memory_of_the_paper_takes_less_than_two_kilobytes() {
    assert_eq!(
        max_size::<Tetris10x10, (), FEATURES, PLACEMENTS, 100, 0>(),
        1611
    );
}

/// If the form is changed on purpose, [`ipse::checkpoint::VERSION`] is, and this number.
#[test]
fn the_form_is_what_it_was() {
    let bytes = checkpoint(30);
    let checksum = u32::from_le_bytes(*bytes.last_chunk().unwrap());
    assert_eq!(checksum, 0x1dac_4a4d, "{checksum:#x}");
}

#[test]
fn checksums_are_those_of_the_standard() {
    assert_eq!(Crc32::of(b"123456789"), 0xcbf4_3926);
    assert_eq!(Crc32::of(b""), 0);
}

#[test]
fn a_checkpoint_of_another_task_or_configuration_is_refused() {
    let config = quick(Algorithm::Ipse);
    let bytes = checkpoint(9);
    let others = [
        quick(Algorithm::Lfd),
        quick(Algorithm::MLearning(PAPER)),
        Config {
            alpha: 0.01,
            ..config
        },
        Config {
            schedule: Schedule::new(4.0, 1.0).unwrap(),
            ..config
        },
        Config {
            scaling: Scaling::Total,
            ..config
        },
        Config {
            lfd_cap: None,
            ..config
        },
        Config {
            lfd_cap: Some(7),
            ..config
        },
        Config {
            reuse_choices: true,
            ..config
        },
        Config {
            dominance_filter: true,
            ..config
        },
        Config {
            average: true,
            ..config
        },
        Config {
            rollouts: Rollouts {
                length: 4,
                ..config.rollouts
            },
            ..config
        },
        Config {
            rollouts: Rollouts {
                common_random_numbers: true,
                ..config.rollouts
            },
            ..config
        },
    ];
    for other in others {
        let loaded: Loaded<_, FEATURES, PLACEMENTS, 10> =
            load(Tetris10x10::default(), other.check().unwrap(), &bytes);
        assert_eq!(loaded.map(drop).unwrap_err(), LoadError::Foreign);
    }
    let config = config.check().unwrap();
    let strict: Loaded<_, FEATURES, PLACEMENTS, 10> =
        load(Tetris10x10::new(Rule::BeforeRemoval), config, &bytes);
    assert_eq!(strict.map(drop).unwrap_err(), LoadError::Foreign);
    let high: Loaded<_, FEATURES, PLACEMENTS, 10> = load(Tetris10x20::default(), config, &bytes);
    assert_eq!(high.map(drop).unwrap_err(), LoadError::Foreign);
    let forgetful: Loaded<_, FEATURES, PLACEMENTS, 9> =
        load(Tetris10x10::default(), config, &bytes);
    assert_eq!(forgetful.map(drop).unwrap_err(), LoadError::Foreign);
}

#[test]
fn known_directions_are_part_of_the_configuration() {
    let known = |directions| {
        let config = quick(Algorithm::MLearningKnown(PAPER, directions));
        config.check().unwrap()
    };
    let mut rng = rng(1);
    let config = known([Pro, Con, Con]);
    let agent = Agent::<_, REASONS, BUSHES, 12>::new(Foraging, config, &mut rng);
    let bytes = bytes_of(&agent, &rng);
    let other: Loaded<_, REASONS, BUSHES, 12> = load(Foraging, known([Pro, Con, Pro]), &bytes);
    assert_eq!(other.map(drop).unwrap_err(), LoadError::Foreign);
}

#[test]
fn a_byte_that_is_changed_missing_or_too_many_is_noticed() {
    let bytes = checkpoint(30);
    for position in 0..bytes.len() {
        for flipped in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[position] ^= flipped;
            let expected = match position {
                0..4 => LoadError::NotACheckpoint,
                4 => LoadError::Version(1 ^ flipped),
                _ => LoadError::Damaged,
            };
            assert_eq!(refusal(&changed), expected);
        }
        let expected = match position {
            0..4 => LoadError::NotACheckpoint,
            _ => LoadError::Damaged,
        };
        assert_eq!(refusal(&bytes[..position]), expected);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(refusal(&longer), LoadError::Damaged);
}

/// The checkpoint with these bytes and the checksum that they need.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let checksum = Crc32::of(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Where things are in a checkpoint.
const RNG: usize = 9;
const ITERATIONS: usize = 25;
const FIRST_PHASE: usize = 29;
const CALLS: usize = 33;
const PHASE: usize = 37;
const TALLIES: usize = 38;
const LEARNED: usize = TALLIES + 8 * FEATURES;
const DIRECTIONS_USED: usize = LEARNED + FEATURES;
const CHOICES: usize = DIRECTIONS_USED + FEATURES;
const FIRST_CHOICE: usize = CHOICES + 4;
const CHOICE: usize = 14;
const BETA: usize = FIRST_CHOICE + 10 * CHOICE;
const LEARNER_ITERATIONS: usize = BETA + 4 * FEATURES;
const STATE: usize = LEARNER_ITERATIONS + 4;

#[test]
fn what_no_agent_has_written_is_refused_with_the_reason_even_if_the_checksum_is_right() {
    let original = checkpoint(40);
    assert!(reload(&sealed(original.clone())).is_ok());
    let flaws: [(usize, &[u8], &str); 19] = [
        (RNG, &[0; 16], "nothing but zeros"),
        (ITERATIONS, &[5, 0, 0, 0], "more choices than iterations"),
        (FIRST_PHASE, &[0], "a phase that the agent cannot be in"),
        (FIRST_PHASE, &[41], "a phase that the agent cannot be in"),
        (PHASE, &[0], "a phase that the agent cannot be in"),
        (PHASE, &[2], "a phase that the agent cannot be in"),
        (PHASE, &[3], "a phase that is none"),
        (TALLIES, &[255; 8], "more votes than choices"),
        (LEARNED, &[2], "a direction that is none"),
        (
            TALLIES,
            &[30, 0, 0, 0, 0, 0, 0, 0],
            "a direction against the votes",
        ),
        (
            DIRECTIONS_USED,
            &[0, 0, 0, 0, 0, 0, 0, 0],
            "directions that the agent cannot have",
        ),
        (CHOICES, &[11], "more choices than are remembered"),
        (
            FIRST_CHOICE + 13,
            &[34],
            "a choice of what was not to be chosen",
        ),
        (FIRST_CHOICE + 12, &[0xf0], "bits that mean nothing"),
        (FIRST_CHOICE, &[0xff; 12], "a full row that is still there"),
        (BETA, &f32::NAN.to_le_bytes(), "not finite"),
        (BETA, &f32::NEG_INFINITY.to_le_bytes(), "not finite"),
        (LEARNER_ITERATIONS, &[255], "more choices than iterations"),
        (STATE + 12, &[0x70], "a piece that is none"),
    ];
    for (position, bytes, reason) in flaws {
        let mut flawed = original.clone();
        flawed[position..position + bytes.len()].copy_from_slice(bytes);
        let error = refusal(&sealed(flawed)).to_string();
        assert!(error.contains(reason), "{error} instead of {reason}");
    }
}

#[test]
fn an_average_that_is_none_is_refused() {
    let config = Config {
        average: true,
        ..quick(Algorithm::Ipse)
    };
    let task = Tetris10x10::default();
    let mut rng = rng(1);
    let config = config.check().unwrap();
    let mut agent = Player::new(task, config, &mut rng);
    (0..40).for_each(|_| _ = agent.step(&mut rng));
    let original = bytes_of(&agent, &rng);
    // It comes after the learner.
    let (mean, count) = (STATE, STATE + 4 * FEATURES);
    let flaws: [(usize, [u8; 4]); 4] = [
        (mean, f32::NAN.to_le_bytes()),
        (mean, 1.5f32.to_le_bytes()),
        (count, 41u32.to_le_bytes()),
        (count, 0u32.to_le_bytes()),
    ];
    for (position, bytes) in flaws {
        let mut flawed = original.clone();
        flawed[position..position + 4].copy_from_slice(&bytes);
        let loaded: Loaded<_, FEATURES, PLACEMENTS, 10> = load(task, config, &sealed(flawed));
        let error = loaded.map(drop).unwrap_err().to_string();
        assert!(error.contains("an average that is none"), "{error}");
    }
}

/// The same player with room for soft labels.
type Soft = Agent<Tetris10x10, FEATURES, PLACEMENTS, 10, PLACEMENTS>;

fn soft_player(soft_labels: f32) -> (Soft, Config<FEATURES>, XorShiftRng) {
    let config = Config {
        soft_labels,
        ..quick(Algorithm::Ipse)
    };
    let mut rng = rng(1);
    let checked = config.check().unwrap();
    let mut agent = Soft::new(Tetris10x10::default(), checked, &mut rng);
    (0..40).for_each(|_| _ = agent.step(&mut rng));
    (agent, config, rng)
}

#[test]
fn room_for_soft_labels_that_nobody_asked_for_leaves_no_trace() {
    let (agent, _, rng) = soft_player(0.);
    assert_eq!(bytes_of(&agent, &rng), checkpoint(40));
}

#[test]
fn soft_labels_are_part_of_the_configuration() {
    let (agent, config, rng) = soft_player(0.3);
    let bytes = bytes_of(&agent, &rng);
    for (soft_labels, is_known) in [(0.3, true), (0.4, false), (0., false)] {
        let other = Config {
            soft_labels,
            ..config
        };
        let loaded: Loaded<_, FEATURES, PLACEMENTS, 10, PLACEMENTS> =
            load(Tetris10x10::default(), other.check().unwrap(), &bytes);
        let expected = (!is_known).then_some(LoadError::Foreign);
        assert_eq!(loaded.map(drop).err(), expected);
    }
}

#[test]
fn shares_that_no_choice_has_are_refused() {
    let (agent, config, rng) = soft_player(0.3);
    let original = bytes_of(&agent, &rng);
    let reload = |bytes| -> Loaded<Tetris10x10, FEATURES, PLACEMENTS, 10, PLACEMENTS> {
        load(
            Tetris10x10::default(),
            config.check().unwrap(),
            &sealed(bytes),
        )
    };
    let choices = agent.learner().unwrap().choices();
    let mut refused = 0;
    for number in 0..10 {
        // The oldest comes first.
        let (state, label) = choices.recent(9 - number).unwrap();
        let outcomes = agent.task().list(state);
        let chosen = outcomes.iter().position(|o| o.action == label.action);
        let shares = FIRST_CHOICE + number * (CHOICE + PLACEMENTS) + CHOICE;
        assert_eq!(original[shares..][..PLACEMENTS], label.shares);
        for place in 0..PLACEMENTS {
            let mut changed = original.clone();
            changed[shares + place] ^= 1;
            let could_be = place < outcomes.len() && Some(place) != chosen;
            match reload(changed) {
                Ok(_) => assert!(could_be, "{place} in {label:?}"),
                Err(error) => {
                    assert!(!could_be, "{place} in {label:?}");
                    let reason = "an impossible checkpoint: shares that no choice has";
                    assert_eq!(error.to_string(), reason);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn bytes_that_are_missing_or_too_many_under_a_right_checksum_are_refused() {
    let bytes = checkpoint(40);
    let longer = sealed([&bytes[..], &[0; 4]].concat());
    assert!(refusal(&longer).to_string().contains("too many bytes"));
    for len in 9..bytes.len() - 4 {
        let shorter = sealed([&bytes[..len], &[0; 4]].concat());
        assert!(matches!(refusal(&shorter), LoadError::Flawed(_)), "{len}");
    }
}

#[test]
fn what_is_loaded_from_random_changes_under_a_right_checksum_learns_on_with_finite_weights() {
    let mut rng = rng(5);
    let tries = if cfg!(debug_assertions) { 500 } else { 20_000 };
    let originals = [0, 4, 7, 40].map(checkpoint);
    let (mut loaded, mut reasons) = (0, BTreeSet::new());
    for number in 0..tries {
        let mut bytes = originals[number % originals.len()].clone();
        for _ in 0..1 + rng.next_u32() % 3 {
            let position = RNG + rng.next_u32() as usize % (bytes.len() - RNG - 4);
            bytes[position] = match rng.next_u32() % 4 {
                0 => 0,
                1 => 255,
                2 => bytes[position] ^ 1 << (rng.next_u32() % 8),
                _ => rng.next_u32() as u8,
            };
        }
        match reload(&sealed(bytes)) {
            Err(LoadError::Flawed(flaw)) => _ = reasons.insert(flaw.0),
            Err(other) => panic!("{other}"),
            Ok((mut agent, mut its_rng, _)) => {
                loaded += 1;
                for _ in 0..3 {
                    let step = agent.step(&mut its_rng);
                    assert!(step.weights.iter().all(|weight| weight.is_finite()));
                }
                let saved = bytes_of(&agent, &its_rng);
                assert!(reload(&saved).is_ok(), "what is saved can be loaded");
            }
        }
    }
    assert!(loaded > tries / 100, "{loaded} of {tries}");
    assert!(reasons.len() > 8, "{reasons:?}");
}

#[test]
fn noise_is_never_an_agent() {
    let mut rng = rng(6);
    let header = checkpoint(0)[..RNG].to_vec();
    for len in 0..2_000 {
        let mut bytes = vec![0; len];
        rng.fill_bytes(&mut bytes);
        assert_eq!(refusal(&bytes), LoadError::NotACheckpoint);
        let sealed = sealed([&header[..], &bytes, &[0; 4]].concat());
        assert!(matches!(refusal(&sealed), LoadError::Flawed(_)), "{len}");
    }
}
