//! What votes say about features.

use super::super::votes::{Ballot, Votes};
use super::{Finding, Kind, quoted};

/// The p-value at the end of a run below which a direction is beyond doubt. LFD tests after every vote and takes the first
/// result below 0.05, which a feature without a direction gives in one of three runs of 200 votes. The p-value at the end
/// has no such choice of the moment.
const BEYOND_DOUBT: f32 = 0.001;

/// The fewest votes after which it is said that a feature stays undecided: twice as many as can decide. With fewer it is
/// constant or rare, and that is told of the feature itself.
const ENOUGH: u32 = 12;

pub fn findings(votes: &Votes) -> Vec<Finding> {
    let ballots = &votes.features;
    let mut findings: Vec<Finding> = ballots.iter().filter_map(two_faced).collect();
    findings.extend(unsteady(ballots));
    findings.extend(undecided(votes));
    findings
}

fn is_split(ballot: &Ballot, p: f32) -> bool {
    let (pro, con) = ballot.directions(p);
    pro > 0 && con > 0
}

fn two_faced(ballot: &Ballot) -> Option<Finding> {
    let name = &*ballot.name;
    let (pro, con) = ballot.directions(BEYOND_DOUBT);
    let fact = format!(
        "LFD decides for `{name}` in {pro} and against it in {con} of its runs, both beyond doubt."
    );
    let advice = "It is good in some states and bad in others: split it into features that speak in one direction \
                  whatever the state is. Or it goes with another feature that decides in its place, which is no fault: \
                  a search finds the weights of both.";
    let finding = Finding::problem(Kind::TwoFaced, &[name], fact, advice);
    is_split(ballot, BEYOND_DOUBT).then_some(finding)
}

fn unsteady(ballots: &[Ballot]) -> Option<Finding> {
    let ballots = ballots.iter();
    let split = ballots.filter(|ballot| is_split(ballot, 1.) && !is_split(ballot, BEYOND_DOUBT));
    let split: Vec<&Ballot> = split.collect();
    let names: Vec<&str> = split.iter().map(|ballot| &*ballot.name).collect();
    let each = split.iter().map(|ballot| {
        let (pro, con) = ballot.directions(1.);
        format!("`{}` ({pro} for, {con} against)", ballot.name)
    });
    let fact = format!(
        "Runs of LFD contradict each other, on few votes: {}.",
        each.collect::<Vec<_>>().join(", ")
    );
    let advice = "Within a rollout it hardly makes a difference by itself, and chance decides. A smaller `Lfd::alpha` \
                  waits for more votes.";
    (!split.is_empty()).then(|| Finding::note(Kind::Unsteady, &names, fact, advice))
}

fn undecided(votes: &Votes) -> Option<Finding> {
    let is_undecided = |ballot: &&Ballot| {
        let count = ballot
            .last()
            .map(|last| u32::from(last.pro) + u32::from(last.con));
        ballot.directions(1.) == (0, 0) && count.is_some_and(|count| count >= ENOUGH)
    };
    let names: Vec<&str> = votes
        .features
        .iter()
        .filter(is_undecided)
        .map(|ballot| &*ballot.name)
        .collect();
    let fact = format!(
        "No run of LFD has decided on {} in {} iterations.",
        quoted(names.iter().copied()),
        votes.iterations
    );
    let advice = "Within a rollout it makes no difference by itself. It may matter later than a rollout sees, or \
                  together with others; if neither, remove it.";
    (!names.is_empty()).then(|| Finding::note(Kind::Undecided, &names, fact, advice))
}

#[cfg(test)]
mod tests {
    use super::super::super::votes::{Count, Verdict};
    use super::*;

    /// The findings on a feature with these directions and p-values at the end of each run.
    fn kinds(verdicts: &[(i8, f32)]) -> Vec<Kind> {
        let verdict = |(direction, p): &(i8, f32)| Verdict {
            iteration: None,
            direction: *direction,
            p: *p,
        };
        let count = Count {
            iteration: 200,
            pro: 40,
            con: 40,
            varied: 80,
            p: 1.,
        };
        let ballot = Ballot {
            name: "owls".into(),
            counts: vec![count],
            verdicts: verdicts.iter().map(verdict).collect(),
        };
        let votes = Votes {
            iterations: 200,
            runs: verdicts.len() as u32,
            features: vec![ballot],
        };
        let findings = findings(&votes);
        findings.iter().map(|finding| finding.kind).collect()
    }

    #[test]
    fn opposite_directions_are_two_faced_if_both_are_beyond_doubt() {
        assert_eq!(kinds(&[(1, 1e-4), (-1, 1e-5)]), [Kind::TwoFaced]);
        assert_eq!(kinds(&[(1, 1e-4), (-1, 0.3)]), [Kind::Unsteady]);
        assert_eq!(kinds(&[(1, 1e-4), (0, 0.3)]), []);
        assert_eq!(kinds(&[(0, 0.2), (0, 0.3)]), [Kind::Undecided]);
    }
}
