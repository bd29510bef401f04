//! Tasks to look closely at what a learner does.

use host_tests::boards::below;
use ipse::prelude::*;
use std::cell::RefCell;

/// Another task, and all that it was asked.
pub struct Watched<E: Environment> {
    pub task: E,
    /// The states whose actions were asked for.
    pub asked: RefCell<Vec<E::State>>,
    /// What was tried: a state, an action and its reward.
    pub tried: RefCell<Vec<(E::State, Action, i16)>>,
}

impl<E: Environment> Watched<E> {
    pub fn new(task: E) -> Self {
        Watched {
            task,
            asked: RefCell::default(),
            tried: RefCell::default(),
        }
    }
}

impl<E: Environment> Environment for Watched<E> {
    type State = E::State;
    type Features = E::Features;
    type Actions = E::Actions;
    const NAME: &'static str = E::NAME;
    const FEATURES: PerFeature<Self, Feature> = E::FEATURES;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> E::State {
        self.task.reset(rng)
    }

    fn outcomes(&self, state: &E::State, visit: impl FnMut(Outcome<E::Features>)) {
        self.asked.borrow_mut().push(*state);
        self.task.outcomes(state, visit);
    }

    fn step<R: Rng + ?Sized>(
        &self,
        state: &E::State,
        action: Action,
        rng: &mut R,
    ) -> (E::State, i16) {
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

impl Environment for Graph {
    type State = usize;
    type Features = [i16; 2];
    type Actions = [Action; ARCS];
    const NAME: &'static str = "graph";
    const FEATURES: PerFeature<Self, Feature> =
        [Feature::new("one", FEATURE), Feature::new("other", FEATURE)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> usize {
        0
    }

    fn outcomes(&self, node: &usize, mut visit: impl FnMut(Outcome<[i16; 2]>)) {
        for (action, arc) in (0..).zip(&self.nodes[*node]) {
            visit(Outcome {
                action,
                promise: arc.reward,
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

/// Another task in which states are worth something, too: as much as their number.
#[derive(Clone, Debug)]
pub struct Worth(pub Graph);

impl Environment for Worth {
    type State = usize;
    type Features = [i16; 2];
    type Actions = [Action; ARCS];
    const NAME: &'static str = "worth";
    const FEATURES: PerFeature<Self, Feature> = Graph::FEATURES;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        self.0.reset(rng)
    }

    fn outcomes(&self, node: &usize, visit: impl FnMut(Outcome<[i16; 2]>)) {
        self.0.outcomes(node, visit);
    }

    fn step<R: Rng + ?Sized>(&self, node: &usize, action: Action, rng: &mut R) -> (usize, i16) {
        self.0.step(node, action, rng)
    }

    fn value(&self, node: &usize) -> i16 {
        *node as i16
    }
}

/// Another task whose promises are lies.
#[derive(Clone, Copy, Debug)]
pub struct Liar<E>(pub E);

impl<E: Environment> Environment for Liar<E> {
    type State = E::State;
    type Features = E::Features;
    type Actions = E::Actions;
    const NAME: &'static str = E::NAME;
    const FEATURES: PerFeature<Self, Feature> = E::FEATURES;

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> E::State {
        self.0.reset(rng)
    }

    fn outcomes(&self, state: &E::State, mut visit: impl FnMut(Outcome<E::Features>)) {
        self.0.outcomes(state, |outcome| {
            visit(Outcome {
                promise: 7 - 3 * outcome.promise,
                ..outcome
            });
        });
    }

    fn step<R: Rng + ?Sized>(
        &self,
        state: &E::State,
        action: Action,
        rng: &mut R,
    ) -> (E::State, i16) {
        self.0.step(state, action, rng)
    }
}

/// A task in which every reward is the random number that was drawn for it, three actions are
/// always legal, and there is nothing to tell them apart.
pub struct Lottery;

impl Environment for Lottery {
    type State = ();
    type Features = [i16; 1];
    type Actions = [Action; 3];
    const NAME: &'static str = "lottery";
    const FEATURES: PerFeature<Self, Feature> = [Feature::new("nothing", 1)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) {}

    fn outcomes(&self, (): &(), mut visit: impl FnMut(Outcome<[i16; 1]>)) {
        for action in 0..3 {
            visit(Outcome {
                action,
                promise: 0,
                features: [0],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, (): &(), _: Action, rng: &mut R) -> ((), i16) {
        ((), rng.next_u32() as i16)
    }
}
