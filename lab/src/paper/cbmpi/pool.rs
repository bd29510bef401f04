//! Boards to start rollouts from: those of games that BCTS played, thinned so that high boards,
//! which a good player seldom sees, are as frequent as low ones. A board is as high as its highest
//! column.

use super::Game;
use super::afterstate::{Afterstate, heights};
use ipse::environment::Action;
use ipse::policy::Policy;
use ipse::tetris::{BCTS, State};
use rand_core::Rng;

/// No more boards of the same height are kept.
const OF_EACH_HEIGHT: usize = 2_000;
/// From the empty board to one that is full to the top.
const HEIGHTS: usize = 11;

pub struct Pool<const F: usize> {
    boards: Vec<Afterstate<F>>,
}

impl<const F: usize> Pool<F> {
    /// From so many placements.
    pub fn new<G: Game<F>, R: Rng>(task: &G, placements: u32, rng: &mut R) -> Self {
        // It looks at the first eight features only.
        let bcts = std::array::from_fn(|i| BCTS.get(i).copied().unwrap_or(0.));
        let policy = Policy::new::<G>(&bcts).expect("BCTS is finite");
        let mut seen = [0; HEIGHTS];
        let mut kept: [Vec<(State, Action)>; HEIGHTS] = Default::default();
        let mut state = task.reset(rng);
        for _ in 0..placements.max(1) {
            let action = policy.choose(task, &state, rng).unwrap_or_else(|| {
                state = task.reset(rng);
                0
            });
            let (next, _) = task.step(&state, action, rng);
            let height = heights(&next.board).max().unwrap_or(0) as usize;
            seen[height] += 1;
            keep(&mut kept[height], seen[height], (state, action), rng);
            state = next;
        }
        let boards = kept.iter().flatten();
        Pool {
            boards: boards
                .map(|(state, action)| Afterstate::of(task, state, *action))
                .collect(),
        }
    }

    pub fn draw<R: Rng>(&self, rng: &mut R) -> &Afterstate<F> {
        &self.boards[below(rng, self.boards.len())]
    }
}

/// Keeps the latest of so many items if it is among those drawn at random from all of them.
fn keep<T, R: Rng>(kept: &mut Vec<T>, seen: usize, latest: T, rng: &mut R) {
    if kept.len() < OF_EACH_HEIGHT {
        kept.push(latest);
    } else if let Some(place) = kept.get_mut(below(rng, seen)) {
        *place = latest;
    }
}

/// A uniform number below `n`. The bias is less than n / 2⁶⁴.
fn below<R: Rng>(rng: &mut R, n: usize) -> usize {
    let product = u128::from(rng.next_u64()) * n as u128;
    (product >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse::tetris::Tetris10x10;
    use rand_core::SeedableRng;
    use rand_xorshift::XorShiftRng;

    #[test]
    fn no_height_has_more_than_its_share() {
        let mut rng = XorShiftRng::seed_from_u64(1);
        let pool = Pool::new(&Tetris10x10::default(), 20_000, &mut rng);
        let mut of_height = [0; HEIGHTS];
        for after in &pool.boards {
            of_height[heights(&after.board).max().unwrap() as usize] += 1;
        }
        assert!(
            of_height.iter().all(|&boards| boards <= OF_EACH_HEIGHT),
            "{of_height:?}"
        );
        let full = of_height.iter().filter(|&&boards| boards == OF_EACH_HEIGHT);
        assert!(full.count() >= 3, "{of_height:?}");
    }

    #[test]
    fn each_item_is_kept_with_the_same_probability() {
        let mut rng = XorShiftRng::seed_from_u64(1);
        let mut kept = Vec::new();
        for i in 0..10 * OF_EACH_HEIGHT {
            keep(&mut kept, i + 1, i, &mut rng);
        }
        assert_eq!(kept.len(), OF_EACH_HEIGHT);
        // A tenth of them is expected from each tenth of the items, give or take five standard
        // deviations.
        for tenth in 0..10 {
            let from = kept
                .iter()
                .filter(|&&i| i / OF_EACH_HEIGHT == tenth)
                .count();
            assert!((130..=270).contains(&from), "{from}");
        }
    }
}
