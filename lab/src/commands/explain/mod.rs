//! `ipse explain`: why a policy does what it does.

mod ledger;
mod page;

use crate::args::{TaskArgs, at_least_one, seed};
use crate::draw::for_stdout;
use crate::error::{Error, Result};
use crate::games::{Game, Mind, seeds};
use crate::input;
use crate::output::tell;
use crate::policy::{self, Named};
use crate::task::{Setup, Task};
use ipse::environment::{Outcome, PerFeature};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// List what speaks for and against the best actions
///
/// Plays from a seed and explains the state after some actions; a task whose
/// states can be typed reads them from standard input instead, one JSON object
/// a line, unless --after is given. For each of
/// the best actions it lists, as Benjamin Franklin advised, Pro in one column
/// and Con in the other: how much more or less each feature contributes to the
/// policy's score here than in the best other action. Features that do not
/// differ are left out. Reasons that weigh about the same on either side are
/// struck out.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  explain --policy weights.json --after 30
  explain --policy weights.json --seed 7 --top 1 --json")]
pub struct Args {
    #[command(flatten)]
    pub task: TaskArgs,

    /// A policy of the task by its name, equal, random, or a JSON file with weights; the first with
    /// weights that the task has if not given
    #[arg(long, value_name = "POLICY", long_help = policy::HELP)]
    policy: Option<String>,

    /// How many actions to list
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one::<u64>)]
    top: u64,

    /// Play so many actions, and explain the state after them; 20 if nothing can be typed
    #[arg(long, value_name = "N")]
    after: Option<u64>,

    /// Where the random numbers of the game start from
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    seed: u64,

    /// Print one JSON object a line, with features, contributions and balances
    #[arg(long)]
    json: bool,
}

/// The longest line with a state, in bytes.
const LONGEST: usize = 1 << 16;

/// The actions before a state that is explained, unless told.
const AFTER: u64 = 20;

pub fn run<E: Task>(setup: &Setup<E>, args: &Args) -> Result {
    let (name, weights) = weights(setup, args.policy.as_deref())?;
    let answer = |state: &E::State, out: &mut dyn Write| -> io::Result<()> {
        let case = Case::new(setup, &name, state, &weights, args.top as usize);
        if args.json {
            serde_json::to_writer(&mut *out, &case)?;
            return writeln!(out);
        }
        out.write_all(for_stdout(&page::write(&case, setup, state)).as_bytes())
    };
    match (setup.view.expected(), args.after) {
        (Some(expected), None) => {
            let parse = |line: &[u8]| {
                let state = setup.view.read(line);
                state.unwrap_or_else(|| Err("states of this task cannot be typed".into()))
            };
            input::answer_each(expected, LONGEST, parse, |state, out| answer(state, out))
        }
        (_, after) => {
            let after = after.unwrap_or(AFTER);
            let (state, played) = played(setup, &weights, args.seed, after);
            if played < after {
                let whole = setup.view.whole();
                tell!("note: the {whole} ends before; this is its state after {played} actions");
            }
            Ok(answer(&state, &mut io::stdout().lock())?)
        }
    }
}

/// The state after some actions, or the last one in which an action was legal, and the number of actions before it.
fn played<E: Task>(
    setup: &Setup<E>,
    weights: &PerFeature<E, f32>,
    seed: u64,
    actions: u64,
) -> (E::State, u64) {
    let policy = policy::policy::<E>(weights);
    let seed = seeds(seed).next().unwrap_or_default();
    let mut game = Game::new(&setup.task, Mind::Policy(&policy), seed);
    let mut last = (game.state, 0);
    while game.actions < actions && game.step().is_some() {
        if setup.task.is_terminal(&game.state) {
            break;
        }
        last = (game.state, game.actions);
    }
    last
}

