//! What a diagnosis finds: in a healthy task nothing, and each fault where there is one.

mod late;
mod market;

use super::*;
use ipse::Resumable;
use late::{Lottery, Orchard, Pond};
use market::{Fault, Market};

/// Little of everything, since tests run without optimisation.
fn small() -> Options<'static> {
    Options {
        threads: 2,
        states: 300,
        votes: 100,
        iterations: 60,
        runs: 2,
        calls: 10_000,
        horizon: 60,
        horizon_states: 40,
        horizon_rollouts: 4,
        episodes: 10,
        cut_after: 200,
        ..Options::default()
    }
}

/// Enough for promises.
fn tiny() -> Options<'static> {
    Options {
        votes: 10,
        iterations: 5,
        runs: 1,
        calls: 1_000,
        horizon: 10,
        horizon_states: 2,
        episodes: 2,
        ..small()
    }
}

fn of<E: Resumable + Sync>(task: E) -> Diagnosis {
    diagnose(&task, &small())
}

/// The findings of a kind.
fn found(diagnosis: &Diagnosis, kind: Kind) -> Vec<&Finding> {
    let findings = diagnosis.findings.iter();
    findings.filter(|finding| finding.kind == kind).collect()
}

/// The only finding of a kind.
fn only(diagnosis: &Diagnosis, kind: Kind) -> &Finding {
    let findings = found(diagnosis, kind);
    assert_eq!(findings.len(), 1, "{kind:?}: {:?}", diagnosis.findings);
    findings[0]
}

/// The fact that the only broken promise of a task is told with.
fn broken(fault: Fault, promise: Promise) -> String {
    let diagnosis = diagnose(&Market(fault), &tiny());
    let promises: Vec<Promise> = diagnosis.breaches.iter().map(|it| it.promise).collect();
    assert_eq!(promises, [promise], "{fault:?}: {:?}", diagnosis.breaches);
    let finding = only(&diagnosis, Kind::Promise(promise));
    assert_eq!(finding.severity, Severity::Broken);
    assert!(!finding.advice.is_empty());
    finding.fact.clone()
}

#[test]
fn a_healthy_task_raises_no_finding() {
    let diagnosis = of(Market(Fault::Nothing));
    assert!(diagnosis.keeps_promises());
    assert!(diagnosis.findings.is_empty(), "{:?}", diagnosis.findings);
    assert_eq!(diagnosis.recommendation.method, Method::Ipse);
}

#[test]
fn a_constant_feature_is_found() {
    let diagnosis = diagnose(&Market(Fault::Constant), &tiny());
    assert_eq!(only(&diagnosis, Kind::Constant).about, ["weight"]);
    assert!(found(&diagnosis, Kind::Collinear).is_empty());
}

#[test]
fn two_collinear_features_are_found_whatever_they_have_in_common_in_a_state() {
    let diagnosis = diagnose(&Market(Fault::Collinear), &tiny());
    assert_eq!(
        only(&diagnosis, Kind::Collinear).about,
        ["effort", "weight"]
    );
    assert!(found(&diagnosis, Kind::Redundant).is_empty());
}

#[test]
fn a_feature_that_is_a_sum_of_others_is_found() {
    let diagnosis = diagnose(&Market(Fault::Redundant), &tiny());
    assert!(found(&diagnosis, Kind::Collinear).is_empty());
    assert_eq!(found(&diagnosis, Kind::Redundant).len(), 3);
}

#[test]
fn a_bound_that_is_exceeded_is_found_with_its_largest_value() {
    let fact = broken(Fault::Bound, Promise::Bound);
    assert!(fact.starts_with("Feature `weight` of action "), "{fact}");
    assert!(fact.contains("is 39, and must be from −30 to 30"), "{fact}");
}

#[test]
fn outcomes_in_another_order_are_found() {
    let fact = broken(Fault::Order, Promise::Order);
    assert!(
        fact.contains("[0, 1, 2]") && fact.contains("[2, 1, 0]"),
        "{fact}"
    );
}

#[test]
fn outcomes_that_change_are_found() {
    let diagnosis = diagnose(&Market(Fault::Values), &tiny());
    let fact = &only(&diagnosis, Kind::Promise(Promise::Order)).fact;
    assert!(
        fact.starts_with("Asked twice, feature `weight` of action 0 is"),
        "{fact}"
    );
}

