//! Play under frozen policies: the states that are visited, and what is earned.

use super::watched::Watched;
use ipse::array::Array;
use ipse::environment::Environment;
use ipse::policy::Policy;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::fmt;

/// The purposes that random numbers are drawn for. Each has its own, so that no part depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Promises,
    Survey,
    Features,
    Votes,
    Ipse,
    Returns,
    Survival,
    Choosing,
    Scoring,
    Horizon,
}

/// Seeds that follow from one.
#[derive(Clone, Copy, Debug)]
pub struct Seeds(pub u64);

impl Seeds {
    /// The seed with this number for a purpose.
    pub fn get(self, purpose: Purpose, index: u64) -> u64 {
        // A generator scrambles its seed, so that it is enough that no two are equal.
        let own = ((purpose as u64 + 1) << 32).wrapping_add(index);
        self.0.rotate_left(16).wrapping_add(own)
    }
}

pub fn rng(seed: u64) -> XorShiftRng {
    XorShiftRng::seed_from_u64(seed)
}

/// The policy with these weights, of which there is one for each feature. All zero is random play.
pub fn policy<E: Environment>(weights: &[f32]) -> Policy<E::Features> {
    let weights = E::Features::from_fn(|feature| weights.get(feature).copied().unwrap_or(0.));
    Policy::new::<E>(&weights).unwrap_or(Policy::random())
}

/// Random play, as weights.
pub fn zeros<E: Environment>() -> Vec<f32> {
    vec![0.; E::Features::LEN]
}

/// An episode under way.
pub struct Episode<'a, E: Environment> {
    task: &'a Watched<'a, E>,
    policy: Policy<E::Features>,
    rng: XorShiftRng,
    pub state: E::State,
    /// The number of actions so far.
    pub actions: u32,
}

impl<'a, E: Environment> Episode<'a, E> {
    pub fn new(task: &'a Watched<'a, E>, policy: Policy<E::Features>, seed: u64) -> Self {
        let mut rng = rng(seed);
        Episode {
            state: task.reset(&mut rng),
            task,
            policy,
            rng,
            actions: 0,
        }
    }

    /// Takes an action. Returns the reward, or `None` if the state is terminal.
    pub fn act(&mut self) -> Option<i16> {
        let Episode {
            task, state, rng, ..
        } = self;
        let action = self.policy.choose(*task, state, rng)?;
        let (next, reward) = task.step(state, action, rng);
        self.state = next;
        self.actions += 1;
        Some(reward)
    }

    /// Takes an action, or begins again if the state is terminal.
    pub fn act_or_restart(&mut self) -> Option<i16> {
        let reward = self.act();
        if reward.is_none() {
            self.state = self.task.reset(&mut self.rng);
        }
        reward
    }
}

/// How a state was reached, so that it can be reached again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// What the policy is called.
    pub policy: String,
    pub seed: u64,
    /// The number of actions since the episode began.
    pub actions: u32,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin {
            policy,
            seed,
            actions,
        } = self;
        match actions {
            0 => write!(f, "first state of an episode (seed {seed})"),
            1 => write!(f, "after 1 action of {policy} (seed {seed})"),
            _ => write!(f, "after {actions} actions of {policy} (seed {seed})"),
        }
    }
}

/// A policy with a name.
#[derive(Clone, Debug)]
pub struct Player {
    pub name: String,
    pub weights: Vec<f32>,
}

/// The longest stretch of an episode in which states are looked at. Then another one begins.
const STRETCH: u32 = 500;

/// Visits at most `most` states of an episode under a policy, the terminal one included, and tells how each was reached.
/// Between two of them there are up to eight actions, so that they are not all alike.
pub fn visit<E: Environment>(
    task: &Watched<E>,
    player: &Player,
    seed: u64,
    most: usize,
    mut look: impl FnMut(&E::State, &Origin),
) {
    let mut episode = Episode::new(task, policy::<E>(&player.weights), seed);
    let mut gaps = rng(!seed);
    for _ in 0..most {
        let origin = Origin {
            policy: player.name.clone(),
            seed,
            actions: episode.actions,
        };
        look(&episode.state, &origin);
        let gap = 1 + gaps.next_u32() % 8;
        let went_on = (0..gap).take_while(|_| episode.act().is_some()).count() > 0;
        if !went_on || episode.actions > STRETCH {
            return;
        }
    }
}

/// What is measured in an episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The sum of the rewards.
    pub reward: f64,
    pub actions: u32,
    /// Whether it was cut at the limit.
    pub is_cut: bool,
}

/// Plays one episode of at most `limit` actions.
pub fn play_episode<E: Environment>(
    task: &Watched<E>,
    weights: &[f32],
    seed: u64,
    limit: u32,
) -> Run {
    let mut episode = Episode::new(task, policy::<E>(weights), seed);
    let mut reward = 0.;
    while episode.actions < limit {
        match episode.act() {
            Some(earned) => reward += f64::from(earned),
            None => break,
        }
    }
    let is_cut = episode.actions >= limit && !task.is_terminal(&episode.state);
    Run {
        reward,
        actions: episode.actions,
        is_cut,
    }
}

/// Plays `count` actions, over as many episodes as that takes. A terminal state takes the time of an action, so that this ends
/// in a task in which every state is terminal.
pub fn play_actions<E: Environment>(
    task: &Watched<E>,
    weights: &[f32],
    seed: u64,
    count: u32,
) -> Run {
    let mut episode = Episode::new(task, policy::<E>(weights), seed);
    let rewards = (0..count).filter_map(|_| episode.act_or_restart());
    let reward = rewards.map(f64::from).sum();
    Run {
        reward,
        actions: episode.actions,
        is_cut: false,
    }
}
