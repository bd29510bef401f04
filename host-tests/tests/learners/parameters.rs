//! Parameters: every builder sets what it says and nothing else, and what is out of range is refused by name.

use crate::fields::{differences, fields};
use ipse::learner::ipse::CAP;
use ipse::learner::m_learning::{CrossValidated, Scaling, Schedule, Unregularised};
use ipse::prelude::Direction::{Con, Pro};
use ipse::prelude::*;
use std::fmt::Debug;

/// Rollouts that differ from the default in everything.
const OTHER: Rollouts = Rollouts {
    count: 3,
    length: 7,
    discount: 0.5,
    common_random_numbers: true,
    pass_over: 1,
};

fn names(prefix: &str) -> Vec<String> {
    let names = [
        "common_random_numbers",
        "count",
        "discount",
        "length",
        "pass_over",
    ];
    names.map(|name| format!("{prefix}{name}")).to_vec()
}

/// The builder changes these parameters and no others.
fn assert_sets(before: &impl Debug, after: &impl Debug, paths: &[&str]) {
    assert_eq!(differences(before, after), paths, "{after:?}");
}

/// The value of a parameter, as text.
fn value(parameters: &impl Debug, path: &str) -> String {
    fields(parameters)[path].clone()
}

#[test]
fn the_builders_of_lfd_set_what_they_say() {
    let lfd = Lfd::new();
    assert_sets(&lfd, &lfd.alpha(0.01), &["alpha"]);
    assert_sets(&lfd, &lfd.reward_first(false), &["reward_first"]);
    assert_sets(&lfd, &lfd.dominance_filter(true), &["dominance_filter"]);
    assert_eq!(differences(&lfd, &lfd.rollouts(OTHER)), names("rollouts."));
    assert_eq!(lfd.rollouts(OTHER).rollouts, OTHER);
    assert_eq!((lfd.alpha(0.01).alpha, Lfd::default()), (0.01, lfd));
    // It differs from the paper in what is passed over.
    assert_sets(&Lfd::paper(), &lfd, &["rollouts.pass_over"]);
}

#[test]
fn the_builders_of_m_learning_set_what_they_say() {
    let weights = MLearning::scheduled();
    assert_eq!(
        differences(&weights, &weights.rollouts(OTHER)),
        names("rollouts.")
    );
    assert_sets(&weights, &weights.scaling(Scaling::Total), &["scaling"]);
    assert_sets(&weights, &weights.average(true), &["average"]);
    assert_sets(
        &weights,
        &weights.dominance_filter(true),
        &["dominance_filter"],
    );
    let slow = Schedule {
        start: 2.,
        exponent: 0.5,
    };
    let paths = ["regularisation.exponent", "regularisation.start"];
    assert_sets(&weights, &weights.regularisation(slow), &paths);
    assert_eq!(weights.regularisation(slow).regularisation, slow);

    let soft = weights.soft_labels(0.25);
    assert_sets(&weights, &soft, &["labels", "labels.temperature"]);
    assert_eq!(value(&soft, "labels.temperature"), "0.25");
    let short: MLearning<7> = weights.rollouts(OTHER).average(true).memory();
    assert_sets(&weights.rollouts(OTHER).average(true), &short, &[]);

    assert_eq!(weights.regularisation, Schedule::PAPER);
    assert_eq!(
        MLearning::unregularised(),
        weights.regularisation(Unregularised)
    );
    assert_eq!(
        MLearning::cross_validated(),
        weights.regularisation(CrossValidated)
    );
    assert_eq!(MLearning::with(Schedule::PAPER), weights);
}

