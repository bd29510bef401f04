//! An agent between two iterations as bytes, and the checks when they are read.

use super::{Agent, Algorithm, Config, Phase, Work};
use crate::bytes::{Bytes, Flaw, Sink, Source};
use crate::direction::Direction;
use crate::environment::Resumable;
use crate::lfd::Lfd;
use crate::m_learning::{self, MLearner, Scaling};

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
    }
}

impl Bytes for Phase {
    const SIZE: usize = 1;

    fn write(&self, to: &mut impl Sink) {
        to.byte(match self {
            Phase::Directions => 0,
            Phase::Weights => 1,
        });
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        match from.byte()? {
            0 => Ok(Phase::Directions),
            1 => Ok(Phase::Weights),
            _ => Err(Flaw("a phase that is none")),
        }
    }
}

impl<E: Resumable<P, A>, const P: usize, const A: usize, const N: usize> Agent<E, P, A, N> {
    /// The most bytes of an agent.
    pub(crate) const SAVED_SIZE: usize = <[u32; 2]>::SIZE
        .saturating_add(Phase::SIZE)
        .saturating_add(Lfd::<P>::SIZE)
        .saturating_add(<[Direction; P]>::SIZE)
        .saturating_add(MLearner::<E::State, P, N>::size::<E, A>())
        .saturating_add(E::STATE_BYTES);

    /// Whether there is nothing to remember of an iteration under way.
    pub(crate) fn is_between_iterations(&self) -> bool {
        matches!(self.work, Work::Nothing)
    }

    pub(crate) fn config(&self) -> &Config<P> {
        &self.config
    }

    /// Writes what is not known from the task and the configuration.
    pub(crate) fn write(&self, to: &mut impl Sink) {
        [self.iterations, self.first_phase].write(to);
        self.phase.write(to);
        self.lfd.write(to);
        self.directions.write(to);
        self.learner.write(&self.task, to);
        self.task.write_state(&self.state, to);
    }

    /// Reads an agent that could have come to be with the task and the configuration of this one.
    pub(crate) fn check<'a>(&self, from: &mut Source<'a>) -> Result<Saved<'a, E::State, P>, Flaw> {
        let [iterations, first_phase] = Bytes::read(from)?;
        let saved = Saved {
            iterations,
            first_phase,
            phase: Phase::read(from)?,
            lfd: Lfd::read(from)?,
            directions: Bytes::read(from)?,
            learner: MLearner::<E::State, P, N>::check(&self.task, iterations, from)?,
            state: self.task.read_state(from)?,
        };
        saved.lfd.check(iterations, self.config.alpha)?;
        saved.check_phase(&self.config)?;
        saved.check_directions(&self.config)?;
        Ok(saved)
    }

    /// Becomes what was read.
    pub(crate) fn restore(&mut self, saved: Saved<'_, E::State, P>) {
        self.iterations = saved.iterations;
        self.first_phase = saved.first_phase;
        self.phase = saved.phase;
        self.lfd = saved.lfd;
        self.directions = saved.directions;
        self.learner.restore(&self.task, saved.learner);
        self.state = saved.state;
        self.work = Work::Nothing;
    }
}

/// An agent that was read.
#[derive(Clone, Debug)]
pub(crate) struct Saved<'a, S, const P: usize> {
    pub iterations: u32,
    first_phase: u32,
    phase: Phase,
    lfd: Lfd<P>,
    directions: [Direction; P],
    learner: m_learning::Saved<'a, P>,
    state: S,
}

impl<S, const P: usize> Saved<'_, S, P> {
    fn check_phase(&self, config: &Config<P>) -> Result<(), Flaw> {
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
            (Algorithm::MLearning(_) | Algorithm::MLearningKnown(..), phase) => {
                phase == Phase::Weights && self.first_phase == 0
            }
        };
        Flaw::unless(holds, "a phase that the agent cannot be in")?;
        let fitted = self.learner.beta.iter().any(|weight| *weight != 0.0);
        let early = self.phase == Phase::Directions && fitted;
        Flaw::unless(!early, "weights before there is anything to weigh")
    }

    fn check_directions(&self, config: &Config<P>) -> Result<(), Flaw> {
        let decided = |direction: &Direction| *direction != Direction::Undecided;
        let learned = self.lfd.directions();
        let holds = match config.algorithm {
            Algorithm::Lfd => self.directions == *learned,
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
}
