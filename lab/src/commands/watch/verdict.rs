//! What the learned policy is worth, played on the host, if the lab knows the task.

use crate::figures::estimate;
use crate::games::{Mind, Series};
use crate::parallel;
use crate::task::{Measure, Setup, Task};
use ipse::array::Array;
use ipse::policy::Policy;

/// The number of games of each player, and the most actions of one.
const GAMES: u64 = 30;
const ACTIONS: u64 = 50_000;

/// What a random player and one with these weights earn in a game.
pub fn verdict<E: Task>(setup: &Setup<E>, weights: &[f32]) -> Option<String> {
    if weights.len() != E::Features::LEN {
        return None;
    }
    let learned = Policy::new::<E>(&E::Features::from_fn(|i| weights[i])).ok()?;
    let measure = Measure {
        actions: Some(setup.measure.actions.unwrap_or(ACTIONS).min(ACTIONS)),
        ..setup.measure
    };
    let series = Series {
        games: GAMES,
        seed: 1,
        threads: parallel::cores(),
    };
    let score = |policy| estimate(&series.score(setup, Mind::Policy(&policy), &measure));
    let unit = measure.unit;
    Some(format!(
        "a random player comes to {} {unit}, and the learned one to {} (played on the host, {GAMES} games each)",
        score(Policy::random()),
        score(learned),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse_tasks::Foraging;

    #[test]
    fn what_was_learned_is_compared_with_chance_in_the_task_that_is_named() {
        let verdict = verdict(&Setup::new(Foraging), &[1., -1., -1.]).unwrap();
        let numbers: Vec<f64> = verdict
            .split([' ', ','])
            .filter_map(|word| word.parse().ok())
            .collect();
        let (random, learned) = (numbers[0], numbers[2]);
        assert!(0. < random && 2. * random < learned, "{verdict}");
    }

    #[test]
    fn weights_of_another_task_have_no_verdict() {
        assert_eq!(verdict(&Setup::new(Foraging), &[1., 2.]), None);
        assert_eq!(verdict(&Setup::new(Foraging), &[f32::NAN; 3]), None);
    }
}
