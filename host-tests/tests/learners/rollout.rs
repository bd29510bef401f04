//! Rollouts against Algorithm 2, line by line.

use crate::rng;
use crate::tasks::{ARCS, Arc, Graph, Lottery, Watched, Worth};
use host_tests::boards::below;
use host_tests::chance::assert_uniform;
use host_tests::reference::rollout::rollout;
use ipse::direction::undominated;
use ipse::learner::labels::{FULL, Labels, Soft, SoftLabel};
use ipse::prelude::*;
use ipse::rollout::{Deliberation, RolloutPolicy, Values};

/// Evaluates all actions of a state, to the end.
fn deliberate<E: Environment, R: Rng>(
    task: &E,
    state: &E::State,
    policy: &RolloutPolicy<E::Features>,
    rollouts: &Rollouts,
    rng: &mut R,
) -> Deliberation<E::Actions, Values<E::Actions>> {
    let mut deliberation = Deliberation::new(task, state, policy, rollouts, rng);
    while !deliberation.advance(task, state, policy, rollouts, rng) {}
    deliberation
}

/// The values of all arcs from the first node by the reference, and how often it called the model.
fn values(graph: &Graph, weights: [f32; 2], rollouts: &Rollouts) -> (Vec<f64>, u32) {
    values_with(graph, weights, rollouts, |_| 0.)
}

/// The same if a rollout ends in a state that is worth something.
fn values_with(
    graph: &Graph,
    weights: [f32; 2],
    rollouts: &Rollouts,
    value: impl Fn(usize) -> f64,
) -> (Vec<f64>, u32) {
    let mut calls = 0;
    let mut model = |node: usize, action: usize| {
        calls += 1;
        let Arc { to, reward, .. } = graph.nodes[node][action];
        (to, f64::from(reward))
    };
    let score = |arc: &Arc| -> f64 {
        let products = arc.features.iter().zip(weights);
        products.map(|(&x, w)| f64::from(x) * f64::from(w)).sum()
    };
    let policy = |node: usize| {
        let arcs = &graph.nodes[node];
        (0..arcs.len()).max_by(|&a, &b| score(&arcs[a]).total_cmp(&score(&arcs[b])))
    };
    let parameters = (rollouts.count, rollouts.length, rollouts.discount.into());
    let actions = 0..graph.nodes[0].len();
    let values = actions
        .map(|action| rollout(0, action, parameters, &mut model, policy, &value))
        .collect();
    (values, calls)
}

/// Two weights under which no two arcs score the same, whatever their features.
const IRRATIONAL: [f32; 2] = [1., -std::f32::consts::FRAC_1_SQRT_2];

fn irrational() -> RolloutPolicy<[i16; 2]> {
    Policy::new::<Graph>(&IRRATIONAL).unwrap().into()
}

fn random<F: Array<Item = i16>>() -> RolloutPolicy<F> {
    Policy::random().into()
}

type Arcs = [Action; ARCS];

fn label(deliberation: &Deliberation<Arcs, Values<Arcs>>, temperature: f32) -> SoftLabel<Arcs> {
    let labels = Soft { temperature };
    labels.label(deliberation.choice().unwrap(), deliberation.values())
}

fn check_against_reference(rollouts: impl Fn(u64) -> Rollouts) {
    for seed in 0..300 {
        let mut rng = rng(seed);
        let graph = Graph::random(8, &mut rng);
        let rollouts = rollouts(seed);
        let policy = irrational();

        let (values, calls) = values(&graph, IRRATIONAL, &rollouts);
        let watched = Watched::new(graph);
        let deliberation = deliberate(&watched, &0, &policy, &rollouts, &mut rng);
        assert_eq!(deliberation.calls(), calls, "{rollouts:?}, seed {seed}");
        assert_eq!(watched.tried.borrow().len(), calls as usize);

        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let choice = usize::from(deliberation.choice().unwrap());
        assert!(
            values[choice] > best - 1e-5,
            "{choice} of {values:?} with {rollouts:?}, seed {seed}"
        );
    }
}

#[test]
fn a_soft_label_has_the_values_of_algorithm_2() {
    let temperature = 3.;
    for seed in 0..300 {
        let mut rng = rng(seed);
        let graph = Graph::random(8, &mut rng);
        let rollouts = Rollouts {
            count: 1 + (seed % 3) as u16,
            ..Rollouts::default()
        };
        let policy = irrational();
        let deliberation = deliberate(&graph, &0, &policy, &rollouts, &mut rng);
        let label = label(&deliberation, temperature);
        assert_eq!(Some(label.action), deliberation.choice());

        let (values, _) = values(&graph, IRRATIONAL, &rollouts);
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (share, value) in label.shares.iter().zip(&values) {
            let odds = ((value - best) / f64::from(temperature)).exp();
            let off = f64::from(*share) - odds * f64::from(FULL);
            assert!(off.abs() < 0.51, "{share} for {value}, seed {seed}");
        }
        assert!(label.shares[values.len()..].iter().all(|share| *share == 0));
    }
}

