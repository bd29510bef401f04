//! No valid parameters make a slice of work long, even in a task with 256 actions.

use bench::Wide;
use ipse::learner::m_learning::{Regularisation, SLICE};
use ipse::prelude::*;

const SHORTEST: Rollouts = Rollouts {
    count: 1,
    length: 1,
    ..Rollouts::paper()
};

/// The most outcomes that one of so many slices visits, after so many iterations.
fn most_visited(learner: impl Learner<Wide>, iterations: u32, slices: u32) -> u32 {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut agent = Agent::new(Wide::default(), learner.check().unwrap(), &mut rng);
    while agent.progress().iterations < iterations {
        agent.slice(&mut rng);
    }
    agent.task().take_visited();
    let visited = (0..slices).map(|_| {
        agent.slice(&mut rng);
        agent.task().take_visited()
    });
    visited.max().unwrap_or_default()
}

fn with_rollouts(length: u16, dominance_filter: bool) -> impl Learner<Wide> {
    let rollouts = Rollouts { length, ..SHORTEST };
    let second = MLearning::scheduled().rollouts(rollouts);
    Known(Wide::DIRECTIONS).then(second.dominance_filter(dominance_filter))
}

#[test]
fn a_rollout_visits_the_actions_of_a_bounded_number_of_states() {
    for (longest, dominance_filter) in [
        (Rollouts::LENGTH_MAX, false),
        (Rollouts::FILTERED_LENGTH_MAX, true),
    ] {
        let visited = most_visited(with_rollouts(longest, dominance_filter), 0, 3);
        let states = visited / Wide::ACTIONS;
        assert_eq!(states, u32::from(longest) - 1, "all but the last");
        let longer = with_rollouts(longest + 1, dominance_filter);
        let error = longer.check().map(|_| ()).unwrap_err().to_string();
        let (value, range) = (longest + 1, format!("from 1 to {longest}"));
        assert_eq!(error, format!("rollouts.length ({value}) must be {range}"));
    }
}

/// Most of what is visited while a learner looks back at 112 choices, a tenth of which are more than a slice.
fn looking_back<R: Regularisation>(second: MLearning<100, R>) -> u32 {
    const CHOICES: u32 = 220;
    // No votes decide at this level.
    let first = Lfd::new().alpha(f32::MIN_POSITIVE);
    let learner = first.then(second).memory::<200>().rollouts(SHORTEST);
    let learner = learner.cap(CHOICES).reuse_choices(true);
    let deliberation = Wide::ACTIONS + 1;
    most_visited(learner, CHOICES, deliberation + 200)
}

#[test]
fn a_fit_and_a_cross_validation_read_a_few_choices_at_once() {
    let a_few = SLICE as u32 * Wide::ACTIONS;
    assert_eq!(looking_back(MLearning::scheduled()), a_few);
    assert_eq!(looking_back(MLearning::cross_validated()), a_few);
}
