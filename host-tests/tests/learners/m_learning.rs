//! M-learning: what it learns from, how strong the penalty is, and how that is chosen.

use crate::rng;
use crate::stew::largest;
use crate::tasks::{Arc, Graph, Watched};
use host_tests::boards::below;
use host_tests::reference::logit::{ChoiceSet, Problem};
use ipse::learner::labels::Hard;
use ipse::learner::m_learning::{
    CrossValidated, FOLDS, GRID, Memory, Regularisation, SLICE, Scaling, Schedule, Unregularised,
};
use ipse::learner::stew::RIDGE;
use ipse::prelude::Direction::{Con, Pro};
use ipse::prelude::*;
use std::collections::BTreeSet;

const PRIOR: Prior<[i16; 2]> = Prior {
    directions: [Pro, Con],
    undecided: Undecided::Wait,
};

type Watcher = Watched<Graph>;

/// A learner of choices in the nodes of a graph.
struct Student<const N: usize, R: Regularisation> {
    graph: Watcher,
    choices: Vec<(usize, Action)>,
    learner: MLearning<N, R>,
    memory: Memory<Watcher, N, R, Hard>,
}

impl<const N: usize, R: Regularisation> Student<N, R> {
    fn new(graph: Graph, regularisation: R, scaling: Scaling) -> Self {
        let learner = MLearning::with(regularisation).scaling(scaling);
        let mut memory = Learner::<Watcher>::blank(&learner);
        Learner::<Watcher>::inform(&learner, &mut memory, &PRIOR);
        Student {
            graph: Watched::new(graph),
            choices: Vec::new(),
            learner,
            memory,
        }
    }

    fn begin(&mut self) {
        Learner::<Watcher>::begin(&self.learner, &mut self.memory, true);
    }

    /// Someone else has made a choice.
    fn remember(&mut self, node: usize, action: usize) {
        self.choices.push((node, action as Action));
        let choice = choice(&node, action);
        self.learner.observe(&mut self.memory, &self.graph, choice);
    }

    /// One iteration, with a choice. Returns the nodes whose arcs were looked at.
    fn learn(&mut self, node: usize, action: usize) -> BTreeSet<usize> {
        self.begin();
        self.choices.push((node, action as Action));
        let choice = choice(&node, action);
        self.learner.learn(&mut self.memory, &self.graph, choice);
        let mut seen = BTreeSet::new();
        loop {
            let is_done = self.learner.slice(&mut self.memory, &self.graph);
            let asked = self.graph.asked.take();
            assert!(asked.len() <= 2 * SLICE, "{} in a slice", asked.len());
            seen.extend(asked);
            if is_done {
                return seen;
            }
        }
    }

    /// The most recent choices, the newest first, as the reference sees them.
    fn recent(&self, count: usize) -> Vec<ChoiceSet<2>> {
        let recent = self.choices.iter().rev().take(count);
        recent
            .map(|&(node, action)| ChoiceSet {
                actions: self.graph.task.nodes[node].iter().map(directed).collect(),
                chosen: action.into(),
            })
            .collect()
    }

    fn assert_fits(&self, sets: Vec<ChoiceSet<2>>, lambda: f64) {
        let problem = Problem {
            sets,
            lambda,
            ridge: RIDGE.into(),
            free: [false; 2],
        };
        let minimum = problem.minimum();
        let beta = self.memory.beta().map(f64::from);
        let context = || format!("{beta:?}, not {minimum:?}, with λ = {lambda}");
        let excess = problem.value(&beta) - problem.value(&minimum);
        assert!(excess < 1e-4, "{}, is worse by {excess:e}", context());
        // Where choices are explained perfectly only the ratio is well-defined, and it is all that
        // matters.
        let along = |beta: [f64; 2]| beta.map(|b| b / largest(&beta));
        let off = [0, 1].map(|i| along(beta)[i] - along(minimum)[i]);
        assert!(largest(&off) < 1e-2, "{}", context());
    }
}

fn choice(node: &usize, action: usize) -> Choice<'_, usize, ()> {
    Choice {
        state: node,
        action: action as Action,
        values: &(),
    }
}

fn directed(arc: &Arc) -> [f64; 2] {
    let [pro, con] = arc.features.map(f64::from);
    [pro, -con]
}

/// A graph in which every node leaves a choice.
fn graph<R: Rng>(nodes: usize, rng: &mut R) -> Graph {
    let mut graph = Graph::random(nodes, rng);
    for arcs in &mut graph.nodes {
        while arcs.len() < 2 {
            *arcs = Graph::random(1, rng).nodes.remove(0);
        }
    }
    graph
}

