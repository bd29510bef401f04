//! An agent between two iterations as bytes, and the checks when they are read.

use super::{Agent, Algorithm, Config, Learner, Phase, Work};
use crate::average::Average;
use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::direction::{Direction, equal_weights};
use crate::environment::Resumable;
use crate::lfd::Lfd;
use crate::m_learning::{self, MLearner, Scaling};
use crate::survival::{self, Search};

impl<const P: usize> Config<P> {
    /// Writes all of it, to be compared.
    pub(crate) fn identify(&self, to: &mut impl Sink) {
        let Config {
            algorithm,
            rollouts,
            alpha,
            schedule,
            scaling,
            lfd_cap,
            reuse_choices,
            dominance_filter,
            average,
            soft_labels,
        } = self;
        match algorithm {
            Algorithm::Lfd => to.byte(0),
            Algorithm::Ipse => to.byte(1),
            Algorithm::MLearning(regularisation) => {
                to.byte(2);
                regularisation.identify(to);
            }
            Algorithm::MLearningKnown(regularisation, directions) => {
                to.byte(3);
                regularisation.identify(to);
                directions.write(to);
            }
            Algorithm::Survival(search) => {
                to.byte(4);
                search.identify(to);
            }
        }
        [rollouts.count, rollouts.length].write(to);
        rollouts.discount.write(to);
        rollouts.common_random_numbers.write(to);
        alpha.write(to);
        schedule.identify(to);
        to.byte(match scaling {
            Scaling::PerInstance => 0,
            Scaling::Total => 1,
        });
        lfd_cap.is_some().write(to);
        lfd_cap.unwrap_or(0).write(to);
        [*reuse_choices, *dominance_filter].write(to);
        // What is not asked for leaves no trace, so that older checkpoints stay valid.
        if *average {
            to.byte(1);
        }
        if self.is_soft() {
            to.byte(2);
            soft_labels.write(to);
        }
    }

    /// Whether labels are.
    fn is_soft(&self) -> bool {
        self.soft_labels > 0.0
    }
}

impl Bytes for Phase {
    const SIZE: usize = 1;

    fn write(&self, to: &mut impl Sink) {
        to.byte(match self {
            Phase::Directions => 0,
            Phase::Weights => 1,
            Phase::Survival => 2,
        });
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        match from.byte()? {
            0 => Ok(Phase::Directions),
            1 => Ok(Phase::Weights),
            2 => Ok(Phase::Survival),
            _ => Err(Flaw("a phase that is none")),
        }
    }
}

impl<E: Resumable<P, A>, const P: usize, const A: usize, const N: usize, const L: usize>
    Agent<E, P, A, N, L>
{
    /// The most bytes of an agent.
    pub(crate) const SAVED_SIZE: usize = <[u32; 3]>::SIZE
        .saturating_add(Phase::SIZE)
        .saturating_add(Lfd::<P>::SIZE)
        .saturating_add(<[Direction; P]>::SIZE)
        .saturating_add(Learner::<E::State, P, N, L>::size::<E, A>())
        .saturating_add(E::STATE_BYTES);

    /// Whether there is nothing to remember of an iteration under way.
    pub fn is_between_iterations(&self) -> bool {
        let is_searching = match &self.learner {
            Learner::Search(_, search) => !search.is_between_generations(),
            Learner::Choices(..) => false,
        };
        matches!(self.work, Work::Nothing) && !is_searching
    }

    pub(crate) fn config(&self) -> &Config<P> {
        &self.config
    }

    /// Writes what is not known from the task and the configuration.
    pub(crate) fn write(&self, to: &mut impl Sink) {
        [self.iterations, self.first_phase, self.calls].write(to);
        self.phase.write(to);
        self.lfd.write(to);
        self.directions.write(to);
        self.learner.write(&self.task, self.config.is_soft(), to);
        self.task.write_state(&self.state, to);
    }

    /// Reads an agent that could have come to be with the task and the configuration of this one.
    pub(crate) fn check<'a>(&self, from: &mut Source<'a>) -> Result<Saved<'a, E::State, P>, Flaw> {
        let [iterations, first_phase, calls] = Bytes::read(from)?;
        let saved = Saved {
            iterations,
            first_phase,
            calls,
            phase: Phase::read(from)?,
            lfd: Lfd::read(from)?,
            directions: Bytes::read(from)?,
            learner: self
                .learner
                .check(&self.task, self.config.is_soft(), iterations, from)?,
            state: self.task.read_state(from)?,
        };
        saved.check_phase(&self.config, self.config.rollouts.most_calls(A))?;
        saved.lfd.check(saved.voters(), self.config.alpha)?;
        saved.check_directions(&self.config)?;
        saved.check_calls(&self.config)?;
        Ok(saved)
    }

    /// Becomes what was read.
    pub(crate) fn restore(&mut self, saved: Saved<'_, E::State, P>) {
        self.iterations = saved.iterations;
        self.first_phase = saved.first_phase;
        self.calls = saved.calls;
        self.phase = saved.phase;
        self.lfd = saved.lfd;
        self.directions = saved.directions;
        self.learner
            .restore(&self.task, self.config.is_soft(), saved.learner);
        self.state = saved.state;
        self.work = Work::Nothing;
    }
}

