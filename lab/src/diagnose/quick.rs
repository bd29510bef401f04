//! The learner to use for an unknown task, within a second.
//!
//! Learners are tried for a short time, on the same number of calls, and compared by what their policies earn. This is
//! what a diagnosis does for longer; it finds the same learner unless two are nearly as good.

use super::advice::Recommendation;
use super::ceiling::{Measure, Score, play_enough};
use super::meter::Meter;
use super::method::{Budget, Learned, Method, learn};
use super::play::{Purpose, Run, Seeds, zeros};
use super::survey::Survey;
use super::watched::{Panic, Watched};
use crate::figures;
use crate::summary::Estimate;
use ipse::environment::Environment;
use ipse::rollout::Rollouts;

/// The calls of each learner. The return search needs about as many on every task of this repository to be sure to leave
/// the neighbourhood of where it starts, and the survival search to go beyond directions.
const CALLS: u32 = 200_000;

/// The number of actions after which an episode is cut.
const CUT_AFTER: u32 = 5_000;

/// The length of a run of a task that goes on.
const ACTIONS: u32 = 1_000;

/// The least number of episodes.
const EPISODES: u32 = 10;

const SEEDS: Seeds = Seeds(1);

/// The learner to use for a task, by a trial of about half a million calls, on one core.
/// Trials of the return search are as long as `horizon`.
pub fn quick_recommendation<E: Environment>(task: &E, horizon: u16) -> Recommendation {
    recommendation(task, horizon, CALLS)
}

/// The same by another number of calls for each learner.
pub fn recommendation<E: Environment>(task: &E, horizon: u16, calls: u32) -> Recommendation {
    decide(task, horizon, calls).unwrap_or_else(|panic| Recommendation {
        method: Method::Ipse,
        reason: format!("The task could not be tried: {panic}."),
    })
}

fn decide<E: Environment>(task: &E, horizon: u16, calls: u32) -> Result<Recommendation, Panic> {
    let survey = Survey::of(task, SEEDS)?;
    let is_episodic = survey.is_episodic();
    let measure = match is_episodic {
        true => Measure::ReturnPerEpisode {
            cut_after: CUT_AFTER,
        },
        false => Measure::RewardPerAction { actions: ACTIONS },
    };
    let trial = Trial {
        task,
        measure,
        calls,
    };
    let ipse = trial.learn(Method::Ipse)?;
    // That a task is about lasting speaks for the survival search, so that it is taken unless it does worse beyond doubt.
    let (rivals, lead) = match is_episodic && trial.is_about_lasting(&ipse)? {
        true => (vec![Method::Survival], -DOUBT),
        false => (Method::returns(horizon, is_episodic), DOUBT),
    };
    let rivals = rivals
        .into_iter()
        .map(|method| Ok((method, trial.earned(method)?)));
    let rivals: Vec<(Method, Estimate)> = rivals.collect::<Result<_, _>>()?;
    let best = rivals
        .into_iter()
        .max_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    let ipse = Score::of(measure, &ipse).earned;
    Ok(best.map_or_else(Recommendation::default, |best| compare(ipse, best, lead)))
}

/// Recommends a learner if it is ahead of IPSE by so many standard errors.
fn compare(ipse: Estimate, (method, other): (Method, Estimate), lead: f64) -> Recommendation {
    let [one, two] = [ipse, other].map(|earned| earned.standard_error.unwrap_or(0.));
    let is_ahead = other.mean - ipse.mean > lead * one.hypot(two);
    let [ipse, other] = [ipse, other].map(|earned| figures::estimate(&earned));
    Recommendation {
        method: if is_ahead { method } else { Method::Ipse },
        reason: format!("In a short trial IPSE earns {ipse}, and the {method} {other}."),
    }
}

/// The number of standard errors that are no proof.
const DOUBT: f64 = 2.;

/// A way to try learners.
struct Trial<'a, E> {
    task: &'a E,
    measure: Measure,
    /// The calls of each learner.
    calls: u32,
}

impl<E: Environment> Trial<'_, E> {
    /// What a learner's policy earns after a short time.
    fn learn(&self, method: Method) -> Result<Vec<Run>, Panic> {
        let budget = Budget {
            iterations: 400,
            calls: self.calls,
            restarts: None,
        };
        let seed = SEEDS.get(method.purpose(), 0);
        let Learned { weights, .. } = learn(self.task, method, budget, seed, &Meter::silent())?;
        self.play(&weights)
    }

    fn earned(&self, method: Method) -> Result<Estimate, Panic> {
        let runs = self.learn(method)?;
        Ok(Score::of(self.measure, &runs).earned)
    }

    fn play(&self, weights: &[f32]) -> Result<Vec<Run>, Panic> {
        let task = Watched::new(self.task);
        let seeds = (0..).map(|episode| SEEDS.get(Purpose::Scoring, episode));
        play_enough(&task, self.measure, weights, seeds, EPISODES)
    }

    /// Returns whether games are lost, and what matters is to last: the longer an episode, the more it earns, and
    /// episodes outlast a rollout by far, without coming to a common limit.
    fn is_about_lasting(&self, ipse: &[Run]) -> Result<bool, Panic> {
        const FAR: f64 = 10.;
        const STRONG: f64 = 0.9;
        let score = Score::of(self.measure, ipse);
        let is_long = score.length >= FAR * f64::from(Rollouts::default().length);
        let mut runs = self.play(&zeros::<E>())?;
        runs.extend(ipse);
        Ok(is_long && !score.same_length && correlation(&runs) >= STRONG)
    }
}

/// The correlation of the length of an episode with what it earns.
fn correlation(runs: &[Run]) -> f64 {
    let n = runs.len() as f64;
    let mean = |of: fn(&Run) -> f64| runs.iter().map(of).sum::<f64>() / n;
    let (length, reward) = (mean(|run| run.actions.into()), mean(|run| run.reward));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        let deviations = runs
            .iter()
            .map(|run| (f64::from(run.actions) - length, run.reward - reward));
        deviations.map(|(length, reward)| of(length, reward)).sum()
    };
    let scale = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    match scale > 0. {
        true => sum(&|a, b| a * b) / scale,
        false => 0.,
    }
}
