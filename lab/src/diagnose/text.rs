//! A diagnosis for a terminal of eighty columns.

use super::Diagnosis;
use super::advice::{Finding, Severity, percent, percent_and_error};
use super::ceiling::{Ceiling, Contender, Measure, Score};
use super::contract::Breach;
use super::features::{Features, Measured};
use super::horizon::{Horizon, Sight};
use super::method::Method;
use super::votes::{Ballot, Count, Votes};
use crate::draw::{BOLD, CON, PRO, dim, paint};
use crate::figures::{self, decimal};
use crate::summary::Estimate;
use anstyle::Style;

const WIDTH: usize = 80;
/// The width of the name of a feature. Longer ones are cut.
const NAME: usize = 18;

pub fn write(diagnosis: &Diagnosis) -> String {
    let mut parts = vec![heading(diagnosis), promises(diagnosis)];
    parts.extend(diagnosis.features.as_ref().map(features));
    parts.extend(diagnosis.votes.as_ref().map(votes));
    parts.extend(diagnosis.ceiling.as_ref().map(ceiling));
    parts.extend(diagnosis.horizon.as_ref().map(horizon));
    parts.push(findings(diagnosis));
    parts.push(recommendation(diagnosis));
    parts.join("\n")
}

/// Lines of words, each at most so wide, the first with its own indent.
fn wrap(text: &str, first: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut line = String::from(first);
    let mut is_empty = true;
    for word in text.split_whitespace() {
        let width = line.chars().count() + usize::from(!is_empty) + word.chars().count();
        if width > WIDTH && !is_empty {
            lines += &format!("{line}\n");
            line = " ".repeat(indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    lines + &line + "\n"
}

fn title(text: &str) -> String {
    format!("{}\n", paint(text, BOLD))
}

/// The text, or as much of it as fits, and blanks.
fn cell(text: &str, width: usize) -> String {
    let count = text.chars().count();
    match count > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => format!("{text}{}", " ".repeat(width - count)),
    }
}

fn right(text: &str, width: usize) -> String {
    let count = text.chars().count();
    format!("{}{text}", " ".repeat(width.saturating_sub(count)))
}

fn heading(diagnosis: &Diagnosis) -> String {
    let features = figures::count(diagnosis.feature_count as u64, "feature");
    let actions = figures::count(diagnosis.action_capacity as u64, "action");
    let survey = match &diagnosis.survey {
        None => String::new(),
        Some(survey) if survey.is_episodic() => {
            let length = f64::from(survey.actions) / f64::from(survey.ended);
            let length = decimal(length, usize::from(length < 100.));
            format!("; at random, an episode ends after {length} actions")
        }
        Some(survey) => {
            let ended = figures::count(survey.ended.into(), "episode");
            let actions = decimal(survey.actions.into(), 0);
            format!("; {ended} ended in {actions} random actions")
        }
    };
    let text = format!("{features}, at most {actions}{survey}.");
    title(&diagnosis.task) + &wrap(&text, "", 0)
}

fn promises(diagnosis: &Diagnosis) -> String {
    let states = figures::count(diagnosis.inspected.into(), "state");
    if diagnosis.keeps_promises() {
        let kept = format!("All promises are kept in {states}.");
        return format!("{}\n", paint(&kept, PRO));
    }
    let title = match diagnosis.breaches.len() {
        1 => "A promise is broken. What is learned may be wrong until it is kept.".into(),
        n => format!("{n} promises are broken. What is learned may be wrong until they are kept."),
    };
    let mut text = format!("{}\n", paint(&title, CON.bold()));
    let broken = diagnosis.findings.iter();
    let broken = broken.filter(|finding| finding.severity == Severity::Broken);
    for (finding, breach) in broken.zip(&diagnosis.breaches) {
        text += &wrap(&finding.fact, "  ", 2);
        text += &place(breach, diagnosis.inspected);
        text += &wrap(&finding.advice, "  → ", 4);
    }
    text
}

/// Where a breach was found.
fn place(breach: &Breach, inspected: u32) -> String {
    let Some(origin) = &breach.origin else {
        return String::new();
    };
    let states = figures::count(breach.states.into(), "state");
    let seen = match origin.starts_with("while") {
        true => format!("Found {origin}."),
        false => format!(
            "In {states} of {}; for example, {origin}.",
            decimal(inspected.into(), 0)
        ),
    };
    let mut text = wrap(&seen, "    ", 4);
    for line in &breach.picture {
        text += &format!("    {}\n", dim(line));
    }
    text
}

fn features(features: &Features) -> String {
    let states = decimal(features.states.into(), 0);
    let choices = decimal(features.choices.into(), 0);
    let mut text = title(&format!(
        "Features, in {choices} choices of {states} states"
    ));
    text += &dim(&format!(
        "  {} varies    spread       values   bound  most like",
        cell("", NAME)
    ));
    text.push('\n');
    for (index, feature) in features.features.iter().enumerate() {
        let Measured {
            name,
            varies,
            spread,
            range: (least, most),
            bound,
            ..
        } = feature;
        let places = if *spread < 10. { 2 } else { 0 };
        let spread = decimal(*spread, places);
        let values = match least <= most {
            true => format!(
                "{} … {}",
                decimal((*least).into(), 0),
                decimal((*most).into(), 0)
            ),
            false => "–".into(),
        };
        let line = format!(
            "  {} {} {} {} {}  {}",
            cell(name, NAME),
            right(&percent(*varies), 6),
            right(&spread, 9),
            right(&values, 12),
            right(&bound.to_string(), 7),
            most_like(index, features),
        );
        text += &format!("{}\n", line.trim_end());
    }
    text
}

/// The feature with the largest correlation.
fn most_like(index: usize, features: &Features) -> String {
    let correlations = features.features[index].correlations.iter().enumerate();
    let others = correlations.filter(|(other, r)| *other != index && **r != 0.);
    let most = others.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
    most.map_or_else(String::new, |(other, r)| {
        let name = &features.features[other].name;
        format!(
            "{} {}",
            right(&decimal(*r, 2), 5),
            cell(name, 14).trim_end()
        )
    })
}

/// The width of a cell of votes.
const VOTES: usize = 8;

fn votes(votes: &Votes) -> String {
    let Votes {
        iterations, runs, ..
    } = votes;
    let mut text = title(&format!(
        "Votes for and against, in {iterations} iterations of LFD"
    ));
    let counts = votes.features.first().map(|ballot| &ballot.counts);
    let marks = counts.into_iter().flatten();
    let marks: String = marks
        .map(|count| right(&count.iteration.to_string(), VOTES))
        .collect();
    let runs = figures::count((*runs).into(), "run");
    text += &dim(&format!(
        "  {}{marks}  decided in {runs}",
        cell("after", NAME)
    ));
    text.push('\n');
    for ballot in &votes.features {
        let counts = |print: fn(&Count) -> String| -> String {
            ballot
                .counts
                .iter()
                .map(|count| right(&print(count), VOTES))
                .collect()
        };
        let balance = counts(|count| format!("{}:{}", count.pro, count.con));
        let p = counts(p_value);
        let name = cell(&ballot.name, NAME);
        text += &format!("  {name}{balance}  {}\n", decided(ballot));
        text += &format!("  {}\n", dim(&format!("{}{p}", right("p", NAME))));
    }
    text
}

fn p_value(count: &Count) -> String {
    match count.p {
        p if p < 0.001 => "< 0.001".into(),
        p => decimal(p.into(), 3),
    }
}

/// The direction, how many runs have decided on it and when, in the middle of them.
fn decided(ballot: &Ballot) -> String {
    let (pro, con) = ballot.directions(1.);
    let verdicts = ballot.verdicts.iter();
    let mut when: Vec<u32> = verdicts.filter_map(|verdict| verdict.iteration).collect();
    when.sort_unstable();
    let middle = when.get(when.len() / 2).copied().unwrap_or(0);
    match (pro, con) {
        (0, 0) => dim("–"),
        (pro, 0) => paint(&format!("+ {pro}, at {middle}"), PRO),
        (0, con) => paint(&format!("− {con}, at {middle}"), CON),
        (pro, con) => paint(&format!("+ {pro} − {con}"), BOLD),
    }
}

fn ceiling(ceiling: &Ceiling) -> String {
    let what = match ceiling.measure {
        Measure::ReturnPerEpisode { .. } => "Ceiling, in reward an episode",
        Measure::RewardPerAction { .. } => "Ceiling, in reward an action",
    };
    let mut text = title(what);
    text += &score("random play", &ceiling.random, ceiling.measure, "  0 %");
    for (place, contender) in ceiling.contenders.iter().enumerate() {
        let share = match contender.share {
            Some(_) if place == ceiling.best && contender.runs == 1 => "100 %".into(),
            Some(share) if share.mean < -1. => "< −100 %".into(),
            Some(share) => percent_and_error(&share),
            None => String::new(),
        };
        text += &score(&name(contender), &contender.score, ceiling.measure, &share);
    }
    let best = ceiling.contenders.get(ceiling.best);
    if let Some(best) = best.filter(|best| best.runs > 1 && best.share.is_some()) {
        let name = format!("the best run of {}", best.method);
        text += &score(&name, &ceiling.ceiling, ceiling.measure, "100 %");
    }
    text + &dim(&wrap(&scoring(ceiling), "  ", 2))
}

fn name(contender: &Contender) -> String {
    let Contender { method, runs, .. } = contender;
    match method {
        Method::Returns { .. } if contender.restarts => "the same, with fresh starts".into(),
        Method::Ipse if *runs > 1 => format!("{method}, mean of {runs} runs"),
        _ => method.to_string(),
    }
}

fn score(name: &str, score: &Score, measure: Measure, share: &str) -> String {
    let length = match measure {
        Measure::ReturnPerEpisode { .. } => format!("{} actions", decimal(score.length, 0)),
        Measure::RewardPerAction { .. } => String::new(),
    };
    let line = format!(
        "  {} {} {} {}",
        cell(name, 28),
        right(&earned(&score.earned), 22),
        right(share, 11),
        right(&length, 14),
    );
    format!("{}\n", line.trim_end())
}

/// What a policy earns. Large numbers have no decimal places, so that they fit.
fn earned(estimate: &Estimate) -> String {
    match (estimate.mean.abs() >= 10_000., estimate.standard_error) {
        (true, Some(error)) => format!("{} ± {}", decimal(estimate.mean, 0), decimal(error, 0)),
        _ => figures::estimate(estimate),
    }
}

/// How policies were learned and scored.
fn scoring(ceiling: &Ceiling) -> String {
    let mut note = String::new();
    let mut contenders = ceiling.contenders.iter();
    if let Some(search) = contenders.find(|it| it.method != Method::Ipse) {
        note += &format!("A search has {} calls", decimal(search.calls as f64, 0));
        if let Some(ipse) = ceiling.ipse() {
            note += &format!(", a run of IPSE {}", decimal(ipse.calls as f64, 0));
        }
        note += ". ";
    }
    note += "100 % is the policy that did best in other episodes.";
    if let Measure::ReturnPerEpisode { cut_after } = ceiling.measure
        && ceiling.ceiling.cut > 0.
    {
        note += &format!(
            " {} of its own were cut after {} actions.",
            percent(ceiling.ceiling.cut),
            decimal(cut_after.into(), 0)
        );
    }
    note
}

/// The width of a cell of a look ahead.
const SIGHT: usize = 8;

fn horizon(horizon: &Horizon) -> String {
    let mut text = title("Horizon, by what looking ahead finds of what a choice can gain");
    let states = decimal(horizon.states.into(), 0);
    let gain = format!(
        "{} within {} actions, in {states} states under the best policy",
        figures::estimate(&horizon.possible),
        horizon.horizon
    );
    if !horizon.is_telling() {
        let note =
            format!("A single action makes no difference that can be told from chance: {gain}.");
        return text + &wrap(&note, "  ", 2);
    }
    let last = horizon.rewards().last();
    let noise = match last.is_some_and(|last| last.share.mean < 0.95) {
        true => " Longer looks find less, since they see more noise.",
        false => "",
    };
    text += &dim(&wrap(&format!("A choice can gain {gain}.{noise}"), "  ", 2));
    let lengths = horizon.rollouts.iter();
    let lengths: String = lengths
        .map(|it| right(&it.actions.to_string(), SIGHT))
        .collect();
    text += &dim(&format!("  {}{lengths}", cell("actions ahead", NAME)));
    text.push('\n');
    match &horizon.without_value {
        None => text += &sights("rewards", &horizon.rollouts),
        Some(rewards) => {
            text += &sights("rewards", rewards);
            text += &sights("and `value`", &horizon.rollouts);
        }
    }
    text
}

fn sights(name: &str, sights: &[Sight]) -> String {
    let cells = |print: fn(&Estimate) -> String| -> String {
        sights
            .iter()
            .map(|sight| right(&print(&sight.share), SIGHT))
            .collect()
    };
    let shares = cells(|share| percent(share.mean));
    let errors = cells(|share| {
        let error = share.standard_error.unwrap_or(0.);
        format!("± {}  ", decimal(100. * error, 0))
    });
    let line = format!("  {}{shares}\n", cell(name, NAME));
    line + &format!(
        "  {}\n",
        dim(format!("{}{errors}", cell("", NAME)).trim_end())
    )
}

fn findings(diagnosis: &Diagnosis) -> String {
    let findings = diagnosis.findings.iter();
    let findings = findings.filter(|finding| finding.severity != Severity::Broken);
    let findings: Vec<String> = findings.map(told).collect();
    match findings.is_empty() {
        true => format!(
            "{}\n",
            paint("Nothing else was found that stands in the way.", PRO)
        ),
        false => title("Findings") + &findings.concat(),
    }
}

fn told(finding: &Finding) -> String {
    let (mark, style) = match finding.severity {
        Severity::Note => ("· ", Style::new()),
        _ => ("! ", CON),
    };
    let fact = wrap(&finding.fact, &format!("  {mark}"), 4);
    paint(fact.trim_end(), style) + "\n" + &wrap(&finding.advice, "    → ", 6)
}

fn recommendation(diagnosis: &Diagnosis) -> String {
    let recommendation = &diagnosis.recommendation;
    let method = recommendation.method;
    let line = format!("Recommended: {method}, {}", method.code());
    let repair = match diagnosis.keeps_promises() {
        true => "",
        false => "First keep the promises above. ",
    };
    title(&line) + &wrap(&format!("{repair}{}", recommendation.reason), "  ", 2)
}