/// An agent that was read.
#[derive(Clone, Debug)]
pub(crate) struct Saved<'a, S, const P: usize> {
    pub iterations: u32,
    first_phase: u32,
    calls: u32,
    phase: Phase,
    lfd: Lfd<P>,
    directions: [Direction; P],
    learner: SavedLearner<'a, S, P>,
    state: S,
}

#[derive(Clone, Debug)]
enum SavedLearner<'a, S, const P: usize> {
    Choices(m_learning::Saved<'a, P>, Option<Average<P>>),
    Search(survival::Saved<'a, S, P>),
}

impl<S: Copy, const P: usize> Saved<'_, S, P> {
    /// How many choices can have voted on directions. IPSE goes on to ask them after its first phase, for
    /// what that has left undecided.
    fn voters(&self) -> u32 {
        match self.phase {
            Phase::Survival => self.first_phase,
            Phase::Directions | Phase::Weights => self.iterations,
        }
    }

    /// `most_calls` are those of an iteration.
    fn check_phase(&self, config: &Config<P>, most_calls: u32) -> Result<(), Flaw> {
        let capped = |iterations| config.lfd_cap.is_some_and(|cap| iterations >= cap);
        let holds = match (config.algorithm, self.phase) {
            (Algorithm::Lfd, phase) => phase == Phase::Directions && self.first_phase == 0,
            (Algorithm::Ipse, Phase::Directions) => {
                let goes_on = !self.lfd.is_complete() && !capped(self.iterations);
                goes_on && self.first_phase == 0
            }
            (Algorithm::Ipse, Phase::Weights) => {
                let ended = self.lfd.is_complete() || capped(self.first_phase);
                ended && (1..=self.iterations).contains(&self.first_phase)
            }
            (Algorithm::Survival(search), Phase::Directions) => {
                let left = search.calls.saturating_sub(self.calls);
                let goes_on = !self.lfd.is_complete() && !capped(self.iterations);
                let affordable = left >= most_calls;
                goes_on && affordable && self.first_phase == 0
            }
            (Algorithm::Survival(_), Phase::Survival) => {
                let ended = self.lfd.is_complete() || capped(self.first_phase);
                let (budget, _) = self.search_account();
                (ended || budget < most_calls) && self.first_phase <= self.iterations
            }
            (Algorithm::Survival(_), Phase::Weights) => false,
            (_, Phase::Survival) => false,
            (Algorithm::MLearning(_) | Algorithm::MLearningKnown(..), phase) => {
                phase == Phase::Weights && self.first_phase == 0
            }
        };
        Flaw::unless(holds, "a phase that the agent cannot be in")?;
        let fitted = match &self.learner {
            SavedLearner::Choices(learner, average) => {
                let is_averaged = average.is_some_and(|average| !average.is_empty());
                is_averaged || learner.beta.iter().any(|weight| *weight != 0.0)
            }
            SavedLearner::Search(search) => !search.is_untouched(),
        };
        let early = self.phase == Phase::Directions && fitted;
        Flaw::unless(!early, "weights before there is anything to weigh")?;
        let since = self.iterations.saturating_sub(self.first_phase);
        match (&self.learner, self.phase) {
            (SavedLearner::Search(search), Phase::Survival) => {
                search.check_progress(since, &equal_weights(&self.lfd.leanings()))
            }
            (SavedLearner::Choices(_, Some(average)), _) => average.check(since),
            _ => Ok(()),
        }
    }

    fn check_directions(&self, config: &Config<P>) -> Result<(), Flaw> {
        let decided = |direction: &Direction| *direction != Direction::Undecided;
        let learned = self.lfd.directions();
        let holds = match config.algorithm {
            Algorithm::Lfd => self.directions == *learned,
            Algorithm::Survival(_) => self.directions == *learned,
            Algorithm::Ipse if self.phase == Phase::Directions => self.directions == *learned,
            // What was decided may be seen otherwise later, but is not changed any more.
            Algorithm::Ipse => {
                let mut pairs = self.directions.iter().zip(learned);
                pairs.all(|(one, other)| decided(one) == decided(other))
            }
            Algorithm::MLearning(_) => {
                self.lfd == Lfd::new() && self.directions.iter().all(decided)
            }
            Algorithm::MLearningKnown(_, known) => {
                self.lfd == Lfd::new() && self.directions == known
            }
        };
        Flaw::unless(holds, "directions that the agent cannot have")
    }

    /// The calls that a search may use, and those that it has used.
    fn search_account(&self) -> (u32, u32) {
        match &self.learner {
            SavedLearner::Search(search) => search.account(),
            SavedLearner::Choices(..) => (0, 0),
        }
    }

    /// A search goes on with the calls that the first phase has left.
    fn check_calls(&self, config: &Config<P>) -> Result<(), Flaw> {
        let (Algorithm::Survival(settings), SavedLearner::Search(search)) =
            (&config.algorithm, &self.learner)
        else {
            return Ok(());
        };
        let (budget, used) = search.account();
        let holds = match self.phase {
            Phase::Survival => {
                let first = settings.calls.checked_sub(budget);
                first.and_then(|first| first.checked_add(used)) == Some(self.calls)
            }
            _ => self.calls <= settings.calls,
        };
        Flaw::unless(holds, "calls that do not add up")
    }
}

