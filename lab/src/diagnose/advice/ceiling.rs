//! What is missing between what was learned and what could be.

use super::super::ceiling::{Ceiling, Measure};
use super::{Finding, Kind, error, percent_and_error};
use crate::figures;
use crate::summary::Estimate;

/// The share of the way to the ceiling below which something stays far from it.
const FAR: f64 = 0.8;

pub fn findings(ceiling: &Ceiling) -> Vec<Finding> {
    if !ceiling.is_above_random() {
        return vec![nothing_learned(ceiling.measure)];
    }
    let far = far_from_ceiling(ceiling);
    far.into_iter().chain(trap(ceiling)).collect()
}

fn nothing_learned(measure: Measure) -> Finding {
    let fact = "Nothing that was learned earns more than random play.".into();
    let advice = match measure {
        Measure::ReturnPerEpisode { .. } => {
            "Either the features do not tell good actions from bad ones, or an episode earns the same whatever is \
             done. If what matters is to be quick, let every action cost something."
        }
        Measure::RewardPerAction { .. } => {
            "Either the features do not tell good actions from bad ones, or actions make no difference."
        }
    };
    Finding::problem(Kind::NothingLearned, &[], fact, advice)
}

fn far_from_ceiling(ceiling: &Ceiling) -> Option<Finding> {
    let share = ceiling.ipse()?.share?;
    let is_far = share.mean < 0. || share.mean + 2. * error(&share) < FAR;
    let fact = format!("IPSE {}.", reached(&share));
    let advice = "The features allow more than rollouts teach: use the recommended learner.";
    is_far.then(|| Finding::problem(Kind::FarFromCeiling, &[], fact, advice))
}

/// A return search that finds more if it is given fresh starts.
fn trap(ceiling: &Ceiling) -> Option<Finding> {
    let restarted = ceiling.contenders.iter().find(|it| it.restarts)?;
    let mut others = ceiling.contenders.iter();
    let plain = others.find(|it| !it.restarts && it.method == restarted.method)?;
    let [more, less] = [restarted, plain].map(|contender| contender.score.earned);
    let is_more = more.mean - less.mean > 3. * error(&more).hypot(error(&less));
    let is_far = plain.share?.mean < FAR * restarted.share?.mean;
    let fact = format!(
        "A return search that is given fresh starts earns {}, and one that is not {}.",
        figures::estimate(&more),
        figures::estimate(&less)
    );
    let advice = "There are states that nothing leads back from, and a search that gets there has nothing else to learn \
                  from; or `reset` draws something that `step` never changes. Let `step` change it, or count the actions in the \
                  state and let the episode end after a few hundred.";
    (is_more && is_far).then(|| Finding::problem(Kind::Trap, &[], fact, advice))
}

/// How far a learner comes.
pub fn reached(share: &Estimate) -> String {
    match share.mean < 0. {
        true => "does worse than random play".into(),
        false => format!(
            "reaches {} of the way from random play to the best policy that was found",
            percent_and_error(share)
        ),
    }
}
