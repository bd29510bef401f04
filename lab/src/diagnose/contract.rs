//! The promises of a task: what the documentation of [`Environment`] asks of it, tested in states that are visited.
//!
//! A learner relies on these promises without checking them, since a microcontroller has no time for that. What a task
//! that breaks one learns is wrong, and nothing says so.

use super::picture::{self, PIXELS};
use super::play::{Origin, Player, Purpose, Seeds, rng, visit, zeros};
use super::watched::{Panic, Watched, caught};
use ipse::array::Array;
use ipse::checkpoint::{max_size, restore, save};
use ipse::environment::{Action, Environment, Feature, Outcome, Resumable};
use ipse::{Agent, Lfd, Parameters};
use rand_core::Rng;
use serde::Serialize;
use std::collections::BTreeSet;

/// What a task promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Promise {
    /// No method panics.
    Panic,
    /// No feature exceeds its bound.
    Bound,
    /// Every legal action is visited once.
    Once,
    /// Legal actions are visited in the same order, with the same features, whenever they are asked for.
    Order,
    /// There is room for all legal actions.
    Room,
    /// A state is terminal if no action is legal, and then it is neither safe nor worth anything.
    Terminal,
    /// A step, and a first state, depend on nothing but the arguments.
    Chance,
    /// States are equal if whatever follows is.
    Equal,
    /// An action that is not legal does not panic.
    Illegal,
    /// Every state can be saved and is read again.
    Saved,
    /// Rewards are not at the end of their range, where they would be cut off.
    Reward,
    /// The reward that an action promises is the one to be expected.
    Expected,
    /// A picture is within its frame, and that is not too large.
    Picture,
    /// The task and its features have names, units and bounds that can be used.
    Names,
}

/// A promise that is broken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Breach {
    pub promise: Promise,
    /// The feature, method or action that it is about.
    pub about: String,
    /// What was found: the value, and what it should have been.
    pub fact: String,
    /// How the state was reached in which it was found.
    pub origin: Option<String>,
    /// The picture of that state, if the task draws one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub picture: Vec<String>,
    /// The number of states in which it was found.
    pub states: u32,
}

impl Breach {
    /// A panic outside of the inspection.
    pub fn panic(panic: &Panic, doing: &str) -> Self {
        let problem = Problem::panic(panic);
        Breach {
            origin: Some(format!("while {doing}")),
            ..problem.breach()
        }
    }
}

/// Something that is wrong in a state.
struct Problem {
    promise: Promise,
    about: String,
    fact: String,
    /// How bad it is. The worst case is the one that is told.
    degree: u32,
}

impl Problem {
    fn new(promise: Promise, about: impl Into<String>, fact: String) -> Self {
        Problem {
            promise,
            about: about.into(),
            fact,
            degree: 0,
        }
    }

    /// What it has in common with others of its kind.
    fn key(&self) -> (Promise, &str) {
        (self.promise, &self.about)
    }

    fn panic(panic: &Panic) -> Self {
        let about = panic.method.unwrap_or("a method");
        Problem::new(Promise::Panic, about, panic.to_string())
    }

    fn breach(self) -> Breach {
        Breach {
            promise: self.promise,
            about: self.about,
            fact: self.fact,
            origin: None,
            picture: Vec::new(),
            states: 1,
        }
    }
}

/// A test of the promises in a state, with a seed for what is left to chance.
type Check<E> = fn(&Watched<E>, &<E as Environment>::State, u64) -> Vec<Problem>;

/// An inspection under way.
pub struct Inspection<'a, E: Resumable> {
    task: Watched<'a, E>,
    seeds: Seeds,
    breaches: Vec<(u32, Breach)>,
    /// The number of states that were looked at.
    pub states: u32,
    /// Actions that promise a reward: how many there were, and how often the reward was as promised.
    promises: (u32, u32),
    /// Some of the states, to be compared with each other.
    sample: Vec<(E::State, Origin)>,
}

/// The number of states that are compared with each other.
const SAMPLE: usize = 200;

impl<'a, E: Resumable> Inspection<'a, E> {
    /// An inspection that has looked at names and dimensions only.
    pub fn new(task: &'a E, seeds: Seeds) -> Self {
        let mut inspection = Inspection {
            task: Watched::new(task),
            seeds,
            breaches: Vec::new(),
            states: 0,
            promises: (0, 0),
            sample: Vec::new(),
        };
        for problem in declared::<E>() {
            inspection.note(problem, None, None);
        }
        inspection
    }