impl<S: Copy, const P: usize, const N: usize, const L: usize> Learner<S, P, N, L> {
    const fn size<E: Resumable<P, A, State = S>, const A: usize>() -> usize {
        let choices = MLearner::<S, P, N, L>::size::<E, A>().saturating_add(Average::<P>::SIZE);
        let search = Search::<S, P, N>::size::<E, A>();
        if choices > search { choices } else { search }
    }

    fn write<E: Resumable<P, A, State = S>, const A: usize>(
        &self,
        task: &E,
        is_soft: bool,
        to: &mut impl Sink,
    ) {
        match self {
            Learner::Choices(learner, average) => {
                learner.write(task, is_soft, to);
                if let Some(average) = average {
                    average.write(to);
                }
            }
            Learner::Search(_, search) => search.write(task, to),
        }
    }

    fn check<'a, E: Resumable<P, A, State = S>, const A: usize>(
        &self,
        task: &E,
        is_soft: bool,
        iterations: u32,
        from: &mut Source<'a>,
    ) -> Result<SavedLearner<'a, S, P>, Flaw> {
        Ok(match self {
            Learner::Choices(_, average) => {
                let learner = MLearner::<S, P, N, L>::check(task, is_soft, iterations, from)?;
                let average = match average {
                    Some(_) => Some(Average::read(from)?),
                    None => None,
                };
                SavedLearner::Choices(learner, average)
            }
            Learner::Search(..) => SavedLearner::Search(Search::<S, P, N>::check(task, from)?),
        })
    }

    fn restore<E: Resumable<P, A, State = S>, const A: usize>(
        &mut self,
        task: &E,
        is_soft: bool,
        saved: SavedLearner<'_, S, P>,
    ) {
        match (self, saved) {
            (Learner::Choices(learner, average), SavedLearner::Choices(saved, its_average)) => {
                learner.restore(task, is_soft, saved);
                *average = its_average;
            }
            (Learner::Search(_, search), SavedLearner::Search(saved)) => {
                search.restore(task, saved);
            }
            // It was checked with the same configuration, and so the same learner.
            (Learner::Choices(..), _) | (Learner::Search(..), _) => {}
        }
    }
}
