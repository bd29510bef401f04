//! The learners by name, and everything that can be chosen about them.

use crate::args::{at_least_one, between};
use crate::cached::Cached;
use crate::error::{Error, Result};
use crate::run::{self, Recipe};
use crate::task::{Setup, Task};
use clap::{Args, ValueEnum};
use ipse::direction::Direction;
use ipse::learner::labels::Soft;
use ipse::learner::lfd::Votes;
use ipse::learner::m_learning::{self, CrossValidated, Schedule, Unregularised};
use ipse::learner::{Ipse, Known, Lfd, Parameters, Unknown};
use ipse::rollout::Rollouts;
use ipse::search::{Guard, Search};
use ipse::{Agent, Invalid};
use serde::Serialize;

/// A learner that suits a task, with its presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// IPSE with the defaults of the library: where the worth of a choice shows within a rollout.
    Ipse,
    /// IPSE as in the paper, to the letter.
    Paper,
    /// The survival search: where games are lost, and what counts is to last.
    Survival,
    /// The return search: where consequences come later than a rollout sees.
    Returns,
}

impl Preset {
    /// As it is written on a command line.
    pub fn command(self) -> &'static str {
        match self {
            Preset::Ipse => "ipse",
            Preset::Paper => "ipse-paper",
            Preset::Survival => "search --survival",
            Preset::Returns => "search --returns",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Directions first, then weights in a policy space that grows around them
    Ipse,
    /// The same as in the paper, to the letter: all directions first, however long that takes
    IpsePaper,
    /// Weights by whole trials, --survival or --returns; not in the paper
    #[value(alias = "ipse-survival")]
    Search,
    /// Directions only
    Lfd,
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

    /// Whether it goes on from directions to weights at some time.
    pub fn switches(self) -> bool {
        matches!(
            self,
            Algorithm::Ipse | Algorithm::IpsePaper | Algorithm::Search
        )
    }
}

/// How a learner learns. The defaults are the paper's.
#[derive(Args, Clone, Copy, Debug, Serialize)]
pub struct LearnerArgs {
    /// M, the rollouts of each action
    #[arg(long, value_name = "M", default_value_t = PAPER.rollouts, help_heading = ROLLOUTS)]
    #[arg(value_parser = between::<1, 65_535, u16>)]
    pub rollouts: u16,

    /// T, the actions of a rollout, the first included
    #[arg(long, value_name = "T", default_value_t = PAPER.length, help_heading = ROLLOUTS)]
    #[arg(value_parser = between::<1, 1_000, u16>)]
    pub length: u16,

    /// γ, by which a reward is worth less with each action before it
    #[arg(long, value_name = "γ", default_value_t = PAPER.discount, help_heading = ROLLOUTS)]
    #[arg(allow_negative_numbers = true)]
    pub discount: f32,

    /// Roll out every action with the same random numbers
    #[arg(long, help_heading = ROLLOUTS)]
    pub common_random_numbers: bool,

    /// Leave out actions that another dominates under the directions, if these are known or
    /// learned
    #[arg(long, help_heading = ROLLOUTS)]
    pub dominance_filter: bool,

    /// α, the p-value below which a direction is decided
    #[arg(long, value_name = "α", default_value_t = PAPER.alpha, help_heading = DIRECTIONS_HEADING)]
    #[arg(allow_negative_numbers = true)]
    pub alpha: f32,

    /// In ipse, ipse-paper and search --survival, go on to weights after N iterations even if some
    /// features are undecided; 50 if not given, but never in ipse-paper
    #[arg(long, value_name = "N", help_heading = DIRECTIONS_HEADING)]
    #[arg(value_parser = at_least_one::<u32>)]
    pub lfd_cap: Option<u32>,

    /// c in the schedule λ = c / k^e of iteration k (ipse, ipse-paper, m-schedule, m-known)
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

    /// In ipse and ipse-paper, learn weights from the choices made while learning directions, too
    #[arg(long, help_heading = WEIGHTS)]
    pub reuse_choices: bool,

    /// Take the mean of the weights of all iterations, each at unit length, for what was learned; not
    /// in the paper
    #[arg(long, help_heading = WEIGHTS)]
    pub average: bool,