fn window(k: usize, memory: usize) -> usize {
    memory.min(k / 2 + 2)
}

#[test]
fn the_window_grows_with_every_second_iteration_up_to_the_memory() {
    grows::<100>();
    grows::<7>();

    fn grows<const N: usize>() {
        let graph = graph(220, &mut rng(70));
        let mut student = Student::<N, _>::new(graph, Schedule::PAPER, Scaling::Total);
        for k in 1..=220 {
            let seen = student.learn(k - 1, 0);
            let expected = (k.saturating_sub(window(k, N))..k).collect();
            assert_eq!(seen, expected, "iteration {k}");
        }
    }
}

#[test]
fn an_iteration_without_a_choice_counts_all_the_same() {
    let graph = graph(20, &mut rng(71));
    let mut student = Student::<50, _>::new(graph, Unregularised, Scaling::Total);
    (0..19).for_each(|node| student.remember(node, 0));
    (0..5).for_each(|_| student.begin());
    let seen = student.learn(19, 0);
    assert_eq!(seen.len(), window(6, 50));
}

#[test]
fn every_fit_minimises_the_objective_of_its_iteration() {
    let slow = Schedule {
        start: 2.,
        exponent: 0.5,
    };
    for (schedule, scaling) in [
        (Schedule::PAPER, Scaling::PerInstance),
        (Schedule::PAPER, Scaling::Total),
        (slow, Scaling::PerInstance),
    ] {
        let mut rng = rng(72);
        let mut student = Student::<30, _>::new(graph(80, &mut rng), schedule, scaling);
        for k in 1..=80 {
            let arcs = student.graph.task.nodes[k - 1].len();
            student.learn(k - 1, below(arcs, &mut rng));
            // Before that, choices may be explained perfectly, and the minimum is all but flat.
            if k >= 10 {
                let sets = student.recent(window(k, 30));
                let lambda = match schedule == slow {
                    true => 2. / (k as f64).sqrt(),
                    false => 5. / k as f64,
                };
                let lambda = match scaling {
                    Scaling::PerInstance => lambda * sets.len() as f64,
                    _ => lambda,
                };
                student.assert_fits(sets, lambda);
            }
        }
    }
}

#[test]
fn without_regularisation_there_is_no_penalty() {
    let mut rng = rng(73);
    let graph = graph(40, &mut rng);
    let mut student = Student::<40, _>::new(graph, Unregularised, Scaling::PerInstance);
    for node in 0..40 {
        let arcs = student.graph.task.nodes[node].len();
        student.learn(node, below(arcs, &mut rng));
    }
    student.assert_fits(student.recent(window(40, 40)), 0.);
}

#[test]
fn a_schedule_is_its_start_over_a_power_of_the_iteration() {
    assert_eq!(Schedule::PAPER.lambda(1), 5.);
    assert_eq!(Schedule::PAPER.lambda(2), 2.5);
    assert_eq!(Schedule::PAPER.lambda(400), 0.0125);
    let schedule = |start, exponent| Schedule { start, exponent };
    assert_eq!(schedule(5., 1.), Schedule::PAPER);
    assert_eq!(schedule(3., 0.).lambda(1_000_000), 3.);
    assert!((schedule(3., 0.5).lambda(9) - 1.).abs() < 1e-6);
    assert_eq!(schedule(0., 2.).lambda(7), 0.);
}

#[test]
fn a_schedule_that_could_increase_is_refused() {
    let refused = |start, exponent| {
        let schedule = Schedule { start, exponent };
        let checked = MLearning::scheduled().regularisation(schedule).check();
        checked.map(|_| ()).unwrap_err().field()
    };
    for wrong in [-1., -1e-30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for right in [0., 1., 5.] {
            assert_eq!(refused(wrong, right), "schedule.start", "{wrong}");
            assert_eq!(refused(right, wrong), "schedule.exponent", "{wrong}");
        }
    }
}

#[test]
fn no_schedule_increases() {
    let mut rng = rng(74);
    for _ in 0..300 {
        let start = below(1_000, &mut rng) as f32 / 7.;
        let exponent = below(1_000, &mut rng) as f32 / 300.;
        let schedule = Schedule { start, exponent };
        let is_fine = |l: f32| l.is_finite() && l >= 0.;
        let mut k = 0;
        while k < u32::MAX {
            let far = k.saturating_add(1 + k / 8);
            for after in [k + 1, far] {
                let (before, after) = (schedule.lambda(k), schedule.lambda(after));
                assert!(is_fine(before) && after <= before, "{schedule:?} at {k}");
            }
            k = far;
        }
    }
}