    /// Looks at `count` states under policies that know nothing: random play, and for each feature as much and as
    /// little of it as possible, so that extremes are reached.
    pub fn explore(&mut self, count: usize) {
        let [random, rest] = [count / 2, count - count / 2];
        let player = Player {
            name: "random play".into(),
            weights: zeros::<E>(),
        };
        self.follow(&player, random);
        let names = E::FEATURES;
        let each = rest.div_ceil(2 * E::Features::LEN);
        for (feature, Feature { name, .. }) in names.as_ref().iter().enumerate() {
            for (sign, much) in [(1., "as much"), (-1., "as little")] {
                let mut weights = zeros::<E>();
                weights[feature] = sign;
                let name = format!("{much} {name} as possible");
                self.follow(&Player { name, weights }, each);
            }
        }
    }

    /// Looks at `count` states under a policy. An episode that ends in a panic counts as one.
    pub fn follow(&mut self, player: &Player, count: usize) {
        let task = Watched::new(self.task.task());
        let end = self.states + count as u32;
        while self.states < end {
            let before = self.states;
            let seed = self.seeds.get(Purpose::Promises, before.into());
            let most = (end - before) as usize;
            let visited = caught(|| {
                visit(&task, player, seed, most, |state, origin| {
                    self.inspect(state, origin);
                });
            });
            if let Err(panic) = visited {
                let origin = format!("while following {} (seed {seed})", player.name);
                self.note(Problem::panic(&panic), Some(origin), None);
                self.states = self.states.max(before + 1);
            }
        }
    }

    fn inspect(&mut self, state: &E::State, origin: &Origin) {
        let seed = self.seeds.get(Purpose::Promises, self.states.into());
        self.states += 1;
        if self.sample.len() < SAMPLE {
            self.sample.push((*state, origin.clone()));
        }
        let mut problems = Vec::new();
        for check in Self::CHECKS {
            problems.extend(separately(|| check(&self.task, state, seed)));
        }
        let panics = |problem: &Problem| problem.promise == Promise::Panic;
        if !self.has(Promise::Illegal) && !problems.iter().any(panics) {
            problems.extend(illegal(&self.task, state, seed));
        }
        // What several checks or actions have found counts once.
        problems.sort_by(|a, b| (a.key(), b.degree).cmp(&(b.key(), a.degree)));
        problems.dedup_by(|a, b| a.key() == b.key());
        for problem in problems {
            self.note(problem, Some(origin.to_string()), Some(state));
        }
        if let Ok((promised, kept)) = caught(|| expected(&self.task, state, seed)) {
            self.promises.0 += promised;
            self.promises.1 += kept;
        }
    }

    const CHECKS: [Check<E>; 9] = [
        bounds,
        visited_once,
        same_order,
        terminal,
        resets,
        steps,
        saved,
        drawn,
        reflexive,
    ];

    fn has(&self, promise: Promise) -> bool {
        let mut breaches = self.breaches.iter();
        breaches.any(|(_, breach)| breach.promise == promise)
    }

    /// Keeps the worst case of each kind, and counts the others.
    fn note(&mut self, problem: Problem, origin: Option<String>, state: Option<&E::State>) {
        let degree = problem.degree;
        let mut known = self.breaches.iter_mut();
        let known = known.find(|(_, known)| (known.promise, &*known.about) == problem.key());
        let states = known.as_ref().map_or(1, |(_, known)| known.states + 1);
        if let Some((worst, known)) = known
            && *worst >= degree
        {
            known.states = states;
            return;
        }
        let picture = state.map(|state| caught(|| picture::lines(&self.task, state)));
        let breach = Breach {
            origin,
            states,
            picture: picture.and_then(Result::ok).unwrap_or_default(),
            ..problem.breach()
        };
        match known {
            Some(known) => *known = (degree, breach),
            None => self.breaches.push((degree, breach)),
        }
    }

    /// What was found, the most serious first.
    pub fn finish(mut self) -> Vec<Breach> {
        let sample = std::mem::take(&mut self.sample);
        let task = Watched::new(self.task.task());
        let problems = separately(|| equal(&task, &sample, self.seeds));
        for problem in problems {
            self.note(problem, None, None);
        }
        if let (promised @ ENOUGH.., 0) = self.promises {
            let fact = format!(
                "none of {promised} actions that promise a reward above 0 brought what they promise"
            );
            self.note(Problem::new(Promise::Expected, "promise", fact), None, None);
        }
        let mut breaches: Vec<Breach> = self.breaches.into_iter().map(|(_, it)| it).collect();
        breaches.sort_by_key(|breach| breach.promise);
        breaches
    }
}

