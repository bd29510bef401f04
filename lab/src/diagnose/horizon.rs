//! The horizon: how far one has to look ahead to see what an action is worth.
//!
//! In states of play under the best policy that was found, every legal action is taken, and the policy goes on from
//! there, with the same random numbers for all actions. Half of these futures, A, choose an action: the one that has
//! earned most within the first T of them. The other half, B, tell what it earns within all H. What that is above the
//! mean of all actions is what looking T actions ahead finds. Since A and B have nothing in common, noise flatters no T;
//! it only makes all of them find less.
//!
//! The reference is the T that finds most. It is often shorter than H: what comes last is mostly noise, and a choice is
//! better without it.

use super::Options;
use super::meter::{Meter, Stage};
use super::play::{Episode, Purpose, Seeds, policy, rng};
use super::watched::{Panic, Watched, caught};
use crate::parallel;
use crate::summary::Estimate;
use ipse::environment::{Action, Environment};
use ipse::policy::Policy;
use ipse::rollout::Rollouts;
use rand_core::Rng;
use serde::Serialize;

/// The lengths T that are compared, and H.
const LENGTHS: [u16; 5] = [1, 3, 10, 30, 100];

/// The most actions of a state that are compared.
const ACTIONS: usize = 8;

/// The most actions under the policy before a state.
const WARM_UP: u32 = 100;

/// What looking ahead finds.
#[derive(Clone, Debug, Serialize)]
pub struct Horizon {
    /// H, the number of actions within which an action is valued.
    pub horizon: u16,
    /// The number of states.
    pub states: u32,
    /// What the best look ahead finds: how much more its choices earn within H than a random action does.
    pub possible: Estimate,
    /// As rollouts of this length see it: discounted, with the value of the last state.
    pub rollouts: Vec<Sight>,
    /// The same without the values of states, if the task has any.
    pub without_value: Option<Vec<Sight>>,
    /// How much more the rewards of all H actions show than those of any smaller number.
    pub growth: Estimate,
}

/// What looking some actions ahead finds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sight {
    /// T, the number of actions.
    pub actions: u16,
    /// How much more its choices earn within H than a random action does.
    pub found: Estimate,
    /// The share of what is possible.
    pub share: Estimate,
    /// How much less than possible that is.
    pub missed: Estimate,
}

impl Sight {
    /// Returns whether it finds less than is possible, beyond doubt: by at least three standard errors. With about ten
    /// lengths that are compared, chance alone does that in one of a hundred tasks.
    pub fn is_short(&self) -> bool {
        is_beyond_doubt(&self.missed)
    }
}

/// Returns whether an estimate is above 0 by three standard errors.
fn is_beyond_doubt(estimate: &Estimate) -> bool {
    let error = estimate.standard_error.unwrap_or(f64::INFINITY);
    estimate.mean > 3. * error
}

impl Horizon {
    /// Returns whether it shows at all which action is taken.
    pub fn is_telling(&self) -> bool {
        is_beyond_doubt(&self.possible)
    }

    /// Returns whether H shows more than anything shorter does, so that there may be still more beyond.
    pub fn is_growing(&self) -> bool {
        is_beyond_doubt(&self.growth)
    }

    /// What rollouts of the default length find.
    pub fn rollout(&self) -> Option<&Sight> {
        at(&self.rollouts, Rollouts::default().length)
    }

    /// The same if the values of states were not known.
    pub fn rollout_without_value(&self) -> Option<&Sight> {
        at(self.rewards(), Rollouts::default().length)
    }

    /// What is found by rewards alone.
    pub fn rewards(&self) -> &[Sight] {
        self.without_value.as_ref().unwrap_or(&self.rollouts)
    }

    /// The fewest actions ahead whose rewards show nearly all that any number of them shows.
    pub fn needed(&self) -> Option<u16> {
        const NEARLY_ALL: f64 = 0.95;
        let found = |sight: &Sight| sight.found.mean;
        let most = self.rewards().iter().map(found).fold(0., f64::max);
        let mut sights = self.rewards().iter();
        let enough = sights.find(|sight| found(sight) >= NEARLY_ALL * most);
        enough.map(|sight| sight.actions)
    }
}

fn at(sights: &[Sight], actions: u16) -> Option<&Sight> {
    sights.iter().find(|sight| sight.actions == actions)
}

