//! What follows a placement, by simulation.

use super::Game;
use super::afterstate::{Afterstate, measured};
use super::value::Value;
use ipse::policy::Policy;
use ipse::tetris::{Piece, State};
use rand_core::Rng;

/// The generative model, and how it is used for now.
pub struct Rollouts<'a, G, const F: usize, const T: usize> {
    task: G,
    policy: Policy<[i16; F]>,
    value: &'a Value<T>,
    length: u32,
    /// The placements simulated so far.
    pub calls: u64,
}

/// An action and what it seems to be worth.
#[derive(Clone, Copy, Debug)]
pub struct Estimate<const F: usize> {
    pub features: [f32; F],
    pub value: f64,
}

impl<'a, G: Game<F>, const F: usize, const T: usize> Rollouts<'a, G, F, T> {
    pub fn new(task: G, policy: Policy<[i16; F]>, value: &'a Value<T>, length: u32) -> Self {
        Rollouts {
            task,
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
    ) -> Vec<Estimate<F>> {
        let mut estimates = Vec::new();
        for outcome in self.task.list(state).iter() {
            let features = measured::<G, F>(&outcome.features);
            let mut sum = 0.;
            for _ in 0..rollouts {
                let Some(placed) = self.task.placed(state, outcome.action) else {
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
    pub fn follow<R: Rng>(&mut self, start: Afterstate<F>, rng: &mut R) -> f64 {
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
                choice.and_then(|action| Some((action, self.task.placed(&state, action)?)))
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
    use super::super::value::Regression;
    use super::*;
    use ipse::tetris::{BCTS, Board, Tetris10x10};
    use rand_core::SeedableRng;
    use rand_xorshift::XorShiftRng;

    type Model<'a> = Rollouts<'a, Tetris10x10, 8, 14>;

    /// BCTS, for so many placements.
    fn bcts(value: &Value<14>, length: u32) -> Model<'_> {
        let policy = Policy::new::<Tetris10x10>(&BCTS).unwrap();
        Rollouts::new(Tetris10x10::default(), policy, value, length)
    }

    fn start(board: Board) -> Afterstate<8> {
        Afterstate {
            board,
            features: [0.; 8],
        }
    }

    /// A function that values every board at 7, and a cell of it that was eroded at 3.
    fn worth() -> Value<14> {
        let mut regression = Regression::default();
        let mut rng = XorShiftRng::seed_from_u64(1);
        for cells in 0..400 {
            let mut after = start(Board::from_columns([cells; 10]).unwrap());
            after.features = std::array::from_fn(|_| (rng.next_u32() % 11) as f32);
            regression.add(&after, 7. + 3. * f64::from(after.features[1]));
        }
        regression.solve()
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
        let mut model = bcts(&Value::ZERO, 5);
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
        let mut model = bcts(&Value::ZERO, 1);
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
        let mut model = bcts(&Value::ZERO, 0);
        let board = shaft();
        let piece = Piece::I;
        let estimates = model.estimates(&State { board, piece }, 1, &mut rng);
        assert_eq!((estimates.len(), estimates[0].value), (1, 4.));
        assert_eq!(model.calls, 1);
    }

    #[test]
    fn a_rollout_ends_in_the_value_of_where_it_leads_unless_the_game_is_over() {
        let worth = worth();
        let follow = |value, length, board, seed| {
            let mut rng = XorShiftRng::seed_from_u64(seed);
            let mut model = bcts(value, length);
            let found = model.follow(start(board), &mut rng);
            (found, model.calls == u64::from(length))
        };
        let mut over = 0;
        for seed in 0..50 {
            for (board, length) in [(Board::empty(), 0), (Board::empty(), 5), (shaft(), 1)] {
                let (rows, goes_on) = follow(&Value::ZERO, length, board, seed);
                let (with, _) = follow(&worth, length, board, seed);
                let more = with - rows;
                match goes_on {
                    // An eroded cell counts 3, and comes with rows times cells of the piece.
                    true => assert!(more > 6.9 && (rows > 0. || more < 7.1), "{more}"),
                    false => assert_eq!(more, 0.),
                }
                over += u32::from(!goes_on);
            }
        }
        assert!((1..50).contains(&over), "{over}");
    }
}