#[test]
fn the_values_of_a_deliberation_are_those_of_algorithm_2() {
    for seed in 0..100 {
        let mut rng = rng(seed);
        let graph = Graph::random(8, &mut rng);
        let rollouts = Rollouts::default();
        let deliberation = deliberate(&graph, &0, &irrational(), &rollouts, &mut rng);
        let (values, _) = values(&graph, IRRATIONAL, &rollouts);
        let found = deliberation.values().as_array();
        for (found, value) in found.iter().zip(&values) {
            assert!((f64::from(*found) - value).abs() < 1e-4, "seed {seed}");
        }
        let beyond = &found[values.len()..];
        assert!(beyond.iter().all(|value| *value == f32::NEG_INFINITY));
    }
}

#[test]
fn a_rollout_ends_with_the_value_of_its_last_state_unless_the_episode_has_ended() {
    let mut ended = 0;
    for seed in 0..100 {
        let mut rng = rng(seed);
        let graph = Graph::random(8, &mut rng);
        let rollouts = Rollouts {
            length: 1 + (seed % 7) as u16,
            discount: [0.5, 0.995, 1.][seed as usize % 3],
            ..Rollouts::default()
        };
        let worth = Worth(graph.clone());
        let deliberation = deliberate(&worth, &0, &irrational(), &rollouts, &mut rng);
        let (values, calls) = values_with(&graph, IRRATIONAL, &rollouts, |node| node as f64);
        let found = deliberation.values().as_array();
        for (found, value) in found.iter().zip(&values) {
            assert!((f64::from(*found) - value).abs() < 1e-4, "seed {seed}");
        }
        let full = graph.nodes[0].len() as u32 * u32::from(rollouts.count * rollouts.length);
        ended += u32::from(calls < full);
    }
    assert!((10..90).contains(&ended), "{ended} of 100");
}

#[test]
fn actions_that_are_left_out_have_no_share() {
    let directions = [Direction::Pro, Direction::Con];
    for seed in 0..300 {
        let mut rng = rng(seed);
        let graph = Graph::random(8, &mut rng);
        let policy = RolloutPolicy {
            filter: Some(directions),
            ..random()
        };
        let deliberation = deliberate(&graph, &0, &policy, &Rollouts::default(), &mut rng);
        let in_great_heat = label(&deliberation, 1e30);
        let outcomes = graph.list(&0);
        for (outcome, share) in outcomes.iter().zip(in_great_heat.shares) {
            let mut left = undominated(&directions, &outcomes);
            let is_left = left.any(|other| other.action == outcome.action);
            assert_eq!(share, if is_left { FULL } else { 0 }, "seed {seed}");
        }
    }
}

#[test]
fn the_best_action_and_the_calls_are_those_of_algorithm_2() {
    let discounts = [0.5, 0.9, 0.995, 1.];
    check_against_reference(|seed| Rollouts {
        count: 1 + (seed % 3) as u16,
        length: 2 + (seed % 7) as u16,
        discount: discounts[seed as usize % 4],
        common_random_numbers: seed % 2 == 0,
        ..Rollouts::default()
    });
}

#[test]
fn a_rollout_of_length_one_is_the_action_itself() {
    check_against_reference(|_| Rollouts {
        length: 1,
        ..Rollouts::default()
    });
}

#[test]
fn without_patience_only_the_first_reward_counts() {
    check_against_reference(|_| Rollouts {
        discount: 0.,
        ..Rollouts::default()
    });
    for seed in 0..100 {
        let mut rng = rng(seed);
        let graph = Graph::random(8, &mut rng);
        let rollouts = Rollouts {
            discount: 0.,
            ..Rollouts::default()
        };
        let policy = random();
        let choice = deliberate(&graph, &0, &policy, &rollouts, &mut rng).choice();
        let reward = |arc: &Arc| arc.reward;
        let chosen = graph.nodes[0][usize::from(choice.unwrap())];
        assert_eq!(Some(chosen.reward), graph.nodes[0].iter().map(reward).max());
    }
}

#[test]
fn the_end_of_an_episode_ends_a_rollout() {
    let arc = |to, reward| Arc {
        to,
        reward,
        features: [0, 0],
    };
    // From the first node, one arc leads to the end, and the other to an arc that does.
    let graph = Graph {
        nodes: vec![vec![arc(2, 3), arc(1, 1)], vec![arc(2, 1)], vec![]],
    };
    let policy = random();
    let deliberation = deliberate(&graph, &0, &policy, &Rollouts::default(), &mut rng(1));
    assert_eq!(deliberation.calls(), 10 + 20);
    assert_eq!(deliberation.choice(), Some(0));
}

#[test]
fn a_terminal_state_has_no_best_action() {
    let graph = Graph {
        nodes: vec![vec![]],
    };
    let policy = random();
    let deliberation = deliberate(&graph, &0, &policy, &Rollouts::default(), &mut rng(1));
    assert_eq!((deliberation.choice(), deliberation.calls()), (None, 0));
}

