//! What is wrong with features, and with the choices that they are about.

use super::super::Diagnosis;
use super::super::features::{Features, Measured};
use super::{Finding, Kind, percent, quoted};
use crate::figures::decimal;
use ipse::learner::ipse::CAP;

/// The correlation from which on two features are collinear. What tells them apart is then less than 1 − r² = 4 % of
/// their variance: about four of the hundred choices that IPSE remembers.
const COLLINEAR: f64 = 0.98;

/// The same for a feature and all others together: the share of its variance that they explain.
const REDUNDANT: f64 = 0.99;

/// The fewest votes that a two-sided test at 0.05 can decide on: 2 · 2⁻⁶ = 0.03.
const FEWEST_VOTES: f64 = 6.;

/// How many times as wide as the values that are seen a bound may be. Weights have about 29 bits, less those of the sum of
/// all bounds; a factor of 100 takes almost 7 of them.
const WIDE: f64 = 100.;

/// The least spread of a feature beside the largest, in their units: the ratio below which the return search tells
/// spreads no longer apart.
const FAINT: f64 = 0.02;

/// Nothing to choose, or no episode that goes on after a choice.
pub fn no_choice(diagnosis: &Diagnosis) -> Option<Finding> {
    let survey = diagnosis.survey.as_ref()?;
    let problem =
        |fact: String, advice: &str| Some(Finding::problem(Kind::NoChoice, &[], fact, advice));
    let actions = survey.actions;
    if actions == 0 {
        let advice = "Let `reset` return a state in which `outcomes` visits at least one action.";
        return problem("Every episode begins in a terminal state.".into(), advice);
    }
    if survey.ended >= actions {
        let fact = format!("Every one of {actions} random actions ends its episode.");
        let advice = "Nothing is learned from an action that ends its episode: let it go on for at least one more.";
        return problem(fact, advice);
    }
    let features = diagnosis.features.as_ref()?;
    if features.choices == 0 {
        let states = features.states;
        let fact = format!("No more than one action is legal in any of {states} states.");
        let advice = "There is nothing to choose: visit all alternatives in `outcomes`.";
        return problem(fact, advice);
    }
    None
}

/// What is wrong with features. Where IPSE is fine, nothing is said about what it starts from.
pub fn findings(measured: &Features, is_ipse_fine: bool) -> Vec<Finding> {
    let features = &measured.features;
    if measured.choices == 0 {
        return Vec::new();
    }
    let mut findings: Vec<Finding> = features.iter().filter_map(constant).collect();
    findings.extend(collinear(features));
    findings.extend(features.iter().filter_map(wide));
    findings.extend(rare(features));
    if !is_ipse_fine {
        findings.extend(faint(features));
    }
    findings
}

fn constant(feature: &Measured) -> Option<Finding> {
    let name = &*feature.name;
    let fact = format!("`{name}` is the same for all actions in every choice that was seen.");
    let advice = "It cannot tell actions apart, whatever its weight: measure what the action does, or remove it.";
    let finding = Finding::problem(Kind::Constant, &[name], fact, advice);
    (feature.varies == 0.).then_some(finding)
}

fn rare(features: &[Measured]) -> Option<Finding> {
    let is_rare =
        |feature: &&Measured| feature.varies > 0. && feature.varies * f64::from(CAP) < FEWEST_VOTES;
    let rare: Vec<&Measured> = features.iter().filter(is_rare).collect();
    let names: Vec<&str> = rare.iter().map(|feature| &*feature.name).collect();
    let each = rare.iter().map(|feature| {
        let share = percent(feature.varies);
        format!("`{}` ({share} of choices)", feature.name)
    });
    let fact = format!(
        "Seldom different among actions: {}.",
        each.collect::<Vec<_>>().join(", ")
    );
    let advice = format!(
        "{CAP} iterations of LFD will hardly give the six votes that decide a direction, and the weight has to come \
         from the data alone. That is no mistake if it matters when it varies."
    );
    (!rare.is_empty()).then(|| Finding::note(Kind::Rare, &names, fact, advice))
}

