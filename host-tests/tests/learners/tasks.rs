//! Tasks to look closely at what a learner does.

use host_tests::boards::below;
use ipse::environment::{Action, Environment, Outcome};
use rand_core::Rng;
use std::cell::RefCell;

/// Another task, and all that it was asked.
pub struct Watched<E, S> {
    pub task: E,
    /// The states whose actions were asked for.
    pub asked: RefCell<Vec<S>>,
    /// What was tried: a state, an action and its reward.
    pub tried: RefCell<Vec<(S, Action, i16)>>,
}

impl<E, S> Watched<E, S> {
    pub fn new(task: E) -> Self {
        Watched {
            task,
            asked: RefCell::default(),
            tried: RefCell::default(),
        }
    }
}

impl<E: Environment<P, A, State = S>, S: Copy, const P: usize, const A: usize> Environment<P, A>
    for Watched<E, S>
{
    type State = S;
    const UNITS: [f32; P] = E::UNITS;
    const BOUNDS: [i16; P] = E::BOUNDS;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> S {
        self.task.reset(rng)
    }

    fn outcomes(&self, state: &S, visit: impl FnMut(Outcome<P>)) {
        self.asked.borrow_mut().push(*state);
        self.task.outcomes(state, visit);
    }

    fn step<R: Rng + ?Sized>(&self, state: &S, action: Action, rng: &mut R) -> (S, i16) {
        let (next, reward) = self.task.step(state, action, rng);
        self.tried.borrow_mut().push((*state, action, reward));
        (next, reward)
    }
}

/// A task without chance: nodes, and arcs from each to others. A node without arcs is terminal.
#[derive(Clone, Debug)]
pub struct Graph {
    pub nodes: Vec<Vec<Arc>>,
}

/// An action.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    pub to: usize,
    pub reward: i16,
    pub features: [i16; 2],
}

/// The most arcs from a node.
pub const ARCS: usize = 5;
/// The largest feature of an arc.
pub const FEATURE: i16 = 20;

impl Environment<2, ARCS> for Graph {
    type State = usize;
    const UNITS: [f32; 2] = [1.; 2];
    const BOUNDS: [i16; 2] = [FEATURE; 2];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> usize {
        0
    }

    fn outcomes(&self, node: &usize, mut visit: impl FnMut(Outcome<2>)) {
        for (action, arc) in (0..).zip(&self.nodes[*node]) {
            visit(Outcome {
                action,
                reward: arc.reward,
                features: arc.features,
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, node: &usize, action: Action, _: &mut R) -> (usize, i16) {
        let arc = self.nodes[*node][usize::from(action)];
        (arc.to, arc.reward)
    }
}

impl Graph {
    /// Arcs at random between `nodes`, of which about one in six is terminal, but not the first.
    pub fn random<R: Rng>(nodes: usize, rng: &mut R) -> Self {
        let arc = |rng: &mut R| Arc {
            to: below(nodes, rng),
            reward: below(9, rng) as i16 - 3,
            features: std::array::from_fn(|_| {
                below(2 * FEATURE as usize + 1, rng) as i16 - FEATURE
            }),
        };
        let arcs = |node: usize, rng: &mut R| {
            let count = below(ARCS + 1, rng).max(usize::from(node == 0));
            (0..count).map(|_| arc(rng)).collect()
        };
        Graph {
            nodes: (0..nodes).map(|node| arcs(node, rng)).collect(),
        }
    }
}

/// A task in which every reward is the random number that was drawn for it, three actions are
/// always legal, and there is nothing to tell them apart.
pub struct Lottery;

impl Environment<1, 3> for Lottery {
    type State = ();
    const UNITS: [f32; 1] = [1.];
    const BOUNDS: [i16; 1] = [1];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) {}

    fn outcomes(&self, (): &(), mut visit: impl FnMut(Outcome<1>)) {
        for action in 0..3 {
            visit(Outcome {
                action,
                reward: 0,
                features: [0],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, (): &(), _: Action, rng: &mut R) -> ((), i16) {
        ((), rng.next_u32() as i16)
    }
}
