//! The learners by name, and everything that can be chosen about them.

use crate::error::{Error, Result};
use crate::run::{self, Recipe};
use crate::task::Task;
use clap::{Args, ValueEnum};
use ipse::learner::labels::Soft;
use ipse::learner::lfd::Votes;
use ipse::learner::m_learning::{self, CrossValidated, Schedule, Unregularised};
use ipse::learner::{Ipse, Known, Lfd, Parameters};
use ipse::rollout::Rollouts;
use ipse::search::Search;
use ipse::{Agent, Invalid};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Directions only
    Lfd,
    /// Directions first, then weights in a policy space that grows around them
    Ipse,
    /// IPSE with the defaults of the library: a cap of 50 on the first phase, undecided features free,
    /// choices with a single action passed over
    IpseDefault,
    /// Directions first, then weights that survive; not in the paper
    IpseSurvival,
    /// Weights without regularisation
    MNone,
    /// Weights with cross-validated regularisation; takes many times as long as the others
    MCv,
    /// Weights with scheduled regularisation around directions drawn at random
    MSchedule,
    /// Weights with scheduled regularisation around the known directions
    MKnown,
}

impl Algorithm {
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("none is skipped");
        value.get_name().into()
    }

    /// Whether it finds out about directions itself.
    pub fn learns_directions(self) -> bool {
        matches!(
            self,
            Algorithm::Lfd | Algorithm::Ipse | Algorithm::IpseDefault | Algorithm::IpseSurvival
        )
    }

    /// How many iterations it takes unless told: those of the paper, or as many as its calls allow.
    pub fn default_iterations(self) -> u32 {
        match self {
            Algorithm::IpseSurvival => u32::MAX,
            _ => 400,
        }
    }

    /// Where the directions come from that its weights are based on.
    pub fn origin_of_directions(self) -> &'static str {
        match self {
            Algorithm::MKnown => "known in advance",
            Algorithm::MNone | Algorithm::MCv | Algorithm::MSchedule => "drawn at random",
            _ => "learned",
        }
    }
}

/// How a learner learns. The defaults are the paper's.
#[derive(Args, Clone, Copy, Serialize)]
pub struct LearnerArgs {
    /// M, the rollouts of each action
    #[arg(long, value_name = "M", default_value_t = PAPER.rollouts, help_heading = ROLLOUTS)]
    pub rollouts: u16,

    /// T, the placements of a rollout, the action itself included
    #[arg(long, value_name = "T", default_value_t = PAPER.length, help_heading = ROLLOUTS)]
    pub length: u16,

    /// γ, by which a row is worth less with each placement before it
    #[arg(long, value_name = "γ", default_value_t = PAPER.discount, help_heading = ROLLOUTS)]
    #[arg(allow_negative_numbers = true)]
    pub discount: f32,

    /// Roll out every action on the same sequences of pieces
    #[arg(long, help_heading = ROLLOUTS)]
    pub common_random_numbers: bool,

    /// Leave out placements that another dominates under the directions, if these are known or
    /// learned
    #[arg(long, help_heading = ROLLOUTS)]
    pub dominance_filter: bool,

    /// α, the p-value below which a direction is decided
    #[arg(long, value_name = "α", default_value_t = PAPER.alpha, help_heading = DIRECTIONS_HEADING)]
    #[arg(allow_negative_numbers = true)]
    pub alpha: f32,

    /// In ipse, ipse-default and ipse-survival, go on to weights after N iterations even if some
    /// features are undecided; 50 in the latter two if not given
    #[arg(long, value_name = "N", help_heading = DIRECTIONS_HEADING)]
    #[arg(value_parser = crate::args::at_least_one::<u32>)]
    pub lfd_cap: Option<u32>,

    /// c in the schedule λ = c / k^e of iteration k (ipse, ipse-default, m-schedule,
    /// m-known)
    #[arg(long, value_name = "c", default_value_t = PAPER.schedule_start, help_heading = WEIGHTS)]
    #[arg(allow_negative_numbers = true)]
    pub schedule_start: f32,

    /// e in the schedule
    #[arg(long, value_name = "e", default_value_t = PAPER.schedule_exponent, help_heading = WEIGHTS)]
    #[arg(allow_negative_numbers = true)]
    pub schedule_exponent: f32,

    /// Whether λ is held against the mean loss of an instance or against the total
    #[arg(long, value_enum, default_value_t = PAPER.scaling, help_heading = WEIGHTS)]
    pub scaling: Scaling,

    /// In ipse and ipse-default, learn weights from the choices made while learning directions, too
    #[arg(long, help_heading = WEIGHTS)]
    pub reuse_choices: bool,

    /// Take the mean of the weights of all iterations, each at unit length, for what was learned; not
    /// in the paper
    #[arg(long, help_heading = WEIGHTS)]
    pub average: bool,