#[test]
fn the_builders_of_one_learner_after_another_set_what_they_say() {
    let ipse = Ipse::new();
    assert_sets(&ipse, &ipse.cap(7), &["cap"]);
    assert_eq!((ipse.cap(7).cap, ipse.cap(None).cap), (Some(7), None));
    assert_sets(&ipse, &ipse.undecided(Undecided::Wait), &["undecided"]);
    assert_sets(&ipse, &ipse.reuse_choices(true), &["reuse_choices"]);
    assert_sets(&ipse, &ipse.alpha(0.01), &["first.alpha"]);
    assert_sets(&ipse, &ipse.reward_first(false), &["first.reward_first"]);
    assert_sets(&ipse, &ipse.scaling(Scaling::Total), &["second.scaling"]);
    assert_sets(&ipse, &ipse.average(true), &["second.average"]);
    let both = ["first.dominance_filter", "second.dominance_filter"];
    assert_sets(&ipse, &ipse.dominance_filter(true), &both);
    let both = [names("first.rollouts."), names("second.rollouts.")].concat();
    assert_eq!(differences(&ipse, &ipse.rollouts(OTHER)), both);
    let soft = ["second.labels", "second.labels.temperature"];
    assert_sets(&ipse, &ipse.soft_labels(0.25), &soft);
    let regularisation = ["exponent", "start"].map(|name| format!("second.regularisation.{name}"));
    let [exponent, start] = regularisation.each_ref().map(String::as_str);
    let unregularised = ipse.regularisation(Unregularised);
    assert_sets(
        &ipse,
        &unregularised,
        &[exponent, start, "second.regularisation"],
    );
    let short: Ipse<7> = ipse.cap(7).average(true).memory();
    assert_sets(&ipse.cap(7).average(true), &short, &[]);
}

#[test]
fn any_two_learners_make_one() {
    let known = Known([Pro, Con]);
    let learner = known.then(MLearning::scheduled().average(true));
    assert_eq!((learner.first, learner.second.average), (known, true));
    let Then { cap, undecided, .. } = learner;
    assert_eq!(
        (cap, undecided, learner.reuse_choices),
        (Some(CAP), Undecided::Free, false)
    );
    assert_eq!(Lfd::new().then(MLearning::scheduled()), Ipse::new());
    assert_eq!(Then::of(Lfd::new(), MLearning::scheduled()), Ipse::new());
    let twice = Lfd::new().then(Lfd::paper()).cap(3);
    assert_eq!(
        (twice.first, twice.second, twice.cap),
        (Lfd::new(), Lfd::paper(), Some(3))
    );
}

#[test]
fn the_builders_of_a_search_set_what_they_say() {
    let search = Search::survival();
    assert_sets(&search, &search.cap(7), &["cap"]);
    assert_sets(&search, &search.calls(7), &["calls"]);
    assert_sets(&search, &search.episode(7), &["episode"]);
    assert_sets(&search, &search.trials(7), &["trials"]);
    assert_sets(&search, &search.horizon(7), &["horizon"]);
    assert_sets(&search, &search.starts(Starts::Visited), &["starts"]);
    assert_sets(
        &search,
        &search.objective(Objective::Return),
        &["objective"],
    );
    assert_sets(&search, &search.scale(Scale::Spread), &["scale"]);
    let (from, to) = (0.15, 0.1);
    let sigma = search.sigma(Sigma::Linear { from, to });
    assert_sets(&search, &sigma, &["sigma.to"]);
    assert_sets(&search, &search.memory::<7>(), &[]);
    assert_sets(
        &search,
        &search.directions(Lfd::paper().alpha(0.01)),
        &["directions.alpha"],
    );
    let rollouts = search.rollouts(OTHER);
    assert_eq!(differences(&search, &rollouts), {
        // It does not pass over anything by itself.
        assert_eq!(search.directions.rollouts.pass_over, 0);
        names("directions.rollouts.")
    });
    let sizes = [search.cap(7).cap, search.calls(7).calls];
    assert_eq!((sizes, search.episode(7).episode), ([7, 7], 7));
}

