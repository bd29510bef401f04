//! What follows from a diagnosis: a plain sentence for each finding, and the learner to use.

use super::Diagnosis;
use super::ceiling::{Ceiling, Contender, Measure};
use super::contract::{Breach, Promise};
use super::features::Measured;
use super::horizon::Horizon;
use super::method::Method;
use super::votes::Ballot;
use crate::figures::decimal;
use crate::summary::Estimate;
use ipse::learner::ipse::CAP;
use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A promise is broken: what is learned may be wrong.
    Broken,
    /// Learning is going to be worse than it could be.
    Problem,
    /// Good to know.
    Note,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A promise that is broken.
    Promise(Promise),
    /// There is nothing to choose, or nothing can be learned from a choice.
    NoChoice,
    /// A feature that never varies among the actions of a state.
    Constant,
    /// A feature that varies too seldom to be decided in time.
    Rare,
    /// Two features that say the same.
    Collinear,
    /// A feature that several others together say as well.
    Redundant,
    /// A bound that is far too wide.
    WideBound,
    /// A feature that is not heard beside others at equal weights.
    Faint,
    /// A feature that is decided in opposite ways, beyond doubt.
    TwoFaced,
    /// A feature that is decided in opposite ways, by chance.
    Unsteady,
    /// A feature on which votes stay balanced.
    Undecided,
    /// No policy is better than random play.
    NothingLearned,
    /// IPSE stays far from what the features allow.
    FarFromCeiling,
    /// Consequences come later than a rollout sees.
    Late,
    /// They would, but `value` makes up for it.
    LateButValued,
    /// Consequences may come later than this diagnosis looks.
    StillGrowing,
}

/// A fact, and what to do about it.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub kind: Kind,
    pub severity: Severity,
    /// The features, or the method, that it is about.
    pub about: Vec<String>,
    pub fact: String,
    pub advice: String,
}

/// Whether two features are collinear: |r| ≥ 0.98. What tells them apart is then less than 1 − r² = 4 % of their variance:
/// about four of the hundred choices that IPSE remembers.
const COLLINEAR: f64 = 0.98;

/// The same for a feature and all others together, which explain 99 % of its variance.
const REDUNDANT: f64 = 0.99;

/// Six votes are the fewest that a two-sided test at 0.05 can decide on (2 · 2⁻⁶ = 0.03).
const FEWEST_VOTES: f64 = 6.;

/// How much wider a bound may be than the values that are seen. Weights have about 26 bits, less those of all bounds
/// together; a factor of 100 takes almost 7 of them.
const WIDE: f64 = 100.;

/// The least spread of a feature beside the largest: the ratio below which the return search tells spreads no longer
/// apart.
const FAINT: f64 = 0.02;

/// The share of what is possible that rollouts have to find. Below that, choices lose a fifth of what could be gained.
const SEEN: f64 = 0.8;

/// The share of the way to the ceiling below which IPSE is said to stay far from it.
const FAR: f64 = 0.8;

/// The share of the way to the ceiling from which on nothing is said about what keeps IPSE from the rest.
const FINE: f64 = 0.95;

/// The share of what the best learner reaches from which on another is as good: what is missing is not worth a longer
/// search.
const AS_GOOD: f64 = 0.99;

/// All findings, the most serious first.
pub fn findings(diagnosis: &Diagnosis) -> Vec<Finding> {
    let mut findings: Vec<Finding> = diagnosis.breaches.iter().map(broken).collect();
    findings.extend(no_choice(diagnosis));
    if let Some(features) = &diagnosis.features
        && features.choices > 0
    {
        findings.extend(about_features(&features.features));
        if !is_ipse_fine(diagnosis) {
            findings.extend(faint(&features.features));
        }
    }
    if let Some(votes) = &diagnosis.votes {
        findings.extend(votes.features.iter().filter_map(about_votes));
    }
    if let Some(ceiling) = &diagnosis.ceiling {
        findings.extend(about_ceiling(ceiling));
    }
    if let Some(horizon) = &diagnosis.horizon {
        findings.extend(about_horizon(horizon));
    }
    findings.sort_by_key(|finding| finding.severity);
    findings
}

