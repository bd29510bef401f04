//! The same seed gives the same run to the bit, whatever the machine and the optimisation.
//!
//! If a change to the core is meant to change what is learned, put the hashes that these tests print
//! in the place of the old ones.

use crate::rng;
use ipse::m_learning::{Regularisation, Schedule};
use ipse::tetris::{DIRECTIONS, FEATURES, Tetris10x10};
use ipse::{Agent, Algorithm, Config, Step};

/// FNV-1a, with 64 bits.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_step(&mut self, step: &Step<FEATURES>) {
        let Step {
            iteration,
            phase,
            action,
            reward,
            episode_ended,
            calls,
            directions,
            weights,
        } = step;
        self.add(iteration.to_le_bytes());
        self.add([*phase as u8]);
        self.add([u8::from(action.is_some()), action.unwrap_or(0)]);
        self.add(reward.to_le_bytes());
        self.add([u8::from(*episode_ended)]);
        self.add(calls.to_le_bytes());
        self.add(directions.map(|direction| direction.sign() as u8));
        for weight in weights {
            self.add(weight.to_bits().to_le_bytes());
        }
    }
}

fn assert_hash(algorithm: Algorithm<FEATURES>, iterations: usize, expected: u64) {
    assert_hash_with::<0>(algorithm, 0., iterations, expected);
}

fn assert_hash_with<const L: usize>(
    algorithm: Algorithm<FEATURES>,
    soft_labels: f32,
    iterations: usize,
    expected: u64,
) {
    let config = Config {
        algorithm,
        soft_labels,
        // Early enough to have both phases in a short run.
        lfd_cap: Some(25),
        ..Config::default()
    };
    let mut rng = rng(1);
    let game = Tetris10x10::default();
    let mut agent = Agent::<_, FEATURES, 34, 100, L>::new(game, config.check().unwrap(), &mut rng);
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for _ in 0..iterations {
        hash.add_step(&agent.step(&mut rng));
    }
    let found = hash.0;
    assert_eq!(
        found, expected,
        "the run of {algorithm:?} has the hash {found:#x}"
    );
}

const PAPER: Regularisation = Regularisation::Schedule(Schedule::PAPER);

#[test]
fn a_run_of_lfd_is_the_same_everywhere() {
    assert_hash(Algorithm::Lfd, 60, 0x7e00_3841_7821_5b15);
}

#[test]
fn a_run_of_ipse_is_the_same_everywhere() {
    assert_hash(Algorithm::Ipse, 60, 0x5717_06b3_6eaf_ec93);
}

#[test]
fn a_run_of_m_learning_without_regularisation_is_the_same_everywhere() {
    assert_hash(
        Algorithm::MLearning(Regularisation::None),
        60,
        0x2bf5_9315_e189_5bab,
    );
}

#[test]
fn a_run_of_m_learning_with_cross_validation_is_the_same_everywhere() {
    assert_hash(
        Algorithm::MLearning(Regularisation::CrossValidated),
        20,
        0x2618_10db_0fe8_55a3,
    );
}

#[test]
fn a_run_of_m_learning_with_a_schedule_is_the_same_everywhere() {
    assert_hash(Algorithm::MLearning(PAPER), 60, 0xac44_a4f7_8596_fa30);
}

#[test]
fn a_run_of_m_learning_with_known_directions_is_the_same_everywhere() {
    assert_hash(
        Algorithm::MLearningKnown(PAPER, DIRECTIONS),
        60,
        0x2286_e9a6_602b_d06f,
    );
}

#[test]
fn a_run_with_soft_labels_is_the_same_everywhere() {
    assert_hash_with::<34>(Algorithm::Ipse, 0.3, 60, 0xb34b_6383_4e5b_2d47);
}