    /// Remember of each choice how good all actions were, as the softmax of their values at this
    /// temperature, in units of reward, and not just which was the best; not in the paper
    #[arg(
        long,
        value_name = "TEMPERATURE",
        default_value_t = PAPER.soft_labels,
        hide_default_value = true
    )]
    #[arg(allow_negative_numbers = true, help_heading = WEIGHTS)]
    pub soft_labels: f32,

    /// How often the generative model may be called in all; in a search 1,360,000 times if not given
    #[arg(long, value_name = "N", help_heading = EXTENT)]
    #[arg(value_parser = at_least_one::<u32>)]
    pub calls: Option<u32>,

    /// Look for weights that survive, for tasks in which games are lost (the default of a search)
    #[arg(long, conflicts_with = "returns", help_heading = SEARCH)]
    pub survival: bool,

    /// Look for weights that collect the highest reward, for tasks that go on
    #[arg(long, help_heading = SEARCH)]
    pub returns: bool,

    /// Actions of the learner's own episode in each generation; 300 with --survival, at most 24 with
    /// --returns if not given
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    #[arg(value_parser = at_least_one::<u16>)]
    pub episode: Option<u16>,

    /// Trials of each candidate in a generation; 30 with --survival, 1 with --returns if not given
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    #[arg(value_parser = at_least_one::<u16>)]
    pub trials: Option<u16>,

    /// Actions of a trial at the most; 80 with --survival, what suits the task with --returns if not given
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    #[arg(value_parser = at_least_one::<u16>)]
    pub horizon: Option<u16>,

    /// With --survival, learn directions again up to N times if games end at once with them; 0 for never, what suits
    /// the features if not given
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<u8>,

    /// With --survival, add this share of an equal weight to each weight in the end; what suits the features if not
    /// given
    #[arg(long, value_name = "S", help_heading = SEARCH)]
    #[arg(allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrinkage: Option<f32>,
}

const ROLLOUTS: &str = "Rollouts";
const DIRECTIONS_HEADING: &str = "Learning directions (lfd, ipse)";
const WEIGHTS: &str = "Learning weights (all but lfd and search)";
const SEARCH: &str = "Searching for weights (search)";
const EXTENT: &str = "Extent";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
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

/// The paper's.
pub const PAPER: LearnerArgs = {
    let (rollouts, schedule) = (Rollouts::paper(), Schedule::PAPER);
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
        calls: None,
        survival: false,
        returns: false,
        episode: None,
        trials: None,
        horizon: None,
        guard: None,
        shrinkage: None,
    }
};

/// When a run ends: after so many iterations, or calls, whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub iterations: u32,
    pub calls: Option<u32>,
}

/// The iterations of the paper.
pub const ITERATIONS: u32 = 400;

impl LearnerArgs {
    /// When a run of `algorithm` ends, given a number of iterations or not.
    pub fn extent(&self, algorithm: Algorithm, iterations: Option<u32>) -> Extent {
        let calls = match algorithm {
            Algorithm::Search => self.calls.or(Some(Search::survival().calls)),
            _ => self.calls,
        };
        let usual = calls.map_or(ITERATIONS, |_| u32::MAX);
        let iterations = iterations.unwrap_or(usual);
        Extent { iterations, calls }
    }

    /// Each option that was given, that is, differs from the paper, and whether it has an effect on `algorithm`.
    fn given(&self, algorithm: Algorithm) -> Vec<(&'static str, bool)> {
        use Algorithm::{Ipse, IpsePaper, Lfd, MCv, MKnown, MSchedule, Search};
        let is_search = algorithm == Search;
        let rolls_out = !(is_search && self.returns);
        let directs = self.learns_directions(algorithm);
        let weighs = !is_search && algorithm != Lfd;
        let is_ipse = matches!(algorithm, Ipse | IpsePaper);
        let is_scheduled = is_ipse || matches!(algorithm, MSchedule | MKnown);
        let differs = |ours: f32, paper: f32| ours.to_bits() != paper.to_bits();
        let options = [
            ("--rollouts", self.rollouts != PAPER.rollouts, rolls_out),
            ("--length", self.length != PAPER.length, rolls_out),
            (
                "--discount",
                differs(self.discount, PAPER.discount),
                rolls_out,
            ),
            (
                "--common-random-numbers",
                self.common_random_numbers,
                rolls_out,
            ),
            (
                "--dominance-filter",
                self.dominance_filter,
                directs || algorithm == MKnown,
            ),
            ("--alpha", differs(self.alpha, PAPER.alpha), directs),
            (
                "--lfd-cap",
                self.lfd_cap.is_some(),
                directs && algorithm != Lfd,
            ),
            (
                "--schedule-start",
                differs(self.schedule_start, PAPER.schedule_start),
                is_scheduled,
            ),
            (
                "--schedule-exponent",
                differs(self.schedule_exponent, PAPER.schedule_exponent),
                is_scheduled,
            ),
            (
                "--scaling",
                self.scaling != PAPER.scaling,
                is_scheduled || algorithm == MCv,
            ),
            ("--reuse-choices", self.reuse_choices, is_ipse),
            ("--average", self.average, weighs),
            (
                "--soft-labels",
                differs(self.soft_labels, PAPER.soft_labels),
                weighs,
            ),
            ("--survival", self.survival, is_search),
            ("--returns", self.returns, is_search),
            ("--episode", self.episode.is_some(), is_search),
            ("--trials", self.trials.is_some(), is_search),
            ("--horizon", self.horizon.is_some(), is_search),
            ("--guard", self.guard.is_some(), is_search && !self.returns),
            (
                "--shrinkage",
                self.shrinkage.is_some(),
                is_search && !self.returns,
            ),
        ];
        let given = options.into_iter().filter(|(_, is_given, _)| *is_given);
        given
            .map(|(option, _, has_effect)| (option, has_effect))
            .collect()
    }