fn finding(
    kind: Kind,
    severity: Severity,
    about: &[&str],
    fact: String,
    advice: impl Into<String>,
) -> Finding {
    Finding {
        kind,
        severity,
        about: about.iter().map(|name| (*name).into()).collect(),
        fact,
        advice: advice.into(),
    }
}

fn broken(breach: &Breach) -> Finding {
    let advice = match breach.promise {
        Promise::Panic => "A panic stops a board: repair the method.",
        Promise::Bound => {
            "Raise the bound in FEATURES, or clamp the value in `outcomes`: scores overflow, and a wrong action may be \
             taken."
        }
        Promise::Once => "Visit every legal action once in `outcomes`.",
        Promise::Order => {
            "Let `outcomes` depend on the state alone: a learner asks again for the features of choices that it \
             remembers."
        }
        Promise::Room => "Make `Actions` as long as the largest number of legal actions.",
        Promise::Terminal => {
            "A state is terminal if, and only if, `outcomes` visits nothing; it is worth 0 and not safe."
        }
        Promise::Chance => {
            "Take all chance from the generator that is passed in: a seed has to repeat a run to the bit."
        }
        Promise::Equal => {
            "Compare everything in `PartialEq` on which the future depends: a search takes equal states for one."
        }
        Promise::Illegal => {
            "Return the state as it is, and a reward of 0, for actions that are not legal."
        }
        Promise::Saved => {
            "Let `code_state` hand on every field, with the range that it can have, and count the bits in STATE_BITS."
        }
        Promise::Reward => "Scale rewards down: at the end of their range, what is beyond is lost.",
        Promise::Expected => {
            "Promise the expected reward, or 0: rollouts of LFD take the action with the highest promise."
        }
        Promise::Picture => {
            "Draw within PICTURE, and keep it to what a frame of telemetry has room for."
        }
        Promise::Names => {
            "Give every feature a name of its own, a finite unit above 0, and the task a plain name."
        }
    };
    let kind = Kind::Promise(breach.promise);
    let fact = capitalised(&breach.fact);
    finding(kind, Severity::Broken, &[&breach.about], fact, advice)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect::<String>() + "."
}

/// Nothing to choose, or no episode that goes on after a choice.
fn no_choice(diagnosis: &Diagnosis) -> Option<Finding> {
    let survey = diagnosis.survey.as_ref()?;
    let problem = |fact: String, advice: &str| {
        Some(finding(
            Kind::NoChoice,
            Severity::Problem,
            &[],
            fact,
            advice,
        ))
    };
    if survey.actions == 0 {
        let advice = "Let `reset` return a state in which `outcomes` visits at least one action.";
        return problem("Every episode begins in a terminal state.".into(), advice);
    }
    if survey.ended >= survey.actions {
        let fact = format!(
            "Every one of {} random actions ends its episode.",
            survey.actions
        );
        let advice = "Nothing is learned from an action that ends its episode: let it go on for at least one more.";
        return problem(fact, advice);
    }
    let features = diagnosis.features.as_ref()?;
    if features.choices == 0 {
        let fact = format!(
            "No more than one action is legal in any of {} states.",
            features.states
        );
        return problem(
            fact,
            "Visit all alternatives in `outcomes`: there is nothing to choose.",
        );
    }
    None
}

/// Returns whether IPSE comes near the ceiling, so that where it starts from does no harm.
fn is_ipse_fine(diagnosis: &Diagnosis) -> bool {
    let ipse = diagnosis.ceiling.as_ref().and_then(Ceiling::ipse);
    ipse.and_then(|ipse| ipse.share)
        .is_some_and(|share| share.mean >= FINE)
}

fn about_features(features: &[Measured]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = features.iter().filter_map(varying).collect();
    findings.extend(collinear(features));
    findings.extend(features.iter().filter_map(wide));
    findings
}