    /// Remember of each choice how good all placements were, as the softmax of their values at this
    /// temperature, in rows, and not just which was the best; not in the paper
    #[arg(
        long,
        value_name = "TEMPERATURE",
        default_value_t = PAPER.soft_labels,
        hide_default_value = true
    )]
    #[arg(allow_negative_numbers = true, help_heading = WEIGHTS)]
    pub soft_labels: f32,

    /// How often the generative model may be called, for directions and for weights together
    #[arg(long, value_name = "N", default_value_t = PAPER.calls, help_heading = SURVIVAL)]
    pub calls: u32,

    /// Placements of the learner's own game in each generation
    #[arg(long, value_name = "N", default_value_t = PAPER.episode, help_heading = SURVIVAL)]
    pub episode: u16,

    /// Trials of each candidate in a generation
    #[arg(long, value_name = "N", default_value_t = PAPER.trials, help_heading = SURVIVAL)]
    pub trials: u16,

    /// Placements of a trial at the most
    #[arg(long, value_name = "N", default_value_t = PAPER.horizon, help_heading = SURVIVAL)]
    pub horizon: u16,
}

const ROLLOUTS: &str = "Rollouts";
const DIRECTIONS_HEADING: &str = "Learning directions (lfd, ipse)";
const WEIGHTS: &str = "Learning weights (all but lfd and ipse-survival)";
const SURVIVAL: &str = "Searching for weights that survive (ipse-survival)";

#[derive(Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    PerInstance,
    Total,
}

impl From<Scaling> for m_learning::Scaling {
    fn from(scaling: Scaling) -> Self {
        match scaling {
            Scaling::PerInstance => Self::PerInstance,
            Scaling::Total => Self::Total,
        }
    }
}

/// The paper's, and those of the search for weights that survive.
pub const PAPER: LearnerArgs = {
    let (rollouts, schedule, search) = (Rollouts::paper(), Schedule::PAPER, Search::survival());
    LearnerArgs {
        rollouts: rollouts.count,
        length: rollouts.length,
        discount: rollouts.discount,
        common_random_numbers: rollouts.common_random_numbers,
        dominance_filter: false,
        alpha: Lfd::paper().alpha,
        lfd_cap: None,
        schedule_start: schedule.start,
        schedule_exponent: schedule.exponent,
        scaling: Scaling::PerInstance,
        reuse_choices: false,
        average: false,
        soft_labels: 0.,
        calls: search.calls,
        episode: search.episode,
        trials: search.trials,
        horizon: search.horizon,
    }
};

impl LearnerArgs {
    /// How many calls `algorithm` ends after, if it does.
    pub fn budget(&self, algorithm: Algorithm) -> Option<u32> {
        (algorithm == Algorithm::IpseSurvival).then_some(self.calls)
    }

    /// A recipe for runs of `algorithm` with these options. Refuses an option that is out of range, whether or not
    /// `algorithm` uses it.
    pub fn recipe<E: Task>(&self, algorithm: Algorithm) -> Result<Recipe<E>> {
        self.choose(algorithm).map_err(refusal)
    }

    fn choose<E: Task>(&self, algorithm: Algorithm) -> Result<Recipe<E>, Invalid> {
        let paper = self.ipse(Ipse::paper()).check()?;
        let (lfd, scheduled) = (paper.first, paper.second);
        Ok(match algorithm {
            Algorithm::Lfd => run::agent(lfd.check()?, |agent| Some(agent.memory())),
            Algorithm::Ipse => run::agent(paper, votes_of_ipse),
            Algorithm::IpseDefault => {
                let default = self.ipse(Ipse::new()).check()?;
                run::agent(default, votes_of_ipse)
            }
            Algorithm::IpseSurvival => run::search(self.search(lfd).check()?),
            Algorithm::MNone => {
                let unregularised = scheduled.regularisation(Unregularised);
                run::agent(unregularised.check()?, |_| None)
            }
            Algorithm::MCv => {
                let cross_validated = scheduled.regularisation(CrossValidated);
                run::agent(cross_validated.check()?, |_| None)
            }
            Algorithm::MSchedule => run::agent(scheduled.check()?, |_| None),
            Algorithm::MKnown => {
                let known = Known(E::DIRECTIONS).then(scheduled);
                run::agent(known.check()?, |_| None)
            }
        })
    }

    /// IPSE, with these options instead of those of `ipse`. There is always room for soft labels: at the
    /// temperature 0 they are hard ones.
    fn ipse(&self, ipse: Ipse) -> IpseWithLabels {
        let schedule = Schedule {
            start: self.schedule_start,
            exponent: self.schedule_exponent,
        };
        let rollouts = Rollouts {
            count: self.rollouts,
            length: self.length,
            discount: self.discount,
            common_random_numbers: self.common_random_numbers,
            pass_over: ipse.first.rollouts.pass_over,
        };
        ipse.cap(self.lfd_cap.or(ipse.cap))
            .rollouts(rollouts)
            .dominance_filter(self.dominance_filter)
            .alpha(self.alpha)
            .regularisation(schedule)
            .scaling(self.scaling.into())
            .reuse_choices(self.reuse_choices)
            .average(self.average)
            .soft_labels(self.soft_labels)
    }

