//! All of the core in little work: for Miri, which interprets the program, checks every access to memory,
//! and takes a thousand times as long.

use host_tests::agreement::compare;
use host_tests::boards;
use host_tests::foraging::{BUSHES, FEATURES as REASONS, Foraging};
use ipse::checkpoint::{load, max_size, save};
use ipse::direction::Direction::{Con, Pro};
use ipse::environment::{Environment, Resumable};
use ipse::m_learning::{Regularisation, Schedule};
use ipse::policy::Policy;
use ipse::rollout::Rollouts;
use ipse::survival::Survival;
use ipse::tetris::{BCTS, Column, FEATURES, PLACEMENTS, Piece, Rule, Tetris10x10, Tetris10x20};
use ipse::{Agent, Algorithm, Config};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// A memory that is soon full.
const MEMORY: usize = 3;
const ITERATIONS: u32 = if cfg!(miri) { 4 } else { 50 };
const BOARDS: u32 = if cfg!(miri) { 1 } else { 50 };

/// A search of little work.
const SEARCH: Survival = Survival {
    calls: 400,
    episode: 10,
    trials: 1,
    horizon: 2,
};

/// Learns, is saved and loaded in the middle, and says what to do next.
fn learn<E: Resumable<P, A> + Copy, const P: usize, const A: usize>(
    task: E,
    algorithm: Algorithm<P>,
    length: u16,
) {
    let config = Config {
        algorithm,
        rollouts: Rollouts {
            count: 1,
            length,
            common_random_numbers: algorithm == Algorithm::Ipse,
            ..Rollouts::default()
        },
        lfd_cap: Some(1),
        reuse_choices: true,
        dominance_filter: algorithm == Algorithm::Ipse,
        soft_labels: if algorithm == Algorithm::Ipse {
            0.3
        } else {
            0.
        },
        ..Config::default()
    };
    let config = config.check().unwrap();
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut agent = Agent::<E, P, A, MEMORY, A>::new(task, config, &mut rng);
    let mut buffer = vec![0; max_size::<E, (), P, A, MEMORY, A>()];
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
fn every_learner_learns_to_forage() {
    let paper = Regularisation::Schedule(Schedule::PAPER);
    for algorithm in [
        Algorithm::Lfd,
        Algorithm::Ipse,
        Algorithm::MLearning(Regularisation::None),
        Algorithm::MLearning(Regularisation::CrossValidated),
        Algorithm::MLearningKnown(paper, [Pro, Con, Con]),
        Algorithm::Survival(SEARCH),
    ] {
        learn::<_, REASONS, BUSHES>(Foraging, algorithm, 2);
    }
}

#[test]
fn ipse_learns_tetris_on_ten_rows() {
    learn::<_, FEATURES, PLACEMENTS>(Tetris10x10::default(), Algorithm::Ipse, 1);
}

#[test]
fn ipse_learns_tetris_on_twenty_rows() {
    learn::<_, FEATURES, PLACEMENTS>(Tetris10x20::default(), Algorithm::Ipse, 1);
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