/// So many promises have to be broken before it is said that none is kept. If a reward comes once in twenty times, eight
/// draws show it once in three times, and fifty times eight draws never show it once in 10⁹.
const ENOUGH: u32 = 50;

/// The problems that `work` finds, and its panic is one.
fn separately(work: impl FnOnce() -> Vec<Problem>) -> Vec<Problem> {
    caught(work).unwrap_or_else(|panic| vec![Problem::panic(&panic)])
}

fn outcomes<E: Environment>(task: &Watched<E>, state: &E::State) -> Vec<Outcome<E::Features>> {
    let mut outcomes = Vec::new();
    task.outcomes(state, |outcome| outcomes.push(outcome));
    outcomes
}

fn bounds<E: Environment>(task: &Watched<E>, state: &E::State, _: u64) -> Vec<Problem> {
    let features = E::FEATURES;
    let mut problems = Vec::new();
    for outcome in outcomes(task, state) {
        let action = outcome.action;
        for (value, feature) in outcome.features.as_ref().iter().zip(features.as_ref()) {
            let Feature { name, bound, .. } = feature;
            let (size, most) = (value.unsigned_abs(), bound.unsigned_abs());
            if size > most {
                let fact = format!(
                    "feature `{name}` of action {action} is {value}, and must be from −{most} to {most}"
                );
                problems.push(Problem {
                    degree: (size - most).into(),
                    ..Problem::new(Promise::Bound, *name, fact)
                });
            }
        }
    }
    problems
}

fn visited_once<E: Environment>(task: &Watched<E>, state: &E::State, _: u64) -> Vec<Problem> {
    let outcomes = outcomes(task, state);
    let (room, count) = (E::Actions::LEN, outcomes.len());
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    let twice = outcomes.iter().find(|outcome| !seen.insert(outcome.action));
    if let Some(Outcome { action, .. }) = twice {
        let fact = format!("action {action} is visited more than once in one state");
        let about = format!("action {action}");
        problems.push(Problem::new(Promise::Once, about, fact));
    }
    if count > room {
        let fact = format!(
            "{count} actions are visited, and `Actions` has room for {room}: the last are never taken"
        );
        problems.push(Problem {
            degree: count as u32,
            ..Problem::new(Promise::Room, "Actions", fact)
        });
    }
    problems
}

fn same_order<E: Environment>(task: &Watched<E>, state: &E::State, seed: u64) -> Vec<Problem> {
    let first = outcomes(task, state);
    let mut second = outcomes(task, state);
    if first == second {
        // Something else in between, in case that something is remembered.
        outcomes(task, &task.reset(&mut rng(seed)));
        second = outcomes(task, state);
    }
    if first == second {
        return Vec::new();
    }
    let actions = |outcomes: &[Outcome<E::Features>]| -> Vec<Action> {
        outcomes.iter().map(|outcome| outcome.action).collect()
    };
    let (before, after) = (actions(&first), actions(&second));
    let fact = match before == after {
        false => format!("asked twice, a state visits the actions {before:?} and then {after:?}"),
        true => changed::<E>(&first, &second),
    };
    vec![Problem::new(Promise::Order, "outcomes", fact)]
}

/// What is different in the outcomes of the same actions.
fn changed<E: Environment>(
    first: &[Outcome<E::Features>],
    second: &[Outcome<E::Features>],
) -> String {
    let features = E::FEATURES;
    for (one, other) in first.iter().zip(second) {
        let action = one.action;
        if one.promise != other.promise {
            let (one, other) = (one.promise, other.promise);
            return format!("asked twice, action {action} promises {one} and then {other}");
        }
        let values = one.features.as_ref().iter().zip(other.features.as_ref());
        for ((one, other), Feature { name, .. }) in values.zip(features.as_ref()) {
            if one != other {
                return format!(
                    "asked twice, feature `{name}` of action {action} is {one} and then {other}"
                );
            }
        }
    }
    "asked twice, a state has different outcomes".into()
}

fn terminal<E: Environment>(task: &Watched<E>, state: &E::State, _: u64) -> Vec<Problem> {
    let count = outcomes(task, state).len();
    let is_terminal = task.is_terminal(state);
    let mut problems = Vec::new();
    let mut find = |about: &str, fact: String| {
        problems.push(Problem::new(Promise::Terminal, about, fact));
    };
    if is_terminal != (count == 0) {
        let fact = format!("`is_terminal` is {is_terminal}, and {count} actions are legal");
        find("is_terminal", fact);
    }
    if count == 0 {
        let value = task.value(state);
        if value != 0 {
            let fact = format!("`value` of a terminal state is {value}, and should be 0");
            find("value", fact);
        }
        if task.is_safe(state) {
            find("is_safe", "a terminal state is said to be safe".into());
        }
    }
    problems
}

