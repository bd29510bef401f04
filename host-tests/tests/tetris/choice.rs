//! The best placement is the one that a loop over all of them finds, with the same random numbers.

use crate::{RULES, rng, strange_states};
use host_tests::boards;
use ipse::prelude::*;
use ipse::tetris::{BCTS, Column, Piece, Rule, State, Tetris};

/// The slow twin: the same game with the loop that every task has by default.
struct Loop<const H: usize, C>(Tetris<10, H, C>);

impl<const H: usize, C: Column> Environment for Loop<H, C> {
    type State = State<10, H, C>;
    type Features = [i16; 8];
    type Actions = <Tetris<10, H, C> as Environment>::Actions;

    const NAME: &'static str = "loop";
    const FEATURES: PerFeature<Self, Feature> = Tetris::<10, H, C>::FEATURES;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State {
        self.0.reset(rng)
    }

    fn outcomes(&self, state: &Self::State, visit: impl FnMut(Outcome<Self::Features>)) {
        self.0.outcomes(state, visit);
    }

    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16) {
        self.0.step(state, action, rng)
    }
}

/// With optimisation there is time for millions of positions.
const POSITIONS: usize = if cfg!(debug_assertions) {
    3_000
} else {
    1_000_000
};

/// Chooses both ways, and returns the action and whether random numbers were drawn.
fn agree<const H: usize, C: Column>(
    rule: Rule,
    state: &State<10, H, C>,
    weights: &[i32; 8],
    rng: &mut XorShiftRng,
) -> (Option<Action>, bool) {
    let game = Tetris::<10, H, C>::new(rule);
    let mut seen = (None, false);
    for reward_first in [true, false] {
        let (before, mut twin) = (rng.clone(), rng.clone());
        let expected = Loop(game).best(state, weights, reward_first, &mut twin);
        let found = game.best(state, weights, reward_first, rng);
        assert_eq!(
            found, expected,
            "{rule:?} {state:?} {weights:?} {reward_first}"
        );
        assert_eq!(*rng, twin, "{rule:?} {state:?} {weights:?} {reward_first}");
        seen = (found, *rng != before);
    }
    seen
}

/// Weights of a kind: of any sign, with zeros, of equal size, near those of good players, or alone.
fn weights<const H: usize, C: Column>(kind: usize, rng: &mut XorShiftRng) -> [i32; 8] {
    let mut real = || (rng.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0;
    let alone = (real() * 4.0 + 4.0) as usize;
    let mut index = 0;
    let beta = BCTS.map(|bcts| {
        let drawn = real();
        index += 1;
        match kind % 6 {
            0 => drawn,
            1 => (drawn * 2.0).trunc(),
            2 => bcts.signum(),
            3 => bcts * (1.0 + drawn),
            4 if index - 1 == alone => drawn,
            4 => 0.0,
            _ => drawn.signum(),
        }
    });
    *Policy::new::<Tetris<10, H, C>>(&beta).unwrap().weights()
}

#[test]
fn strange_boards() {
    check::<10, u16>();
    check::<20, u32>();

    fn check<const H: usize, C: Column>() {
        let mut rng = rng(31);
        let mut ties = 0;
        let states = strange_states::<H, C>(POSITIONS / 40);
        for (kind, state) in states.enumerate() {
            let weights = weights::<H, C>(kind, &mut rng);
            for rule in RULES {
                let (_, tied) = agree(rule, &state, &weights, &mut rng);
                ties += usize::from(tied);
            }
        }
        assert!(ties > POSITIONS / 100, "{ties}");
    }
}

#[test]
fn whole_games() {
    check::<10, u16>(POSITIONS);
    check::<20, u32>(POSITIONS / 10);

    fn check<const H: usize, C: Column>(positions: usize) {
        for rule in RULES {
            let game = Tetris::<10, H, C>::new(rule);
            let mut rng = rng(32);
            let mut weights_now = weights::<H, C>(3, &mut rng);
            let mut state = game.reset(&mut rng);
            let (mut games, mut moves) = (0, 0);
            for _ in 0..positions {
                moves += 1;
                let (action, _) = agree(rule, &state, &weights_now, &mut rng);
                match action {
                    Some(action) if moves < 300 => state = game.step(&state, action, &mut rng).0,
                    _ => {
                        games += 1;
                        weights_now = weights::<H, C>(games, &mut rng);
                        state = game.reset(&mut rng);
                        moves = 0;
                    }
                }
            }
            assert!(games > positions / 500, "{games}");
        }
    }
}

/// A policy of another task, or weights of anyone: scores wrap around, and no bound holds.
#[test]
fn weights_that_overflow() {
    let mut rng = rng(33);
    for round in 0..POSITIONS / 10 {
        let board = boards::any(10, &mut rng);
        let state = crate::state::<10, u16>(&board, Piece::ALL[round % 7]);
        let weights = [(); 8].map(|()| rng.next_u32() as i32 >> (rng.next_u32() % 14));
        agree(RULES[round % 2], &state, &weights, &mut rng);
    }
}
