//! The search agrees with its [reference](super::reference), generation by generation and to the bit.
//!
//! This is what notices when an idea of the search is lost: that σ falls, that the rate does, that all calls are used,
//! that brinks come from trials, too, and from 20 to 40 actions before an end, that what is learned is an average and can
//! be shrunk, that branches are merged, that weights are scaled by spreads, that candidates come in pairs, that rewards rank them, and
//! that it looks elsewhere where they do all alike.

use super::reference::{Reference, Report};
use crate::rng;
use ipse::prelude::*;
use ipse::search::DirectionLearner;
use std::fmt::Debug;

/// A walk along a ledge from −9 to 9, with gusts of wind. Whoever is blown to either end falls down. No two steps are
/// equally pleasant.
#[derive(Clone, Copy, Debug)]
struct Ledge;

const END: i8 = 9;

/// A number from 0 to 100 that looks random.
fn scramble(place: i8, action: Action, salt: u32) -> i16 {
    let key = (place + END) as u32 * 31 + u32::from(action) * 7 + salt;
    (key.wrapping_mul(2_654_435_761) >> 16) as i16 % 101
}

impl Environment for Ledge {
    type State = i8;
    type Features = [i16; 3];
    type Actions = [Action; 3];
    const NAME: &'static str = "ledge";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("distance to an end", 1100),
        Feature::new("view", 100),
        Feature::new("comfort", 10).unit(0.5),
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> i8 {
        (rng.next_u32() % 7) as i8 - 3
    }

    fn outcomes(&self, place: &i8, mut visit: impl FnMut(Outcome<[i16; 3]>)) {
        if place.abs() >= END {
            return;
        }
        for action in 0..3 {
            let to = place + action as i8 - 1;
            let distance = i16::from(END - to.abs()) * 100;
            visit(Outcome {
                action,
                promise: 0,
                features: [
                    distance + scramble(*place, action, 0),
                    scramble(*place, action, 1),
                    scramble(*place, action, 2) / 10,
                ],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, place: &i8, action: Action, rng: &mut R) -> (i8, i16) {
        let wind = [-3, -2, -1, -1, 0, 0, 1, 1, 2, 3][rng.next_u32() as usize % 10];
        let to = (place + action as i8 - 1 + wind).clamp(-END, END);
        (to, scramble(*place, action, 1) / 10 - 4)
    }

    fn is_safe(&self, place: &i8) -> bool {
        *place == 0
    }
}

/// What was compared: all generations, and how many of them explored.
struct Compared {
    reports: Vec<Report>,
    explored: u32,
}

/// Compares a whole search with the reference, and what comes after its end.
fn assert_agrees<L, const N: usize>(search: Search<L, N>, seed: u64) -> Compared
where
    L: DirectionLearner<Ledge> + Debug,
{
    let mut rng = rng(seed);
    let mut searcher = Searcher::new(Ledge, search.check().unwrap(), &mut rng);
    while searcher.progress().phase == Phase::Directions {
        searcher.step(&mut rng);
    }
    let start = (*searcher.state(), &searcher.weights()[..]);
    let budget = search.calls - searcher.progress().calls;
    let mut reference = Reference::new(Ledge, search, start, budget, rng.clone());
    let mut reports = Vec::new();
    let mut after = 0;
    while after < 3 {
        let step = searcher.step(&mut rng);
        let found = Report {
            calls: step.calls,
            reward: step.reward,
            episode_ended: step.episode_ended,
            weights: step.weights.to_vec(),
        };
        assert_eq!(found, reference.generation(), "{search:?}, {seed}");
        assert_eq!(&rng, reference.rng(), "{search:?}, {seed}");
        match searcher.progress().is_finished {
            true => after += 1,
            false => assert_eq!(searcher.brinks(), reference.brinks()),
        }
        reports.push(found);
    }
    Compared {
        reports,
        explored: reference.explored,
    }
}

fn survival() -> Search<Lfd, 12> {
    let rollouts = Rollouts {
        count: 1,
        length: 3,
        ..Rollouts::paper()
    };
    let search = Search::survival().memory().calls(20_000).cap(4);
    search.episode(90).trials(4).horizon(60).rollouts(rollouts)
}

fn returns() -> Search<Unknown, 0> {
    Search::returns(30).calls(20_000)
}

#[test]
fn a_search_by_failures_agrees_with_its_reference() {
    for seed in 0..4 {
        let reports = assert_agrees(survival(), seed).reports;
        assert!(reports.len() > 20, "{}", reports.len());
    }
}

#[test]
fn a_search_by_returns_agrees_with_its_reference() {
    for seed in 0..4 {
        let reports = assert_agrees(returns(), seed).reports;
        assert!(reports.len() > 100, "{}", reports.len());
        assert_eq!(reports[0].calls, 200);
    }
}

#[test]
fn whatever_is_chosen_otherwise_agrees_with_the_reference() {
    let (survival, returns) = (|| survival().calls(5_000), || returns().calls(4_000));
    for seed in 0..2 {
        assert_agrees(survival().objective(Objective::Return), seed);
        assert_agrees(survival().starts(Starts::Visited), seed);
        assert_agrees(survival().scale(Scale::Spread), seed);
        assert_agrees(survival().shrinkage(0.7), seed);
        assert_agrees(survival().guard(Some(Guard::new())), seed);
        assert_agrees(survival().memory::<3>().episode(7), seed);
        assert_agrees(survival().memory::<0>(), seed);
        assert_agrees(survival().directions(Unknown), seed);
        assert_agrees(returns().objective(Objective::Failures), seed);
        assert_agrees(returns().starts(Starts::Brinks).memory::<5>(), seed);
        assert_agrees(returns().scale(Scale::Units).trials(3), seed);
        assert_agrees(returns().episode(0).horizon(1), seed);
        assert_agrees(returns().calls(150), seed);
        let known = [Direction::Pro, Direction::Con, Direction::Pro];
        assert_agrees(returns().directions(Known(known)), seed);
    }
}

/// Where trials are short, candidates often collect the same.
#[test]
fn where_all_candidates_do_alike_it_explores_as_the_reference_does() {
    for seed in 0..3 {
        let compared = assert_agrees(returns().horizon(2), seed);
        let (generations, explored) = (compared.reports.len() as u32, compared.explored);
        let is_both = 10 < explored && explored < generations - 10;
        assert!(is_both, "{explored} of {generations}");
        assert_eq!(assert_agrees(survival().horizon(2), seed).explored, 0);
    }
}

/// Or merging would not have been compared.
#[test]
fn on_the_ledge_candidates_meet_again() {
    let reports = assert_agrees(returns(), 1).reports;
    let alone = 24 + 12 * 30;
    let calls: u32 = reports[1..].iter().map(|report| report.calls).sum();
    assert!(calls < alone * reports.len() as u32 / 2, "{calls}");
}

#[test]
fn sigma_falls_by_equal_differences_or_by_equal_ratios() {
    let (from, to) = (0.2, 0.02);
    let (linear, geometric) = (Sigma::Linear { from, to }, Sigma::Geometric { from, to });
    for percent in 0..=100 {
        let share = percent as f32 / 100.;
        let expected = 0.2 - 0.18 * share;
        assert!((linear.at(share) - expected).abs() < 1e-6);
        let expected = 0.2 * 0.1f64.powf(share.into());
        let error = f64::from(geometric.at(share)) / expected - 1.;
        assert!(error.abs() < 1e-5, "{error} at {share}");
    }
    for sigma in [linear, geometric] {
        assert_eq!(sigma.at(0.), 0.2);
        assert!((sigma.at(1.) - 0.02).abs() < 1e-7);
    }
}
