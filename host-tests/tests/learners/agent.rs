//! The agent: its bookkeeping, its phases and its options.

use crate::rng;
use crate::tasks::{ARCS, Arc, Graph, Watched};
use host_tests::chance::assert_uniform;
use host_tests::foraging::{BUSHES, FEATURES, Foraging, Mouse, STRENGTH_AT_DUSK};
use host_tests::reference::directions::dominates;
use host_tests::reference::logit::{ChoiceSet, Problem};
use ipse::direction::Direction::{self, Con, Pro, Undecided};
use ipse::environment::{Environment, Outcome};
use ipse::m_learning::{Regularisation, Scaling, Schedule};
use ipse::policy::Policy;
use ipse::rollout::Rollouts;
use ipse::stew::RIDGE;
use ipse::tetris::Tetris10x10;
use ipse::{Agent, Algorithm, Checked, Config, ConfigError, Phase, Step};

const MEMORY: usize = 12;
const KNOWN: [Direction; FEATURES] = [Pro, Con, Con];
const PAPER: Regularisation = Regularisation::Schedule(Schedule::PAPER);
const CONFIG: Config<FEATURES> = Config {
    algorithm: Algorithm::Ipse,
    rollouts: Rollouts {
        count: 10,
        length: 10,
        discount: 0.995,
        common_random_numbers: false,
    },
    alpha: 0.05,
    schedule: Schedule::PAPER,
    scaling: Scaling::PerInstance,
    lfd_cap: None,
    reuse_choices: false,
    dominance_filter: false,
    average: false,
    soft_labels: 0.,
};

fn with(algorithm: Algorithm<FEATURES>) -> Config<FEATURES> {
    Config {
        algorithm,
        ..CONFIG
    }
}

const ALGORITHMS: [Algorithm<FEATURES>; 6] = [
    Algorithm::Lfd,
    Algorithm::Ipse,
    Algorithm::MLearning(Regularisation::None),
    Algorithm::MLearning(Regularisation::CrossValidated),
    Algorithm::MLearning(PAPER),
    Algorithm::MLearningKnown(PAPER, KNOWN),
];

type Mice = Agent<Watched<Foraging, Mouse>, FEATURES, BUSHES, MEMORY>;

fn mice(config: Config<FEATURES>, seed: u64) -> (Mice, impl rand_core::Rng) {
    let mut rng = rng(seed);
    let agent = Agent::new(Watched::new(Foraging), config.check().unwrap(), &mut rng);
    (agent, rng)
}

/// The steps of a run, and the agent at its end.
fn run(config: Config<FEATURES>, seed: u64, iterations: usize) -> (Vec<Step<FEATURES>>, Mice) {
    let (mut agent, mut rng) = mice(config, seed);
    let steps = (0..iterations).map(|_| agent.step(&mut rng)).collect();
    (steps, agent)
}

#[test]
fn the_default_is_the_papers_ipse() {
    assert_eq!(Config::default(), CONFIG);
}

#[test]
fn the_whole_agent_fits_into_4_kib() {
    let size = size_of::<Agent<Tetris10x10, 8, 34, 100>>();
    println!("{size} bytes");
    assert!(size <= 4096, "{size} bytes");
}

#[test]
fn a_configuration_that_makes_no_sense_is_refused_with_a_reason() {
    let rollouts = |rollouts| Config { rollouts, ..CONFIG };
    let with_discount = |discount| {
        rollouts(Rollouts {
            discount,
            ..CONFIG.rollouts
        })
    };
    let mut wrong = vec![
        (
            rollouts(Rollouts {
                count: 0,
                ..CONFIG.rollouts
            }),
            ConfigError::NoRollouts,
        ),
        (
            rollouts(Rollouts {
                length: 0,
                ..CONFIG.rollouts
            }),
            ConfigError::NoLength,
        ),
        (
            Config {
                lfd_cap: Some(0),
                ..CONFIG
            },
            ConfigError::NoFirstPhase,
        ),
        (
            with(Algorithm::MLearningKnown(PAPER, [Pro, Undecided, Con])),
            ConfigError::Undecided { feature: 1 },
        ),
    ];
    for discount in [-0.1, 1.1, f32::NAN, f32::INFINITY] {
        wrong.push((with_discount(discount), ConfigError::Discount));
    }
    for alpha in [0., 1., -0.1, 1.1, f32::NAN] {
        wrong.push((Config { alpha, ..CONFIG }, ConfigError::Alpha));
    }
    for soft_labels in [-0.1, f32::NAN, f32::INFINITY] {
        let config = Config {
            soft_labels,
            ..CONFIG
        };
        wrong.push((config, ConfigError::Temperature));
    }
    for (config, reason) in wrong {
        assert_eq!(config.check::<0>(), Err(reason));
        assert!(reason.to_string().len() > 10, "{reason}");
    }
}

