//! What a learner may rely on: the contract of `Environment`, for every task, in states that a policy visits and in
//! states that nobody has ever seen.

use crate::{Saved, any, noise, rng, visited};
use host_tests::picture::Picture;
use ipse::environment::Outcomes;
use ipse::prelude::*;
use ipse_tasks::{CartPole, Foraging, Intersection, SensorNode};
use std::fmt::Debug;

const STATES: usize = if cfg!(debug_assertions) { 50 } else { 1_000 };

fn states<E: Resumable + Copy>(task: &E) -> Vec<E::State> {
    let mut states = visited(task, STATES, 1);
    states.extend(any(task, STATES, 2));
    states
}

macro_rules! every_task {
    ($check:ident) => {
        $check(Foraging);
        $check(SensorNode::default());
        $check(CartPole);
        $check(Intersection::default());
    };
}

#[test]
fn actions_are_visited_once_and_always_in_the_same_order() {
    every_task!(check);

    fn check<E: Resumable + Copy>(task: E)
    where
        E::State: Debug,
    {
        for state in states(&task) {
            let list = task.list(&state);
            let mut actions: Vec<_> = list.iter().map(|outcome| outcome.action).collect();
            let mut visits = 0;
            task.outcomes(&state, |_| visits += 1);
            assert_eq!(visits, actions.len(), "more than there is room for");
            actions.sort();
            actions.dedup();
            assert_eq!(actions.len(), list.len(), "{state:?}");
            let again: Outcomes<E> = task.list(&state);
            assert_eq!(again.as_ref(), list.as_ref(), "{state:?}");
        }
    }
}

#[test]
fn no_feature_exceeds_its_bound() {
    every_task!(check);

    fn check<E: Resumable + Copy>(task: E)
    where
        E::State: Debug,
    {
        let features = E::FEATURES;
        for state in states(&task) {
            task.outcomes(&state, |outcome| {
                let values = outcome.features.as_ref().iter();
                for (value, feature) in values.zip(features.as_ref()) {
                    let size = value.unsigned_abs();
                    let bound = feature.bound.unsigned_abs();
                    assert!(size <= bound, "{feature:?} is {value}: {state:?}");
                }
            });
        }
    }
}

#[test]
fn every_feature_varies_among_actions() {
    every_task!(check);

    fn check<E: Resumable + Copy>(task: E) {
        let features = E::FEATURES;
        let states = states(&task);
        for (index, feature) in features.as_ref().iter().enumerate() {
            let varies = states.iter().any(|state| {
                let mut values = Vec::new();
                task.outcomes(state, |outcome| {
                    values.push(outcome.features.as_ref()[index]);
                });
                values.iter().any(|value| *value != values[0])
            });
            assert!(varies, "{feature:?}");
        }
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    every_task!(check);

    fn check<E: Resumable + Copy>(task: E)
    where
        E::State: Debug + PartialEq,
    {
        for state in states(&task).iter().step_by(7) {
            let legal: Vec<_> = task.list(state).iter().map(|o| o.action).collect();
            for action in 0..=Action::MAX {
                let (next, reward) = task.step(state, action, &mut rng(4));
                if !legal.contains(&action) {
                    assert_eq!((next, reward), (*state, 0), "action {action}");
                }
            }
        }
    }
}

#[test]
fn a_step_depends_on_nothing_but_its_arguments() {
    every_task!(check);

    fn check<E: Resumable + Copy>(task: E)
    where
        E::State: Debug + PartialEq,
    {
        for (seed, state) in (0..).zip(states(&task)) {
            for outcome in task.list(&state).iter() {
                let step = || task.step(&state, outcome.action, &mut rng(seed));
                assert_eq!(step(), step(), "{state:?}");
            }
        }
    }
}

#[test]
fn every_state_that_is_reached_can_be_saved_and_is_read_again() {
    every_task!(check);

    fn check<E: Resumable + Copy>(task: E)
    where
        E::State: Debug + PartialEq,
    {
        let mut saved = Saved::new(task);
        let mut draws = rng(5);
        let mut read = 0;
        while read < STATES / 2 {
            let bits = noise(&mut draws);
            let Ok(state) = saved.state(bits) else {
                continue;
            };
            read += 1;
            let mask = (1 << E::STATE_BITS) - 1;
            assert_eq!(saved.bits(), bits & mask, "{state:?}");
            // Where it goes from there can be saved as well.
            for _ in 0..3 {
                saved.agent.step(&mut draws);
            }
            let later = *saved.agent.state();
            let bits = saved.bits();
            assert_eq!(saved.state(bits).unwrap(), later);
        }
    }
}

#[test]
fn pictures_are_within_their_frame_and_show_something() {
    every_task!(check);

    fn check<E: Resumable + Copy>(task: E) {
        let (width, height) = E::PICTURE;
        assert!((1..=64).contains(&width) && (1..=64).contains(&height));
        // A pixel outside would panic.
        for state in states(&task) {
            assert!(Picture::of(&task, &state).to_string().contains('#'));
        }
    }
}