fn resets<E: Environment>(task: &Watched<E>, _: &E::State, seed: u64) -> Vec<Problem> {
    let mut generator = rng(seed);
    let mut clone = generator.clone();
    let same = task.reset(&mut generator) == task.reset(&mut clone);
    match same && generator.next_u64() == clone.next_u64() {
        true => Vec::new(),
        false => {
            let fact = "the same random numbers give different first states".into();
            vec![Problem::new(Promise::Chance, "reset", fact)]
        }
    }
}

fn steps<E: Environment>(task: &Watched<E>, state: &E::State, seed: u64) -> Vec<Problem> {
    let mut problems = Vec::new();
    for Outcome { action, .. } in outcomes(task, state) {
        let mut generator = rng(seed);
        let mut clone = generator.clone();
        let (next, reward) = task.step(state, action, &mut generator);
        let (again, later) = task.step(state, action, &mut clone);
        if reward != later {
            let fact = format!(
                "the same random numbers give action {action} a reward of {reward} and then of {later}"
            );
            problems.push(Problem::new(Promise::Chance, "step", fact));
        } else if next != again || generator.next_u64() != clone.next_u64() {
            let fact = format!("the same random numbers lead action {action} to different states");
            problems.push(Problem::new(Promise::Chance, "step", fact));
        }
        if [i16::MIN, i16::MAX].contains(&reward) {
            let fact = format!(
                "the reward of action {action} is {reward}, the end of the range of 16 bits"
            );
            problems.push(Problem::new(Promise::Reward, "step", fact));
        }
    }
    problems
}

/// The first action that is not legal and panics.
fn illegal<E: Environment>(task: &Watched<E>, state: &E::State, seed: u64) -> Vec<Problem> {
    let legal = caught(|| outcomes(task, state)).unwrap_or_default();
    let legal: BTreeSet<Action> = legal.iter().map(|outcome| outcome.action).collect();
    let actions = (0..=Action::MAX).filter(|action| !legal.contains(action));
    for action in actions {
        let stepped = caught(|| task.step(state, action, &mut rng(seed)));
        if let Err(panic) = stepped {
            let fact = format!("action {action}, which is not legal: {panic}");
            return vec![Problem::new(Promise::Illegal, "step", fact)];
        }
    }
    Vec::new()
}

/// Saves the state as a part of an agent, and reads it again.
fn saved<E: Resumable>(task: &Watched<E>, state: &E::State, seed: u64) -> Vec<Problem> {
    type Saved<'a, E> = Agent<Watched<'a, E>, Lfd>;
    let problem = |fact| vec![Problem::new(Promise::Saved, "code_state", fact)];
    let Ok(lfd) = Lfd::new().check() else {
        return Vec::new();
    };
    let mut rng = rng(seed);
    let mut agent: Saved<E> = Agent::new(Watched::starting_in(task.task(), *state), lfd, &mut rng);
    // Twice the room, to find out how much is needed.
    let room = max_size::<Saved<E>, ()>();
    let mut buffer = vec![0; 2 * room + 64];
    let bytes = match save(&mut agent, &rng, (), &mut buffer) {
        Ok(bytes) => bytes,
        Err(error) => return problem(format!("a state cannot be saved: {error}")),
    };
    if bytes.len() > room {
        let most = E::STATE_BITS;
        return problem(format!(
            "a state is written in more bits than STATE_BITS, which is {most}"
        ));
    }
    let mut reader: Saved<E> = Agent::new(Watched::new(task.task()), lfd, &mut rng);
    match restore::<_, ()>(&mut reader, &mut rng, bytes) {
        Err(error) => problem(format!("a state that was saved is refused: {error}")),
        Ok(()) if reader.state() != state => {
            problem("a state that was saved and read again is another one".into())
        }
        Ok(()) => Vec::new(),
    }
}