    /// Refuses an option that was given and has no effect on any of these algorithms.
    pub fn check_effects(&self, algorithms: &[Algorithm]) -> Result {
        let given: Vec<_> = algorithms
            .iter()
            .map(|&algorithm| self.given(algorithm))
            .collect();
        for (i, (option, _)) in given.first().into_iter().flatten().enumerate() {
            if !given.iter().any(|given| given[i].1) {
                let names: Vec<String> = algorithms.iter().map(|one| self.name_of(*one)).collect();
                let names = names.join(", ");
                let others = Algorithm::value_variants().iter();
                let others = others.filter(|other| self.given(**other)[i].1);
                let others: Vec<String> = others.map(|other| self.name_of(*other)).collect();
                let others = match others.is_empty() {
                    true => String::new(),
                    false => format!(", or take {}", others.join(", ")),
                };
                return Err(Error::Usage(format!(
                    "{option} has no effect on {names}; leave it out{others}"
                )));
            }
        }
        Ok(())
    }

    /// An algorithm, and which of the searches it is.
    fn name_of(&self, algorithm: Algorithm) -> String {
        match algorithm {
            Algorithm::Search if self.returns => "search --returns".into(),
            Algorithm::Search => "search --survival".into(),
            _ => algorithm.name(),
        }
    }

    /// The same without what only a search takes.
    pub fn without_search(&self) -> Self {
        LearnerArgs {
            survival: false,
            returns: false,
            episode: None,
            trials: None,
            horizon: None,
            guard: None,
            shrinkage: None,
            ..*self
        }
    }

    /// Whether one of the searches is asked for.
    pub fn names_a_search(&self) -> bool {
        self.returns || self.survival
    }

    /// The learner to take if none was named: the one that the options ask for, or the one that suits the task.
    pub fn algorithm(&mut self, preset: Preset) -> Algorithm {
        if self.names_a_search() {
            return Algorithm::Search;
        }
        match preset {
            Preset::Ipse => Algorithm::Ipse,
            Preset::Paper => Algorithm::IpsePaper,
            Preset::Survival => Algorithm::Search,
            Preset::Returns => {
                self.returns = true;
                Algorithm::Search
            }
        }
    }

