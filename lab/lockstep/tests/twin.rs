//! Games in lockstep are those of the engine, one at a time.

use ipse::policy::Policy;
use ipse::prelude::*;
use ipse::tetris::{BCTS, DIRECTIONS, Rule, Tetris10x10};
use ipse_lockstep::{Club, Eight, Job, Limit, Played, play};

const ENDLESS: Limit = Limit {
    reward: i64::MAX,
    actions: u64::MAX,
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

/// The slow twin.
fn alone(task: &Tetris10x10, limit: &Limit, job: &Job) -> Played {
    let mut rng = XorShiftRng::seed_from_u64(job.seed);
    let mut state = task.reset(&mut rng);
    let mut played = Played {
        reward: 0,
        actions: 0,
        is_over: false,
    };
    while played.reward < limit.reward && played.actions < limit.actions {
        let Some(action) = job.policy.choose(task, &state, &mut rng) else {
            played.is_over = true;
            break;
        };
        let (next, reward) = task.step(&state, action, &mut rng);
        state = next;
        played.reward += i64::from(reward);
        played.actions += 1;
    }
    played
}

/// Plays so many games of each policy in both ways, and returns the number of decisions.
fn compare(rule: Rule, policies: &[Policy<Eight>], games: u64, limit: Limit) -> u64 {
    let task = Tetris10x10::new(rule);
    let pairs = (0..games).flat_map(|seed| policies.iter().map(move |policy| (policy, seed)));
    let jobs: Vec<Job> = pairs
        .enumerate()
        .map(|(number, (policy, seed))| Job {
            number,
            policy,
            seed,
        })
        .collect();
    let mut together = Games {
        jobs: jobs.clone().into_iter(),
        played: vec![None; jobs.len()],
        acted: 0,
    };
    play(&task, limit, &mut together);
    let mut actions = 0;
    for (job, together) in jobs.iter().zip(together.played) {
        let alone = alone(&task, &limit, job);
        assert_eq!(together, Some(alone), "{rule:?} {job:?}");
        actions += alone.actions;
    }
    assert_eq!(together.acted, actions);
    actions
}

fn policy(weights: &[f32; 8]) -> Policy<Eight> {
    Policy::new::<Tetris10x10>(weights).unwrap()
}

fn equal() -> Policy<Eight> {
    policy(&DIRECTIONS.map(|direction| direction.sign().into()))
}

const RULES: [Rule; 2] = [Rule::AfterRemoval, Rule::BeforeRemoval];

#[test]
fn bcts_plays_the_same_games() {
    for rule in RULES {
        compare(rule, &[policy(&BCTS)], 200, ENDLESS);
    }
}
