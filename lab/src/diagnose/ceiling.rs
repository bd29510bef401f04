//! The ceiling: what a long search can reach with the same features, and how near to it the default learner comes.
//!
//! All policies are frozen and scored on the same episodes, which no learner has seen. Which of them is the best is
//! chosen on other episodes than those that are reported, so that luck does not flatter it.

use super::Options;
use super::meter::{Meter, Stage};
use super::method::{Budget, Learned, Method, learn};
use super::play::{Purpose, Run, Seeds, play_actions, play_episode, zeros};
use super::survey::Survey;
use super::votes;
use super::watched::{Panic, Watched, caught};
use crate::parallel;
use crate::summary::Estimate;
use ipse::environment::Environment;
use serde::Serialize;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The sum of the rewards of an episode, which is cut after so many actions.
    ReturnPerEpisode { cut_after: u32 },
    /// The mean reward of an action, in runs of so many.
    RewardPerAction { actions: u32 },
}

/// The length of a run of a task that goes on.
const ACTIONS: u32 = 2_000;

/// What policies earn.
#[derive(Clone, Debug, Serialize)]
pub struct Ceiling {
    pub measure: Measure,
    pub random: Score,
    pub contenders: Vec<Contender>,
    /// The best of them, by its place in the list.
    pub best: usize,
    /// What the best policy earns.
    pub ceiling: Score,
    /// Its weights.
    pub weights: Vec<f32>,
}

/// A learner, and what the policies that it has learned earn.
#[derive(Clone, Debug, Serialize)]
pub struct Contender {
    #[serde(flatten)]
    pub method: Method,
    /// Whether it was given a fresh start every now and then, which it does not have by itself.
    pub restarts: bool,
    /// The number of policies that it has learned, from different seeds.
    pub runs: u32,
    /// The calls of the generative model for each of them.
    pub calls: u64,
    pub score: Score,
    /// The share of the distance from random play to the ceiling. There is none if the ceiling is not above random play.
    pub share: Option<Estimate>,
}

/// What one policy, or several of the same learner, earn.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Score {
    #[serde(flatten)]
    pub earned: Estimate,
    /// The mean number of actions of an episode.
    pub length: f64,
    /// Whether all episodes had the same length. Then it is a limit that ends them, and none is lost.
    pub same_length: bool,
    /// The share of episodes that were cut.
    pub cut: f64,
}

impl Score {
    pub fn of(measure: Measure, runs: &[Run]) -> Self {
        let n = runs.len().max(1) as f64;
        let earned = |run: &Run| match measure {
            Measure::ReturnPerEpisode { .. } => run.reward,
            Measure::RewardPerAction { .. } => run.reward / f64::from(run.actions.max(1)),
        };
        let length = |run: &Run| f64::from(run.actions);
        Score {
            earned: Estimate::of(&runs.iter().map(earned).collect::<Vec<_>>()),
            length: runs.iter().map(length).sum::<f64>() / n,
            same_length: runs
                .windows(2)
                .all(|pair| pair[0].actions == pair[1].actions),
            cut: runs.iter().filter(|run| run.is_cut).count() as f64 / n,
        }
    }

    /// Several policies of one learner. The standard error is that between them, which contains that of each.
    fn mean(scores: &[Score]) -> Self {
        let n = scores.len() as f64;
        let mean = |of: fn(&Score) -> f64| scores.iter().map(of).sum::<f64>() / n;
        match scores {
            [score] => *score,
            _ => Score {
                earned: Estimate::of(&scores.iter().map(|it| it.earned.mean).collect::<Vec<_>>()),
                length: mean(|score| score.length),
                same_length: scores.iter().all(|score| score.same_length),
                cut: mean(|score| score.cut),
            },
        }
    }
}

/// What everyone has learned, and the panics on the way.
pub struct Trained {
    pub votes: Option<votes::Votes>,
    learned: Vec<(Entrant, Learned)>,
    pub panics: Vec<(String, Panic)>,
}

/// A learner, and whether it is given fresh starts.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entrant {
    method: Method,
    restarts: bool,
}

/// A learner that is to run, and the number of the run.
#[derive(Clone, Copy)]
enum Job {
    Votes(u64),
    Learn(Entrant, u64),
}

enum Done {
    Votes(votes::Run),
    Learned(Entrant, Learned),
    Panicked(String, Panic),
}

/// The learners that are tried in a task.
fn entrants(survey: &Survey, options: &Options) -> Vec<Entrant> {
    let plain = |method| Entrant {
        method,
        restarts: false,
    };
    let is_episodic = survey.is_episodic();
    let returns = Method::returns(options.horizon, is_episodic);
    let mut entrants: Vec<Entrant> = returns.into_iter().map(plain).collect();
    let last = entrants.last().map(|returns| Entrant {
        restarts: true,
        ..*returns
    });
    match is_episodic {
        true => entrants.push(plain(Method::Survival)),
        false => entrants.extend(last),
    }
    entrants.push(plain(Method::Ipse));
    entrants
}

