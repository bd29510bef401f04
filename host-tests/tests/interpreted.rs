//! All of the core in little work: for Miri, which interprets the program, checks every access to memory,
//! and takes a thousand times as long.

use host_tests::agreement::compare;
use host_tests::boards;
use ipse::checkpoint::{load, max_size, save};
use ipse::environment::{Environment, Resumable};
use ipse::m_learning::{Regularisation, Schedule};
use ipse::policy::Policy;
use ipse::rollout::Rollouts;
use ipse::tetris::{
    BCTS, Column, DIRECTIONS, FEATURES, PLACEMENTS, Piece, Rule, Tetris10x10, Tetris10x20,
};
use ipse::{Agent, Algorithm, Config};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

const PAPER: Regularisation = Regularisation::Schedule(Schedule::PAPER);
const ALGORITHMS: [Algorithm<FEATURES>; 6] = [
    Algorithm::Lfd,
    Algorithm::Ipse,
    Algorithm::MLearning(Regularisation::None),
    Algorithm::MLearning(Regularisation::CrossValidated),
    Algorithm::MLearning(PAPER),
    Algorithm::MLearningKnown(PAPER, DIRECTIONS),
];
/// A memory that is soon full.
const MEMORY: usize = 3;
const ITERATIONS: u32 = if cfg!(miri) { 5 } else { 50 };
const BOARDS: u32 = if cfg!(miri) { 1 } else { 50 };

fn config(algorithm: Algorithm<FEATURES>) -> Config<FEATURES> {
    Config {
        algorithm,
        rollouts: Rollouts {
            count: 1,
            length: 2,
            common_random_numbers: algorithm == Algorithm::Ipse,
            ..Rollouts::default()
        },
        lfd_cap: Some(1),
        reuse_choices: true,
        dominance_filter: algorithm == Algorithm::Ipse,
        ..Config::default()
    }
}

/// Learns, is saved and loaded in the middle, and plays a piece.
fn learn<E: Resumable<FEATURES, PLACEMENTS> + Copy>(task: E, algorithm: Algorithm<FEATURES>) {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let config = config(algorithm);
    let mut agent = Agent::<E, FEATURES, PLACEMENTS, MEMORY>::new(task, config, &mut rng).unwrap();
    let mut buffer = vec![0; max_size::<E, (), FEATURES, PLACEMENTS, MEMORY>()];
    for iteration in 1..=ITERATIONS {
        let step = agent.step(&mut rng);
        assert_eq!(step.iteration, iteration);
        assert!(step.weights.iter().all(|weight| weight.is_finite()));
        if iteration == 3 {
            let saved = save(&agent, &rng, &(), &mut buffer).unwrap();
            (agent, rng, ()) = load(task, config, saved).unwrap();
        }
    }
    assert!(
        agent
            .policy()
            .choose(&task, agent.state(), &mut rng)
            .is_some()
    );
}

#[test]
fn every_learner_learns_on_ten_rows() {
    for algorithm in ALGORITHMS {
        learn(Tetris10x10::default(), algorithm);
    }
}

#[test]
fn ipse_learns_on_twenty_rows() {
    learn(Tetris10x20::new(Rule::BeforeRemoval), Algorithm::Ipse);
}

#[test]
fn placements_on_strange_boards_are_those_of_the_twin() {
    on::<10, u16>();
    on::<20, u32>();

    fn on<const H: usize, C: Column>() {
        let mut rng = XorShiftRng::seed_from_u64(2);
        for _ in 0..BOARDS {
            for (kind, piece) in [
                (boards::rubble as fn(usize, &mut XorShiftRng) -> _, Piece::T),
                (boards::brimming, Piece::I),
                (boards::nearly_complete, Piece::L),
                (boards::with_full_rows, Piece::O),
            ] {
                compare::<H, C>(&kind(H, &mut rng), piece, Rule::AfterRemoval);
            }
        }
    }
}

#[test]
fn a_known_policy_plays() {
    let task = Tetris10x10::default();
    let mut rng = XorShiftRng::seed_from_u64(3);
    let policy = Policy::new::<Tetris10x10, _>(&BCTS).unwrap();
    let mut state = task.reset(&mut rng);
    for _ in 0..ITERATIONS {
        let action = policy.choose_reward_first(&task, &state, &mut rng).unwrap();
        state = task.step(&state, action, &mut rng).0;
    }
}
