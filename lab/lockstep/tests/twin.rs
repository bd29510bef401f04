//! Games in lockstep are those of the engine, one at a time: its slow, obvious twin.

use ipse::policy::Policy;
use ipse::prelude::*;
use ipse::tetris::{BCTS, DIRECTIONS, Rule, Tetris10x10};
use ipse_lockstep::{Club, Eight, Job, Limit, Played, play};

const RULES: [Rule; 2] = [Rule::AfterRemoval, Rule::BeforeRemoval];

const ENDLESS: Limit = Limit {
    reward: i64::MAX,
    actions: u64::MAX,
    games: usize::MAX,
};

struct Games<'a> {
    jobs: std::vec::IntoIter<Job<'a>>,
    played: Vec<Option<Played>>,
    acted: u64,
}

impl<'a> Club<'a> for Games<'a> {
    fn next(&mut self) -> Option<Job<'a>> {
        self.jobs.next()
    }

    fn played(&mut self, number: usize, played: Played) {
        assert_eq!(self.played[number].replace(played), None);
    }

    fn acted(&mut self, actions: u64) {
        self.acted += actions;
    }
}

/// A game by the engine.
fn alone(task: &Tetris10x10, limit: &Limit, job: &Job) -> Played {
    let mut rng = XorShiftRng::seed_from_u64(job.seed);
    let mut state = task.reset(&mut rng);
    let (mut reward, mut actions, mut is_over) = (0, 0, false);
    while !is_over && reward < limit.reward && actions < limit.actions {
        match job.policy.choose(task, &state, &mut rng) {
            Some(action) => {
                let (next, rows) = task.step(&state, action, &mut rng);
                state = next;
                reward += i64::from(rows);
                actions += 1;
            }
            None => is_over = true,
        }
    }
    Played {
        reward,
        actions,
        is_over,
    }
}

/// Plays so many games of each policy in both ways, and returns the number of decisions and of games that were lost. The
/// length of a game and its rows stand for every decision in it: one that differs changes all pieces that follow.
fn compare(rule: Rule, policies: &[Policy<Eight>], games: u64, limit: Limit) -> (u64, usize) {
    let task = Tetris10x10::new(rule);
    let pairs = (0..games).flat_map(|seed| policies.iter().map(move |policy| (policy, seed)));
    let job = |(number, (policy, seed))| Job {
        number,
        policy,
        seed,
    };
    let jobs: Vec<Job> = pairs.enumerate().map(job).collect();
    let mut together = Games {
        jobs: jobs.clone().into_iter(),
        played: vec![None; jobs.len()],
        acted: 0,
    };
    play(&task, limit, &mut together);
    let (mut actions, mut lost) = (0, 0);
    for (job, together) in jobs.iter().zip(together.played) {
        let alone = alone(&task, &limit, job);
        assert_eq!(together, Some(alone), "{rule:?} {job:?}");
        actions += alone.actions;
        lost += usize::from(alone.is_over);
    }
    assert_eq!(together.acted, actions);
    (actions, lost)
}

fn policy(weights: &[f32; 8]) -> Policy<Eight> {
    Policy::new::<Tetris10x10>(weights).unwrap()
}

/// As many games as the optimised engine plays in a few seconds, or a tenth of them.
const SCALE: u64 = if cfg!(debug_assertions) { 1 } else { 10 };

/// Many placements are equally good.
fn equal() -> Policy<Eight> {
    policy(&DIRECTIONS.map(|direction| direction.sign().into()))
}

/// Weights of all signs and sizes, some of them 0.
fn random(policies: usize) -> Vec<Policy<Eight>> {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut weight = || {
        let number = rng.next_u32();
        let size = [0., 1e-4, 0.1, 1., 1., 30.][number as usize % 6];
        size * (number >> 8) as f32 / (1 << 23) as f32 - size
    };
    let mut weights = || std::array::from_fn(|_| weight());
    (0..policies).map(|_| policy(&weights())).collect()
}

#[test]
fn good_policies_play_millions_of_the_same_decisions() {
    let limit = Limit {
        actions: 20_000,
        ..ENDLESS
    };
    for rule in RULES {
        for policy in [policy(&BCTS), equal()] {
            let (decisions, lost) = compare(rule, &[policy], 30 * SCALE, limit);
            assert!(decisions > 50_000 * SCALE, "{decisions}");
            assert!(lost as u64 > 10 * SCALE, "{lost}");
        }
    }
}

#[test]
fn so_do_policies_of_all_signs_side_by_side() {
    let mut policies = random(200 * SCALE as usize);
    for weight in 0..8 {
        for sign in [1., -1.] {
            let mut weights = [0.; 8];
            weights[weight] = sign;
            policies.push(policy(&weights));
        }
    }
    for rule in RULES {
        let (decisions, lost) = compare(rule, &policies, 10, ENDLESS);
        assert!(decisions > 20_000 * SCALE, "{decisions}");
        assert_eq!(lost, 10 * policies.len());
    }
}

#[test]
fn where_all_is_equal_every_random_number_counts() {
    for rule in RULES {
        compare(rule, &[Policy::random()], 200 * SCALE, ENDLESS);
    }
}

#[test]
fn games_end_at_their_limits() {
    let policies = [policy(&BCTS), equal(), Policy::random()];
    for actions in [0, 1, 2, 17, 100] {
        for reward in [0, 1, 5, 50, i64::MAX] {
            let limit = Limit {
                reward,
                actions,
                ..ENDLESS
            };
            compare(RULES[0], &policies, 40, limit);
        }
    }
}

#[test]
fn any_number_of_games_will_do() {
    let policies = [policy(&BCTS)];
    let limit = Limit {
        actions: 300,
        ..ENDLESS
    };
    for games in [0, 1, 2, 3, 15, 16, 17, 40, 127, 128, 129] {
        compare(RULES[0], &policies, games, limit);
    }
}