/// Lets every learner learn, on all cores. The longest begin first.
pub fn train<E: Environment + Sync>(task: &E, survey: &Survey, options: &Options) -> Trained {
    let entrants = entrants(survey, options);
    let searches = entrants.iter().flat_map(|entrant| {
        let runs = match entrant.method {
            Method::Ipse => options.runs.into(),
            _ => 1,
        };
        (0..runs).map(|run| Job::Learn(*entrant, run))
    });
    let votes = (0..options.runs.into()).map(Job::Votes);
    let jobs: Vec<Job> = searches.chain(votes).collect();
    let meter = Meter::new(
        Stage::Learning,
        units(&jobs, survey, options),
        options.progress,
    );
    let done = parallel::map(options.threads, jobs.into_iter(), |job| {
        work(task, job, options, &meter)
    });
    let mut trained = Trained {
        votes: None,
        learned: Vec::new(),
        panics: Vec::new(),
    };
    let mut votes = Vec::new();
    for done in done {
        match done {
            Done::Votes(run) => votes.push(run),
            Done::Learned(entrant, learned) => trained.learned.push((entrant, learned)),
            Done::Panicked(doing, panic) => trained.panics.push((doing, panic)),
        }
    }
    trained.votes = votes::Votes::of::<E>(options.votes, votes);
    trained
}

/// The calls that all jobs are going to take, by and large.
fn units(jobs: &[Job], survey: &Survey, options: &Options) -> u64 {
    // Ten rollouts of ten actions for each legal action.
    let iteration = 100. * survey.choices.max(1.);
    let calls = |iterations: u32| (f64::from(iterations) * iteration) as u64;
    let units = jobs.iter().map(|job| match job {
        Job::Votes(_) => calls(options.votes),
        Job::Learn(entrant, _) if entrant.method == Method::Ipse => calls(options.iterations),
        Job::Learn(..) => options.calls.into(),
    });
    units.sum()
}

fn work<E: Environment>(task: &E, job: Job, options: &Options, meter: &Meter) -> Done {
    let seeds = Seeds(options.seed);
    match job {
        Job::Votes(run) => {
            let seed = seeds.get(Purpose::Votes, run);
            match votes::run(task, options.votes, seed, meter) {
                Ok(run) => Done::Votes(run),
                Err(panic) => Done::Panicked("LFD learns".into(), panic),
            }
        }
        Job::Learn(entrant, run) => {
            let Entrant { method, restarts } = entrant;
            let budget = Budget {
                iterations: options.iterations,
                calls: match method {
                    Method::Ipse => u32::MAX,
                    _ => options.calls,
                },
                // Long enough for most trials to come to their end.
                restarts: restarts.then_some(2 * u32::from(options.horizon)),
            };
            let seed = seeds.get(method.purpose(), run);
            match learn(task, method, budget, seed, meter) {
                Ok(learned) => Done::Learned(entrant, learned),
                Err(panic) => Done::Panicked(format!("{method} learns"), panic),
            }
        }
    }
}

/// Scores random play and everything that was learned.
pub fn score<E: Environment + Sync>(
    task: &E,
    survey: &Survey,
    trained: &Trained,
    options: &Options,
) -> Result<Ceiling, Panic> {
    let measure = match survey.is_episodic() {
        true => Measure::ReturnPerEpisode {
            cut_after: options.cut_after,
        },
        false => Measure::RewardPerAction {
            actions: ACTIONS.min(options.cut_after),
        },
    };
    let mut policies = vec![zeros::<E>()];
    let learned = trained.learned.iter();
    policies.extend(learned.map(|(_, learned)| learned.weights.clone()));
    let total = 2 * policies.len() as u64;
    let meter = Meter::new(Stage::Scoring, total, options.progress);
    let play = |purpose| play_all(task, measure, &policies, purpose, options, &meter);
    let chosen = best(&play(Purpose::Choosing)?);
    let scores = play(Purpose::Scoring)?;
    Ok(compare(measure, trained, &policies, &scores, chosen))
}

/// The scores of all policies in the same episodes.
fn play_all<E: Environment + Sync>(
    task: &E,
    measure: Measure,
    policies: &[Vec<f32>],
    purpose: Purpose,
    options: &Options,
    meter: &Meter,
) -> Result<Vec<Score>, Panic> {
    let seeds = Seeds(options.seed);
    let runs = parallel::map(options.threads, policies.iter(), |weights| {
        let seeds = (0..).map(|episode| seeds.get(purpose, episode));
        let runs = play_enough(
            &Watched::new(task),
            measure,
            weights,
            seeds,
            options.episodes,
        );
        meter.add(1);
        runs
    });
    let scores = runs.into_iter().map(|runs| Ok(Score::of(measure, &runs?)));
    scores.collect()
}

