//! Playing what was learned.

use ipse::Environment;
use ipse::environment::Action;
use ipse::policy::Policy;
use ipse::rand_xorshift::XorShiftRng;

/// Acts on what was learned, episode after episode: in the model, by a policy that does not change, or in the world
/// ([`Session::act`](crate::Session::act)), by that of the moment.
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

    /// Puts the player in another state of the same episode, such as one that was measured.
    pub fn set_state(&mut self, state: E::State) {
        self.state = state;
    }

    /// Acts on another policy from now on.
    pub fn follow(&mut self, policy: Policy<E::Features>) {
        self.policy = policy;
    }

    /// Takes an action in the model. Returns whether that was the end of an episode; then the next one begins.
    // Out of line, so that what is on the stack meanwhile does not stay there.
    #[inline(never)]
    pub fn act(&mut self, task: &E) -> bool {
        let Some(action) = self.choose(task) else {
            return self.go_on(task);
        };
        let (next, reward) = task.step(&self.state, action, &mut self.rng);
        self.arrive(task, next, reward)
    }

    /// The action of the policy in the current state. `None` if that is terminal.
    pub(crate) fn choose(&mut self, task: &E) -> Option<Action> {
        self.policy.choose(task, &self.state, &mut self.rng)
    }

    /// Counts an action that has led to a state. Returns whether that was the end of an episode; then the next one begins.
    pub(crate) fn arrive(&mut self, task: &E, next: E::State, reward: i16) -> bool {
        self.state = next;
        self.actions = self.actions.saturating_add(1);
        self.reward = self.reward.saturating_add(reward.into());
        self.go_on(task)
    }

    /// Begins another episode if this one has ended, and returns whether it has.
    pub(crate) fn go_on(&mut self, task: &E) -> bool {
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
