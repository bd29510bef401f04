//! A task in the lab, and what the lab may know about it beyond [`Environment`](ipse::Environment).

use crate::games::{Arena, OneByOne};
use crate::learner::Preset;
use crate::view::{Plain, View};
use ipse::direction::Direction;
use ipse::environment::{Action, PerFeature, Resumable};
use rand_xorshift::XorShiftRng;
use serde_json::{Map, Value};

/// A task that learners can be trained on, on several threads, and resumed in. Implemented for every [`Resumable`] task
/// that is plain data.
pub trait Task: Resumable + Copy + Send + Sync + 'static {}

impl<E: Resumable + Copy + Send + Sync + 'static> Task for E {}

/// A task, and what the lab may know about it: rules to compare with, how it is scored, which learner suits it.
///
/// Everything but the task is optional.
///
/// ```
/// use ipse_lab::{Measure, Setup};
/// use ipse_tasks::SensorNode;
/// use ipse_tasks::sensor_node::baselines::Greedy;
///
/// let setup = Setup::new(SensorNode::default())
///     .about("a sensor that lives on light")
///     .measure(Measure::rate("points a day", 24).actions(24 * 334))
///     .rule("greedy", |task, node, _| Greedy.choose(task, node));
/// ```
pub struct Setup<E: Task> {
    pub(crate) task: E,
    pub(crate) about: &'static str,
    pub(crate) directions: Option<PerFeature<E, Direction>>,
    pub(crate) players: Vec<(&'static str, Player<E>)>,
    pub(crate) measure: Measure,
    pub(crate) horizon: u16,
    pub(crate) learner: Option<Preset>,
    pub(crate) compared: &'static [&'static str],
    /// Somewhat more than the score of the best policy that is known.
    pub(crate) best: Option<f64>,
    pub(crate) view: Box<dyn View<E>>,
    pub(crate) arena: Box<dyn Arena<E>>,
    /// What tells this task from others of the same name, for programs.
    pub(crate) facts: Map<String, Value>,
    /// The same in a few words, for people.
    pub(crate) details: String,
}

/// Someone who plays a task without having learned it.
pub(crate) enum Player<E: Task> {
    Weights(PerFeature<E, f32>),
    Rule(Box<Rule<E>>),
}

/// Chooses an action in a state, one of those that are legal there. What is left to chance comes from the generator.
pub type Rule<E> =
    dyn Fn(&E, &<E as ipse::Environment>::State, &mut XorShiftRng) -> Action + Send + Sync;

impl<E: Task> Setup<E> {
    /// A task of which nothing else is known.
    pub fn new(task: E) -> Self {
        Setup {
            task,
            about: "",
            directions: None,
            players: Vec::new(),
            measure: Measure::episode("reward"),
            horizon: 144,
            learner: None,
            compared: &[],
            best: None,
            view: Box::new(Plain),
            arena: Box::new(OneByOne),
            facts: Map::new(),
            details: String::new(),
        }
    }

    /// Says in a few words what the task is.
    #[must_use]
    pub fn about(self, about: &'static str) -> Self {
        Setup { about, ..self }
    }

    /// Tells the right directions of all features: m-known learns with them, and what others learn is held against
    /// them.
    #[must_use]
    pub fn directions(self, directions: PerFeature<E, Direction>) -> Self {
        let directions = Some(directions);
        Setup { directions, ..self }
    }

    /// Adds a policy to compare with, by its weights.
    #[must_use]
    pub fn weights(mut self, name: &'static str, weights: PerFeature<E, f32>) -> Self {
        self.players.push((name, Player::Weights(weights)));
        self
    }

    /// Adds a rule to compare with, as a person would write it.
    #[must_use]
    pub fn rule(
        mut self,
        name: &'static str,
        rule: impl Fn(&E, &E::State, &mut XorShiftRng) -> Action + Send + Sync + 'static,
    ) -> Self {
        self.players.push((name, Player::Rule(Box::new(rule))));
        self
    }

    /// Sets how a policy is scored. By default, by the sum of the rewards of an episode, which is cut after 1,000
    /// actions.
    #[must_use]
    pub fn measure(self, measure: Measure) -> Self {
        Setup { measure, ..self }
    }