/// What each way to choose finds in a state, above the mean of all actions: first with values of states, one for each
/// length, and then without.
type Row = Vec<f64>;

/// Looks ahead in many states under the policy with these weights.
pub fn measure<E: Environment + Sync>(
    task: &E,
    weights: &[f32],
    options: &Options,
) -> Result<Option<Horizon>, Panic> {
    let lengths = lengths(options.horizon);
    let meter = Meter::new(
        Stage::Horizon,
        options.horizon_states.into(),
        options.progress,
    );
    let states = 0..u64::from(options.horizon_states);
    let rows = parallel::map(options.threads, states, |index| {
        let seed = Seeds(options.seed).get(Purpose::Horizon, index);
        let row = caught(|| look(&Watched::new(task), weights, &lengths, options, seed));
        meter.add(1);
        row
    });
    // States in which the task panics do not count, unless it does in all.
    let (rows, panics): (Vec<_>, Vec<_>) = rows.into_iter().partition(Result::is_ok);
    let rows: Vec<(Row, bool)> = rows.into_iter().flatten().flatten().collect();
    if let (true, Some(Err(panic))) = (rows.is_empty(), panics.into_iter().next()) {
        return Err(panic);
    }
    let has_values = rows.iter().any(|(_, has_values)| *has_values);
    let rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
    Ok((rows.len() > 1).then(|| summarise(&rows, &lengths, has_values)))
}

/// The lengths that are compared; the last is H.
fn lengths(horizon: u16) -> Vec<u16> {
    let shorter = LENGTHS.into_iter().filter(|length| *length < horizon);
    shorter.chain([horizon]).collect()
}

/// Looks ahead in a state. `None` if there was none with a choice. Also returns whether any state had a value.
fn look<E: Environment>(
    task: &Watched<E>,
    weights: &[f32],
    lengths: &[u16],
    options: &Options,
    seed: u64,
) -> Option<(Row, bool)> {
    let policy = policy::<E>(weights);
    let mut rng = rng(!seed);
    let (state, actions) = find_choice(task, policy, seed, &mut rng)?;
    let mut has_values = false;
    let mut half = || {
        let mut futures = vec![Future::new(lengths.len()); actions.len()];
        for _ in 0..options.horizon_rollouts.max(1) {
            let seed = rng.next_u64();
            for (future, action) in futures.iter_mut().zip(&actions) {
                has_values |= future.add(task, &policy, (state, *action), lengths, seed);
            }
        }
        futures
    };
    let halves = [half(), half()];
    let count = 2. * f64::from(options.horizon_rollouts.max(1));
    let mut row = vec![0.; 2 * lengths.len()];
    for [choosing, valuing] in [[0, 1], [1, 0]] {
        let found = found(&halves[choosing], &halves[valuing]);
        for (sum, found) in row.iter_mut().zip(found) {
            *sum += found / count;
        }
    }
    Some((row, has_values))
}

/// A state with a choice, after some actions under the policy, and some of its actions.
fn find_choice<E: Environment>(
    task: &Watched<E>,
    policy: Policy<E::Features>,
    seed: u64,
    rng: &mut impl Rng,
) -> Option<(E::State, Vec<Action>)> {
    let mut episode = Episode::new(task, policy, seed);
    for _ in 0..rng.next_u32() % WARM_UP {
        episode.act_or_restart();
    }
    for _ in 0..2 * WARM_UP {
        let mut actions = Vec::new();
        task.outcomes(&episode.state, |outcome| actions.push(outcome.action));
        if actions.len() > 1 {
            while actions.len() > ACTIONS {
                actions.swap_remove(rng.next_u32() as usize % actions.len());
            }
            return Some((episode.state, actions));
        }
        episode.act_or_restart();
    }
    None
}

/// What follows an action, summed over several futures.
#[derive(Clone)]
struct Future {
    /// As rollouts of each length see it: first all with the value of the last state, and then all without.
    seen: Vec<f64>,
    /// The undiscounted sum of rewards within H.
    worth: f64,
}

impl Future {
    fn new(lengths: usize) -> Self {
        Future {
            seen: vec![0.; 2 * lengths],
            worth: 0.,
        }
    }