#[test]
fn an_action_that_is_visited_twice_is_found() {
    let diagnosis = diagnose(&Market(Fault::Twice), &tiny());
    let finding = only(&diagnosis, Kind::Promise(Promise::Once));
    assert_eq!(finding.about, ["action 0"]);
}

#[test]
fn more_actions_than_there_is_room_for_are_found() {
    let fact = broken(Fault::Room, Promise::Room);
    assert!(
        fact.starts_with("4 actions are visited, and `Actions` has room for 3"),
        "{fact}"
    );
}

#[test]
fn an_illegal_action_that_panics_is_found() {
    let fact = broken(Fault::Illegal, Promise::Illegal);
    assert!(
        fact.starts_with("Action 3, which is not legal: `step` panics at"),
        "{fact}"
    );
}

#[test]
fn a_panic_in_a_rare_state_is_found_with_its_method_and_the_rest_is_measured() {
    let diagnosis = diagnose(&Market(Fault::Rare), &tiny());
    let finding = only(&diagnosis, Kind::Promise(Promise::Panic));
    assert_eq!(finding.about, ["step"]);
    assert!(finding.fact.contains("no market today"), "{}", finding.fact);
    let features = diagnosis.features.as_ref().unwrap();
    assert!(features.choices > 100);
    assert!(diagnosis.ceiling.is_some() && diagnosis.horizon.is_some());
    assert!(diagnosis.text().contains("A promise is broken"));
}

#[test]
fn terminal_states_that_are_not_told_are_found() {
    let fact = broken(Fault::Terminal, Promise::Terminal);
    assert_eq!(fact, "`is_terminal` is false, and 0 actions are legal.");
    let fact = broken(Fault::Value, Promise::Terminal);
    assert_eq!(fact, "`value` of a terminal state is 7, and should be 0.");
}

#[test]
fn chance_from_elsewhere_is_found() {
    let diagnosis = diagnose(&Market(Fault::Chance), &tiny());
    assert_eq!(
        only(&diagnosis, Kind::Promise(Promise::Chance)).about,
        ["step"]
    );
}

#[test]
fn equal_states_that_differ_are_found() {
    let diagnosis = diagnose(&Market(Fault::Equal), &tiny());
    let fact = &only(&diagnosis, Kind::Promise(Promise::Equal)).fact;
    assert!(fact.contains("what action 0 leads to"), "{fact}");
}

#[test]
fn states_that_are_not_saved_are_found() {
    let fact = broken(Fault::Saved, Promise::Saved);
    assert_eq!(
        fact,
        "A state that was saved and read again is another one."
    );
    let fact = broken(Fault::Range, Promise::Saved);
    let expected = "A state cannot be saved: checkpoint: day (";
    assert!(
        fact.starts_with(expected) && fact.ends_with(") must be from 0 to 50."),
        "{fact}"
    );
}

#[test]
fn a_reward_at_the_end_of_its_range_is_found() {
    let fact = broken(Fault::Reward, Promise::Reward);
    assert!(fact.contains("is 32767, the end of the range"), "{fact}");
}

#[test]
fn promises_that_no_reward_keeps_are_found() {
    broken(Fault::Promise, Promise::Expected);
}

#[test]
fn a_picture_beyond_its_frame_is_found() {
    let fact = broken(Fault::Picture, Promise::Picture);
    assert!(
        fact.contains("17 pixels to the right") && fact.contains("16 by 16"),
        "{fact}"
    );
}

#[test]
fn consequences_beyond_a_rollout_are_found_and_call_for_the_return_search() {
    let diagnosis = of(Orchard {
        days: 40,
        is_valued: false,
    });
    only(&diagnosis, Kind::Late);
    only(&diagnosis, Kind::FarFromCeiling);
    let expected = Method::Returns {
        horizon: 60,
        trials: 1,
    };
    assert_eq!(diagnosis.recommendation.method, expected);
}

#[test]
fn consequences_within_a_rollout_are_none() {
    let diagnosis = of(Orchard {
        days: 5,
        is_valued: false,
    });
    assert!(found(&diagnosis, Kind::Late).is_empty());
    let seen = diagnosis.horizon.as_ref().unwrap().rollout().unwrap();
    assert!(seen.share.mean > 0.99);
    assert_eq!(diagnosis.recommendation.method, Method::Ipse);
}

