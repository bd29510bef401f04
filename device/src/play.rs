//! Playing what was learned.

use ipse::Environment;
use ipse::policy::Policy;
use ipse::rand_xorshift::XorShiftRng;

/// Acts on a policy that does not change, episode after episode.
#[derive(Clone, Debug)]
pub struct Player<E: Environment> {
    policy: Policy<E::Features>,
    rng: XorShiftRng,
    state: E::State,
    actions: u32,
    reward: i64,
    episodes: u32,
}

impl<E: Environment> Player<E> {
    /// A player at the beginning of an episode.
    pub fn new(task: &E, policy: Policy<E::Features>, mut rng: XorShiftRng) -> Self {
        Player {
            state: task.reset(&mut rng),
            policy,
            rng,
            actions: 0,
            reward: 0,
            episodes: 0,
        }
    }

    /// Takes an action. Returns whether that was the end of an episode; then the next one begins.
    // Out of line, so that what is on the stack meanwhile does not stay there.
    #[inline(never)]
    pub fn act(&mut self, task: &E) -> bool {
        if let Some(action) = self.policy.choose(task, &self.state, &mut self.rng) {
            let (next, reward) = task.step(&self.state, action, &mut self.rng);
            self.state = next;
            self.actions = self.actions.saturating_add(1);
            self.reward = self.reward.saturating_add(reward.into());
        }
        let is_over = task.is_terminal(&self.state);
        if is_over {
            self.state = task.reset(&mut self.rng);
            self.episodes = self.episodes.saturating_add(1);
        }
        is_over
    }

    /// The current state.
    pub fn state(&self) -> &E::State {
        &self.state
    }

    /// The number of actions so far.
    pub fn actions(&self) -> u32 {
        self.actions
    }

    /// The sum of rewards so far.
    pub fn reward(&self) -> i64 {
        self.reward
    }

    /// The number of episodes that have ended so far.
    pub fn episodes(&self) -> u32 {
        self.episodes
    }
}