    /// Adds a future that begins with an action in a state. Returns whether any state had a value.
    ///
    /// Every action has a generator of its own, so that futures stay comparable if they draw more or fewer numbers.
    fn add<E: Environment>(
        &mut self,
        task: &Watched<E>,
        policy: &Policy<E::Features>,
        (mut state, action): (E::State, Action),
        lengths: &[u16],
        seed: u64,
    ) -> bool {
        let gamma = f64::from(Rollouts::default().discount);
        let (mut sum, mut discount) = (0., 1.);
        let mut ties = rng(!seed);
        let mut next = Some(action);
        let mut has_values = false;
        let mut acted = 0;
        for (index, length) in lengths.iter().enumerate() {
            while acted < *length
                && let Some(action) = next
            {
                let mut rng = rng(seed.wrapping_add(acted.into()));
                let (after, reward) = task.step(&state, action, &mut rng);
                acted += 1;
                state = after;
                sum += discount * f64::from(reward);
                self.worth += f64::from(reward);
                discount *= gamma;
                next = policy.choose(task, &state, &mut ties);
            }
            let value = next.map_or(0, |_| task.value(&state));
            has_values |= value != 0;
            self.seen[index] += sum + discount * f64::from(value);
            self.seen[lengths.len() + index] += sum;
        }
        has_values
    }
}

/// What the choices by one half are worth in the other, above the mean of all actions.
fn found(choosing: &[Future], valuing: &[Future]) -> Row {
    let blind = valuing.iter().map(|future| future.worth).sum::<f64>() / valuing.len() as f64;
    let way = |way: usize| {
        let most = choosing.iter().map(|future| future.seen[way]);
        let most = most.fold(f64::NEG_INFINITY, f64::max);
        // Among equals each is as likely as another.
        let pairs = choosing.iter().zip(valuing);
        let equals = pairs.filter(|(future, _)| future.seen[way] == most);
        let worths: Vec<f64> = equals.map(|(_, valued)| valued.worth).collect();
        worths.iter().sum::<f64>() / worths.len() as f64 - blind
    };
    (0..choosing[0].seen.len()).map(way).collect()
}

fn summarise(rows: &[Row], lengths: &[u16], has_values: bool) -> Horizon {
    let column = |way: usize| -> Vec<f64> { rows.iter().map(|row| row[way]).collect() };
    let ways: Vec<Vec<f64>> = (0..2 * lengths.len()).map(column).collect();
    let (seen, rewards) = ways.split_at(lengths.len());
    let possible = best(&ways);
    let sights = |ways: &[Vec<f64>]| {
        let sight = |(actions, way): (&u16, &Vec<f64>)| Sight::of(*actions, way, &possible);
        lengths.iter().zip(ways).map(sight).collect()
    };
    Horizon {
        horizon: lengths.last().copied().unwrap_or(0),
        states: rows.len() as u32,
        possible: Estimate::of(&possible),
        rollouts: sights(seen),
        without_value: has_values.then(|| sights(rewards)),
        growth: growth(rewards),
    }
}

/// The way to choose that finds most.
fn best(ways: &[Vec<f64>]) -> Vec<f64> {
    let mean = |way: &&Vec<f64>| Estimate::of(way).mean;
    let best = ways.iter().max_by(|a, b| mean(a).total_cmp(&mean(b)));
    best.cloned().unwrap_or_default()
}

/// How much more the last way finds than the best of the others.
fn growth(ways: &[Vec<f64>]) -> Estimate {
    match ways {
        [shorter @ .., last] if !shorter.is_empty() => {
            let pairs = last.iter().zip(best(shorter));
            Estimate::of(
                &pairs
                    .map(|(last, before)| last - before)
                    .collect::<Vec<_>>(),
            )
        }
        _ => Estimate::of(&[0.]),
    }
}

impl Sight {
    /// From what was found in each state, and what is possible there.
    fn of(actions: u16, found: &[f64], possible: &[f64]) -> Self {
        let pairs = || found.iter().zip(possible);
        let missed: Vec<f64> = pairs().map(|(found, possible)| possible - found).collect();
        let whole = Estimate::of(possible).mean;
        let share = Estimate::of(found).mean / whole;
        // The error of a ratio, to first order.
        let errors: Vec<f64> = pairs()
            .map(|(found, possible)| found - share * possible)
            .collect();
        let error = Estimate::of(&errors).standard_error;
        Sight {
            actions,
            found: Estimate::of(found),
            share: Estimate {
                mean: share,
                standard_error: error.map(|error| error / whole.abs()),
            },
            missed: Estimate::of(&missed),
        }
    }
}
