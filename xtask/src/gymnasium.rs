//! Cart-pole policies that the lab has learned, played in Gymnasium's own CartPole-v1.
//!
//! The physics that they are learned in is ours, in fixed point. Here they meet the original, in floating point.

use crate::python::Packages;
use crate::setup::Need;
use crate::watch::watch;
use crate::workspace::{self, cargo};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub const PACKAGES: Packages = Packages {
    name: "gymnasium",
    requirements: "host-tests/gymnasium/requirements.txt",
};
pub const NEEDS: [Need; 2] = [Need::Python, Need::Packages(PACKAGES)];

const SCRIPT: &str = "host-tests/gymnasium/play.py";
/// Features of the task in some states, which the task is held against in `host-tests/tests/tasks`.
const FEATURES: &str = "host-tests/golden/cart_pole.json";

/// The seeds of the learners. No other test has them.
const SEEDS: RangeInclusive<u64> = 3001..=3020;
/// How many of the learners must have learned to hold the pole in every episode.
const ENOUGH: usize = 19;
/// What the script says of each file, after the number of episodes.
const HELD: &str = " of 100 episodes held for 500 steps";
const EPISODES: u32 = 100;
/// It takes half a minute.
const LIMIT: Duration = Duration::from_secs(900);

/// Learns with each seed, and plays what was learned.
pub fn check() -> Result<(), String> {
    let mut features = PACKAGES.script(SCRIPT);
    features
        .arg("--check")
        .arg(workspace::root().join(FEATURES));
    workspace::run(features)?;

    let folder = workspace::target().join("gymnasium-policies");
    fs::create_dir_all(&folder).map_err(|error| refused(&folder, &error))?;
    let learned: Vec<PathBuf> = SEEDS
        .map(|seed| learn(&folder, seed))
        .collect::<Result<_, _>>()?;
    let Some(first) = learned.first() else {
        return Err("no policy was learned".into());
    };
    controls(&folder, first)?;
    judge(&play(&learned)?)
}

/// Learns a policy, and returns its file.
fn learn(folder: &Path, seed: u64) -> Result<PathBuf, String> {
    let file = folder.join(format!("{seed}.json"));
    workspace::output(training(seed, &file))?;
    Ok(file)
}

/// The command that writes a policy learned from this seed.
fn training(seed: u64, file: &Path) -> Command {
    let mut command = cargo("run --quiet --release --package ipse-lab --bin ipse -- train");
    command.args("--task cart-pole --algorithm ipse --iterations 100".split(' '));
    command.args(["--evaluate-every", "0", "--seed", &seed.to_string()]);
    command.arg("--out").arg(file);
    command
}

/// Plays policies, and returns for each the number of episodes in which it held the pole to the end.
fn play(files: &[PathBuf]) -> Result<Vec<u32>, String> {
    let mut script = PACKAGES.script(SCRIPT);
    script.args(files);
    let mut held = Vec::new();
    watch(script, LIMIT, |line| {
        println!("{line}");
        held.extend(episodes(line));
        Ok(())
    })?;
    match held.len() == files.len() {
        true => Ok(held),
        false => Err(format!(
            "{} of {} policies were played",
            held.len(),
            files.len()
        )),
    }
}

/// Reads `FILE: 98 of 100 episodes held for 500 steps`.
fn episodes(line: &str) -> Option<u32> {
    let (_, told) = line.rsplit_once(": ")?;
    told.strip_suffix(HELD)?.parse().ok()
}

fn judge(held: &[u32]) -> Result<(), String> {
    let whole = held.iter().filter(|held| **held == EPISODES).count();
    let verdict = format!(
        "{whole} of {} policies held the pole in every episode, of at least {ENOUGH}",
        held.len()
    );
    match whole >= ENOUGH {
        true => println!("{verdict}"),
        false => return Err(verdict),
    }
    Ok(())
}

/// What must fail does: a policy with its weights reversed, and files that are no policies of this task.
fn controls(folder: &Path, learned: &Path) -> Result<(), String> {
    let text = fs::read_to_string(learned).map_err(|error| refused(learned, &error))?;
    let file = write(folder, "reversed.json", &reversed(&text)?)?;
    let held = play(&[file])?;
    if held != [0] {
        return Err(format!(
            "the reversed policy held the pole in {held:?} episodes"
        ));
    }
    for (name, from, to, message) in [
        (
            "other-task.json",
            "cart-pole",
            "intersection",
            "task is \"intersection\"",
        ),
        (
            "other-features.json",
            "angle ahead",
            "angle",
            "features is [\"position ahead\", \"angle\"",
        ),
        (
            "no-weights.json",
            "\"weights\":[",
            "\"weights\":[],\"w\":[",
            "weights is []",
        ),
    ] {
        let file = write(folder, name, &text.replacen(from, to, 1))?;
        must_be_refused(file, message)?;
    }
    Ok(())
}

fn must_be_refused(file: PathBuf, message: &str) -> Result<(), String> {
    let mut script = PACKAGES.script(SCRIPT);
    script.arg(&file);
    let mut told = String::new();
    let result = watch(script, LIMIT, |line| {
        told.push_str(line);
        Ok(())
    });
    match result.is_err() && told.contains(message) {
        true => println!("refused, as it must be: {told}"),
        false => return Err(format!("{} was not refused: {told}", file.display())),
    }
    Ok(())
}

/// A policy file with the sign of every weight changed.
fn reversed(policy: &str) -> Result<String, String> {
    let parts = policy
        .split_once("\"weights\":[")
        .and_then(|(before, rest)| Some((before, rest.split_once(']')?)));
    let (before, (weights, after)) = parts.ok_or("the policy file has no weights")?;
    let negate = |weight: &str| match weight.trim().parse::<f64>() {
        Ok(weight) => Ok((-weight).to_string()),
        Err(_) => Err(format!("the weight {weight} is no number")),
    };
    let weights: Vec<String> = weights.split(',').map(negate).collect::<Result<_, _>>()?;
    Ok(format!(
        "{before}\"weights\":[{}]{after}",
        weights.join(",")
    ))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(|error| refused(&path, &error))?;
    Ok(path)
}

fn refused(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_learner_of_twenty_may_fail() {
        let mut held = [EPISODES; 20];
        assert!(judge(&held).is_ok());
        held[3] = 0;
        assert!(judge(&held).is_ok());
        held[7] = EPISODES - 1;
        assert!(judge(&held).is_err());
    }

    #[test]
    fn episodes_are_read_from_what_the_script_says() {
        assert_eq!(episodes(&format!("/a: b/3001.json: 98{HELD}")), Some(98));
        assert_eq!(episodes("3001.json: 98 of 100 episodes"), None);
        assert_eq!(episodes("a warning: something"), None);
    }

    #[test]
    fn a_reversed_policy_has_the_opposite_of_every_weight() {
        let policy = r#"{"task":"cart-pole","weights":[-0.5,0.25,1e-8],"seed":1}"#;
        let expected = r#"{"task":"cart-pole","weights":[0.5,-0.25,-0.00000001],"seed":1}"#;
        assert_eq!(reversed(policy).unwrap(), expected);
        assert!(reversed("{}").is_err());
    }
}
