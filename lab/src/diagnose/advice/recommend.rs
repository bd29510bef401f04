//! The learner to use for a task.

use super::super::Diagnosis;
use super::super::ceiling::Contender;
use super::super::method::Method;
use super::ceiling::reached;
use super::{Kind, error};
use serde::Serialize;

/// The learner to use, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    #[serde(flatten)]
    pub method: Method,
    /// In a sentence or two.
    pub reason: String,
}

impl Default for Recommendation {
    /// What to use if nothing is known.
    fn default() -> Self {
        Recommendation {
            method: Method::Ipse,
            reason:
                "Nothing speaks for another learner: nothing better than random play was found."
                    .into(),
        }
    }
}

/// The share of what the best learner reaches from which on another is as good: what is missing is not worth a longer
/// search.
const AS_GOOD: f64 = 0.99;

/// The same if the two cannot be told apart. What earns less than that is not as good merely because little is known about
/// it.
const NEAR: f64 = 0.8;

/// The learner to use for a task.
///
/// IPSE takes the fewest calls, and its directions can be read; the survival search finds weights in tasks that are about
/// lasting where the return search has to be lucky. So it is the first of IPSE, the survival search and the return search
/// that is as good as the best of them: it earns almost as much (99 % of the way from random play), or not much less (80 %)
/// and the difference is within two standard errors.
pub fn recommend(diagnosis: &Diagnosis) -> Recommendation {
    let ceiling = diagnosis.ceiling.as_ref();
    let Some((ceiling, winner)) = ceiling.and_then(|it| Some((it, it.winner()?))) else {
        return Recommendation::default();
    };
    let contenders = ceiling.contenders.iter();
    let mut contenders: Vec<&Contender> = contenders.filter(|it| !it.restarts).collect();
    contenders.sort_by_key(|contender| match contender.method {
        Method::Ipse => 0,
        Method::Survival => 1,
        Method::Returns { .. } => 2,
    });
    let mut as_good = contenders.iter().filter(|it| is_as_good(it, winner));
    let method = as_good.next().map_or(winner.method, |it| it.method);
    let ipse = ceiling.ipse().and_then(|ipse| ipse.share);
    let reached = ipse.map_or_else(|| "could not be tried".into(), |share| reached(&share));
    let is_near = ipse.is_some_and(|share| share.mean >= NEAR);
    let reason = match method {
        Method::Ipse if is_near => {
            format!("It {reached}: choices show their worth within a rollout.")
        }
        Method::Ipse => format!("It {reached}, and no other learner comes nearer by itself."),
        _ => format!("{}. IPSE {reached}.", why(diagnosis, method)),
    };
    Recommendation { method, reason }
}

/// Returns whether a learner is as good as the best.
fn is_as_good(contender: &Contender, winner: &Contender) -> bool {
    let (Some(share), Some(best)) = (contender.share, winner.share) else {
        return false;
    };
    let [one, other] = [contender, winner].map(|contender| &contender.score.earned);
    let is_told_apart = other.mean - one.mean > 2. * error(one).hypot(error(other));
    share.mean >= AS_GOOD * best.mean || share.mean >= NEAR * best.mean && !is_told_apart
}

/// Why another learner does better than IPSE.
fn why(diagnosis: &Diagnosis, method: Method) -> &'static str {
    let has = |kind| {
        let mut findings = diagnosis.findings.iter();
        findings.any(|finding| finding.kind == kind)
    };
    match method {
        Method::Survival => "Games are lost, and what matters is to last",
        _ if has(Kind::Late) => "Consequences come later than a rollout sees",
        _ if has(Kind::LateButValued) => {
            "Consequences come later than the rewards of a rollout, and `value` is only an estimate of them"
        }
        _ => "It compares policies by what they earn in trials that are longer than rollouts",
    }
}
