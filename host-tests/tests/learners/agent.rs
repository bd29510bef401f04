//! The agent: its bookkeeping, its phases and its options.

use crate::rng;
use crate::tasks::{Arc, Graph, Watched};
use host_tests::chance::assert_uniform;
use host_tests::reference::directions::dominates;
use host_tests::reference::logit::{ChoiceSet, Problem};
use ipse::learner::ipse::{CAP, Stages};
use ipse::learner::labels::Hard;
use ipse::learner::m_learning::{self, Scaling, Schedule};
use ipse::learner::stew::RIDGE;
use ipse::prelude::Direction::{Con, Pro};
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_tasks::Foraging;
use ipse_tasks::foraging::STRENGTH_AT_DUSK;

const MEMORY: usize = 12;
const FEATURES: usize = 3;
const KNOWN: Known<[Direction; FEATURES]> = Known([Pro, Con, Con]);

type Mice = Watched<Foraging>;
/// What M-learning remembers of it.
type Weights = m_learning::Memory<Mice, MEMORY, Schedule, Hard>;

fn ipse() -> Ipse<MEMORY> {
    Ipse::paper().memory()
}

fn scheduled() -> MLearning<MEMORY> {
    MLearning::scheduled().rollouts(Rollouts::paper()).memory()
}

/// Calls a function with every learner: IPSE with this cap, and those of the paper that have none.
macro_rules! every_learner {
    ($cap:expr, $check:ident $(, $argument:expr)*) => {{
        $check(Lfd::paper() $(, $argument)*);
        $check(ipse().cap($cap) $(, $argument)*);
        $check(Ipse::new().memory::<MEMORY>().cap($cap) $(, $argument)*);
        $check(MLearning::unregularised().memory::<MEMORY>() $(, $argument)*);
        $check(MLearning::cross_validated().memory::<MEMORY>() $(, $argument)*);
        $check(scheduled() $(, $argument)*);
        $check(KNOWN.then(scheduled()) $(, $argument)*);
    }};
}

fn mice<L: Learner<Mice>>(learner: L, seed: u64) -> (Agent<Mice, L>, XorShiftRng) {
    let mut rng = rng(seed);
    let learner = learner.check().unwrap();
    let agent = Agent::new(Watched::new(Foraging), learner, &mut rng);
    (agent, rng)
}

type Iteration = Step<[i16; FEATURES]>;
type Steps = Vec<Iteration>;

/// The steps of a run, and the agent at its end.
fn run<L: Learner<Mice>>(learner: L, seed: u64, iterations: usize) -> (Steps, Agent<Mice, L>) {
    let (mut agent, mut rng) = mice(learner, seed);
    let steps = (0..iterations).map(|_| agent.step(&mut rng)).collect();
    (steps, agent)
}

#[test]
fn paper_is_the_paper_to_the_letter() {
    let rollouts = Rollouts {
        count: 10,
        length: 10,
        discount: 0.995,
        common_random_numbers: false,
        pass_over: 0,
    };
    let Then { first, second, .. } = Ipse::paper();
    assert_eq!((first.rollouts, second.rollouts), (rollouts, rollouts));
    assert_eq!((first.alpha, first.reward_first), (0.05, true));
    assert_eq!(second.regularisation.lambda(1), 5.);
    assert_eq!(second.regularisation.lambda(2), 2.5);
    assert_eq!(
        (second.scaling, second.average),
        (Scaling::PerInstance, false)
    );
    assert!(!first.dominance_filter && !second.dominance_filter);
    assert_eq!(
        (Ipse::paper().cap, Ipse::paper().reuse_choices),
        (None, false)
    );
    assert_eq!(Ipse::paper().undecided, Undecided::Wait);
}

#[test]
fn the_default_differs_from_the_paper_in_three_parameters() {
    let rollouts = Rollouts {
        pass_over: 100,
        ..Rollouts::paper()
    };
    let different = Ipse::paper().cap(CAP).undecided(Undecided::Free);
    assert_eq!(Ipse::new(), different.rollouts(rollouts));
    assert_eq!(Ipse::default(), Ipse::new());
    assert_eq!(CAP, 50);
}