/// A feature that never varies, or seldom.
fn varying(feature: &Measured) -> Option<Finding> {
    let Measured { name, varies, .. } = feature;
    if *varies == 0. {
        let fact = format!("`{name}` is the same for all actions in every choice that was seen.");
        let advice = "It cannot tell actions apart, whatever its weight: measure what the action does, or remove it.";
        return Some(finding(
            Kind::Constant,
            Severity::Problem,
            &[name],
            fact,
            advice,
        ));
    }
    if varies * f64::from(CAP) < FEWEST_VOTES {
        let fact = format!(
            "`{name}` varies among actions in {} of choices.",
            percent(*varies)
        );
        let advice = format!(
            "{CAP} iterations of LFD will hardly give the six votes that decide a direction; its weight will come from \
             the data alone. That is no mistake if it matters when it varies."
        );
        return Some(finding(Kind::Rare, Severity::Note, &[name], fact, advice));
    }
    None
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
            findings.push(finding(
                Kind::Collinear,
                Severity::Problem,
                &[a, b],
                fact,
                advice,
            ));
        }
    }
    for (feature, is_paired) in features.iter().zip(paired) {
        if feature.explained >= REDUNDANT && !is_paired {
            let name = &*feature.name;
            let fact = format!(
                "The other features together explain {} of how `{name}` varies.",
                percent(feature.explained)
            );
            let advice = "It is a weighted sum of others: remove one of them.";
            findings.push(finding(
                Kind::Redundant,
                Severity::Problem,
                &[name],
                fact,
                advice,
            ));
        }
    }
    findings
}

fn wide(feature: &Measured) -> Option<Finding> {
    let Measured {
        name, bound, range, ..
    } = feature;
    let largest = range.0.unsigned_abs().max(range.1.unsigned_abs());
    if largest == 0 || f64::from(*bound) < WIDE * f64::from(largest) {
        return None;
    }
    let fact = format!("The bound of `{name}` is {bound}, and no value is beyond {largest}.");
    let advice = "Lower the bound, if larger values cannot come: it makes the weights of all features coarser.";
    Some(finding(
        Kind::WideBound,
        Severity::Note,
        &[name],
        fact,
        advice,
    ))
}

/// Features that nobody hears at equal weights.
fn faint(features: &[Measured]) -> Vec<Finding> {
    let loudness = |feature: &Measured| feature.spread * f64::from(feature.unit);
    let loudest = features
        .iter()
        .max_by(|a, b| loudness(a).total_cmp(&loudness(b)));
    let Some(loudest) = loudest else {
        return Vec::new();
    };
    let is_faint =
        |feature: &&Measured| feature.spread > 0. && loudness(feature) < FAINT * loudness(loudest);
    let faint = features.iter().filter(is_faint).map(|feature| {
        let (name, other) = (&*feature.name, &*loudest.name);
        let ratio = loudness(loudest) / loudness(feature);
        let fact = format!(
            "`{other}` varies {} times as much as `{name}` among actions, in their units.",
            decimal(ratio, 0)
        );
        let advice = format!(
            "Learning starts from equal weights, at which `{name}` is not heard: choose units (`Feature::unit`) such \
             that a usual difference of each feature matters about as much."
        );
        finding(Kind::Faint, Severity::Note, &[name, other], fact, advice)
    });
    faint.collect()
}

/// The p-value at the end of a run below which a direction is beyond doubt. LFD tests after every vote, so that at its own
/// level of 0.05 every third feature without a direction gets one within 200 votes. The p-value at the end has no such
/// choice of the moment.
const BEYOND_DOUBT: f32 = 0.001;

