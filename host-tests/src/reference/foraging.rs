//! What a mouse can expect to gather, exactly.
//!
//! Bushes are drawn independently, so a mouse takes one of a kind if none of a better kind is in
//! sight. What a night is worth then depends on the mouse's strength alone.

use ipse::array::Array;
use ipse::environment::Environment;
use ipse_tasks::foraging::{DISTANCE, Foraging, OWLS, SEEDS, STRENGTH, STRENGTH_AT_DUSK};

/// The number of bushes in sight.
const BUSHES: i32 = <Foraging as Environment>::Actions::LEN as i32;

/// Seeds, distance and owls of a bush.
pub type Kind = [u8; 3];

/// The expected number of seeds in a night if a mouse prefers bushes of a higher `score`, and has no
/// preference among equals. The score may depend on what a bush is worth in the end.
pub fn expected_seeds(score: impl Fn(Kind, f64) -> f64) -> f64 {
    let mut worth = [0.; STRENGTH as usize + 1];
    loop {
        let next = std::array::from_fn(|strength| night(strength as u8, &worth, &score));
        let change = (0..next.len()).map(|i| f64::abs(next[i] - worth[i]));
        let is_settled = change.fold(0., f64::max) < 1e-9;
        worth = next;
        if is_settled {
            return worth[usize::from(STRENGTH_AT_DUSK)];
        }
    }
}

/// What the rest of the night is worth to a mouse, given what it is worth after the next bush.
fn night(strength: u8, worth: &[f64], score: &impl Fn(Kind, f64) -> f64) -> f64 {
    let kinds = kinds();
    let mut reachable: Vec<(f64, f64)> = Vec::new();
    for &[seeds, distance, owls] in &kinds {
        if distance <= strength {
            let stronger = STRENGTH.min(strength - distance + seeds);
            let survival = 1. - f64::from(owls) / 10.;
            let value = f64::from(seeds) + survival * worth[usize::from(stronger)];
            reachable.push((score([seeds, distance, owls], value), value));
        }
    }
    reachable.sort_by(|one, other| one.0.total_cmp(&other.0));

    let share = |count: usize| count as f64 / kinds.len() as f64;
    let mut worse = share(kinds.len() - reachable.len());
    let mut total = 0.;
    for equals in reachable.chunk_by(|one, other| one.0 == other.0) {
        let mean = equals.iter().map(|(_, value)| value).sum::<f64>() / equals.len() as f64;
        let not_better = worse + share(equals.len());
        // No bush is better, but not all are worse.
        total += mean * (not_better.powi(BUSHES) - worse.powi(BUSHES));
        worse = not_better;
    }
    total
}

/// All kinds of bushes, each as likely as the others.
fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for seeds in 0..=SEEDS {
        for distance in 1..=DISTANCE {
            for owls in 0..=OWLS {
                kinds.push([seeds, distance, owls]);
            }
        }
    }
    kinds
}
