//! Two players of the same games: one acts on what was learned, the other at random.

use crate::answer::{Drawn, Standing};
use ipse::environment::{Action, Environment};
use ipse::policy::Policy;
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// The games that both play.
pub struct Duel<E: Environment> {
    pub learned: Game<E>,
    pub random: Game<E>,
}

impl<E: Environment> Duel<E> {
    pub fn new(task: &E, seed: u64) -> Self {
        Duel {
            learned: Game::new(task, seed),
            random: Game::new(task, seed),
        }
    }

    /// Lets both take so many actions.
    pub fn play(&mut self, task: &E, policy: &Policy<E::Features>, actions: u32) {
        for _ in 0..actions {
            self.learned.act(task, policy);
            self.random.act(task, &Policy::random());
        }
    }
}

/// One player's game.
pub struct Game<E: Environment> {
    seed: u64,
    pub state: E::State,
    /// What happens in the world. It is the same for whoever plays the game of this number.
    world: XorShiftRng,
    /// What decides between actions that are equally good.
    mind: XorShiftRng,
    does: String,
    actions: u32,
    reward: i64,
    games: u32,
    earned: i64,
    /// Whether the game of now was played by one policy from its start, or while it was being learned.
    is_counted: bool,
}

impl<E: Environment> Game<E> {
    pub fn new(task: &E, seed: u64) -> Self {
        let mut world = world(seed, 0);
        Game {
            seed,
            state: task.reset(&mut world),
            world,
            mind: XorShiftRng::seed_from_u64(!seed),
            does: String::new(),
            actions: 0,
            reward: 0,
            games: 0,
            earned: 0,
            is_counted: true,
        }
    }

    /// Counts anew from the next game, which is the first: the policy is another for good.
    pub fn count_anew(&mut self) {
        (self.games, self.earned, self.is_counted) = (0, 0, false);
    }

    /// Takes an action, or begins the next game if this one is over.
    pub fn act(&mut self, task: &E, policy: &Policy<E::Features>) {
        let Some(action) = policy.choose(task, &self.state, &mut self.mind) else {
            if std::mem::replace(&mut self.is_counted, true) {
                self.games += 1;
                self.earned += self.reward;
            }
            self.world = world(self.seed, self.games);
            self.state = task.reset(&mut self.world);
            (self.actions, self.reward) = (0, 0);
            self.does.clear();
            return;
        };
        self.does = description(task, &self.state, action);
        let (next, reward) = task.step(&self.state, action, &mut self.world);
        self.state = next;
        self.actions = self.actions.saturating_add(1);
        self.reward += i64::from(reward);
    }

    /// What an action would lead to.
    pub fn after(&self, task: &E, action: Action) -> E::State {
        task.step(&self.state, action, &mut self.world.clone()).0
    }

    pub fn standing(&self, task: &E) -> Standing {
        Standing {
            picture: Drawn::new(task, &self.state),
            does: self.does.clone(),
            actions: self.actions,
            reward: self.reward,
            is_over: task.is_terminal(&self.state),
            games: self.games,
            earned: self.earned,
            is_counted: self.is_counted,
        }
    }
}

/// The chance of a game. No learner draws from it.
fn world(seed: u64, game: u32) -> XorShiftRng {
    const APART: u64 = 0x9e37_79b9_7f4a_7c15;
    XorShiftRng::seed_from_u64(!seed ^ APART.wrapping_mul(1 + u64::from(game)))
}

/// What an action does, in the words of the task.
pub fn description<E: Environment>(task: &E, state: &E::State, action: Action) -> String {
    let mut text = String::new();
    // Text can always be written to a string.
    let _ = task.describe(state, action, &mut text);
    text
}

/// What a policy earns in a game on average. Games are cut after so many actions.
pub fn mean<E: Environment>(
    task: &E,
    policy: &Policy<E::Features>,
    games: u32,
    actions: u32,
    seed: u64,
) -> f64 {
    let mut sum = 0;
    for game in 0..games {
        let mut rng = world(seed, game);
        let mut state = task.reset(&mut rng);
        for _ in 0..actions {
            let Some(action) = policy.choose(task, &state, &mut rng) else {
                break;
            };
            let (next, reward) = task.step(&state, action, &mut rng);
            state = next;
            sum += i64::from(reward);
        }
    }
    sum as f64 / f64::from(games.max(1))
}
