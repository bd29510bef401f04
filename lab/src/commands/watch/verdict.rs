//! What the learned policy is worth, played on the host, if the lab knows the task.

use crate::figures::decimal;
use crate::summary::Estimate;
use ipse::array::Array;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::Tetris10x10;
use ipse_device::Player;
use ipse_tasks::Foraging;
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// The number of episodes of each player, and the most actions of one.
const EPISODES: u64 = 30;
const ACTIONS: u32 = 50_000;

/// What a random player and one with these weights earn in an episode.
pub fn verdict(task: &str, weights: &[f32]) -> Option<String> {
    match task {
        Tetris10x10::NAME => compare(&Tetris10x10::default(), weights),
        Foraging::NAME => compare(&Foraging, weights),
        _ => None,
    }
}

fn compare<E: Environment>(task: &E, weights: &[f32]) -> Option<String> {
    if weights.len() != E::Features::LEN {
        return None;
    }
    let mut weights = weights.iter().copied();
    let weights = E::Features::from_fn(|_| weights.next().unwrap_or(0.));
    let learned = Policy::new::<E>(&weights).ok()?;
    Some(format!(
        "an episode earns a random player {}, and the learned one {} (played on the host, {EPISODES} episodes each)",
        earned(task, Policy::random()),
        earned(task, learned),
    ))
}

/// The mean of what a policy earns in an episode, and its standard error.
fn earned<E: Environment>(task: &E, policy: Policy<E::Features>) -> String {
    let rewards: Vec<f64> = (1..=EPISODES)
        .map(|seed| {
            let mut player = Player::new(task, policy, XorShiftRng::seed_from_u64(seed));
            while !player.act(task) && player.actions() < ACTIONS {}
            player.reward() as f64
        })
        .collect();
    let Estimate {
        mean,
        standard_error,
    } = Estimate::of(&rewards);
    let error = standard_error.unwrap_or(0.);
    format!("{} ± {}", decimal(mean, 1), decimal(error, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_is_compared_with_chance_in_the_task_that_is_named() {
        let verdict = verdict("foraging", &[1., -1., -1.]).unwrap();
        let numbers: Vec<f64> = verdict
            .split([' ', ','])
            .filter_map(|word| word.parse().ok())
            .collect();
        let (random, learned) = (numbers[0], numbers[2]);
        assert!(0. < random && 2. * random < learned, "{verdict}");
    }

    #[test]
    fn a_task_that_is_not_known_or_has_other_features_has_no_verdict() {
        assert_eq!(verdict("chess", &[1.]), None);
        assert_eq!(verdict("foraging", &[1., 2.]), None);
        assert_eq!(verdict("foraging", &[f32::NAN; 3]), None);
    }
}