#[test]
fn the_whole_agent_fits_into_4_kib() {
    let size = size_of::<Agent<Tetris10x10, Ipse>>();
    println!("{size} bytes");
    assert!(size <= 4096, "{size} bytes");
}

#[test]
fn an_agent_has_nothing_in_it_that_its_learner_does_not_use() {
    let [lfd, short, long] = [
        size_of::<Agent<Tetris10x10, Lfd>>(),
        size_of::<Agent<Tetris10x10, Ipse<10>>>(),
        size_of::<Agent<Tetris10x10, Ipse>>(),
    ];
    // A choice is a state in 24 bytes and a label in one; the rest is alignment.
    let of_choices = 90 * (size_of::<<Tetris10x10 as Environment>::State>() + 1);
    assert!(
        (long - short).abs_diff(of_choices) < 8,
        "{short} and {long} bytes"
    );
    assert!(lfd < 512 && lfd < short, "{lfd} of {short} bytes");
}

#[test]
fn extreme_but_valid_parameters_are_accepted() {
    let rollouts = |discount| Rollouts {
        count: 1,
        length: 1,
        discount,
        common_random_numbers: true,
        pass_over: u16::MAX,
    };
    for (alpha, discount) in [(f32::MIN_POSITIVE, 0.), (0.999, 1.)] {
        let rollouts = rollouts(discount);
        let lfd = Lfd::paper().alpha(alpha).rollouts(rollouts);
        let weights = scheduled().rollouts(rollouts);
        learn(lfd);
        learn(lfd.then(weights).cap(1));
        learn(
            lfd.then(weights.regularisation(m_learning::CrossValidated))
                .cap(1),
        );
        learn(weights.regularisation(m_learning::Unregularised));
        learn(KNOWN.then(weights).cap(1));
    }

    fn learn<L: Learner<Mice>>(learner: L) {
        let (steps, _) = run(learner, 1, 20);
        let weights = steps.iter().flat_map(|step| step.weights);
        assert!(weights.into_iter().all(f32::is_finite));
    }
}

#[test]
fn iterations_and_calls_are_counted() {
    every_learner!(8, check);

    fn check<L: Learner<Mice>>(learner: L) {
        let (mut agent, mut rng) = mice(learner, 2);
        let mut calls = 0;
        for iteration in 1..20 {
            let step = agent.step(&mut rng);
            calls += step.calls;
            assert_eq!(step.iteration, iteration);
            let progress = agent.progress();
            assert_eq!((progress.iterations, progress.calls), (iteration, calls));
            assert_eq!(progress.budget, None);
        }
    }
}

#[test]
fn a_step_says_what_happened_to_the_task() {
    every_learner!(25, check);

    fn check<L: Learner<Mice>>(learner: L) {
        let (mut agent, mut rng) = mice(learner, 3);
        for _ in 0..60 {
            let before = *agent.state();
            let pass_over = agent.learner().rollouts(agent.memory()).pass_over;
            agent.task().tried.take();
            let step = agent.step(&mut rng);
            let tried = agent.task().tried.take();
            // First what is passed over, then rollouts, and then the action that they found to be the best.
            let taken = usize::from(step.calls > 0);
            let (passed_over, rest) = tried.split_at(tried.len() - step.calls as usize - taken);
            assert!(passed_over.len() <= pass_over.into());
            let in_earnest = || passed_over.iter().chain(rest.last());
            assert_eq!(tried[0].0, before);
            let (_, action, _) = *in_earnest().last().unwrap();
            let reward = in_earnest().map(|(.., reward)| i32::from(*reward)).sum();
            assert_eq!((Some(action), reward), (step.action, step.reward));
            if step.episode_ended {
                assert_eq!(agent.state().strength, STRENGTH_AT_DUSK);
            }
            assert_eq!(step.directions, agent.directions());
            assert_eq!(step.weights, agent.weights());
        }
    }
}

#[test]
fn episodes_end_when_nothing_is_within_reach() {
    let (steps, _) = run(Lfd::paper(), 4, 200);
    let ended = steps.iter().filter(|step| step.episode_ended).count();
    assert!((5..100).contains(&ended), "{ended} of 200");
}