#[test]
fn a_value_that_makes_up_for_late_consequences_is_noted() {
    let diagnosis = of(Orchard {
        days: 40,
        is_valued: true,
    });
    assert!(found(&diagnosis, Kind::Late).is_empty());
    only(&diagnosis, Kind::LateButValued);
    assert_eq!(diagnosis.recommendation.method, Method::Ipse);
}

#[test]
fn consequences_at_the_horizon_call_for_a_longer_one() {
    let diagnosis = of(Orchard {
        days: 50,
        is_valued: false,
    });
    let advice = &only(&diagnosis, Kind::StillGrowing).advice;
    assert!(advice.ends_with("a horizon of 180."), "{advice}");
}

#[test]
fn nothing_to_choose_is_found() {
    for (fault, fact) in [
        (
            Fault::Single,
            "No more than one action is legal in any of 300 states.",
        ),
        (
            Fault::Short,
            "Every one of 1000 random actions ends its episode.",
        ),
        (Fault::Over, "Every episode begins in a terminal state."),
    ] {
        let diagnosis = diagnose(&Market(fault), &tiny());
        assert_eq!(only(&diagnosis, Kind::NoChoice).fact, fact, "{fault:?}");
        assert!(found(&diagnosis, Kind::Constant).is_empty(), "{fault:?}");
    }
}

#[test]
fn a_state_that_nothing_leads_back_from_is_found_by_fresh_starts() {
    let diagnosis = of(Pond);
    only(&diagnosis, Kind::Trap);
}

#[test]
fn a_quick_recommendation_is_that_of_a_diagnosis() {
    let method = |days| {
        let orchard = Orchard {
            days,
            is_valued: false,
        };
        quick::recommendation(&orchard, 144, 5_000).method
    };
    assert_eq!(method(5), Method::Ipse);
    assert!(matches!(method(40), Method::Returns { horizon: 144, .. }));
}

#[test]
fn noise_alone_is_no_finding() {
    for seed in 0..5 {
        let options = Options { seed, ..small() };
        let horizon = horizon::measure(&Lottery, &[0., 0.], &options)
            .unwrap()
            .unwrap();
        assert!(
            !horizon.is_telling() && !horizon.is_growing(),
            "seed {seed}: {horizon:?}"
        );
    }
    let diagnosis = of(Lottery);
    only(&diagnosis, Kind::NothingLearned);
    assert!(found(&diagnosis, Kind::Late).is_empty());
}

#[test]
fn a_diagnosis_follows_from_its_seed_whatever_the_threads() {
    let json = |threads| {
        let options = Options { threads, ..tiny() };
        serde_json::to_string(&diagnose(&Market(Fault::Nothing), &options)).unwrap()
    };
    assert_eq!(json(1), json(3));
}

#[test]
fn the_text_has_eighty_columns() {
    for fault in [Fault::Nothing, Fault::Rare, Fault::Bound, Fault::Collinear] {
        let options = Options {
            votes: 200,
            ..tiny()
        };
        let text = diagnose(&Market(fault), &options).text();
        for line in anstream::adapter::strip_str(&text).to_string().lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn progress_is_told_of_every_stage_to_its_end() {
    let told = std::sync::Mutex::new(Vec::new());
    let listen = |progress: Progress| told.lock().unwrap().push((progress.stage, progress.share));
    let options = Options {
        progress: Some(&listen),
        ..tiny()
    };
    diagnose(&Market(Fault::Nothing), &options);
    let told = told.into_inner().unwrap();
    let stages = [
        Stage::Promises,
        Stage::Learning,
        Stage::Scoring,
        Stage::Features,
        Stage::Horizon,
    ];
    for stage in stages {
        let shares = told
            .iter()
            .filter(|(of, _)| *of == stage)
            .map(|(_, share)| *share);
        let shares: Vec<f64> = shares.collect();
        assert!(
            shares.is_sorted() && shares[0] == 0.,
            "{stage:?}: {shares:?}"
        );
        assert!(shares.last().unwrap() > &0.8, "{stage:?}: {shares:?}");
    }
}