#[test]
fn the_presets_of_a_search_are_those_that_were_measured() {
    let survival = Search::survival();
    assert_eq!((survival.directions, survival.cap), (Lfd::paper(), CAP));
    let Search {
        episode,
        trials,
        horizon,
        ..
    } = survival;
    assert_eq!((survival.calls, episode), (1_360_000, 300));
    assert_eq!((trials, horizon), (30, 80));
    let (starts, objective) = (survival.starts, survival.objective);
    assert_eq!((starts, objective), (Starts::Brinks, Objective::Failures));
    let (from, to) = (0.15, 0.12);
    assert_eq!(survival.sigma, Sigma::Linear { from, to });
    assert_eq!(survival.scale, Scale::Units);

    let returns = Search::returns(144);
    let Search {
        episode,
        trials,
        horizon,
        ..
    } = returns;
    assert_eq!((returns.directions, returns.calls), (Unknown, 1_360_000));
    assert_eq!((episode, trials, horizon), (24, 1, 144));
    let (starts, objective) = (returns.starts, returns.objective);
    assert_eq!((starts, objective), (Starts::Visited, Objective::Return));
    let (from, to) = (0.2, 0.02);
    assert_eq!(returns.sigma, Sigma::Geometric { from, to });
    assert_eq!(returns.scale, Scale::Spread);
}

/// The text of the refusal.
fn refusal<P: Parameters>(parameters: P) -> String {
    match parameters.check() {
        Ok(_) => "not refused".to_string(),
        Err(invalid) => invalid.to_string(),
    }
}

/// Rollouts of every kind that is out of range, with the text of the refusal.
fn bad_rollouts() -> Vec<(Rollouts, &'static str)> {
    let paper = Rollouts::paper();
    let with = |discount| Rollouts { discount, ..paper };
    vec![
        (
            Rollouts { count: 0, ..paper },
            "rollouts.count (0) must be from 1 to 65535",
        ),
        (
            Rollouts { length: 0, ..paper },
            "rollouts.length (0) must be from 1 to 1000",
        ),
        (
            Rollouts {
                length: 1001,
                ..paper
            },
            "rollouts.length (1001) must be from 1 to 1000",
        ),
        (
            with(-0.1),
            "rollouts.discount (-0.100000) must be from 0 to 1",
        ),
        (
            with(1.5),
            "rollouts.discount (1.500000) must be from 0 to 1",
        ),
        (
            with(f32::NAN),
            "rollouts.discount (not a number) must be from 0 to 1",
        ),
        (
            with(f32::INFINITY),
            "rollouts.discount (infinity) must be from 0 to 1",
        ),
        (
            with(-f32::INFINITY),
            "rollouts.discount (-infinity) must be from 0 to 1",
        ),
        (
            with(3e38),
            "rollouts.discount (1000000000000 or more) must be from 0 to 1",
        ),
    ]
}

#[test]
fn rollouts_that_are_out_of_range_are_refused_wherever_they_are() {
    let (lfd, weights) = (Lfd::new(), MLearning::scheduled());
    for (rollouts, text) in bad_rollouts() {
        assert_eq!(refusal(lfd.rollouts(rollouts)), text);
        assert_eq!(refusal(weights.rollouts(rollouts)), text);
        assert_eq!(refusal(lfd.rollouts(rollouts).then(weights)), text);
        assert_eq!(refusal(lfd.then(weights.rollouts(rollouts))), text);
        assert_eq!(refusal(Known([Pro]).then(weights.rollouts(rollouts))), text);
        assert_eq!(refusal(Search::survival().rollouts(rollouts)), text);
    }
}

