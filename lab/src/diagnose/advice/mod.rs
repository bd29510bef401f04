//! What follows from a diagnosis: a plain sentence for each finding, and the learner to use.
//!
//! What was measured is only read here. Every threshold has its reason beside it.

mod ceiling;
mod features;
mod horizon;
mod promises;
mod recommend;
mod votes;

pub use recommend::{Recommendation, recommend};

use super::Diagnosis;
use super::contract::Promise;
use crate::figures::decimal;
use crate::summary::Estimate;
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
    /// Features that vary too seldom to be decided in time.
    Rare,
    /// Two features that say the same.
    Collinear,
    /// A feature that several others together say as well.
    Redundant,
    /// A bound that is far too wide.
    WideBound,
    /// Features that are not heard beside another at equal weights.
    Faint,
    /// A feature that is decided in opposite ways, beyond doubt.
    TwoFaced,
    /// Features that are decided in opposite ways, by chance.
    Unsteady,
    /// Features on which votes stay balanced.
    Undecided,
    /// No policy is better than random play.
    NothingLearned,
    /// IPSE stays far from what the features allow.
    FarFromCeiling,
    /// A search spoils its own episode, and learns more if it is given fresh starts.
    Trap,
    /// Consequences come later than a rollout sees.
    Late,
    /// They would, but `value` makes up for it.
    LateButValued,
    /// Consequences may come later than the diagnosis looks.
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

impl Finding {
    fn problem(kind: Kind, about: &[&str], fact: String, advice: impl Into<String>) -> Self {
        Finding {
            kind,
            severity: Severity::Problem,
            about: about.iter().map(|name| (*name).into()).collect(),
            fact,
            advice: advice.into(),
        }
    }

    fn note(kind: Kind, about: &[&str], fact: String, advice: impl Into<String>) -> Self {
        Finding {
            severity: Severity::Note,
            ..Finding::problem(kind, about, fact, advice)
        }
    }
}

/// All findings, the most serious first.
pub fn findings(diagnosis: &Diagnosis) -> Vec<Finding> {
    let mut findings: Vec<Finding> = diagnosis.breaches.iter().map(promises::broken).collect();
    findings.extend(features::no_choice(diagnosis));
    if let Some(measured) = &diagnosis.features {
        findings.extend(features::findings(measured, is_ipse_fine(diagnosis)));
    }
    if let Some(votes) = &diagnosis.votes {
        findings.extend(votes::findings(votes));
    }
    if let Some(ceiling) = &diagnosis.ceiling {
        findings.extend(ceiling::findings(ceiling));
    }
    if let Some(horizon) = &diagnosis.horizon {
        findings.extend(horizon::findings(horizon));
    }
    findings.sort_by_key(|finding| finding.severity);
    findings
}

/// Returns whether IPSE comes near the ceiling, so that what it starts from does no harm.
fn is_ipse_fine(diagnosis: &Diagnosis) -> bool {
    const FINE: f64 = 0.95;
    let ipse = diagnosis.ceiling.as_ref().and_then(|it| it.ipse()?.share);
    ipse.is_some_and(|share| share.mean >= FINE)
}

fn error(estimate: &Estimate) -> f64 {
    estimate.standard_error.unwrap_or(0.)
}

/// A share, in percent.
pub fn percent(share: f64) -> String {
    let percent = 100. * share;
    let places = usize::from(percent.abs() < 9.95 && percent != 0.);
    format!("{} %", decimal(percent, places))
}

/// A share and its standard error, in percent.
pub fn percent_and_error(share: &Estimate) -> String {
    let [mean, error] = [share.mean, error(share)].map(|share| decimal(100. * share, 0));
    format!("{mean} ± {error} %")
}

/// Names, in quotation marks, with a comma between them.
fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names = names.into_iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}