fn about_votes(ballot: &Ballot) -> Option<Finding> {
    let name = &*ballot.name;
    if let (pro @ 1.., con @ 1..) = ballot.directions(BEYOND_DOUBT) {
        let fact = format!(
            "LFD decides for `{name}` in some runs ({pro}) and against it in others ({con}), beyond doubt."
        );
        let advice = "It is good in some states and bad in others. Split it into features that speak in one direction \
                      whatever the state is.";
        return Some(finding(
            Kind::TwoFaced,
            Severity::Problem,
            &[name],
            fact,
            advice,
        ));
    }
    if let (pro @ 1.., con @ 1..) = ballot.directions(1.) {
        let fact = format!(
            "LFD decides for `{name}` in some runs ({pro}) and against it in others ({con}), on few votes."
        );
        let advice = "Within a rollout it hardly makes a difference by itself, and chance decides. A smaller \
                      `Lfd::alpha` waits for more votes.";
        return Some(finding(
            Kind::Unsteady,
            Severity::Note,
            &[name],
            fact,
            advice,
        ));
    }
    let last = ballot.last()?;
    let votes = u32::from(last.pro) + u32::from(last.con);
    let is_decided = ballot.directions(1.) != (0, 0);
    // A feature without votes is constant, or rare, and that is told of the feature itself.
    if !is_decided && f64::from(votes) >= 2. * FEWEST_VOTES {
        let fact = format!(
            "No run has decided on `{name}` in {} iterations; the first has {} votes for it and {} against.",
            last.iteration, last.pro, last.con
        );
        let advice = "Within a rollout it makes no difference by itself. It may matter later than a rollout sees, or \
                      together with others; if neither, remove it.";
        return Some(finding(
            Kind::Undecided,
            Severity::Note,
            &[name],
            fact,
            advice,
        ));
    }
    None
}

fn about_ceiling(ceiling: &Ceiling) -> Option<Finding> {
    let Some(winner) = ceiling.winner() else {
        let fact = "Nothing that was learned earns more than random play.".into();
        let advice = match ceiling.measure {
            Measure::ReturnPerEpisode { .. } => {
                "Either the features do not tell good actions from bad ones, or an episode earns the same whatever is \
                 done. If what matters is to be quick, let every action cost something."
            }
            Measure::RewardPerAction { .. } => {
                "Either the features do not tell good actions from bad ones, or actions make no difference."
            }
        };
        return Some(finding(
            Kind::NothingLearned,
            Severity::Problem,
            &[],
            fact,
            advice,
        ));
    };
    let share = ceiling.ipse()?.share?;
    if share.mean + 2. * error(&share) >= FAR {
        return None;
    }
    let fact = format!(
        "IPSE reaches {} of the way from random play to what the {} found.",
        percent_and_error(&share),
        winner.method
    );
    let advice = "The features allow more than rollouts teach: use the recommended learner.";
    Some(finding(
        Kind::FarFromCeiling,
        Severity::Problem,
        &[],
        fact,
        advice,
    ))
}

fn about_horizon(horizon: &Horizon) -> Vec<Finding> {
    if !horizon.is_telling() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if let (Some(seen), Some(rewards)) = (horizon.rollout(), horizon.rollout_without_value()) {
        let is_late = |share: &Estimate, is_short| is_short && share.mean < SEEN;
        let ahead = seen.actions;
        if is_late(&seen.share, seen.is_short()) {
            let fact = format!(
                "Looking {ahead} actions ahead, as a rollout does, finds {} of what can be gained by a choice{}.",
                percent_and_error(&seen.share),
                needed(horizon),
            );
            let advice = "Use the return search, whose trials are longer, or let `value` estimate what a state is \
                          worth at the end of a rollout.";
            findings.push(finding(Kind::Late, Severity::Problem, &[], fact, advice));
        } else if is_late(&rewards.share, rewards.is_short()) {
            let fact = format!(
                "The rewards of {ahead} actions show {} of what can be gained by a choice{}; with `value`, a rollout \
                 finds {}.",
                percent_and_error(&rewards.share),
                needed(horizon),
                percent(seen.share.mean)
            );
            let advice = "Consequences come late, and `value` makes up for it: IPSE depends on how good that estimate \
                          is.";
            findings.push(finding(
                Kind::LateButValued,
                Severity::Note,
                &[],
                fact,
                advice,
            ));
        }
    }
    findings.extend(still_growing(horizon));
    findings
}

/// How far one has to look, if it is known.
fn needed(horizon: &Horizon) -> String {
    match horizon.needed() {
        Some(needed) => format!("; {needed} actions show nearly all of it"),
        None => String::new(),
    }
}