#[test]
fn every_other_parameter_that_is_out_of_range_is_refused_with_its_name() {
    for (alpha, text) in [
        (0., "0.000000"),
        (1., "1.000000"),
        (-0.25, "-0.250000"),
        (1.5, "1.500000"),
        (f32::NAN, "not a number"),
    ] {
        let text = format!("alpha ({text}) must be above 0 and below 1");
        let lfd = Lfd::new().alpha(alpha);
        assert_eq!(refusal(lfd), text);
        assert_eq!(refusal(Ipse::new().alpha(alpha)), text);
        assert_eq!(refusal(Search::survival().directions(lfd)), text);
    }
    for (bad, text) in [
        (-0.5, "-0.500000"),
        (f32::NAN, "not a number"),
        (f32::INFINITY, "infinity"),
    ] {
        let range = "must be 0 or more, and finite";
        let temperature = format!("temperature ({text}) {range}");
        assert_eq!(refusal(Ipse::new().soft_labels(bad)), temperature);
        assert_eq!(
            refusal(MLearning::unregularised().soft_labels(bad)),
            temperature
        );
        let start = Schedule {
            start: bad,
            exponent: 1.,
        };
        let exponent = Schedule {
            start: 1.,
            exponent: bad,
        };
        let scheduled = |schedule| refusal(Ipse::new().regularisation(schedule));
        assert_eq!(scheduled(start), format!("schedule.start ({text}) {range}"));
        assert_eq!(
            scheduled(exponent),
            format!("schedule.exponent ({text}) {range}")
        );
    }
    let cap = "cap (0) must be from 1 to 4294967295";
    assert_eq!(refusal(Ipse::new().cap(0)), cap);
    assert_eq!(refusal(Search::survival().cap(0)), cap);
    let calls = "calls (0) must be from 1 to 4294967295";
    assert_eq!(refusal(Search::survival().calls(0)), calls);
    let trials = "trials (0) must be from 1 to 65535";
    assert_eq!(refusal(Search::survival().trials(0)), trials);
    let horizon = "horizon (0) must be from 1 to 65535";
    assert_eq!(refusal(Search::survival().horizon(0)), horizon);
    assert_eq!(refusal(Search::returns(0)), horizon);
    for (from, to, text) in [
        (
            0.,
            0.1,
            "sigma.from (0.000000) must be above 0 and at most 1",
        ),
        (
            1.5,
            0.1,
            "sigma.from (1.500000) must be above 0 and at most 1",
        ),
        (
            f32::NAN,
            0.1,
            "sigma.from (not a number) must be above 0 and at most 1",
        ),
        (
            0.2,
            0.,
            "sigma.to (0.000000) must be above 0 and at most sigma.from",
        ),
        (
            0.2,
            0.25,
            "sigma.to (0.250000) must be above 0 and at most sigma.from",
        ),
        (
            0.2,
            f32::NAN,
            "sigma.to (not a number) must be above 0 and at most sigma.from",
        ),
    ] {
        for sigma in [Sigma::Linear { from, to }, Sigma::Geometric { from, to }] {
            assert_eq!(refusal(Search::returns(144).sigma(sigma)), text);
        }
    }
    let undecided = Known([Pro, Direction::Undecided, Con]);
    let directions = "directions[1] (0) must be 1 or -1";
    assert_eq!(refusal(undecided), directions);
    assert_eq!(refusal(undecided.then(MLearning::scheduled())), directions);
}

#[test]
fn what_is_at_the_edge_of_its_range_is_not_refused() {
    let edges = [
        Rollouts {
            count: u16::MAX,
            length: Rollouts::LENGTH_MAX,
            discount: 1.,
            pass_over: u16::MAX,
            common_random_numbers: true,
        },
        Rollouts {
            count: 1,
            length: 1,
            discount: 0.,
            ..Rollouts::paper()
        },
    ];
    for rollouts in edges {
        let ipse = Ipse::new().rollouts(rollouts);
        assert!(ipse.cap(1).soft_labels(0.).check().is_ok());
        assert!(ipse.cap(u32::MAX).soft_labels(f32::MAX).check().is_ok());
        assert!(ipse.alpha(f32::MIN_POSITIVE).check().is_ok());
        let search = Search::survival().rollouts(rollouts).cap(1).calls(1);
        assert!(search.episode(0).trials(1).horizon(1).check().is_ok());
        let (from, to) = (1., f32::MIN_POSITIVE);
        for sigma in [
            Sigma::Geometric { from, to },
            Sigma::Linear { from, to: from },
        ] {
            assert!(search.sigma(sigma).check().is_ok());
            assert!(
                [0., 0.5, 1.]
                    .iter()
                    .all(|share| sigma.at(*share).is_finite())
            );
        }
    }
}

#[test]
fn checked_parameters_are_those_that_were_checked() {
    let ipse = Ipse::new().cap(7);
    let checked = ipse.check().unwrap();
    assert_eq!((*checked, checked.cap), (ipse, Some(7)));
}
