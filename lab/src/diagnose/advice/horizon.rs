//! What follows from when consequences come.

use super::super::horizon::{Horizon, Sight};
use super::{Finding, Kind, percent, percent_and_error};

/// The share of what is possible that a rollout has to find. Below that, each of the choices that IPSE learns from gives
/// away a tenth of what it could gain.
const SEEN: f64 = 0.9;

/// Returns whether a look ahead misses much, beyond doubt.
fn misses_much(sight: &Sight) -> bool {
    sight.is_short() && sight.share.mean < SEEN
}

pub fn findings(horizon: &Horizon) -> Vec<Finding> {
    if !horizon.is_telling() {
        return Vec::new();
    }
    let late = late(horizon);
    late.into_iter().chain(still_growing(horizon)).collect()
}

fn late(horizon: &Horizon) -> Option<Finding> {
    let (rollout, rewards) = (horizon.rollout()?, horizon.rollout_without_value()?);
    let ahead = rollout.actions;
    let needed = match horizon.needed() {
        Some(needed) if needed > ahead => format!("; {needed} show nearly all of it"),
        _ => String::new(),
    };
    if misses_much(rollout) {
        let found = percent_and_error(&rollout.share);
        let fact = format!(
            "Looking {ahead} actions ahead, as a rollout does, finds {found} of what a choice can gain{needed}."
        );
        let advice = "Consequences come later than a rollout sees: use the return search, whose trials are longer, or \
                      let `value` estimate what a state is worth at the end of a rollout.";
        return Some(Finding::problem(Kind::Late, &[], fact, advice));
    }
    if misses_much(rewards) {
        let [found, valued] = [&rewards.share, &rollout.share].map(percent_and_error);
        let fact = format!(
            "The rewards of {ahead} actions show {found} of what a choice can gain{needed}. With `value`, a rollout \
             finds {valued}."
        );
        let advice = "Consequences come late, and `value` makes up for it: what IPSE learns is as good as that estimate.";
        return Some(Finding::note(Kind::LateButValued, &[], fact, advice));
    }
    None
}

/// Whether H itself shows more than any shorter look ahead.
fn still_growing(horizon: &Horizon) -> Option<Finding> {
    let [.., before, last] = horizon.rewards() else {
        return None;
    };
    let (share, before, last) = (percent(before.share.mean), before.actions, last.actions);
    let fact =
        format!("The rewards of {last} actions show more than those of {before} do ({share}).");
    let advice = format!(
        "There may be consequences still later: repeat the diagnosis with a horizon of {}.",
        3 * u32::from(last)
    );
    let finding = Finding::note(Kind::StillGrowing, &[], fact, advice);
    horizon.is_growing().then_some(finding)
}
