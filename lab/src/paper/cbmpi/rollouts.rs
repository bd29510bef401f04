//! What follows a placement, by simulation.

use super::afterstate::{Afterstate, measured};
use super::value::Value;
use crate::paper::tetris::{Eight, FEATURES};
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::tetris::{Piece, State, Tetris10x10};
use rand_core::Rng;

/// The generative model, and how it is used for now.
pub struct Rollouts<'a> {
    task: Tetris10x10,
    policy: Policy<Eight>,
    value: &'a Value,
    length: u32,
    /// The placements simulated so far.
    pub calls: u64,
}

/// An action and what it seems to be worth.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub features: [f32; FEATURES],
    pub value: f64,
}

impl<'a> Rollouts<'a> {
    pub fn new(policy: Policy<Eight>, value: &'a Value, length: u32) -> Self {
        Rollouts {
            task: Tetris10x10::default(),
            policy,
            value,
            length,
            calls: 0,
        }
    }

    /// Q̂ of all actions that are legal in `state`, each from so many rollouts.
    pub fn estimates<R: Rng>(
        &mut self,
        state: &State,
        rollouts: u32,
        rng: &mut R,
    ) -> Vec<Estimate> {
        let mut estimates = Vec::new();
        for outcome in &self.task.list(state) {
            let features = measured(&outcome.features);
            let mut sum = 0.;
            for _ in 0..rollouts {
                let Some(placed) = self.task.place(state, outcome.action) else {
                    continue;
                };
                self.calls += 1;
                let after = Afterstate {
                    board: placed.board,
                    features,
                };
                sum += f64::from(placed.rows) + self.follow(after, rng);
            }
            estimates.push(Estimate {
                features,
                value: sum / f64::from(rollouts),
            });
        }
        estimates
    }

    /// v̂: the rows that the policy removes from `start` on, and the value of where it gets to.
    pub fn follow<R: Rng>(&mut self, start: Afterstate, rng: &mut R) -> f64 {
        let mut rows = 0.;
        let mut board = start.board;
        let mut last = None;
        for _ in 0..self.length {
            let state = State {
                board,
                piece: Piece::draw(rng),
            };
            let choice = self.policy.choose(&self.task, &state, rng);
            let Some((action, placed)) =
                choice.and_then(|action| Some((action, self.task.place(&state, action)?)))
            else {
                return rows;
            };
            self.calls += 1;
            rows += f64::from(placed.rows);
            board = placed.board;
            last = Some((state, action));
        }
        let end = last.map_or(start, |(state, action)| {
            Afterstate::of(&self.task, &state, action)
        });
        rows + self.value.of(&end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse::tetris::{BCTS, Board};
    use rand_core::SeedableRng;
    use rand_xorshift::XorShiftRng;

    fn bcts() -> Policy<Eight> {
        Policy::new::<Tetris10x10>(&BCTS).unwrap()
    }

    fn start(board: Board) -> Afterstate {
        Afterstate {
            board,
            features: [0.; FEATURES],
        }
    }

    /// Nine columns are full to the top, and the first is empty.
    fn shaft() -> Board {
        let mut columns = [0b11_1111_1111; 10];
        columns[0] = 0;
        Board::from_columns(columns).unwrap()
    }

    #[test]
    fn every_placement_of_every_rollout_is_a_call() {
        let mut rng = XorShiftRng::seed_from_u64(1);
        let mut model = Rollouts::new(bcts(), &Value::ZERO, 5);
        model.follow(start(Board::empty()), &mut rng);
        assert_eq!(model.calls, 5);
        // Nobody loses within six placements from the empty board.
        for (piece, actions) in [(Piece::T, 34), (Piece::S, 17), (Piece::O, 9)] {
            let board = Board::empty();
            let before = model.calls;
            let estimates = model.estimates(&State { board, piece }, 3, &mut rng);
            assert_eq!(estimates.len(), actions);
            assert_eq!(model.calls - before, actions as u64 * 3 * 6);
        }
    }

    #[test]
    fn a_game_that_is_over_costs_and_earns_nothing_more() {
        let mut rng = XorShiftRng::seed_from_u64(1);
        let mut model = Rollouts::new(bcts(), &Value::ZERO, 1);
        let mut over = 0;
        for _ in 0..100 {
            let calls = model.calls;
            let rows = model.follow(start(shaft()), &mut rng);
            // Whatever fits, fits because it completes a row.
            assert_eq!(rows > 0., model.calls == calls + 1);
            over += u32::from(model.calls == calls);
        }
        assert!((1..100).contains(&over), "{over}");
        let board = shaft();
        let piece = Piece::O;
        assert!(
            model
                .estimates(&State { board, piece }, 1, &mut rng)
                .is_empty()
        );
    }

    #[test]
    fn an_estimate_is_the_rows_of_the_action_and_of_what_follows() {
        let mut rng = XorShiftRng::seed_from_u64(1);
        let mut model = Rollouts::new(bcts(), &Value::ZERO, 0);
        let board = shaft();
        let piece = Piece::I;
        let estimates = model.estimates(&State { board, piece }, 1, &mut rng);
        assert_eq!((estimates.len(), estimates[0].value), (1, 4.));
        assert_eq!(model.calls, 1);
    }
}
