//! A learner that the crate does not know: everything that its own learners can do, it can do as well.

mod online;

use ipse::checkpoint::{LoadError, max_size, restore, save};
use ipse::prelude::*;
use ipse_tasks::Foraging;
use online::Online;

const ONLINE: Online = Online(0.05);

fn rng(seed: u64) -> XorShiftRng {
    XorShiftRng::seed_from_u64(seed)
}

fn agent<L: Learner<Foraging>>(learner: L, rng: &mut XorShiftRng) -> Agent<Foraging, L> {
    Agent::new(Foraging, learner.check().unwrap(), rng)
}

/// The mean number of seeds that a policy gathers in nights that nobody has learned from.
fn seeds(policy: &Policy<[i16; 3]>) -> f64 {
    const NIGHTS: u32 = 400;
    let mut rng = rng(1000);
    let mut seeds = 0;
    for _ in 0..NIGHTS {
        let mut mouse = Foraging.reset(&mut rng);
        while let Some(action) = policy.choose(&Foraging, &mouse, &mut rng) {
            let (next, reward) = Foraging.step(&mouse, action, &mut rng);
            (mouse, seeds) = (next, seeds + u32::from(reward.unsigned_abs()));
        }
    }
    f64::from(seeds) / f64::from(NIGHTS)
}

fn assert_learns<L: Learner<Foraging>>(learner: L) {
    let random = seeds(&Policy::random());
    for seed in 0..3 {
        let mut rng = rng(seed);
        let mut agent = agent(learner, &mut rng);
        (0..150).for_each(|_| _ = agent.step(&mut rng));
        let learned = seeds(&agent.policy());
        assert!(learned > 2. * random, "{learned} seeds, {random} by chance");
    }
}

/// From every iteration, in the place of another agent.
fn assert_resumes<L: ResumableLearner<Foraging>>(learner: L) {
    let (mut rng, mut its_rng) = (rng(1), rng(2));
    let mut agent = self::agent(learner, &mut rng);
    let mut other = self::agent(learner, &mut its_rng);
    for _ in 0..80 {
        let mut buffer = vec![0; max_size::<Agent<Foraging, L>, ()>()];
        let bytes = save(&mut agent, &rng, (), &mut buffer).unwrap();
        restore::<_, ()>(&mut other, &mut its_rng, bytes).unwrap();
        assert_eq!(other.step(&mut its_rng), agent.step(&mut rng));
        assert_eq!(
            other.weights().map(f32::to_bits),
            agent.weights().map(f32::to_bits)
        );
    }
}

#[test]
fn it_learns() {
    assert_learns(ONLINE);
}

#[test]
fn it_goes_on_from_a_checkpoint_to_the_bit() {
    assert_resumes(ONLINE);
}

#[test]
fn it_follows_a_learner_of_the_crate_and_goes_on_from_its_directions() {
    let learner = Lfd::new().then(ONLINE).cap(30);
    assert_learns(learner);
    assert_resumes(learner);
    let mut rng = rng(3);
    let mut agent = agent(learner, &mut rng);
    (0..30).for_each(|_| _ = agent.step(&mut rng));
    assert_eq!(agent.progress().phase, Phase::Weights);
    let leanings = agent.memory().first().leanings();
    assert_eq!(agent.weights(), leanings.map(|d| f32::from(d.sign())));
}

/// A learner that remembers how often it was told directions, and nothing else.
#[derive(Clone, Copy)]
struct Told;

impl Parameters for Told {
    fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }

    fn identify(&self, _: &mut impl Codec) -> Result<(), Invalid> {
        Ok(())
    }
}

impl Learner<Foraging> for Told {
    type Memory = u32;
    type Values = ();

    fn blank(&self) -> u32 {
        0
    }

    fn weights(&self, _: &u32) -> [f32; 3] {
        [0.; 3]
    }

    fn learn(&self, _: &mut u32, _: &Foraging, _: Choice<<Foraging as Environment>::State, ()>) {}

    fn inform(&self, told: &mut u32, _: &Prior<[i16; 3]>) {
        *told += 1;
    }
}

/// Directions are handed on when the first phase ends. Those that wait are, too, when they are decided, and not again
/// after every choice.
#[test]
fn it_is_told_again_only_when_a_direction_was_decided() {
    let mut decided_later = 0;
    for seed in 0..5 {
        for undecided in [Undecided::Wait, Undecided::Free] {
            let mut rng = rng(seed);
            let learner = Lfd::new().then(Told).cap(8).undecided(undecided);
            let mut agent = agent(learner, &mut rng);
            (0..8).for_each(|_| _ = agent.step(&mut rng));
            let (mut told, mut before) = (1, *agent.memory().first().directions());
            for _ in 0..80 {
                agent.step(&mut rng);
                let directions = *agent.memory().first().directions();
                told += u32::from(directions != before);
                before = directions;
                assert_eq!(*agent.memory().second(), told);
            }
            decided_later += told - 1;
        }
    }
    assert!(decided_later > 2, "{decided_later}");
}

#[test]
fn it_goes_on_to_the_bit_if_directions_are_decided_later() {
    assert_resumes(Lfd::new().then(ONLINE).cap(8).undecided(Undecided::Wait));
}

#[test]
fn its_parameters_are_checked_and_part_of_its_identity() {
    let error = Online(2.).check().unwrap_err();
    let text = "rate (2.000000) must be above 0, and at most 1";
    assert_eq!(error.to_string(), text);

    let mut rng = rng(4);
    let mut buffer = vec![0; max_size::<Agent<Foraging, Online>, ()>()];
    let bytes = save(&mut agent(ONLINE, &mut rng), &rng.clone(), (), &mut buffer).unwrap();
    let mut other = agent(Online(0.1), &mut rng);
    let restored = restore::<_, ()>(&mut other, &mut rng, bytes);
    assert_eq!(restored, Err(LoadError::Foreign));
}

#[test]
fn it_takes_fewer_than_sixty_lines() {
    let lines = include_str!("online.rs").lines();
    let code = lines.filter(|line| !line.trim().is_empty()).count();
    assert!(code < 60, "{code} lines");
}