    /// Sets the horizon of a trial of the return search: several times the slowest cycle of the task. By default 144.
    #[must_use]
    pub fn horizon(self, horizon: u16) -> Self {
        Setup { horizon, ..self }
    }

    /// Sets the learner that `train` takes unless told. Without one, `train` finds out as `diagnose` does.
    #[must_use]
    pub fn learner(self, learner: Preset) -> Self {
        let learner = Some(learner);
        Setup { learner, ..self }
    }

    /// Sets what `compare` compares unless told.
    #[must_use]
    pub fn compared(self, compared: &'static [&'static str]) -> Self {
        Setup { compared, ..self }
    }

    /// Sets the score that the longest bar of a learning curve stands for: somewhat more than the best that is known.
    #[must_use]
    pub fn best(self, best: f64) -> Self {
        let best = Some(best);
        Setup { best, ..self }
    }

    /// Sets how states and actions are shown, instead of by their picture and their description.
    pub(crate) fn view(self, view: impl View<E> + 'static) -> Self {
        let view = Box::new(view);
        Setup { view, ..self }
    }

    /// Sets how many games are played at once, instead of one after the other.
    pub(crate) fn arena(self, arena: Box<dyn Arena<E>>) -> Self {
        Setup { arena, ..self }
    }

    /// The names of all policies: those of the task, equal weights if directions are known, and chance.
    pub(crate) fn policies(&self) -> Vec<&'static str> {
        let players = self.players.iter().map(|(name, _)| *name);
        let equal = self.directions.map(|_| "equal");
        players.chain(equal).chain(["random"]).collect()
    }

    /// The names of the features.
    pub(crate) fn feature_names(&self) -> Vec<&'static str> {
        let features = E::FEATURES;
        features
            .as_ref()
            .iter()
            .map(|feature| feature.name)
            .collect()
    }

    /// The name of the task, and what tells it from others of that name.
    pub(crate) fn title(&self) -> String {
        match &*self.details {
            "" => E::NAME.into(),
            details => format!("{}, {details}", E::NAME),
        }
    }
}

/// How a policy is scored: by what it earns in an episode, or in some actions of a task that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// What a score is a number of.
    pub(crate) unit: &'static str,
    /// The score is for so many actions, and not for an episode.
    pub(crate) per: Option<u64>,
    /// The most actions of an episode. If a score is for some actions, exactly so many are played, and episodes that end
    /// earlier are followed by others.
    pub(crate) actions: Option<u64>,
    /// An episode is cut when the sum of its rewards is so high.
    pub(crate) limit: Option<u64>,
    /// What to do about episodes that hardly end, if they do.
    pub(crate) endless: Option<&'static str>,
}

impl Measure {
    /// The sum of the rewards of an episode, in this unit. An episode is cut after 1,000 actions, unless
    /// [told](Self::actions).
    pub const fn episode(unit: &'static str) -> Self {
        Measure {
            unit,
            per: None,
            actions: Some(1_000),
            limit: None,
            endless: None,
        }
    }

    /// The sum of the rewards of so many actions, in a task that goes on; measured over 1,000 times as many.
    pub const fn rate(unit: &'static str, per: u64) -> Self {
        Measure {
            per: Some(per),
            ..Measure::episode(unit)
        }
        .actions(1_000 * per)
    }

    /// Lets every episode go on to its end, however long that takes.
    #[must_use]
    pub const fn unlimited(self) -> Self {
        Measure {
            actions: None,
            ..self
        }
    }

    /// The sum of rewards at which an episode is cut.
    pub(crate) fn highest(&self) -> i64 {
        let limit = self.limit.map(i64::try_from);
        limit.map_or(i64::MAX, |limit| limit.unwrap_or(i64::MAX))
    }

    /// The number of actions at which it is cut.
    pub(crate) fn most_actions(&self) -> u64 {
        self.actions.unwrap_or(u64::MAX)
    }

    /// Sets the number of actions that are played, at most or, if the score is for some actions, exactly.
    #[must_use]
    pub const fn actions(self, actions: u64) -> Self {
        let actions = Some(actions);
        Measure { actions, ..self }
    }
}
