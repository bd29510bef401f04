//! Known policies score what they are known to score.

use crate::rng;
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::Tetris10x10;

/// Unoptimised code has time for fewer games.
const GAMES: usize = if cfg!(debug_assertions) { 200 } else { 1000 };

#[test]
fn equal_weights_remove_1450_rows() {
    let equal = [-1., 1., -1., -1., -1., -1., -1., -1.];
    let rows = mean_rows(&Policy::new::<Tetris10x10>(&equal).unwrap(), GAMES);
    // Scores are exponentially distributed: their standard deviation is their mean.
    let standard_error = 1450. / (GAMES as f64).sqrt();
    assert!(
        (rows - 1450.).abs() < 3. * standard_error,
        "{rows} ± {standard_error:.0}"
    );
}

#[test]
fn random_actions_remove_a_row_in_five_games() {
    let rows = mean_rows(&Policy::random(), 10_000);
    assert!((rows - 0.2).abs() < 0.05, "{rows}");
}

fn mean_rows(policy: &Policy<[i16; 8]>, games: usize) -> f64 {
    let game = Tetris10x10::default();
    let mut rng = rng(7);
    let mut rows = 0;
    for _ in 0..games {
        let mut state = game.reset(&mut rng);
        while let Some(action) = policy.choose(&game, &state, &mut rng) {
            let (next, reward) = game.step(&state, action, &mut rng);
            rows += i64::from(reward);
            state = next;
        }
    }
    rows as f64 / games as f64
}
