//! One learner after another: what becomes of directions whose votes turn later.

use crate::tasks::{Arc, Graph};
use ipse::prelude::Direction::{Con, Pro, Undecided as Open};
use ipse::prelude::*;

/// In the first node the actions differ in one feature, in the second in the other.
fn graph() -> Graph {
    let arc = |features| Arc {
        to: 0,
        reward: 0,
        features,
    };
    Graph {
        nodes: vec![
            vec![arc([1, 0]), arc([0, 0])],
            vec![arc([0, 1]), arc([0, 0])],
        ],
    }
}

/// So many iterations in which someone has chosen this action in this node.
fn choose<L: Learner<Graph, Values = ()>>(
    learner: &L,
    memory: &mut L::Memory,
    (node, action): (usize, Action),
    times: usize,
) {
    let graph = graph();
    for _ in 0..times {
        learner.begin(memory, true);
        let choice = Choice {
            state: &node,
            action,
            values: &(),
        };
        learner.learn(memory, &graph, choice);
        while !learner.slice(memory, &graph) {}
        learner.end(memory);
    }
}

#[test]
fn what_was_decided_before_the_second_phase_stays_when_its_votes_turn() {
    let learner = Ipse::paper().memory::<8>().cap(6);
    let mut memory = Learner::<Graph>::blank(&learner);
    choose(&learner, &mut memory, (0, 0), 6);
    assert_eq!(memory.switched_after(), Some(6));
    assert_eq!(*memory.first().directions(), [Pro, Open]);

    // The votes turn while the other feature still waits for its own.
    choose(&learner, &mut memory, (0, 1), 40);
    assert_eq!(*memory.first().directions(), [Con, Open]);
    let known = |memory: &_| Learner::<Graph>::directions(&learner, memory);
    assert_eq!(known(&memory), [Pro, Open]);

    // A feature that is decided now is handed on, and the turned one with it is not.
    choose(&learner, &mut memory, (1, 0), 5);
    assert_eq!(known(&memory), [Pro, Open]);
    choose(&learner, &mut memory, (1, 0), 1);
    assert_eq!(*memory.first().directions(), [Con, Pro]);
    assert_eq!(known(&memory), [Pro, Pro]);
}