    /// Where the directions come from that the weights of `algorithm` are based on.
    pub fn origin_of_directions(&self, algorithm: Algorithm) -> &'static str {
        match algorithm {
            Algorithm::MKnown => "known in advance",
            Algorithm::MNone | Algorithm::MCv | Algorithm::MSchedule => "drawn at random",
            Algorithm::Search if self.returns => "not asked for",
            _ => "learned",
        }
    }

    /// Whether `algorithm` finds out about directions itself.
    pub fn learns_directions(&self, algorithm: Algorithm) -> bool {
        self.origin_of_directions(algorithm) == "learned"
    }

    /// A recipe for runs of `algorithm` with these options. Refuses an option that is out of range, whether or not
    /// `algorithm` uses it.
    pub fn recipe<E: Task>(&self, algorithm: Algorithm, setup: &Setup<E>) -> Result<Recipe<E>> {
        match (algorithm, &setup.directions) {
            (Algorithm::MKnown, None) => Err(Error::Usage(format!(
                "m-known has to be told the right directions, and those of {} are not known; \
                 take another algorithm",
                E::NAME
            ))),
            _ => self.choose(algorithm, setup).map_err(refusal),
        }
    }

    fn choose<E: Task>(
        &self,
        algorithm: Algorithm,
        setup: &Setup<E>,
    ) -> Result<Recipe<E>, Invalid> {
        let paper = self.ipse(Ipse::paper()).check()?;
        let (lfd, scheduled) = (paper.first, paper.second);
        let calls = self.calls;
        Invalid::outside("calls", calls.unwrap_or(1), 1, u32::MAX)?;
        Ok(match algorithm {
            Algorithm::Lfd => run::agent(lfd.check()?, calls, |agent| Some(agent.memory())),
            Algorithm::IpsePaper => run::agent(paper, calls, votes_of_ipse),
            Algorithm::Ipse => {
                let default = self.ipse(Ipse::new()).check()?;
                run::agent(default, calls, votes_of_ipse)
            }
            Algorithm::Search if self.returns => {
                let search: Search<Unknown, 0> = self.search(Search::returns(setup.horizon));
                run::search(search.check()?, |_| None)
            }
            Algorithm::Search => {
                let search = Search::survival().suited_to::<E>();
                let search = self.survival(self.search(search.directions(lfd)));
                run::search(search.check()?, |searcher| Some(searcher.agent().memory()))
            }
            Algorithm::MNone => {
                let unregularised = scheduled.regularisation(Unregularised);
                run::agent(unregularised.check()?, calls, |_| None)
            }
            Algorithm::MCv => {
                let cross_validated = scheduled.regularisation(CrossValidated);
                run::agent(cross_validated.check()?, calls, |_| None)
            }
            Algorithm::MSchedule => run::agent(scheduled.check()?, calls, |_| None),
            Algorithm::MKnown => {
                let undecided = <E::Features as ipse::array::Array>::filled(Direction::Undecided);
                let known = Known(setup.directions.unwrap_or(undecided)).then(scheduled);
                run::agent(known.check()?, calls, |_| None)
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

    fn survival<L: Copy, const N: usize>(&self, search: Search<L, N>) -> Search<L, N> {
        let guard = match self.guard {
            None => search.guard,
            Some(0) => None,
            Some(repeats) => Some(Guard {
                repeats,
                ..Guard::new()
            }),
        };
        let shrinkage = self.shrinkage.unwrap_or(search.shrinkage);
        search.guard(guard).shrinkage(shrinkage)
    }

    fn search<L: Copy, const N: usize>(&self, search: Search<L, N>) -> Search<L, N> {
        search
            .cap(self.lfd_cap.unwrap_or(search.cap))
            .calls(self.calls.unwrap_or(search.calls))
            .episode(self.episode.unwrap_or(search.episode))
            .trials(self.trials.unwrap_or(search.trials))
            .horizon(self.horizon.unwrap_or(search.horizon))
    }
}

type IpseWithLabels = Ipse<100, Soft>;

fn votes_of_ipse<E: Task>(agent: &Agent<Cached<E>, IpseWithLabels>) -> Option<&Votes<E::Features>> {
    Some(agent.memory().first())
}

/// The options by the names of the fields that they set.
const OPTIONS: [(&str, &str); 12] = [
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
    ("shrinkage", "--shrinkage"),
];

/// What is wrong with an option, under the name that the user knows.
fn refusal(invalid: Invalid) -> Error {
    let (field, text) = (invalid.field(), invalid.to_string());
    let option = OPTIONS.iter().find(|(name, _)| *name == field);
    Error::Usage(match option {
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
    use ipse_device::Record;
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
        let setup = Setup::new(task).directions(DIRECTIONS);
        let mut run = SMALL.recipe(algorithm, &setup).unwrap()(task, 3);
        let mut rng = XorShiftRng::seed_from_u64(3);
        let mut agent = Agent::new(task, learner.check().unwrap(), &mut rng);
        for _ in 0..20 {
            assert_eq!(run.step(), agent.step(&mut rng), "{}", algorithm.name());
        }
        let (record, mut buffer) = (Record::new(3), [0; 4096]);
        let saved = checkpoint::save(&mut agent, &rng, record, &mut buffer).unwrap();
        assert!(run.save(record) == saved, "{}", algorithm.name());
    }

    #[test]
    fn algorithms_are_those_of_the_core_whether_or_not_there_is_room_for_soft_labels() {
        let (paper, default) = (rollouts(Rollouts::paper()), rollouts(Rollouts::default()));
        let scheduled = MLearning::scheduled().rollouts(paper);
        agrees(Algorithm::Lfd, Lfd::paper().rollouts(paper));
        agrees(Algorithm::IpsePaper, Ipse::paper().cap(6).rollouts(paper));
        agrees(Algorithm::Ipse, Ipse::new().cap(6).rollouts(default));
        agrees(Algorithm::MSchedule, scheduled);
        agrees(Algorithm::MNone, MLearning::unregularised().rollouts(paper));
        agrees(Algorithm::MCv, MLearning::cross_validated().rollouts(paper));
        agrees(Algorithm::MKnown, Known(DIRECTIONS).then(scheduled));
    }

    #[test]
    fn an_option_that_is_not_used_is_refused_all_the_same() {
        let alpha = LearnerArgs { alpha: 2., ..PAPER };
        let setup = Setup::new(Tetris10x10::default());
        let refused = alpha.recipe(Algorithm::MNone, &setup);
        let error = refused.map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, "--alpha (2.000000) must be above 0 and below 1");
    }

    const LOOSE: LearnerArgs = LearnerArgs {
        alpha: 0.3,
        ..SMALL
    };

    /// Options, each with a value that matters where it is used.
    const CHANGED: [(&str, LearnerArgs); 13] = [
        (
            "--rollouts",
            LearnerArgs {
                rollouts: 3,
                ..LOOSE
            },
        ),
        ("--length", LearnerArgs { length: 4, ..LOOSE }),
        (
            "--discount",
            LearnerArgs {
                discount: 0.,
                ..LOOSE
            },
        ),
        (
            "--common-random-numbers",
            LearnerArgs {
                common_random_numbers: true,
                ..LOOSE
            },
        ),
        (
            "--dominance-filter",
            LearnerArgs {
                dominance_filter: true,
                ..LOOSE
            },
        ),
        (
            "--alpha",
            LearnerArgs {
                alpha: 0.6,
                ..LOOSE
            },
        ),
        (
            "--lfd-cap",
            LearnerArgs {
                lfd_cap: Some(2),
                ..LOOSE
            },
        ),
        (
            "--schedule-start",
            LearnerArgs {
                schedule_start: 0.1,
                ..LOOSE
            },
        ),
        (
            "--schedule-exponent",
            LearnerArgs {
                schedule_exponent: 3.,
                ..LOOSE
            },
        ),
        (
            "--scaling",
            LearnerArgs {
                scaling: Scaling::Total,
                ..LOOSE
            },
        ),
        (
            "--reuse-choices",
            LearnerArgs {
                reuse_choices: true,
                ..LOOSE
            },
        ),
        (
            "--average",
            LearnerArgs {
                average: true,
                ..LOOSE
            },
        ),
        (
            "--soft-labels",
            LearnerArgs {
                soft_labels: 0.3,
                ..LOOSE
            },
        ),
    ];

    #[test]
    fn an_option_is_said_to_have_an_effect_exactly_where_it_changes_something() {
        let task = Tetris10x10::default();
        let setup = Setup::new(task).directions(DIRECTIONS);
        let run = |options: LearnerArgs, algorithm| {
            let calls = (algorithm == Algorithm::Search).then_some(20_000);
            let options = LearnerArgs { calls, ..options };
            let mut run = options.recipe(algorithm, &setup).unwrap()(task, 3);
            let steps = (0..30).map(|_| run.step().weights);
            steps.collect::<Vec<_>>()
        };
        let algorithms = Algorithm::value_variants().iter();
        let all = algorithms.map(|algorithm| (*algorithm, false));
        for (algorithm, returns) in all.chain([(Algorithm::Search, true)]) {
            let usual = run(LearnerArgs { returns, ..LOOSE }, algorithm);
            for (name, changed) in CHANGED {
                let options = LearnerArgs { returns, ..changed };
                let given = options.given(algorithm);
                let (_, has_effect) = given.iter().find(|(given, _)| *given == name).unwrap();
                let changes = run(options, algorithm) != usual;
                assert_eq!(changes, *has_effect, "{name} of {}", algorithm.name());
            }
        }
    }

    #[test]
    fn only_calls_end_a_run() {
        let options = LearnerArgs {
            alpha: 0.9,
            ..SMALL
        };
        let task = Tetris10x10::default();
        let begin = |options: LearnerArgs, algorithm| {
            options.recipe(algorithm, &Setup::new(task)).unwrap()(task, 1)
        };
        let mut lfd: Box<dyn Run<Tetris10x10>> = begin(options, Algorithm::Lfd);
        while !lfd.progress().is_finished {
            lfd.step();
        }
        assert!(!lfd.is_over());
        let calls = Some(3_000);
        let limited = LearnerArgs { calls, ..options };
        let returns = LearnerArgs {
            returns: true,
            ..limited
        };
        for (options, algorithm) in [
            (limited, Algorithm::Search),
            (returns, Algorithm::Search),
            (limited, Algorithm::Lfd),
        ] {
            let mut run = begin(options, algorithm);
            while !run.is_over() {
                run.step();
            }
            let calls = run.progress().calls;
            match algorithm {
                Algorithm::Search => assert!(calls <= 3_000, "{calls}"),
                // The last choice may take it beyond.
                _ => assert!((3_000..3_300).contains(&calls), "{calls}"),
            }
        }
    }
}
