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
use super::watched::{Panic, Watched, caught};
use crate::figures;
use ipse::environment::Environment;
use ipse::rollout::Rollouts;

/// The calls of each learner. The return search needs about as many on every task of this repository to be sure to leave
/// the neighbourhood of where it starts, and the survival search to go beyond directions.
const CALLS: u32 = 200_000;

/// The horizon of the return search: six days of a task that follows the day, hour by hour.
const HORIZON: u16 = 144;

/// The number of actions after which an episode is cut.
const CUT_AFTER: u32 = 5_000;

/// The length of a run of a task that goes on.
const ACTIONS: u32 = 1_000;

/// The least number of episodes.
const EPISODES: u32 = 10;

const SEEDS: Seeds = Seeds(1);

/// The learner to use for a task, by a trial of about half a million calls.
pub fn quick_recommendation<E: Environment>(task: &E) -> Recommendation {
    decide(task).unwrap_or_else(|panic| Recommendation {
        method: Method::Ipse,
        reason: format!("The task could not be tried: {panic}."),
    })
}

fn decide<E: Environment>(task: &E) -> Result<Recommendation, Panic> {
    let survey = Survey::of(task, SEEDS)?;
    let is_episodic = survey.is_episodic();
    let measure = match is_episodic {
        true => Measure::ReturnPerEpisode {
            cut_after: CUT_AFTER,
        },
        false => Measure::RewardPerAction { actions: ACTIONS },
    };
    let trial = Trial { task, measure };
    let ipse = trial.learn(Method::Ipse)?;
    if is_episodic && trial.is_about_lasting(&ipse)? {
        // That speaks for it already, so that it is taken unless it does worse beyond doubt.
        return trial.compare(&ipse, Method::Survival, -DOUBT);
    }
    trial.compare(&ipse, Method::returns(HORIZON, is_episodic), DOUBT)
}

/// The number of standard errors that are no proof.
const DOUBT: f64 = 2.;

/// A way to try learners.
struct Trial<'a, E> {
    task: &'a E,
    measure: Measure,
}

impl<E: Environment> Trial<'_, E> {
    /// What a learner's policy earns after a short time.
    fn learn(&self, method: Method) -> Result<Vec<Run>, Panic> {
        let budget = Budget {
            iterations: 400,
            calls: CALLS,
        };
        let seed = SEEDS.get(method.purpose(), 0);
        let Learned { weights, .. } = learn(self.task, method, budget, seed, &Meter::silent())?;
        self.play(&weights)
    }

    fn play(&self, weights: &[f32]) -> Result<Vec<Run>, Panic> {
        let task = Watched::new(self.task);
        let seeds = (0..).map(|episode| SEEDS.get(Purpose::Scoring, episode));
        caught(|| play_enough(&task, self.measure, weights, seeds, EPISODES))
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

    /// Recommends a learner if it is ahead of IPSE by so many standard errors.
    fn compare(&self, ipse: &[Run], method: Method, lead: f64) -> Result<Recommendation, Panic> {
        let runs = self.learn(method)?;
        let [ipse, other] = [ipse, &runs].map(|runs| Score::of(self.measure, runs).earned);
        let errors = [ipse, other].map(|earned| earned.standard_error.unwrap_or(0.));
        let is_ahead = other.mean - ipse.mean > lead * errors[0].hypot(errors[1]);
        let told = format!(
            "In a short trial IPSE earns {}, and the {method} {}.",
            figures::estimate(&ipse),
            figures::estimate(&other)
        );
        Ok(Recommendation {
            method: if is_ahead { method } else { Method::Ipse },
            reason: told,
        })
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
