//! Games of Tetris in lockstep: many at once, by vector instructions, with the results of one after the other.

use crate::games::{Arena, Games, Mind, OneByOne};
use crate::task::{Measure, Setup};
use ipse::tetris::{Tetris10x10, Tetris10x20};
use ipse_lockstep::{Club, Job, Limit, Played};

/// Plays many games in lockstep, where that is possible.
pub trait InLockstep {
    fn in_lockstep(self) -> Self;
}

impl InLockstep for Setup<Tetris10x10> {
    fn in_lockstep(self) -> Self {
        self.arena(Box::new(Lockstep))
    }
}

/// The columns do not fit into the lanes.
impl InLockstep for Setup<Tetris10x20> {
    fn in_lockstep(self) -> Self {
        self
    }
}

struct Lockstep;

impl Arena<Tetris10x10> for Lockstep {
    fn play<'a>(
        &self,
        task: &'a Tetris10x10,
        measure: &'a Measure,
        games: &mut Games<'a, Tetris10x10>,
    ) {
        // Where the score is for some actions, games are played again and again.
        if measure.per.is_some() {
            return OneByOne.play(task, measure, games);
        }
        let limit = Limit {
            reward: measure.highest(),
            actions: measure.most_actions(),
            games: games.share,
        };
        ipse_lockstep::play(
            task,
            limit,
            &mut Members {
                task,
                measure,
                games,
            },
        );
    }
}

/// The games of a series that policies play. Those of others are played when it is their turn.
struct Members<'a, 'g> {
    task: &'a Tetris10x10,
    measure: &'a Measure,
    games: &'g mut Games<'a, Tetris10x10>,
}

impl<'a> Club<'a> for Members<'a, '_> {
    fn next(&mut self) -> Option<Job<'a>> {
        loop {
            let lot = self.games.next()?;
            match lot.mind {
                Mind::Policy(policy) => {
                    return Some(Job {
                        number: lot.number,
                        policy,
                        seed: lot.seed,
                    });
                }
                Mind::Rule(_) => lot.play(self.task, self.measure, self.games),
            }
        }
    }

    fn played(&mut self, number: usize, played: Played) {
        let Played {
            reward,
            actions,
            is_over,
        } = played;
        let played = self.measure.played(reward, actions, is_over);
        self.games.played(number, played);
    }

    fn acted(&mut self, actions: u64) {
        self.games.acted(actions);
    }
}