#[test]
fn extreme_but_valid_configurations_are_accepted() {
    let rollouts = |discount| Rollouts {
        count: 1,
        length: 1,
        discount,
        common_random_numbers: true,
    };
    for (alpha, discount) in [(f32::MIN_POSITIVE, 0.), (0.999, 1.)] {
        for algorithm in ALGORITHMS {
            let config = Config {
                algorithm,
                alpha,
                rollouts: rollouts(discount),
                lfd_cap: Some(1),
                ..CONFIG
            };
            let (steps, _) = run(config, 1, 20);
            let weights = steps.iter().flat_map(|step| step.weights);
            assert!(weights.into_iter().all(f32::is_finite));
        }
    }
}

#[test]
fn iterations_are_counted_from_one() {
    for algorithm in ALGORITHMS {
        let (mut agent, mut rng) = mice(with(algorithm), 2);
        for iteration in 1..20 {
            assert_eq!(agent.step(&mut rng).iteration, iteration);
            assert_eq!(agent.iterations(), iteration);
        }
    }
}

#[test]
fn a_step_says_what_happened_to_the_task() {
    for algorithm in ALGORITHMS {
        let (mut agent, mut rng) = mice(with(algorithm), 3);
        for _ in 0..60 {
            let before = *agent.state();
            agent.task().tried.take();
            let step = agent.step(&mut rng);
            let tried = agent.task().tried.take();
            // All but the last call were rollouts.
            assert_eq!(tried.len(), step.calls as usize + 1);
            let (state, action, reward) = *tried.last().unwrap();
            assert_eq!(
                (state, Some(action), reward),
                (before, step.action, step.reward)
            );
            if step.episode_ended {
                assert_eq!(agent.state().strength, STRENGTH_AT_DUSK);
            }
            assert_eq!(&step.directions, agent.directions());
            assert_eq!(step.weights, agent.weights());
        }
    }
}

#[test]
fn episodes_end_when_nothing_is_within_reach() {
    let (steps, _) = run(with(Algorithm::Lfd), 4, 200);
    let ended = steps.iter().filter(|step| step.episode_ended).count();
    assert!((5..100).contains(&ended), "{ended} of 200");
}

