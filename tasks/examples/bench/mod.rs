//! How rules and policies are scored.

use ipse::prelude::*;

/// A task, and how much of it makes a score.
pub struct Bench<'a, E> {
    pub task: &'a E,
    /// The number of actions with each seed.
    pub steps: usize,
    /// The number of actions that a score is for.
    pub scale: f64,
}

impl<E: Environment> Bench<'_, E> {
    /// The sum of rewards for every `scale` actions.
    pub fn score(&self, seed: u64, choose: impl Fn(&E::State, &mut XorShiftRng) -> Action) -> f64 {
        let mut rng = XorShiftRng::seed_from_u64(seed);
        // The rule's own chance, so that all rules meet the same world.
        let mut coins = XorShiftRng::seed_from_u64(!seed);
        let mut state = self.task.reset(&mut rng);
        let mut sum = 0;
        for _ in 0..self.steps {
            let action = choose(&state, &mut coins);
            let (next, reward) = self.task.step(&state, action, &mut rng);
            sum += i64::from(reward);
            state = match self.task.is_terminal(&next) {
                true => self.task.reset(&mut rng),
                false => next,
            };
        }
        sum as f64 * self.scale / self.steps as f64
    }
}

/// The mean of some scores, and its standard error.
pub fn mean(scores: &[f64]) -> (f64, f64) {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}
