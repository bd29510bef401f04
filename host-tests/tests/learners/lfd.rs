//! Directions against Algorithm 1, and whether they are right.

use crate::rng;
use crate::stew::stress::{pick, scattered};
use host_tests::boards::below;
use host_tests::reference::binomial::Tosses;
use host_tests::reference::directions::delta;
use ipse::learner::lfd::{Tally, Votes};
use ipse::prelude::*;
use ipse::tetris::{DIRECTIONS, Tetris10x10};

const P: usize = 4;

fn outcomes(actions: &[[i16; P]]) -> Vec<Outcome<[i16; P]>> {
    // Numbers in another order than the list.
    let numbers = (0..actions.len() as Action).rev();
    let outcome = |(action, &features)| Outcome {
        action,
        promise: 0,
        features,
    };
    numbers.zip(actions).map(outcome).collect()
}

/// Votes and directions by the paper's formula and exact arithmetic.
#[derive(Default)]
struct Reference {
    votes: [[usize; 2]; P],
    directions: [i8; P],
}

impl Reference {
    fn learn(&mut self, actions: &[[i16; P]], chosen: usize, percent: u32) {
        for (i, delta) in delta(actions, chosen).into_iter().enumerate() {
            let [pro, con] = &mut self.votes[i];
            *pro += usize::from(delta > 0);
            *con += usize::from(delta < 0);
            let mut tosses = Tosses::none();
            (0..*pro + *con).for_each(|_| tosses.toss());
            let extreme = &tosses.at_least_as_one_sided()[*pro];
            if (extreme * 100u32) >> tosses.count() < percent.into() {
                self.directions[i] = if pro > con { 1 } else { -1 };
            }
        }
    }
}

#[test]
fn votes_and_directions_are_those_of_algorithm_1() {
    let mut decided = 0;
    for seed in 0..40 {
        let mut rng = rng(seed);
        let percent = pick(&[5, 1, 20], &mut rng);
        let mut reference = Reference::default();
        let mut votes = Votes::<[i16; P]>::none();
        for _ in 0..40 {
            let actions: Vec<[i16; P]> = (0..=below(6, &mut rng))
                .map(|_| scattered(2, &mut rng))
                .collect();
            // Someone who likes the first feature, dislikes the second, and is otherwise arbitrary.
            let taste = |&i: &usize| actions[i][0] - actions[i][1];
            let chosen = match below(3, &mut rng) {
                0 => below(actions.len(), &mut rng),
                _ => (0..actions.len()).max_by_key(taste).unwrap(),
            };
            let outcomes = outcomes(&actions);
            reference.learn(&actions, chosen, percent);
            votes.count(&outcomes, outcomes[chosen].action, percent as f32 / 100.);

            let counted = votes.tallies().map(|t| [t.pro, t.con].map(usize::from));
            assert_eq!(counted, reference.votes);
            assert_eq!(
                votes.directions().map(Direction::sign),
                reference.directions
            );
            let is_complete = reference.directions.iter().all(|d| *d != 0);
            assert_eq!(votes.is_complete(), is_complete);
        }
        decided += reference.directions.iter().filter(|d| **d != 0).count();
    }
    assert!((60..150).contains(&decided), "{decided} of 160");
}

#[test]
fn a_choice_of_what_was_not_there_teaches_nothing() {
    let mut votes = Votes::<[i16; P]>::none();
    votes.count(&outcomes(&[[1; P], [2; P]]), 2, 0.05);
    votes.count(&[], 0, 0.05);
    assert_eq!(votes, Votes::none());
}

/// Action 1 has more of the only feature, action 0 less.
fn more_or_less() -> [Outcome<[i16; 1]>; 2] {
    [1, 0].map(|feature| Outcome {
        action: feature as Action,
        promise: 0,
        features: [feature],
    })
}

#[test]
fn a_direction_that_turns_out_to_be_wrong_is_turned_around() {
    let mut votes = Votes::<[i16; 1]>::none();
    let mut learn = |action, times| {
        (0..times).for_each(|_| votes.count(&more_or_less(), action, 0.05));
        votes.directions()[0]
    };
    assert_eq!(learn(1, 5), Direction::Undecided);
    assert_eq!(learn(1, 1), Direction::Pro);
    assert_eq!(learn(0, 16), Direction::Pro);
    assert_eq!(learn(0, 10), Direction::Con);
}

/// As many choices of this action.
fn vote(votes: &mut Votes<[i16; 1]>, action: Action, times: usize) {
    let outcomes = more_or_less();
    (0..times).for_each(|_| votes.count(&outcomes, action, 0.05));
}

#[test]
fn when_one_side_has_all_the_votes_that_can_be_counted_no_more_are_and_nothing_turns_around() {
    let most = usize::from(Tally::MOST);
    let mut votes = Votes::none();
    vote(&mut votes, 1, most - 1);
    vote(&mut votes, 0, 3);
    let [before] = *votes.tallies();
    assert_eq!((before.pro, before.con), (Tally::MOST - 1, 3));
    vote(&mut votes, 1, 1);
    let [full] = *votes.tallies();
    assert_eq!(
        (full.pro, full.con, full.varied),
        (Tally::MOST, 3, u16::MAX)
    );
    // Twice as many votes against it would have turned it around, had they been counted.
    vote(&mut votes, 0, 2 * most);
    vote(&mut votes, 1, 1);
    assert_eq!(*votes.tallies(), [full]);
    assert_eq!(*votes.directions(), [Direction::Pro]);
}

#[test]
fn a_choice_varies_in_a_feature_that_is_not_the_same_for_all_actions() {
    let mut votes = Votes::<[i16; P]>::none();
    // The first is always the same, the second ties in sum, and the third varies among the others.
    let actions = [[7, 2, 0, 1], [7, 1, 4, 0], [7, 3, 0, 0]];
    for times in 1..=5 {
        votes.count(&outcomes(&actions), 2, 0.05);
        assert_eq!(
            votes.tallies().map(|tally| tally.varied),
            [0, times, times, times]
        );
    }
    let cast = votes.tallies().map(|tally| [tally.pro, tally.con]);
    assert_eq!(cast, [[0, 0], [0, 0], [0, 5], [5, 0]]);
}

/// Unoptimised code has time for fewer runs, and less can be said about them.
const SEEDS: u64 = if cfg!(debug_assertions) { 2 } else { 50 };
const DECIDED: f64 = if cfg!(debug_assertions) { 6. } else { 7. };
const RIGHT: f64 = if cfg!(debug_assertions) { 0.9 } else { 0.98 };

#[test]
fn in_a_hundred_iterations_of_tetris_most_directions_are_decided_and_right() {
    let lfd = Lfd::paper().check().unwrap();
    let (mut decided, mut right) = (0, 0);
    for seed in 0..SEEDS {
        let mut rng = rng(seed);
        let game = Tetris10x10::default();
        let mut agent = Agent::new(game, lfd, &mut rng);
        for _ in 0..100 {
            agent.step(&mut rng);
        }
        for (found, truth) in agent.directions().iter().zip(DIRECTIONS) {
            decided += u32::from(*found != Direction::Undecided);
            right += u32::from(*found == truth);
        }
    }
    let per_run = f64::from(decided) / SEEDS as f64;
    assert!(per_run >= DECIDED, "{per_run} directions are decided");
    let share = f64::from(right) / f64::from(decided);
    assert!(
        share >= RIGHT,
        "{share} of the decided directions are right"
    );
}