fn collinear(features: &[Measured]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut paired = vec![false; features.len()];
    for (i, one) in features.iter().enumerate() {
        for (j, other) in features.iter().enumerate().skip(i + 1) {
            let r = one.correlations[j];
            if r.abs() < COLLINEAR {
                continue;
            }
            (paired[i], paired[j]) = (true, true);
            let (a, b) = (&*one.name, &*other.name);
            let fact = format!(
                "`{a}` and `{b}` have a correlation of {} among actions.",
                decimal(r, 3)
            );
            let advice = "They are one argument: remove one, or change what it measures. Their weights cannot be told \
                          apart, and the argument counts twice while weights are equal.";
            findings.push(Finding::problem(Kind::Collinear, &[a, b], fact, advice));
        }
    }
    let alone = features
        .iter()
        .zip(paired)
        .filter(|(_, is_paired)| !is_paired);
    findings.extend(alone.filter_map(|(feature, _)| redundant(feature)));
    findings
}

fn redundant(feature: &Measured) -> Option<Finding> {
    let Measured {
        name, explained, ..
    } = feature;
    let explains = percent(*explained);
    let fact = format!("The other features together explain {explains} of how `{name}` varies.");
    let advice = "It is a weighted sum of others, and their weights cannot be told apart: remove one of them.";
    let finding = Finding::problem(Kind::Redundant, &[name], fact, advice);
    (*explained >= REDUNDANT).then_some(finding)
}

fn wide(feature: &Measured) -> Option<Finding> {
    let Measured {
        name, bound, range, ..
    } = feature;
    let largest = range.0.unsigned_abs().max(range.1.unsigned_abs());
    let is_wide = largest > 0 && f64::from(*bound) >= WIDE * f64::from(largest);
    let fact = format!("The bound of `{name}` is {bound}, and no value is beyond {largest}.");
    let advice = "Lower the bound if larger values cannot come: it makes the weights of all features coarser.";
    is_wide.then(|| Finding::note(Kind::WideBound, &[name], fact, advice))
}

/// Features that nobody hears at equal weights.
fn faint(features: &[Measured]) -> Option<Finding> {
    let loudness = |feature: &Measured| feature.spread * f64::from(feature.unit);
    let loudest = features.iter();
    let loudest = loudest.max_by(|a, b| loudness(a).total_cmp(&loudness(b)))?;
    let is_faint =
        |feature: &&Measured| feature.spread > 0. && loudness(feature) < FAINT * loudness(loudest);
    let faint: Vec<&str> = features
        .iter()
        .filter(is_faint)
        .map(|feature| &*feature.name)
        .collect();
    let fact = format!(
        "`{}` varies more than {} times as much among actions, in their units, as {}.",
        loudest.name,
        decimal(1. / FAINT, 0),
        quoted(faint.iter().copied())
    );
    let advice = "Learning starts from equal weights, at which the others are not heard: choose units (`Feature::unit`) \
                  such that a usual difference of each feature matters about as much.";
    (!faint.is_empty()).then(|| Finding::note(Kind::Faint, &faint, fact, advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A feature that nothing is wrong with.
    fn feature(name: &str) -> Measured {
        Measured {
            name: name.into(),
            unit: 1.,
            bound: 10,
            varies: 1.,
            spread: 2.,
            range: (-3, 7),
            correlations: vec![0.; 2],
            explained: 0.5,
        }
    }

    fn kinds(features: [Measured; 2], is_ipse_fine: bool) -> Vec<Kind> {
        let measured = Features {
            states: 100,
            choices: 100,
            actions: 3.,
            features: features.into(),
        };
        let findings = findings(&measured, is_ipse_fine);
        findings.iter().map(|finding| finding.kind).collect()
    }

    #[test]
    fn a_bound_is_wide_from_a_hundred_times_the_largest_value_on() {
        let bound = |bound| Measured {
            bound,
            ..feature("wide")
        };
        assert_eq!(kinds([bound(699), feature("other")], false), []);
        assert_eq!(
            kinds([bound(700), feature("other")], false),
            [Kind::WideBound]
        );
    }

    #[test]
    fn a_feature_is_rare_if_the_first_phase_does_not_give_six_votes() {
        let varies = |varies| Measured {
            varies,
            ..feature("rare")
        };
        assert_eq!(kinds([varies(0.12), feature("other")], false), []);
        assert_eq!(kinds([varies(0.11), feature("other")], false), [Kind::Rare]);
        assert_eq!(
            kinds([varies(0.), feature("other")], false),
            [Kind::Constant]
        );
    }

    #[test]
    fn a_faint_feature_is_noted_by_its_units_unless_ipse_is_fine() {
        let loud = |unit| Measured {
            unit,
            ..feature("loud")
        };
        assert_eq!(kinds([loud(49.), feature("faint")], false), []);
        assert_eq!(kinds([loud(51.), feature("faint")], false), [Kind::Faint]);
        assert_eq!(kinds([loud(51.), feature("faint")], true), []);
    }
}