/// Whether H itself shows more than any shorter look ahead.
fn still_growing(horizon: &Horizon) -> Option<Finding> {
    if !horizon.is_growing() {
        return None;
    }
    let [.., before, last] = horizon.rewards() else {
        return None;
    };
    let fact = format!(
        "The rewards of {} actions show more than those of {} do.",
        last.actions, before.actions
    );
    let advice = format!(
        "There may be consequences still later: repeat the diagnosis with a horizon of {}.",
        3 * u32::from(last.actions)
    );
    Some(finding(
        Kind::StillGrowing,
        Severity::Note,
        &[],
        fact,
        advice,
    ))
}

/// The learner to use, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    #[serde(flatten)]
    pub method: Method,
    /// In a sentence.
    pub reason: String,
}

/// The learner to use for a task.
///
/// IPSE takes the fewest calls, and its directions can be read; the survival search finds weights in tasks that are about
/// lasting where the return search has to be lucky. So it is the first of IPSE, the survival search and the return search
/// that earns [almost](AS_GOOD) as much as the best of them, or is not behind it by two standard errors.
pub fn recommend(diagnosis: &Diagnosis) -> Recommendation {
    let ceiling = diagnosis.ceiling.as_ref();
    let Some((ceiling, winner)) = ceiling.and_then(|it| Some((it, it.winner()?))) else {
        return Recommendation {
            method: Method::Ipse,
            reason:
                "Nothing speaks for another learner: nothing better than random play was found."
                    .into(),
        };
    };
    let mut contenders: Vec<&Contender> = ceiling.contenders.iter().collect();
    contenders.sort_by_key(|contender| match contender.method {
        Method::Ipse => 0,
        Method::Survival => 1,
        Method::Returns { .. } => 2,
    });
    let mut as_good = contenders
        .iter()
        .filter(|contender| is_as_good(contender, winner));
    let method = as_good
        .next()
        .map_or(winner.method, |contender| contender.method);
    let reached = ceiling.ipse().and_then(|ipse| ipse.share);
    let reached = reached.map_or_else(|| "nothing".into(), |share| percent_and_error(&share));
    let way = "of the way from random play to the best policy that was found";
    let reason = match method {
        Method::Ipse => {
            format!("It reaches {reached} {way}: choices show their worth within a rollout.")
        }
        _ => format!("{}. IPSE reaches {reached} {way}.", why(diagnosis, method)),
    };
    Recommendation { method, reason }
}

/// Returns whether a learner earns almost as much as the best, or cannot be told from it.
fn is_as_good(contender: &Contender, winner: &Contender) -> bool {
    let [one, best] = [contender, winner].map(|contender| &contender.score.earned);
    let shares = [contender.share, winner.share].map(|share| share.map_or(0., |share| share.mean));
    let is_near = shares[0] >= AS_GOOD * shares[1];
    is_near || best.mean - one.mean <= 2. * error(one).hypot(error(best))
}

/// Why another learner does better than IPSE.
fn why(diagnosis: &Diagnosis, method: Method) -> &'static str {
    let has = |kind| {
        diagnosis
            .findings
            .iter()
            .any(|finding| finding.kind == kind)
    };
    match method {
        Method::Survival => "Games are lost, and what matters is to last",
        _ if has(Kind::Late) => "Consequences come later than a rollout sees",
        _ if has(Kind::LateButValued) => {
            "Consequences come later than the rewards of a rollout, and `value` is only an estimate of them"
        }
        _ => "Its trials are longer than rollouts, and it compares policies by what they earn",
    }
}

fn error(estimate: &Estimate) -> f64 {
    estimate.standard_error.unwrap_or(0.)
}

/// A share, in percent.
pub fn percent(share: f64) -> String {
    let percent = 100. * share;
    let places = usize::from(percent.abs() < 9.95);
    format!("{} %", decimal(percent, places))
}

/// A share and its standard error, in percent.
pub fn percent_and_error(share: &Estimate) -> String {
    let [mean, error] = [share.mean, error(share)].map(|share| decimal(100. * share, 0));
    format!("{mean} ± {error} %")
}
