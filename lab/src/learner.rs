//! The learners by name, and everything that can be chosen about them.

use crate::error::Result;
use crate::training::Checked;
use clap::{Args, ValueEnum};
use ipse::Config;
use ipse::direction::Direction;
use ipse::m_learning::{Regularisation, Schedule};
use ipse::rollout::Rollouts;
use ipse::survival::{LFD_CAP, Survival};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Directions only
    Lfd,
    /// Directions first, then weights in a policy space that grows around them
    Ipse,
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
            Algorithm::Lfd | Algorithm::Ipse | Algorithm::IpseSurvival
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
            Algorithm::Lfd | Algorithm::Ipse | Algorithm::IpseSurvival => "learned",
            Algorithm::MKnown => "known in advance",
            Algorithm::MNone | Algorithm::MCv | Algorithm::MSchedule => "drawn at random",
        }
    }
}

/// How a learner learns. The defaults are the paper's.
#[derive(Args, Clone, Copy, Serialize)]
pub struct LearnerArgs {
    /// M, the rollouts of each action
    #[arg(long, value_name = "M", default_value_t = 10, help_heading = ROLLOUTS)]
    rollouts: u16,

    /// T, the placements of a rollout, the action itself included
    #[arg(long, value_name = "T", default_value_t = 10, help_heading = ROLLOUTS)]
    length: u16,

    /// γ, by which a row is worth less with each placement before it
    #[arg(long, value_name = "γ", default_value_t = 0.995, help_heading = ROLLOUTS)]
    #[arg(allow_negative_numbers = true)]
    discount: f32,

    /// Roll out every action on the same sequences of pieces
    #[arg(long, help_heading = ROLLOUTS)]
    common_random_numbers: bool,

    /// Leave out placements that another dominates under the directions, if these are known or
    /// learned
    #[arg(long, help_heading = ROLLOUTS)]
    dominance_filter: bool,

    /// α, the p-value below which a direction is decided
    #[arg(long, value_name = "α", default_value_t = 0.05, help_heading = DIRECTIONS_HEADING)]
    #[arg(allow_negative_numbers = true)]
    alpha: f32,

    /// In ipse and ipse-survival, go on to weights after N iterations even if some features are
    /// undecided; 50 in ipse-survival if not given
    #[arg(long, value_name = "N", help_heading = DIRECTIONS_HEADING)]
    #[arg(value_parser = crate::args::at_least_one::<u32>)]
    lfd_cap: Option<u32>,

    /// c in the schedule λ = c / k^e of iteration k (ipse, m-schedule, m-known)
    #[arg(long, value_name = "c", default_value_t = 5., help_heading = WEIGHTS)]
    #[arg(allow_negative_numbers = true)]
    schedule_start: f32,

    /// e in the schedule
    #[arg(long, value_name = "e", default_value_t = 1., help_heading = WEIGHTS)]
    #[arg(allow_negative_numbers = true)]
    schedule_exponent: f32,

    /// Whether λ is held against the mean loss of an instance or against the total
    #[arg(long, value_enum, default_value_t = Scaling::PerInstance, help_heading = WEIGHTS)]
    scaling: Scaling,

    /// In ipse, learn weights from the choices made while learning directions, too
    #[arg(long, help_heading = WEIGHTS)]
    reuse_choices: bool,

    /// Take the mean of the weights of all iterations, each at unit length, for what was learned; not
    /// in the paper
    #[arg(long, help_heading = WEIGHTS)]
    average: bool,

    /// Remember of each choice how good all placements were, as the softmax of their values at this
    /// temperature, in rows, and not just which was the best; not in the paper
    #[arg(
        long,
        value_name = "TEMPERATURE",
        default_value_t = 0.,
        hide_default_value = true
    )]
    #[arg(allow_negative_numbers = true, help_heading = WEIGHTS)]
    soft_labels: f32,

    /// How often the generative model may be called, for directions and for weights together
    #[arg(long, value_name = "N", default_value_t = 1_360_000, help_heading = SURVIVAL)]
    calls: u32,

    /// Placements of the learner's own game in each generation
    #[arg(long, value_name = "N", default_value_t = 300, help_heading = SURVIVAL)]
    episode: u16,

    /// Trials of each candidate in a generation
    #[arg(long, value_name = "N", default_value_t = 30, help_heading = SURVIVAL)]
    trials: u16,

    /// Placements of a trial at the most
    #[arg(long, value_name = "N", default_value_t = 80, help_heading = SURVIVAL)]
    horizon: u16,
}

const ROLLOUTS: &str = "Rollouts";
const DIRECTIONS_HEADING: &str = "Learning directions (lfd, ipse)";
const WEIGHTS: &str = "Learning weights (all but lfd and ipse-survival)";
const SURVIVAL: &str = "Searching for weights that survive (ipse-survival)";

#[derive(Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Scaling {
    PerInstance,
    Total,
}

impl LearnerArgs {
    /// How many calls `algorithm` ends after, if it does.
    pub fn budget(&self, algorithm: Algorithm) -> Option<u32> {
        (algorithm == Algorithm::IpseSurvival).then_some(self.calls)
    }

    /// What these arguments mean for `algorithm`, if they make sense. One of them is told the
    /// directions in advance.
    pub fn config<const P: usize>(
        &self,
        algorithm: Algorithm,
        directions: [Direction; P],
    ) -> Result<Checked<P>> {
        let schedule = Schedule::new(self.schedule_start, self.schedule_exponent)?;
        let scheduled = Regularisation::Schedule(schedule);
        let config = Config {
            algorithm: match algorithm {
                Algorithm::Lfd => ipse::Algorithm::Lfd,
                Algorithm::Ipse => ipse::Algorithm::Ipse,
                Algorithm::IpseSurvival => ipse::Algorithm::Survival(Survival {
                    calls: self.calls,
                    episode: self.episode,
                    trials: self.trials,
                    horizon: self.horizon,
                }),
                Algorithm::MNone => ipse::Algorithm::MLearning(Regularisation::None),
                Algorithm::MCv => ipse::Algorithm::MLearning(Regularisation::CrossValidated),
                Algorithm::MSchedule => ipse::Algorithm::MLearning(scheduled),
                Algorithm::MKnown => ipse::Algorithm::MLearningKnown(scheduled, directions),
            },
            rollouts: Rollouts {
                count: self.rollouts,
                length: self.length,
                discount: self.discount,
                common_random_numbers: self.common_random_numbers,
            },
            alpha: self.alpha,
            schedule,
            scaling: match self.scaling {
                Scaling::PerInstance => ipse::m_learning::Scaling::PerInstance,
                Scaling::Total => ipse::m_learning::Scaling::Total,
            },
            lfd_cap: match algorithm {
                Algorithm::IpseSurvival => self.lfd_cap.or(Some(LFD_CAP)),
                _ => self.lfd_cap,
            },
            reuse_choices: self.reuse_choices,
            dominance_filter: self.dominance_filter,
            average: self.average,
            soft_labels: self.soft_labels,
        };
        Ok(config.check()?)
    }
}