/// The weights of a policy, and its name. Without one, of the first policy that has any.
fn weights<E: Task>(setup: &Setup<E>, name: Option<&str>) -> Result<(String, PerFeature<E, f32>)> {
    let refused = |problem: &str| policy::refused("--policy", name, problem);
    let named = |name: Option<&str>| Named::of(setup, name).map_err(|error| refused(&error));
    let of = |named: Named<E>| Some((named.name.clone(), named.per_feature()?));
    if name.is_some() {
        return of(named(name)?)
            .ok_or_else(|| refused("it is a rule without weights, which has no ledger"));
    }
    let players = setup.players.iter().map(|(name, _)| *name);
    for name in players.chain(setup.directions.map(|_| "equal")) {
        if let Some(found) = of(named(Some(name))?) {
            return Ok(found);
        }
    }
    let task = setup.title();
    Err(Error::Usage(format!(
        "{task} has no policy with weights of its own; give --policy FILE, which `train --out FILE` writes"
    )))
}

/// All that can be said about a state, as JSON and as a page.
pub fn explain<E: Task>(
    setup: &Setup<E>,
    weights: &PerFeature<E, f32>,
    state: &E::State,
) -> serde_json::Result<(String, String)> {
    let case = Case::new(setup, "a policy", state, weights, usize::MAX);
    let page = page::write(&case, setup, state);
    Ok((serde_json::to_string(&case)?, page))
}

/// A state, and what a policy makes of it.
struct Case<'a> {
    policy: &'a str,
    facts: Map<String, Value>,
    /// What an action is called.
    noun: &'static str,
    /// The number of legal actions.
    legal: usize,
    /// The best actions, the best first.
    best: Vec<Judged>,
}

impl Serialize for Case<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("policy", self.policy)?;
        for (name, fact) in &self.facts {
            map.serialize_entry(name, fact)?;
        }
        map.serialize_entry("legal", &self.legal)?;
        map.serialize_entry(&format!("{}s", self.noun), &self.best)?;
        map.end()
    }
}

/// A legal action and what speaks for it.
#[derive(Clone, Serialize)]
struct Judged {
    #[serde(skip)]
    action: u8,
    #[serde(flatten)]
    facts: Map<String, Value>,
    features: Vec<f64>,
    /// Weight times feature. Their sum is the score, which the policy compares.
    contributions: Vec<f64>,
    score: f64,
    /// The rank of the action that it is held against, counted from 1, if there is another.
    against: Option<usize>,
    /// The contributions, less those of the action that it is held against.
    reasons: Vec<f64>,
    /// The sum of the reasons.
    balance: f64,
}

impl<'a> Case<'a> {
    fn new<E: Task>(
        setup: &Setup<E>,
        policy: &'a str,
        state: &E::State,
        weights: &PerFeature<E, f32>,
        top: usize,
    ) -> Self {
        let mut legal = Vec::new();
        setup.task.outcomes(state, |outcome| {
            legal.push(Judged::new(setup, state, &outcome, weights));
        });
        legal.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut best = legal.clone();
        best.truncate(top);
        for (i, judged) in best.iter_mut().enumerate() {
            let other = usize::from(i == 0);
            if let Some(rival) = legal.get(other) {
                judged.hold_against(rival, other + 1);
            }
        }
        Case {
            policy,
            facts: setup.view.state_facts(&setup.task, state),
            noun: setup.view.noun(),
            legal: legal.len(),
            best,
        }
    }
}

impl Judged {
    fn new<E: Task>(
        setup: &Setup<E>,
        state: &E::State,
        outcome: &Outcome<E::Features>,
        weights: &PerFeature<E, f32>,
    ) -> Self {
        let known = E::FEATURES;
        let values = known.as_ref().iter().zip(outcome.features.as_ref());
        let features: Vec<f64> = values
            .map(|(feature, value)| f64::from(feature.unit) * f64::from(*value))
            .collect();
        let weighed = weights.as_ref().iter().zip(&features);
        let contributions: Vec<f64> = weighed
            .map(|(weight, feature)| f64::from(*weight) * feature)
            .collect();
        let action = outcome.action;
        Judged {
            action,
            facts: setup.view.action_facts(&setup.task, state, action),
            score: contributions.iter().sum(),
            against: None,
            reasons: vec![0.; features.len()],
            balance: 0.,
            features,
            contributions,
        }
    }

    fn hold_against(&mut self, rival: &Judged, rank: usize) {
        self.against = Some(rank);
        let pairs = self.contributions.iter().zip(&rival.contributions);
        self.reasons = pairs.map(|(ours, theirs)| ours - theirs).collect();
        self.balance = self.reasons.iter().sum();
    }
}