#[test]
fn the_policy_is_that_of_the_weights() {
    for algorithm in ALGORITHMS {
        let (mut agent, mut rng) = mice(with(algorithm), 5);
        for _ in 0..30 {
            let weights = agent.step(&mut rng).weights;
            assert_eq!(Ok(agent.policy()), Policy::new::<Foraging, _>(&weights));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for algorithm in ALGORITHMS {
        let (once, again) = (run(with(algorithm), 6, 60).0, run(with(algorithm), 6, 60).0);
        assert_eq!(bits(&once), bits(&again));
        let (other, _) = run(with(algorithm), 7, 60);
        assert_ne!(bits(&once), bits(&other));
    }
}

#[test]
fn slices_add_up_to_steps_bit_for_bit() {
    for algorithm in ALGORITHMS {
        let config = Config {
            lfd_cap: Some(20),
            ..with(algorithm)
        };
        let (mut agent, mut rng) = mice(config, 6);
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
        assert_eq!(bits(&sliced), bits(&run(config, 6, 60).0));
    }
}

fn bits(steps: &[Step<FEATURES>]) -> Vec<(String, [u32; FEATURES])> {
    let bits = |step: &Step<FEATURES>| (format!("{step:?}"), step.weights.map(f32::to_bits));
    steps.iter().map(bits).collect()
}

#[test]
fn nothing_is_learned_from_a_choice_that_ends_the_episode() {
    let last = |reward, x| Arc {
        to: 1,
        reward,
        features: [x, -x],
    };
    let graph = Graph {
        nodes: vec![vec![last(3, 1), last(1, 0)], vec![]],
    };
    for algorithm in [
        Algorithm::Lfd,
        Algorithm::Ipse,
        Algorithm::MLearning(PAPER),
        Algorithm::MLearningKnown(PAPER, [Con, Pro]),
    ] {
        let config = Config {
            algorithm,
            reuse_choices: true,
            ..Config::default()
        };
        let config = config.check().unwrap();
        let mut rng = rng(8);
        let mut agent = Agent::<_, 2, ARCS, 9>::new(graph.clone(), config, &mut rng);
        let before = agent.weights();
        for _ in 0..50 {
            let step = agent.step(&mut rng);
            assert_eq!((step.action, step.reward), (Some(0), 3));
            assert!(step.episode_ended);
            assert_eq!(step.weights, before);
        }
        assert!(agent.learner().unwrap().choices().is_empty());
        assert!(agent.lfd().tallies().iter().all(|t| t.pro + t.con == 0));
    }
}

#[test]
fn an_episode_that_begins_at_its_end_is_no_obstacle() {
    let graph = Graph {
        nodes: vec![vec![]],
    };
    let mut rng = rng(9);
    let mut agent = Agent::<_, 2, ARCS, 9>::new(graph, Checked::default(), &mut rng);
    for _ in 0..3 {
        let step = agent.step(&mut rng);
        assert_eq!((step.action, step.calls), (None, 0));
        assert!(step.episode_ended);
    }
}

#[test]
fn before_the_first_fit_weights_are_the_directions_that_are_known() {
    let weights = |algorithm| mice(with(algorithm), 1).0.weights();
    assert_eq!(
        weights(Algorithm::MLearningKnown(PAPER, KNOWN)),
        [1., -1., -1.]
    );
    assert_eq!(weights(Algorithm::MLearning(PAPER)), [0.; FEATURES]);
    assert_eq!(weights(Algorithm::Ipse), [0.; FEATURES]);
}

#[test]
fn while_directions_are_learned_they_are_the_weights() {
    let (steps, agent) = run(with(Algorithm::Lfd), 10, 100);
    for step in &steps {
        assert_eq!(step.phase, Phase::Directions);
        assert_eq!(step.weights, step.directions.map(|d| f32::from(d.sign())));
    }
    assert_ne!(agent.directions(), &[Undecided; FEATURES]);
    assert!(agent.learner().unwrap().choices().is_empty());
}

#[test]
fn directions_that_are_made_up_are_as_likely_pro_as_con() {
    let mut counts = [0; 1 << FEATURES];
    for seed in 0..2_000 {
        let (agent, _) = mice(with(Algorithm::MLearning(PAPER)), seed);
        let index = agent.directions().iter().fold(0, |index, direction| {
            assert_ne!(*direction, Undecided);
            2 * index + usize::from(*direction == Pro)
        });
        counts[index] += 1;
    }
    assert_uniform(&counts);
}

#[test]
fn ipse_goes_on_to_weights_when_every_direction_is_decided() {
    let (mut agent, mut rng) = mice(CONFIG, 10);
    let decided = loop {
        let step = agent.step(&mut rng);
        assert_eq!(step.phase, Phase::Directions);
        if !step.directions.contains(&Undecided) {
            break step.directions;
        }
    };
    assert_eq!(agent.phase(), Phase::Weights);
    for _ in 0..20 {
        let step = agent.step(&mut rng);
        assert_eq!((step.phase, step.directions), (Phase::Weights, decided));
    }
}

#[test]
fn ipse_with_a_cap_goes_on_without_the_undecided_and_may_decide_them_later() {
    let config = Config {
        lfd_cap: Some(12),
        ..CONFIG
    };
    let mut decided_later = 0;
    for seed in 0..10 {
        let (steps, agent) = run(config, seed, 200);
        for pair in steps[12..].windows(2) {
            let changes = pair[0].directions.iter().zip(pair[1].directions);
            for (before, after) in changes {
                assert!(*before == Undecided || *before == after, "{pair:?}");
            }
        }
        for step in &steps {
            let has_no_direction = step.directions.map(|d| d == Undecided);
            let weighs_nothing = step.weights.map(|w| w == 0.);
            assert_eq!(weighs_nothing, has_no_direction, "{step:?}");
            let phase = match step.iteration <= 12 {
                true => Phase::Directions,
                false => Phase::Weights,
            };
            assert_eq!(step.phase, phase);
        }
        let undecided = |step: &Step<FEATURES>| step.directions.contains(&Undecided);
        decided_later += u32::from(undecided(&steps[20]) && agent.lfd().is_complete());
    }
    assert!(decided_later >= 3, "{decided_later} of 10");
}

#[test]
fn choices_before_the_switch_are_reused_if_asked_for() {
    for reuse_choices in [false, true] {
        let config = Config {
            reuse_choices,
            lfd_cap: Some(10),
            ..CONFIG
        };
        let (mut agent, mut rng) = mice(config, 11);
        let steps: Vec<_> = (0..10).map(|_| agent.step(&mut rng)).collect();
        let learned = steps.iter().filter(|step| !step.episode_ended).count();
        let expected = if reuse_choices { learned } else { 0 };
        assert_eq!(agent.learner().unwrap().choices().len(), expected);
    }
}

/// What the agent has fitted last, at unit length, if it weighs anything.
fn direction_of_fit(agent: &Mice) -> Option<[f64; FEATURES]> {
    let beta = agent.learner().unwrap().beta().map(f64::from);
    let signs = agent.directions().map(|d| f64::from(d.sign()));
    let weights: [f64; FEATURES] = match beta == [0.; FEATURES] {
        true => signs,
        false => std::array::from_fn(|i| signs[i] * beta[i]),
    };
    let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
    (length > 0.).then(|| weights.map(|w| w / length))
}

#[test]
fn the_average_is_the_mean_of_all_fits_at_unit_length() {
    for algorithm in [Algorithm::Ipse, Algorithm::MLearningKnown(PAPER, KNOWN)] {
        let config = Config {
            average: true,
            lfd_cap: Some(12),
            ..with(algorithm)
        };
        let (mut agent, mut rng) = mice(config, 5);
        let (mut sum, mut fits) = ([0.; FEATURES], 0);
        for _ in 0..120 {
            let step = agent.step(&mut rng);
            let learned = step.phase == Phase::Weights && !step.episode_ended;
            if let Some(fit) = direction_of_fit(&agent).filter(|_| learned) {
                sum = std::array::from_fn(|i| sum[i] + fit[i]);
                fits += 1;
            }
            assert_eq!(step.weights, agent.weights());
            if fits > 0 {
                let mean = sum.map(|sum| sum / f64::from(fits));
                let off = |i: usize| (f64::from(step.weights[i]) - mean[i]).abs();
                assert!(
                    (0..FEATURES).all(|i| off(i) < 1e-5),
                    "{step:?}, not {mean:?}"
                );
            }
        }
        assert!(fits > 50, "{fits}");
    }
}

#[test]
fn an_average_changes_what_was_learned_and_not_how_it_goes_on() {
    for algorithm in ALGORITHMS {
        let usual = Config {
            lfd_cap: Some(12),
            ..with(algorithm)
        };
        let averaged = Config {
            average: true,
            ..usual
        };
        let (usual, averaged) = (run(usual, 6, 60).0, run(averaged, 6, 60).0);
        let course = |step: &Step<FEATURES>| Step {
            weights: [0.; FEATURES],
            ..*step
        };
        for (one, other) in usual.iter().zip(&averaged) {
            assert_eq!(course(one), course(other));
            if one.phase == Phase::Directions {
                assert_eq!(one.weights, other.weights);
            }
        }
        let differs = usual.last().unwrap().weights != averaged.last().unwrap().weights;
        assert_eq!(differs, algorithm != Algorithm::Lfd);
    }
}

#[test]
fn soft_labels_need_room() {
    let config = Config {
        soft_labels: 0.3,
        ..CONFIG
    };
    assert_eq!(config.check::<0>(), Err(ConfigError::NoRoomForLabels));
    assert!(config.check::<BUSHES>().is_ok());
}

#[test]
fn soft_labels_change_what_is_learned_and_room_for_them_does_not() {
    for algorithm in ALGORITHMS {
        let usual = Config {
            lfd_cap: Some(12),
            ..with(algorithm)
        };
        let learn = |soft_labels| {
            let config = Config {
                soft_labels,
                ..usual
            };
            let config = config.check().unwrap();
            let mut rng = rng(6);
            let mut agent =
                Agent::<_, FEATURES, BUSHES, MEMORY, BUSHES>::new(Foraging, config, &mut rng);
            let steps: Vec<_> = (0..60).map(|_| agent.step(&mut rng)).collect();
            steps
        };
        let steps = run(usual, 6, 60).0;
        assert_eq!(learn(0.), steps);
        assert_eq!(learn(0.3) != steps, algorithm != Algorithm::Lfd);
    }
}

/// The choices that are learned from after so many iterations, as the reference sees them.
fn window(agent: &Mice, iterations: usize) -> Vec<ChoiceSet<FEATURES>> {
    let choices = agent.learner().unwrap().choices();
    let count = (iterations / 2 + 2).min(MEMORY).min(choices.len());
    let directions = agent.directions().map(|d| f64::from(d.sign()));
    let directed = |outcome: &Outcome<FEATURES>| {
        std::array::from_fn(|i| directions[i] * f64::from(outcome.features[i]))
    };
    let set = |age| {
        let (mouse, chosen) = choices.recent(age).unwrap();
        let outcomes = Foraging.list(mouse);
        ChoiceSet {
            actions: outcomes.iter().map(directed).collect(),
            chosen: outcomes
                .iter()
                .position(|o| o.action == chosen.action)
                .unwrap(),
        }
    };
    (0..count).map(set).collect()
}

#[test]
fn the_schedule_is_counted_from_the_switch() {
    for (scaling, reuse_choices) in [
        (Scaling::PerInstance, false),
        (Scaling::PerInstance, true),
        (Scaling::Total, false),
    ] {
        let config = Config {
            scaling,
            reuse_choices,
            lfd_cap: Some(15),
            ..CONFIG
        };
        let (mut agent, mut rng) = mice(config, 12);
        for iteration in 1..=75 {
            let step = agent.step(&mut rng);
            if iteration <= 15 || step.episode_ended {
                continue;
            }
            let k = iteration - 15;
            let sets = window(&agent, if reuse_choices { iteration } else { k });
            let lambda = 5. / k as f64;
            let problem = Problem {
                lambda: match scaling {
                    Scaling::PerInstance => lambda * sets.len() as f64,
                    Scaling::Total => lambda,
                },
                sets,
                ridge: RIDGE.into(),
            };
            let minimum = problem.value(&problem.minimum());
            let found = problem.value(&agent.learner().unwrap().beta().map(f64::from));
            assert!(
                found - minimum < 1e-4 * minimum.max(1.),
                "{found}, not {minimum}, in iteration {iteration}"
            );
        }
    }
}

/// How many of the actions inside rollouts promised less than another would have.
fn rewards_passed_up(algorithm: Algorithm<FEATURES>) -> usize {
    let (mut agent, mut rng) = mice(with(algorithm), 14);
    let mut count = 0;
    for _ in 0..20 {
        let here = *agent.state();
        agent.step(&mut rng);
        let tried = agent.task().tried.take();
        for (mouse, _, reward) in tried.into_iter().filter(|(mouse, ..)| *mouse != here) {
            let outcomes = Foraging.list(&mouse);
            count += usize::from(outcomes.iter().any(|outcome| outcome.reward > reward));
        }
    }
    count
}

#[test]
fn rollouts_put_reward_first_only_while_directions_are_learned() {
    assert_eq!(rewards_passed_up(Algorithm::Lfd), 0);
    assert!(rewards_passed_up(Algorithm::MLearningKnown(PAPER, KNOWN)) > 100);
}

/// How many of the actions that were tried, in rollouts and in earnest, are dominated.
fn dominated_tries(config: Config<FEATURES>, seed: u64) -> usize {
    let (mut agent, mut rng) = mice(config, seed);
    let mut count = 0;
    for _ in 0..60 {
        let directions = agent.directions().map(Direction::sign);
        agent.task().tried.take();
        agent.step(&mut rng);
        for &(mouse, action, _) in agent.task().tried.borrow().iter() {
            let outcomes = Foraging.list(&mouse);
            let taken = outcomes.iter().find(|o| o.action == action).unwrap();
            let dominates =
                |o: &&Outcome<FEATURES>| dominates(directions, o.features, taken.features);
            count += usize::from(outcomes.iter().any(|o| dominates(&o)));
        }
    }
    count
}

#[test]
fn the_filter_keeps_dominated_actions_from_being_tried() {
    for algorithm in [
        Algorithm::MLearningKnown(PAPER, KNOWN),
        Algorithm::Ipse,
        Algorithm::Lfd,
    ] {
        let off = with(algorithm);
        let on = Config {
            dominance_filter: true,
            ..off
        };
        assert_eq!(dominated_tries(on, 13), 0, "{algorithm:?}");
        assert!(dominated_tries(off, 13) > 100, "{algorithm:?}");
    }
}

#[test]
fn directions_that_are_made_up_dominate_nothing() {
    let config = Config {
        dominance_filter: true,
        ..with(Algorithm::MLearning(PAPER))
    };
    assert!(dominated_tries(config, 13) > 100);
}