    fn search(&self, lfd: Lfd) -> Search {
        let search = Search::survival();
        search
            .directions(lfd)
            .cap(self.lfd_cap.unwrap_or(search.cap))
            .calls(self.calls)
            .episode(self.episode)
            .trials(self.trials)
            .horizon(self.horizon)
    }
}

type IpseWithLabels = Ipse<100, Soft>;

fn votes_of_ipse<E: Task>(agent: &Agent<E, IpseWithLabels>) -> Option<&Votes<E::Features>> {
    Some(agent.memory().first())
}

/// The options by the names of the fields that they set.
const OPTIONS: [(&str, &str); 11] = [
    ("rollouts.count", "--rollouts"),
    ("rollouts.length", "--length"),
    ("rollouts.discount", "--discount"),
    ("alpha", "--alpha"),
    ("cap", "--lfd-cap"),
    ("schedule.start", "--schedule-start"),
    ("schedule.exponent", "--schedule-exponent"),
    ("temperature", "--soft-labels"),
    ("calls", "--calls"),
    ("trials", "--trials"),
    ("horizon", "--horizon"),
];

/// What is wrong with an option, under the name that the user knows.
fn refusal(invalid: Invalid) -> Error {
    let (field, text) = (invalid.field(), invalid.to_string());
    let option = OPTIONS.iter().find(|(name, _)| *name == field);
    Error::Option(match option {
        Some((_, option)) => text.replacen(field, option, 1),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use ipse::checkpoint;
    use ipse::learner::{MLearning, ResumableLearner};
    use ipse::tetris::{DIRECTIONS, Tetris10x10};
    use rand_core::SeedableRng;
    use rand_xorshift::XorShiftRng;

    const SMALL: LearnerArgs = LearnerArgs {
        rollouts: 2,
        length: 3,
        lfd_cap: Some(6),
        ..PAPER
    };

    fn rollouts(rollouts: Rollouts) -> Rollouts {
        Rollouts {
            count: SMALL.rollouts,
            length: SMALL.length,
            ..rollouts
        }
    }

    /// Both take the same steps, and have the same parameters and memory.
    fn agrees<L: ResumableLearner<Tetris10x10>>(algorithm: Algorithm, learner: L) {
        let task = Tetris10x10::default();
        let mut run = SMALL.recipe(algorithm).unwrap()(task, 3);
        let mut rng = XorShiftRng::seed_from_u64(3);
        let mut agent = Agent::new(task, learner.check().unwrap(), &mut rng);
        for _ in 0..20 {
            assert_eq!(run.step(), agent.step(&mut rng), "{}", algorithm.name());
        }
        let (note, mut buffer) = ([1, 2, 3], [0; 4096]);
        let saved = checkpoint::save(&mut agent, &rng, note, &mut buffer).unwrap();
        assert!(run.save(note) == saved, "{}", algorithm.name());
    }

    #[test]
    fn algorithms_are_those_of_the_core_whether_or_not_there_is_room_for_soft_labels() {
        let (paper, default) = (rollouts(Rollouts::paper()), rollouts(Rollouts::default()));
        let scheduled = MLearning::scheduled().rollouts(paper);
        agrees(Algorithm::Lfd, Lfd::paper().rollouts(paper));
        agrees(Algorithm::Ipse, Ipse::paper().cap(6).rollouts(paper));
        agrees(Algorithm::IpseDefault, Ipse::new().cap(6).rollouts(default));
        agrees(Algorithm::MSchedule, scheduled);
        agrees(Algorithm::MNone, MLearning::unregularised().rollouts(paper));
        agrees(Algorithm::MCv, MLearning::cross_validated().rollouts(paper));
        agrees(Algorithm::MKnown, Known(DIRECTIONS).then(scheduled));
    }

    #[test]
    fn an_option_that_is_not_used_is_refused_all_the_same() {
        let alpha = LearnerArgs { alpha: 2., ..PAPER };
        let refused = alpha.recipe::<Tetris10x10>(Algorithm::MNone);
        let error = refused.map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, "--alpha (2.000000) must be above 0 and below 1");
    }

    #[test]
    fn only_a_search_ends_by_itself() {
        let options = LearnerArgs {
            alpha: 0.9,
            calls: 3_000,
            ..SMALL
        };
        let task = Tetris10x10::default();
        let begin = |algorithm| options.recipe(algorithm).unwrap()(task, 1);
        let mut lfd: Box<dyn Run<Tetris10x10>> = begin(Algorithm::Lfd);
        while !lfd.progress().is_finished {
            lfd.step();
        }
        assert!(!lfd.is_over());
        let mut search = begin(Algorithm::IpseSurvival);
        while !search.is_over() {
            search.step();
        }
        assert!(search.progress().calls <= options.calls);
    }
}