fn drawn<E: Environment>(task: &Watched<E>, state: &E::State, _: u64) -> Vec<Problem> {
    let (width, height) = E::PICTURE;
    if !picture::is_sane(E::PICTURE) {
        return Vec::new();
    }
    let reach = picture::reach(task, state);
    let (right, down) = (reach.right, reach.down);
    if right <= width.into() && down <= height.into() {
        return Vec::new();
    }
    let fact = format!(
        "`draw` reaches {right} pixels to the right and {down} down, and PICTURE is {width} by {height}"
    );
    vec![Problem {
        degree: right.max(down),
        ..Problem::new(Promise::Picture, "draw", fact)
    }]
}

fn reflexive<E: Environment>(_: &Watched<E>, state: &E::State, _: u64) -> Vec<Problem> {
    let copy = *state;
    match copy == *state {
        true => Vec::new(),
        false => {
            let fact = "a state is not equal to itself".into();
            vec![Problem::new(Promise::Equal, "State", fact)]
        }
    }
}

/// Looks for two states that are equal but differ in what follows.
fn equal<E: Environment>(
    task: &Watched<E>,
    sample: &[(E::State, Origin)],
    seeds: Seeds,
) -> Vec<Problem> {
    let seed = seeds.get(Purpose::Promises, u64::MAX >> 32);
    for (index, (one, origin)) in sample.iter().enumerate() {
        let mut earlier = sample[..index].iter();
        let Some((other, from)) = earlier.find(|(other, _)| other == one) else {
            continue;
        };
        if let Some(difference) = difference(task, one, other, seed) {
            let fact = format!(
                "two states are equal, and differ in {difference}; one is reached {from}, the other {origin}"
            );
            return vec![Problem::new(Promise::Equal, "State", fact)];
        }
    }
    Vec::new()
}

fn difference<E: Environment>(
    task: &Watched<E>,
    one: &E::State,
    other: &E::State,
    seed: u64,
) -> Option<String> {
    let legal = outcomes(task, one);
    if legal != outcomes(task, other) {
        return Some("their legal actions".into());
    }
    let differs = |action| {
        let step = |state| task.step(state, action, &mut rng(seed));
        step(one) != step(other)
    };
    let action = legal
        .iter()
        .map(|outcome| outcome.action)
        .find(|action| differs(*action))?;
    Some(format!("what action {action} leads to"))
}

/// The number of actions that promise a reward, and of those whose reward is seen to be possible in eight draws.
fn expected<E: Environment>(task: &Watched<E>, state: &E::State, seed: u64) -> (u32, u32) {
    const DRAWS: usize = 8;
    let mut generator = rng(seed);
    let (mut promised, mut kept) = (0, 0);
    let outcomes = outcomes(task, state);
    for outcome in outcomes.iter().filter(|outcome| outcome.promise > 0) {
        let rewards = [(); DRAWS].map(|()| task.step(state, outcome.action, &mut generator).1);
        let least = rewards
            .iter()
            .min()
            .is_some_and(|least| *least <= outcome.promise);
        let most = rewards
            .iter()
            .max()
            .is_some_and(|most| outcome.promise <= *most);
        promised += 1;
        kept += u32::from(least && most);
    }
    (promised, kept)
}

/// What is wrong with names, units, bounds and the size of the picture.
fn declared<E: Environment>() -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut find = |promise, about: String, fact| problems.push(Problem::new(promise, about, fact));
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let name = E::NAME;
    if name.is_empty() || !name.bytes().all(plain) {
        let fact = format!("NAME is {name:?}, and should be lower case with hyphens");
        find(Promise::Names, "NAME".into(), fact);
    }
    let features = E::FEATURES;
    let mut names = BTreeSet::new();
    for (index, feature) in features.as_ref().iter().enumerate() {
        let Feature { name, unit, bound } = *feature;
        let about = format!("feature {index}");
        if name.trim().is_empty() {
            find(
                Promise::Names,
                about.clone(),
                format!("feature {index} has no name"),
            );
        } else if !names.insert(name) {
            find(
                Promise::Names,
                name.into(),
                format!("two features are called `{name}`"),
            );
        }
        if !(unit > 0. && unit.is_finite()) {
            let fact =
                format!("the unit of feature `{name}` is {unit}, and must be finite and above 0");
            find(Promise::Names, about.clone(), fact);
        }
        if bound <= 0 {
            let fact = format!("the bound of feature `{name}` is {bound}, and must be above 0");
            find(Promise::Bound, about, fact);
        }
    }
    if !picture::is_sane(E::PICTURE) {
        let (width, height) = E::PICTURE;
        let fact = format!(
            "PICTURE is {width} by {height}; both must be above 0, or both 0, with at most {PIXELS} pixels"
        );
        find(Promise::Picture, "PICTURE".into(), fact);
    }
    problems
}
