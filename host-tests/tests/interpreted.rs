//! All of the core in little work: for Miri, which interprets the program, checks every access to memory,
//! and takes a thousand times as long.

use host_tests::agreement::{compare_paper, state_of};
use host_tests::boards;
use ipse::checkpoint::{max_size, restore, save};
use ipse::driver::ResumableDriver;
use ipse::learner::m_learning::{CrossValidated, Unregularised};
use ipse::prelude::Direction::{Con, Pro};
use ipse::prelude::*;
use ipse::tetris::surface::{Surface, SurfaceNine};
use ipse::tetris::{BCTS, Column, Piece, Rule, Tetris10x10, Tetris10x20};
use ipse_tasks::Foraging;

/// A memory that is soon full.
const MEMORY: usize = 3;
const ITERATIONS: u32 = if cfg!(miri) { 4 } else { 50 };
const BOARDS: u32 = if cfg!(miri) { 1 } else { 50 };

/// Learns, is saved and restored in the middle, and says what to do next.
fn drive<D: ResumableDriver>(mut driver: D, mut rng: XorShiftRng) {
    let mut buffer = vec![0; max_size::<D, ()>()];
    for iteration in 1..=ITERATIONS {
        let step = driver.step(&mut rng);
        assert_eq!(step.iteration, iteration);
        let weights = step.weights;
        assert!(weights.as_ref().iter().all(|weight| weight.is_finite()));
        if iteration == 3 {
            let saved = save(&mut driver, &rng, (), &mut buffer).unwrap();
            restore::<_, ()>(&mut driver, &mut rng, saved).unwrap();
        }
    }
    let policy = driver.policy();
    let action = policy.choose(driver.task(), driver.state(), &mut rng);
    assert!(action.is_some());
}

fn learn<E: Resumable, L: ResumableLearner<E>>(task: E, learner: L) {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let agent = Agent::new(task, learner.check().unwrap(), &mut rng);
    drive(agent, rng);
}

fn short(length: u16) -> Rollouts {
    Rollouts {
        count: 1,
        length,
        ..Rollouts::default()
    }
}

/// With every option, and a second phase that begins soon.
fn ipse(
    length: u16,
) -> impl ResumableLearner<Foraging> + ResumableLearner<Tetris10x10> + ResumableLearner<Tetris10x20>
{
    let rollouts = Rollouts {
        common_random_numbers: true,
        ..short(length)
    };
    let ipse = Ipse::new().memory::<MEMORY>().cap(1).rollouts(rollouts);
    let ipse = ipse.reuse_choices(true).dominance_filter(true);
    ipse.soft_labels(0.3).average(true)
}

#[test]
fn every_learner_learns_to_forage() {
    let weights = MLearning::scheduled().memory::<MEMORY>().rollouts(short(2));
    learn(Foraging, Lfd::new().rollouts(short(2)));
    learn(Foraging, ipse(2));
    learn(Foraging, weights.regularisation(Unregularised));
    learn(Foraging, weights.regularisation(CrossValidated));
    learn(Foraging, Known([Pro, Con, Con]).then(weights));
}

#[test]
fn a_search_for_weights_forages() {
    let search = Search::survival()
        .memory::<MEMORY>()
        .calls(400)
        .episode(10)
        .trials(1)
        .horizon(2);
    let search = search.cap(1).rollouts(short(2)).check().unwrap();
    let mut rng = XorShiftRng::seed_from_u64(1);
    drive(Searcher::new(Foraging, search, &mut rng), rng);
}

#[test]
fn a_search_for_the_highest_return_forages() {
    let search = Search::returns(2).calls(400).check().unwrap();
    let mut rng = XorShiftRng::seed_from_u64(1);
    drive(Searcher::new(Foraging, search, &mut rng), rng);
}

#[test]
fn ipse_learns_tetris_on_ten_rows() {
    learn(Tetris10x10::default(), ipse(1));
}

#[test]
fn ipse_learns_tetris_on_twenty_rows() {
    learn(Tetris10x20::default(), ipse(1));
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
                let board = kind(H, &mut rng);
                let placements = compare_paper::<H, C>(&board, piece, Rule::AfterRemoval);
                let state = state_of::<H, C>(&board, piece);
                let eight = Surface::<10, H, C>::default().list(&state).len();
                let nine = SurfaceNine::<10, H, C>::default().list(&state).len();
                assert_eq!((eight, nine), (placements.len(), placements.len()));
            }
        }
    }
}

#[test]
fn a_known_policy_plays() {
    let task = Tetris10x10::default();
    let mut rng = XorShiftRng::seed_from_u64(3);
    let policy = Policy::new::<Tetris10x10>(&BCTS).unwrap();
    let mut state = task.reset(&mut rng);
    for _ in 0..ITERATIONS {
        let action = policy.choose_reward_first(&task, &state, &mut rng).unwrap();
        state = task.step(&state, action, &mut rng).0;
    }
}