/// The most episodes that score a policy, and the number of actions that are enough. Where episodes are short there are
/// many of them, and where they are long there are few.
const MOST_EPISODES: usize = 1_000;
const ENOUGH_ACTIONS: u64 = 200_000;

/// Plays at least so many episodes, and at least two. Those that end in a panic do not count; the panic is returned if all do.
pub fn play_enough<E: Environment>(
    task: &Watched<E>,
    measure: Measure,
    weights: &[f32],
    seeds: impl Iterator<Item = u64>,
    least: u32,
) -> Result<Vec<Run>, Panic> {
    let least = least.max(2) as usize;
    let enough = ENOUGH_ACTIONS * least as u64 / u64::from(Options::default().episodes);
    let most = MOST_EPISODES.max(least);
    let (mut runs, mut actions) = (Vec::new(), 0);
    for (played, seed) in (1..).zip(seeds) {
        match caught(|| play(task, measure, weights, seed)) {
            Ok(run) => {
                actions += u64::from(run.actions);
                runs.push(run);
            }
            Err(panic) if played >= least && runs.is_empty() => return Err(panic),
            Err(_) => {}
        }
        if played >= least && (played >= most || actions >= enough) {
            break;
        }
    }
    Ok(runs)
}

/// Plays one episode, or a run of a task that goes on.
fn play<E: Environment>(task: &Watched<E>, measure: Measure, weights: &[f32], seed: u64) -> Run {
    match measure {
        Measure::ReturnPerEpisode { cut_after } => play_episode(task, weights, seed, cut_after),
        Measure::RewardPerAction { actions } => play_actions(task, weights, seed, actions),
    }
}

/// The place of the best score.
fn best(scores: &[Score]) -> usize {
    let earned = |index: &usize| scores[*index].earned.mean;
    let order = |a: &usize, b: &usize| earned(a).total_cmp(&earned(b));
    (0..scores.len()).max_by(order).unwrap_or(0)
}

fn compare(
    measure: Measure,
    trained: &Trained,
    policies: &[Vec<f32>],
    scores: &[Score],
    chosen: usize,
) -> Ceiling {
    let (random, ceiling) = (scores[0], scores[chosen]);
    let mut contenders: Vec<Contender> = Vec::new();
    let mut best = 0;
    for (index, (entrant, learned)) in (1..).zip(&trained.learned) {
        let is_same = |known: &Contender| {
            (known.method, known.restarts) == (entrant.method, entrant.restarts)
        };
        let place = contenders.iter().position(is_same).unwrap_or_else(|| {
            let all = (1..).zip(&trained.learned);
            let own = all.filter(|(_, (other, _))| other == entrant);
            let own: Vec<Score> = own.map(|(index, _)| scores[index]).collect();
            let score = Score::mean(&own);
            contenders.push(Contender {
                method: entrant.method,
                restarts: entrant.restarts,
                runs: own.len() as u32,
                calls: learned.calls,
                score,
                share: share(&score.earned, &random.earned, &ceiling.earned),
            });
            contenders.len() - 1
        });
        if index == chosen {
            best = place;
        }
    }
    Ceiling {
        measure,
        random,
        contenders,
        best,
        ceiling,
        weights: policies[chosen].clone(),
    }
}

/// The share of the way from random play to the ceiling, with a standard error to first order. There is none if the
/// ceiling is not above random play by at least two standard errors.
fn share(score: &Estimate, random: &Estimate, ceiling: &Estimate) -> Option<Estimate> {
    let error = |estimate: &Estimate| estimate.standard_error.unwrap_or(0.);
    let way = ceiling.mean - random.mean;
    if way <= 2. * error(random).hypot(error(ceiling)) {
        return None;
    }
    let share = (score.mean - random.mean) / way;
    let ends = (share * error(ceiling)).hypot((1. - share) * error(random));
    Some(Estimate {
        mean: share,
        standard_error: Some(error(score).hypot(ends) / way),
    })
}

impl Ceiling {
    /// What IPSE has learned.
    pub fn ipse(&self) -> Option<&Contender> {
        let mut contenders = self.contenders.iter();
        contenders.find(|contender| contender.method == Method::Ipse)
    }

    /// Returns whether anything better than random play was found.
    pub fn is_above_random(&self) -> bool {
        self.contenders
            .iter()
            .any(|contender| contender.share.is_some())
    }

    /// The learner whose policies earn most, without fresh starts. `None` if nothing is better than random play.
    pub fn winner(&self) -> Option<&Contender> {
        let earned = |contender: &&Contender| contender.score.earned.mean;
        let plain = self.contenders.iter().filter(|it| !it.restarts);
        let winner = plain.max_by(|a, b| earned(a).total_cmp(&earned(b)));
        winner.filter(|winner| winner.share.is_some())
    }
}