#[test]
fn the_policy_is_that_of_the_weights() {
    every_learner!(12, check);

    fn check<L: Learner<Mice>>(learner: L) {
        let (mut agent, mut rng) = mice(learner, 5);
        for _ in 0..30 {
            let weights = agent.step(&mut rng).weights;
            assert_eq!(Ok(agent.policy()), Policy::new::<Foraging>(&weights));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    every_learner!(20, check);

    fn check<L: Learner<Mice>>(learner: L) {
        let (once, again) = (run(learner, 6, 60).0, run(learner, 6, 60).0);
        assert_eq!(bits(&once), bits(&again));
        let (other, _) = run(learner, 7, 60);
        assert_ne!(bits(&once), bits(&other));
    }
}

#[test]
fn slices_add_up_to_steps_bit_for_bit() {
    every_learner!(20, check);

    fn check<L: Learner<Mice>>(learner: L) {
        let (mut agent, mut rng) = mice(learner, 6);
        let mut slices = 0;
        let mut sliced = Vec::new();
        while sliced.len() < 60 {
            slices += 1;
            agent.task().tried.take();
            sliced.extend(agent.slice(&mut rng));
            // One rollout, and perhaps the action that was chosen.
            assert!(agent.task().tried.borrow().len() <= 10 + 1);
        }
        assert!(slices > 60 * 10);
        assert_eq!(bits(&sliced), bits(&run(learner, 6, 60).0));
    }
}

fn bits(steps: &Steps) -> Vec<(String, [u32; FEATURES])> {
    let bits = |step: &Iteration| (format!("{step:?}"), step.weights.map(f32::to_bits));
    steps.iter().map(bits).collect()
}

#[test]
fn choices_are_read_only_after_the_rollouts_of_an_iteration() {
    let (mut agent, mut rng) = mice(KNOWN.then(scheduled()), 9);
    let mut learned = 0;
    for _ in 0..60 {
        loop {
            let is_learning = agent.is_learning();
            agent.task().tried.take();
            let step = agent.slice(&mut rng);
            let is_at_rest = agent.task().tried.borrow().is_empty();
            assert!(!is_learning || is_at_rest);
            learned += usize::from(is_learning);
            if step.is_some() {
                break;
            }
        }
        assert!(agent.is_between_iterations() && !agent.is_learning());
    }
    assert!(learned > 60, "{learned}");
}

#[test]
fn nothing_is_learned_from_a_choice_that_ends_the_episode() {
    type Votes = <Lfd as Learner<Graph>>::Memory;
    type Weights = m_learning::Memory<Graph, 9, Schedule, Hard>;
    let has_votes = |votes: &Votes| votes.tallies().iter().any(|t| t.pro + t.con + t.varied > 0);
    let has_choices = |weights: &Weights| !weights.choices().is_empty();

    let scheduled = MLearning::scheduled().memory::<9>();
    check(Lfd::new(), has_votes);
    check(scheduled, has_choices);
    check(Known([Con, Pro]).then(scheduled), |m| {
        has_choices(m.second())
    });
    let ipse = Lfd::new().then(scheduled);
    for ipse in [ipse.cap(None), ipse.cap(20), ipse.reuse_choices(true)] {
        check(ipse, |m| has_votes(m.first()) || has_choices(m.second()));
    }

    fn check<L: Learner<Graph>>(learner: L, has_learned: impl Fn(&L::Memory) -> bool) {
        let last = |reward, x| Arc {
            to: 1,
            reward,
            features: [x, -x],
        };
        let graph = Graph {
            nodes: vec![vec![last(3, 1), last(1, 0)], vec![]],
        };
        let mut rng = rng(8);
        let mut agent = Agent::new(graph, learner.check().unwrap(), &mut rng);
        let before = agent.weights();
        for _ in 0..50 {
            let step = agent.step(&mut rng);
            assert_eq!((step.action, step.reward), (Some(0), 3));
            assert!(step.episode_ended);
            assert_eq!(
                (step.weights, step.tallies),
                (before, [Tally::default(); 2])
            );
        }
        assert!(!has_learned(agent.memory()));
    }
}

#[test]
fn an_episode_that_begins_at_its_end_is_no_obstacle() {
    for learner in [Ipse::new(), Ipse::paper()] {
        let graph = Graph {
            nodes: vec![vec![]],
        };
        let mut rng = rng(9);
        let mut agent = Agent::new(graph, learner.check().unwrap(), &mut rng);
        for _ in 0..3 {
            let step = agent.step(&mut rng);
            assert_eq!((step.action, step.calls), (None, 0));
            assert!(step.episode_ended);
        }
    }
}

#[test]
fn before_the_first_fit_weights_are_the_directions_that_are_known() {
    assert_eq!(mice(KNOWN.then(scheduled()), 1).0.weights(), [1., -1., -1.]);
    assert_eq!(mice(scheduled(), 1).0.weights(), [0.; FEATURES]);
    assert_eq!(mice(ipse(), 1).0.weights(), [0.; FEATURES]);
}

#[test]
fn while_directions_are_learned_they_are_the_weights() {
    let (steps, agent) = run(Lfd::paper(), 10, 100);
    for step in &steps {
        assert_eq!(step.phase, Phase::Directions);
        assert_eq!(step.weights, step.directions.map(|d| f32::from(d.sign())));
    }
    assert_ne!(agent.directions(), [Direction::Undecided; FEATURES]);
}

#[test]
fn lfd_is_finished_when_every_direction_is_decided_and_can_go_on() {
    let (mut agent, mut rng) = mice(Lfd::paper(), 10);
    let mut finished = 0;
    for _ in 0..150 {
        let step = agent.step(&mut rng);
        let is_finished = step.directions.iter().all(|d| d.is_decided());
        assert_eq!(agent.progress().is_finished, is_finished);
        finished += u32::from(is_finished);
    }
    assert!((20..150).contains(&finished), "{finished} of 150");
}

#[test]
fn directions_that_are_made_up_are_as_likely_pro_as_con() {
    let mut counts = [0; 1 << FEATURES];
    for seed in 0..2_000 {
        let (agent, _) = mice(scheduled(), seed);
        let index = agent.directions().iter().fold(0, |index, direction| {
            assert!(direction.is_decided());
            2 * index + usize::from(*direction == Pro)
        });
        counts[index] += 1;
    }
    assert_uniform(&counts);
}

#[test]
fn ipse_goes_on_to_weights_when_every_direction_is_decided() {
    let (mut agent, mut rng) = mice(ipse(), 10);
    let last = loop {
        assert_eq!(agent.memory().switched_after(), None);
        let step = agent.step(&mut rng);
        assert_eq!(step.phase, Phase::Directions);
        if step.directions.iter().all(|d| d.is_decided()) {
            break step;
        }
    };
    assert_eq!(agent.progress().phase, Phase::Weights);
    assert_eq!(agent.memory().switched_after(), Some(last.iteration));
    for _ in 0..20 {
        let step = agent.step(&mut rng);
        assert_eq!(
            (step.phase, step.directions),
            (Phase::Weights, last.directions)
        );
    }
    assert!(!agent.progress().is_finished);
}

#[test]
fn undecided_features_that_wait_weigh_nothing_and_may_be_decided_later() {
    let mut decided_later = 0;
    for seed in 0..10 {
        let (steps, agent) = run(ipse().cap(12), seed, 200);
        for pair in steps[12..].windows(2) {
            let changes = pair[0].directions.iter().zip(pair[1].directions);
            for (before, after) in changes {
                assert!(!before.is_decided() || *before == after, "{pair:?}");
            }
        }
        for step in &steps {
            let has_no_direction = step.directions.map(|d| !d.is_decided());
            let weighs_nothing = step.weights.map(|w| w == 0.);
            assert_eq!(weighs_nothing, has_no_direction, "{step:?}");
            let phase = match step.iteration <= 12 {
                true => Phase::Directions,
                false => Phase::Weights,
            };
            assert_eq!(step.phase, phase);
        }
        let undecided = |step: &Iteration| step.directions.iter().any(|d| !d.is_decided());
        decided_later += u32::from(undecided(&steps[20]) && agent.memory().first().is_complete());
    }
    assert!(decided_later >= 3, "{decided_later} of 10");
}

#[test]
fn undecided_features_that_are_free_start_from_the_majority_and_take_any_weight() {
    let mut against_the_majority = 0;
    for seed in 0..20 {
        let (mut agent, mut rng) = mice(ipse().cap(6).undecided(Undecided::Free), seed);
        let steps: Vec<_> = (0..6).map(|_| agent.step(&mut rng)).collect();
        let leanings = agent.memory().first().leanings();
        assert_eq!(agent.weights(), leanings.map(|d| f32::from(d.sign())));
        let votes = *agent.memory().first();
        for _ in 0..60 {
            // What was decided stays decided, and nothing is decided later.
            let step = agent.step(&mut rng);
            assert_eq!(step.directions, steps[5].directions);
        }
        assert_eq!(*agent.memory().first(), votes);
        let weights = agent.weights();
        assert!(weights.iter().all(|weight| *weight != 0.), "{weights:?}");
        for i in 0..FEATURES {
            let turned = weights[i] * f32::from(leanings[i].sign()) < 0.;
            against_the_majority += u32::from(turned);
        }
    }
    assert!(against_the_majority > 0);
}

#[test]
fn choices_before_the_switch_are_reused_if_asked_for() {
    for reuse_choices in [false, true] {
        let ipse = ipse().cap(10).reuse_choices(reuse_choices);
        let (steps, agent) = run(ipse, 11, 10);
        let learned = steps.iter().filter(|step| !step.episode_ended).count();
        let expected = if reuse_choices { learned } else { 0 };
        assert_eq!(agent.memory().second().choices().len(), expected);
    }
}

/// What was fitted last, at unit length, if it weighs anything.
fn direction_of_fit(
    directions: [Direction; FEATURES],
    memory: &Weights,
) -> Option<[f64; FEATURES]> {
    let beta = memory.beta().map(f64::from);
    let signs = directions.map(|d| f64::from(d.sign()));
    let weights: [f64; FEATURES] = match beta == [0.; FEATURES] {
        true => signs,
        false => std::array::from_fn(|i| signs[i] * beta[i]),
    };
    let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
    (length > 0.).then(|| weights.map(|w| w / length))
}

#[test]
fn the_average_is_the_mean_of_all_fits_at_unit_length() {
    check(ipse().cap(12).average(true));
    check(KNOWN.then(scheduled()).average(true));

    fn check<A>(learner: Then<A, MLearning<MEMORY>>)
    where
        A: Learner<Mice, Values = ()>,
    {
        let (mut agent, mut rng) = mice(learner, 5);
        let (mut sum, mut fits) = ([0.; FEATURES], 0);
        for _ in 0..120 {
            let step = agent.step(&mut rng);
            let learned = step.phase == Phase::Weights && !step.episode_ended;
            let fit = direction_of_fit(agent.directions(), agent.memory().second());
            if let Some(fit) = fit.filter(|_| learned) {
                sum = std::array::from_fn(|i| sum[i] + fit[i]);
                fits += 1;
            }
            assert_eq!(step.weights, agent.weights());
            if fits > 0 {
                let mean = sum.map(|sum| sum / f64::from(fits));
                let off = |i: usize| (f64::from(step.weights[i]) - mean[i]).abs();
                let is_near = (0..FEATURES).all(|i| off(i) < 1e-5);
                assert!(is_near, "{step:?}, not {mean:?}");
            }
        }
        assert!(fits > 50, "{fits}");
    }
}

#[test]
fn an_average_changes_what_was_learned_and_not_how_it_goes_on() {
    check(ipse().cap(12), ipse().cap(12).average(true));
    let known = KNOWN.then(scheduled());
    check(known, known.average(true));
    check(scheduled(), scheduled().average(true));
    let cross_validated = MLearning::cross_validated().memory::<MEMORY>();
    check(cross_validated, cross_validated.average(true));

    fn check<L: Learner<Mice>>(usual: L, averaged: L) {
        let (usual, averaged) = (run(usual, 6, 60).0, run(averaged, 6, 60).0);
        for (one, other) in usual.iter().zip(&averaged) {
            assert_eq!(course(one), course(other));
            if one.phase == Phase::Directions {
                assert_eq!(one.weights, other.weights);
            }
        }
        assert_ne!(usual[59].weights, averaged[59].weights);
    }

    fn course(step: &Iteration) -> Iteration {
        let mut course = *step;
        course.weights = [0.; FEATURES];
        course
    }
}

#[test]
fn soft_labels_change_what_is_learned_and_at_temperature_zero_they_are_hard_to_the_bit() {
    let ipse = ipse().cap(12);
    check(ipse, ipse.soft_labels(0.), ipse.soft_labels(0.3));
    let learner = scheduled();
    check(learner, learner.soft_labels(0.), learner.soft_labels(0.3));
    let learner = MLearning::cross_validated().memory::<MEMORY>();
    check(learner, learner.soft_labels(0.), learner.soft_labels(0.3));
    let learner = KNOWN.then(scheduled());
    check(learner, learner.soft_labels(0.), learner.soft_labels(0.3));

    fn check<H: Learner<Mice>, S: Learner<Mice>>(hard: H, cold: S, warm: S) {
        let hard = run(hard, 6, 60).0;
        assert_eq!(bits(&hard), bits(&run(cold, 6, 60).0));
        assert_ne!(bits(&hard), bits(&run(warm, 6, 60).0));
    }
}

/// The choices that are learned from after so many iterations, as the reference sees them.
fn window(
    directions: [Direction; FEATURES],
    memory: &Weights,
    iterations: usize,
) -> Vec<ChoiceSet<FEATURES>> {
    let choices = memory.choices();
    let count = (iterations / 2 + 2).min(MEMORY).min(choices.len());
    let directions = directions.map(|d| f64::from(d.sign()));
    let directed = |outcome: &Outcome<[i16; FEATURES]>| {
        std::array::from_fn(|i| directions[i] * f64::from(outcome.features[i]))
    };
    let set = |age| {
        let (mouse, chosen) = choices.recent(age).unwrap();
        let outcomes = Foraging.list(mouse);
        ChoiceSet {
            actions: outcomes.iter().map(directed).collect(),
            chosen: outcomes.iter().position(|o| o.action == *chosen).unwrap(),
        }
    };
    (0..count).map(set).collect()
}

fn assert_minimum(problem: &Problem<FEATURES>, memory: &Weights) {
    let minimum = problem.value(&problem.minimum());
    let found = problem.value(&memory.beta().map(f64::from));
    let excess = found - minimum;
    assert!(excess < 1e-4 * minimum.max(1.), "{found}, not {minimum}");
}

#[test]
fn the_schedule_is_counted_from_the_switch() {
    for (scaling, reuse_choices) in [
        (Scaling::PerInstance, false),
        (Scaling::PerInstance, true),
        (Scaling::Total, false),
    ] {
        let ipse = ipse().cap(15).scaling(scaling).reuse_choices(reuse_choices);
        let (mut agent, mut rng) = mice(ipse, 12);
        for iteration in 1..=75 {
            let step = agent.step(&mut rng);
            if iteration <= 15 || step.episode_ended {
                continue;
            }
            let k = iteration - 15;
            let memory = agent.memory().second();
            let seen = if reuse_choices { iteration } else { k };
            let sets = window(agent.directions(), memory, seen);
            let lambda = 5. / k as f64;
            let problem = Problem {
                lambda: match scaling {
                    Scaling::PerInstance => lambda * sets.len() as f64,
                    _ => lambda,
                },
                sets,
                ridge: RIDGE.into(),
                free: [false; FEATURES],
            };
            assert_minimum(&problem, memory);
        }
    }
}

/// The runs are so short that the votes on some feature are equal.
#[test]
fn features_without_a_majority_are_drawn_to_zero_and_the_others_to_each_other() {
    let mut compared = 0;
    for seed in 0..10 {
        let (mut agent, mut rng) = mice(ipse().cap(4).undecided(Undecided::Free), seed);
        (0..4).for_each(|_| _ = agent.step(&mut rng));
        let leanings = agent.memory().first().leanings();
        let free = leanings.map(|leaning| !leaning.is_decided());
        let signs = leanings.map(|d| if d.is_decided() { d } else { Pro });
        for iteration in 1..=20 {
            let step = agent.step(&mut rng);
            if step.episode_ended || !free.contains(&true) {
                continue;
            }
            let memory = agent.memory().second();
            let sets = window(signs, memory, iteration);
            let problem = Problem {
                lambda: 5. / iteration as f64 * sets.len() as f64,
                sets,
                ridge: RIDGE.into(),
                free,
            };
            assert_minimum(&problem, memory);
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn any_learner_of_directions_can_be_followed_by_any_learner() {
    // Two learners of directions, of which the second begins from nothing, as it has no use for directions.
    let (steps, agent) = run(Lfd::paper().then(Lfd::paper().alpha(0.2)).cap(8), 14, 60);
    assert!(steps.iter().all(|step| step.phase == Phase::Directions));
    assert_eq!(agent.memory().switched_after(), Some(8));
    let voted = |votes: &<Lfd as Learner<Mice>>::Memory| votes.tallies()[0].varied;
    assert!(voted(agent.memory().first()) <= 8 && voted(agent.memory().second()) > 8);

    // Three learners in a row: what is known, what is learned anew, and weights.
    let learner = KNOWN.then(Lfd::paper()).cap(5).then(scheduled()).cap(20);
    let (steps, agent) = run(learner, 14, 60);
    let phases = steps.iter().map(|step| step.phase);
    let weights = phases.filter(|phase| *phase == Phase::Weights).count();
    let switched_after = agent.memory().switched_after().unwrap();
    assert_eq!(weights, 60 - switched_after as usize);
    assert!(switched_after <= 20, "{switched_after}");
    let inner: &Stages<(), _> = agent.memory().first();
    assert_eq!(inner.switched_after(), Some(0));
}

#[test]
fn known_directions_leave_nothing_to_the_first_phase() {
    let (steps, agent) = run(KNOWN.then(scheduled()), 15, 30);
    assert_eq!(agent.memory().switched_after(), Some(0));
    for step in steps {
        assert_eq!((step.phase, step.directions), (Phase::Weights, KNOWN.0));
    }
}

/// How many of the actions inside rollouts promised less than another would have.
fn promises_passed_up<L: Learner<Mice>>(learner: L) -> usize {
    let (mut agent, mut rng) = mice(learner, 14);
    let mut count = 0;
    for _ in 0..20 {
        let here = *agent.state();
        agent.step(&mut rng);
        let tried = agent.task().tried.take();
        for (mouse, _, reward) in tried.into_iter().filter(|(mouse, ..)| *mouse != here) {
            let outcomes = Foraging.list(&mouse);
            count += usize::from(outcomes.iter().any(|outcome| outcome.promise > reward));
        }
    }
    count
}

#[test]
fn rollouts_put_reward_first_only_while_directions_are_learned_and_unless_told_otherwise() {
    assert_eq!(promises_passed_up(Lfd::paper()), 0);
    assert_eq!(promises_passed_up(ipse()), 0);
    assert!(promises_passed_up(Lfd::paper().reward_first(false)) > 100);
    assert!(promises_passed_up(ipse().reward_first(false)) > 100);
    assert!(promises_passed_up(KNOWN.then(scheduled())) > 100);
}

/// How many of the actions that were tried, in rollouts and in earnest, are dominated.
fn dominated_tries<L: Learner<Mice>>(learner: L, seed: u64) -> usize {
    let (mut agent, mut rng) = mice(learner, seed);
    let mut count = 0;
    for _ in 0..60 {
        let directions = agent.directions().map(Direction::sign);
        agent.task().tried.take();
        agent.step(&mut rng);
        for &(mouse, action, _) in agent.task().tried.borrow().iter() {
            let outcomes = Foraging.list(&mouse);
            let taken = outcomes.iter().find(|o| o.action == action).unwrap();
            let dominates = |o: &Outcome<_>| dominates(directions, o.features, taken.features);
            count += usize::from(outcomes.iter().any(dominates));
        }
    }
    count
}

#[test]
fn the_filter_keeps_dominated_actions_from_being_tried() {
    let known = KNOWN.then(scheduled());
    check(known, KNOWN.then(scheduled().dominance_filter(true)));
    check(ipse(), ipse().dominance_filter(true));
    check(Lfd::paper(), Lfd::paper().dominance_filter(true));

    fn check<L: Learner<Mice>>(off: L, on: L) {
        assert_eq!(dominated_tries(on, 13), 0);
        assert!(dominated_tries(off, 13) > 100);
    }
}

#[test]
fn directions_that_are_made_up_dominate_nothing() {
    assert!(dominated_tries(scheduled().dominance_filter(true), 13) > 100);
}