const DATA_SETS: u64 = if cfg!(debug_assertions) { 60 } else { 400 };

/// How often weights mispredict choices that were left out of the fit, or `None` if it is too close
/// to call: scores nearly tie, or choices are explained perfectly by many different weights.
fn misclassified(sets: &[ChoiceSet<2>], lambda: f64) -> Option<usize> {
    let folds = FOLDS.min(sets.len());
    let mut errors = 0;
    for fold in 0..folds {
        let is_left_out = |age: &usize| age % folds == fold;
        let (test, train): (Vec<usize>, _) = (0..sets.len()).partition(is_left_out);
        let problem = Problem {
            sets: train.iter().map(|&age| sets[age].clone()).collect(),
            lambda: lambda * train.len() as f64,
            ridge: RIDGE.into(),
            free: [false; 2],
        };
        let beta = problem.minimum();
        if problem.value(&beta) < 0.1 {
            return None;
        }
        let score = |action: &[f64; 2]| action[0] * beta[0] + action[1] * beta[1];
        for set in test.iter().map(|&age| &sets[age]) {
            let chosen = score(&set.actions[set.chosen]);
            let others = (0..set.actions.len()).filter(|&a| a != set.chosen);
            let best = others
                .map(|a| score(&set.actions[a]))
                .fold(f64::MIN, f64::max);
            if (best - chosen).abs() < 0.03 * largest(&beta) {
                return None;
            }
            errors += usize::from(best > chosen);
        }
    }
    Some(errors)
}

/// The λ with the fewest errors, and of these the largest.
fn best_lambda(sets: &[ChoiceSet<2>]) -> Option<f64> {
    let mut best = (usize::MAX, 0.);
    for lambda in GRID.map(f64::from) {
        let errors = misclassified(sets, lambda)?;
        if errors < best.0 || (errors == best.0 && lambda > best.1) {
            best = (errors, lambda);
        }
    }
    Some(best.1)
}

#[test]
fn cross_validation_takes_the_largest_of_the_strengths_that_err_least() {
    let mut found = BTreeSet::new();
    for seed in 0..DATA_SETS {
        let mut rng = rng(seed);
        let choices = 6 + below(15, &mut rng);
        let graph = graph(choices, &mut rng);
        let mut student = Student::<40, _>::new(graph, CrossValidated, Scaling::PerInstance);
        let mut last = 0;
        for node in 0..choices {
            // Someone to whom the first feature matters more than the second, or much more.
            let importance = [1., 3., 20.][seed as usize % 3];
            let taste = |arc: &Arc| importance * directed(arc)[0] + directed(arc)[1];
            let arcs = &student.graph.task.nodes[node];
            let by_taste = |&a: &usize, &b: &usize| taste(&arcs[a]).total_cmp(&taste(&arcs[b]));
            let arbitrary = below(arcs.len(), &mut rng);
            let best = (0..arcs.len()).max_by(by_taste).unwrap();
            let is_arbitrary = below(4, &mut rng) == 0;
            let chosen = if is_arbitrary { arbitrary } else { best };
            match node + 1 < choices {
                true => student.remember(node, chosen),
                false => last = chosen,
            }
        }
        (0..2 * choices).for_each(|_| student.begin());
        student.learn(choices - 1, last);
        let sets = student.recent(choices);
        let Some(lambda) = best_lambda(&sets) else {
            continue;
        };
        student.assert_fits(sets, lambda * choices as f64);
        found.insert((lambda * 1e6) as u64);
    }
    assert!(found.len() >= 3, "the answer is {found:?} only");
}

#[test]
fn if_every_strength_predicts_everything_cross_validation_takes_the_largest() {
    let arc = |x: i16| Arc {
        to: 0,
        reward: 0,
        features: [5 * x, -x],
    };
    let better_twice = vec![arc(3), arc(1), arc(0)];
    let nodes = vec![better_twice; 12];
    let mut student = Student::<40, _>::new(Graph { nodes }, CrossValidated, Scaling::PerInstance);
    for node in 0..11 {
        student.remember(node, 0);
        student.begin();
    }
    student.learn(11, 0);
    let sets = student.recent(window(12, 40));
    let lambda = GRID[0] * sets.len() as f32;
    student.assert_fits(sets, lambda.into());
    assert!(GRID.is_sorted_by(|one, next| one > next) && GRID.contains(&0.));
}