#[test]
fn actions_with_the_same_value_are_as_likely_each() {
    let arc = |reward| Arc {
        to: 0,
        reward,
        features: [0, 0],
    };
    let graph = Graph {
        nodes: vec![vec![arc(2), arc(1), arc(2), arc(2), arc(-2)]],
    };
    let rollouts = Rollouts {
        count: 2,
        discount: 0.,
        ..Rollouts::default()
    };
    let mut rng = rng(50);
    let mut counts = [0; ARCS];
    for _ in 0..6_000 {
        let deliberation = deliberate(&graph, &0, &random(), &rollouts, &mut rng);
        counts[usize::from(deliberation.choice().unwrap())] += 1;
    }
    let [first, worse, second, third, worst] = counts;
    assert_eq!((worse, worst), (0, 0));
    assert_uniform(&[first, second, third]);
}

/// The rewards of each action's rollouts, which are the random numbers that the task drew.
fn draws(common_random_numbers: bool, seed: u64) -> Vec<Vec<i16>> {
    let rollouts = Rollouts {
        count: 4,
        length: 6,
        common_random_numbers,
        ..Rollouts::default()
    };
    let lottery = Watched::new(Lottery);
    let policy = random();
    deliberate(&lottery, &(), &policy, &rollouts, &mut rng(seed));
    let tried = lottery.tried.borrow();
    let rewards: Vec<i16> = tried.iter().map(|&(_, _, reward)| reward).collect();
    rewards.chunks(4 * 6).map(<[i16]>::to_vec).collect()
}

#[test]
fn common_random_numbers_are_the_same_for_every_action() {
    for seed in 0..20 {
        let draws = draws(true, seed);
        assert_eq!(draws.len(), 3);
        assert!(draws.iter().all(|of_action| *of_action == draws[0]));
        let rollouts: Vec<_> = draws[0].chunks(6).collect();
        assert!((1..4).all(|j| rollouts[j] != rollouts[j - 1]));
    }
    assert_ne!(draws(true, 1), draws(true, 2));
}

#[test]
fn without_common_random_numbers_every_rollout_is_on_its_own() {
    for seed in 0..20 {
        let draws = draws(false, seed);
        let rollouts: Vec<_> = draws.iter().flat_map(|draws| draws.chunks(6)).collect();
        assert!((1..12).all(|j| rollouts[..j].iter().all(|other| *other != rollouts[j])));
    }
}

#[test]
fn the_policy_has_its_own_randomness_beside_common_random_numbers() {
    let rollouts = Rollouts {
        common_random_numbers: true,
        ..Rollouts::default()
    };
    let lottery = Watched::new(Lottery);
    let policy = random();
    deliberate(&lottery, &(), &policy, &rollouts, &mut rng(1));
    let tried = lottery.tried.borrow();
    let actions: Vec<Action> = tried.iter().map(|&(_, action, _)| action).collect();
    let [first, second, third] = [0, 1, 2].map(|i| &actions[100 * i..][1..10]);
    assert!(first != second && second != third);
}

#[test]
fn if_reward_comes_first_the_policy_takes_the_most_it_can_get() {
    let mut takes_a_lower_score = false;
    for seed in 0..100 {
        let mut rng = rng(seed);
        let watched = Watched::new(Graph::random(8, &mut rng));
        let policy = RolloutPolicy {
            reward_first: true,
            ..irrational()
        };
        let rollouts = Rollouts::default();
        deliberate(&watched, &0, &policy, &rollouts, &mut rng);
        for &(node, action, reward) in watched.tried.borrow().iter().filter(|(node, ..)| *node > 0)
        {
            let arcs = &watched.task.nodes[node];
            let most = arcs.iter().map(|arc| arc.reward).max().unwrap().max(0);
            assert_eq!(reward.max(0), most);
            let score = |arc: &Arc| policy.policy.score(&arc.features);
            let rivals = arcs.iter().filter(|arc| arc.reward.max(0) == most);
            let taken = score(&arcs[usize::from(action)]);
            assert_eq!(rivals.map(score).max(), Some(taken));
            takes_a_lower_score |= arcs.iter().any(|arc| score(arc) > taken);
        }
    }
    assert!(takes_a_lower_score);
}

#[test]
fn a_deliberation_is_taken_in_slices_of_one_rollout() {
    let mut rng = rng(3);
    let graph = Graph::random(8, &mut rng);
    let rollouts = Rollouts {
        count: 1 + below(5, &mut rng) as u16,
        ..Rollouts::default()
    };
    let policy = random();
    let mut deliberation = Deliberation::<_, ()>::new(&graph, &0, &policy, &rollouts, &mut rng);
    let mut slices = 1;
    while !deliberation.advance(&graph, &0, &policy, &rollouts, &mut rng) {
        slices += 1;
    }
    assert_eq!(slices, graph.nodes[0].len() * usize::from(rollouts.count));
}
