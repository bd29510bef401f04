//! The boundary between a learner and its task.
//!
//! A task lists the legal actions of a state with what is known of each before it is taken, and it can be asked
//! to take one: it is the generative model of the paper's section 2. Everything else in this crate is written
//! against [`Environment`].

use crate::array::{Array, Element, List, elements, sealed};
use crate::codec::Codec;
use crate::invalid::Invalid;
use core::fmt;
use rand_core::Rng;

/// The number of an action. The task defines its meaning.
pub type Action = u8;

/// A value for each feature of the task `E`: `[T; 3]` if it has three features.
pub type PerFeature<E, T> = <<E as Environment>::Features as Array>::Of<T>;

/// The legal actions of a state of the task `E`.
pub type Outcomes<E> =
    <<E as Environment>::Actions as Array>::List<Outcome<<E as Environment>::Features>>;

/// A feature of a task: a reason for or against an action that one could give in a word.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Feature {
    /// The name, as every screen, log and error shows it.
    pub name: &'static str,
    /// The worth of one step of the integer value, above 0. A feature that comes in halves is stored doubled, and
    /// its unit is 0.5.
    pub unit: f32,
    /// The largest absolute value, above 0. Policies take their integer weights as large as the bounds allow. If a
    /// feature exceeds its bound, scores may overflow and a wrong action may be chosen; nothing panics.
    pub bound: i16,
}

impl Feature {
    /// A feature that counts whole units.
    ///
    /// A bound that is not above 0 does not compile in a constant:
    ///
    /// ```compile_fail,E0080
    /// const OWLS: ipse::Feature = ipse::Feature::new("owls", 0);
    /// # let _ = OWLS;
    /// ```
    pub const fn new(name: &'static str, bound: i16) -> Self {
        assert!(bound > 0, "the bound of a feature must be above 0");
        let unit = 1.0;
        Feature { name, unit, bound }
    }

    /// The same feature in other units.
    ///
    /// A unit that is not finite and above 0 does not compile in a constant:
    ///
    /// ```compile_fail,E0080
    /// const OWLS: ipse::Feature = ipse::Feature::new("owls", 3).unit(-1.0);
    /// # let _ = OWLS;
    /// ```
    #[must_use]
    pub const fn unit(self, unit: f32) -> Self {
        assert!(
            unit > 0.0 && unit.is_finite(),
            "the unit of a feature must be finite and above 0"
        );
        Feature { unit, ..self }
    }
}

elements!(Feature);

impl<F: Element> sealed::Sealed for Outcome<F> {}
impl<F: Element> Element for Outcome<F> {}

/// A legal action, and what is known of it before it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome<F> {
    /// The action.
    pub action: Action,
    /// The reward that the action promises.
    ///
    /// The reward itself is what [`step`](Environment::step) returns, and nothing else counts as one. A promise is
    /// used for a single purpose: while directions are learned, rollouts prefer the actions with the highest promise
    /// above 0, if there is any (see [`Lfd::reward_first`](crate::learner::Lfd::reward_first)). If the reward is left
    /// to chance, promise its expected value, rounded; if nothing is known in advance, promise 0.
    pub promise: i16,
    /// The values of its features, in the units of [`Environment::FEATURES`].
    pub features: F,
}

impl<F> Outcome<F> {
    /// The action with the number `action` among `outcomes`.
    pub(crate) fn find(outcomes: &[Self], action: Action) -> Option<&Self> {
        outcomes.iter().find(|outcome| outcome.action == action)
    }
}

/// A task to learn: states, legal actions, features and rewards.
///
/// ```
/// use ipse::prelude::*;
///
/// /// A thermostat: is it worth heating now? The room cools down by one degree an hour, heating warms it by two.
/// struct Thermostat;
///
/// impl Environment for Thermostat {
///     /// Degrees below the wanted temperature.
///     type State = i16;
///     type Features = [i16; 2];
///     type Actions = [Action; 2];
///
///     const NAME: &'static str = "thermostat";
///     const FEATURES: PerFeature<Self, Feature> =
///         [Feature::new("degrees off", 20), Feature::new("heating", 1)];
///
///     fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> i16 {
///         (rng.next_u32() % 9) as i16
///     }
///
///     fn outcomes(&self, cold: &i16, mut visit: impl FnMut(Outcome<Self::Features>)) {
///         for heat in [0, 1] {
///             let off = (cold + 1 - 2 * heat).abs().min(20);
///             visit(Outcome { action: heat as Action, promise: 0, features: [off, heat] });
///         }
///     }
///
///     fn step<R: Rng + ?Sized>(&self, cold: &i16, action: Action, _: &mut R) -> (i16, i16) {
///         let next = (cold + 1 - 2 * i16::from(action)).clamp(-20, 20);
///         (next, -next.abs())
///     }
/// }
///
/// let mut rng = XorShiftRng::seed_from_u64(1);
/// let mut agent = Agent::new(Thermostat, Ipse::new().check()?, &mut rng);
/// for _ in 0..100 {
///     agent.step(&mut rng);
/// }
/// let [off, _heating] = agent.weights();
/// assert!(off < 0.0);
/// # Ok::<(), Invalid>(())
/// ```
///
/// Nothing is learned from an action that ends its episode, so that a task in which every action does cannot be
/// learned. `ipse-tasks` in the repository has tasks that are written to be copied.
pub trait Environment {
    /// A state: everything on which the next states and rewards depend. A learner remembers a hundred of them, so it
    /// should be small. Two states may be equal only if the same actions and the same random numbers lead to the same
    /// future from both: a search simulates the future of equal states once.
    type State: Copy + PartialEq;

    /// The values of all features, written as `[i16; 3]`.
    type Features: Array<Item = i16>;

    /// Room for the legal actions of any state, written as `[Action; 4]`.
    type Actions: Array<Item = Action>;

    /// The name of the task, in lower case with hyphens, as screens and command lines use it.
    const NAME: &'static str;

    /// The name, unit and bound of each feature.
    const FEATURES: PerFeature<Self, Feature>;

    /// Draws a state to start an episode from.
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::State;

    /// Visits the legal actions of `state`, each once, always in the same order. A state in which there is
    /// nothing to visit is terminal.
    fn outcomes(&self, state: &Self::State, visit: impl FnMut(Outcome<Self::Features>));

    /// Takes `action` in `state`, and returns the next state and the reward.
    ///
    /// `action` is one that [`outcomes`](Self::outcomes) visits. For any other the result is unspecified, but it must
    /// not panic. All chance comes from `rng`, so that a seed repeats a run to the bit.
    fn step<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        action: Action,
        rng: &mut R,
    ) -> (Self::State, i16);

    /// Returns whether no action is legal in `state`.
    fn is_terminal(&self, state: &Self::State) -> bool {
        let mut is_terminal = true;
        self.outcomes(state, |_| is_terminal = false);
        is_terminal
    }

    /// Returns whether `state` is safe, that is, far from the end of an episode. A search for weights that survive
    /// ends its trials there. By default no state is.
    fn is_safe(&self, _state: &Self::State) -> bool {
        false
    }

    /// The value of the last state of a rollout, in the unit of rewards.
    ///
    /// A rollout sees a few actions ahead. If the consequences of an action come later, this is the place for
    /// an estimate of them: a battery that is half full is worth something. A terminal state should be worth 0.
    /// By default every state is, as in the paper.
    fn value(&self, _state: &Self::State) -> i16 {
        0
    }

    /// The width and height of the picture of a state, in pixels. By default there is none.
    const PICTURE: (u16, u16) = (0, 0);

    /// Draws `state`, within [`PICTURE`](Self::PICTURE). The canvas is blank before.
    fn draw(&self, _state: &Self::State, _canvas: &mut impl Canvas) {}

    /// Writes what `action` does in `state`, in a few words, for screens that list actions: "left", "2 readings, send
    /// all". By default that is its number.
    fn describe(
        &self,
        _state: &Self::State,
        action: Action,
        out: &mut impl fmt::Write,
    ) -> fmt::Result {
        write!(out, "action {action}")
    }

    /// The legal actions of `state` as a list.
    fn list(&self, state: &Self::State) -> Outcomes<Self>
    where
        Self: Sized,
    {
        let mut outcomes = Outcomes::<Self>::default();
        self.fill(state, &mut outcomes);
        outcomes
    }

    /// Replaces the entries of a list by the legal actions of `state`. Those beyond the capacity of
    /// [`Actions`](Self::Actions) are left out.
    #[inline(never)]
    fn fill(&self, state: &Self::State, outcomes: &mut Outcomes<Self>)
    where
        Self: Sized,
    {
        outcomes.empty();
        self.outcomes(state, |outcome| outcomes.add(outcome));
    }
}

/// The sum of the bounds of all features of `E`, and one more.
pub(crate) fn reach<E: Environment>() -> u32 {
    let bounds = E::FEATURES;
    bounds.as_ref().iter().fold(1, |sum: u32, feature| {
        sum.saturating_add(feature.bound.unsigned_abs().into())
    })
}

/// A drawing surface of one-bit pixels. The display of a board, a terminal and a page implement it.
pub trait Canvas {
    /// Sets the pixels of a rectangle. `x` and `y` count from the top left corner; what is outside is ignored.
    fn fill(&mut self, x: u16, y: u16, width: u16, height: u16);
}

/// A task whose agents can be saved in a [`checkpoint`](crate::checkpoint).
///
/// ```
/// # use ipse::prelude::*;
/// # #[derive(Clone, Copy)]
/// # struct Thermostat;
/// # impl Environment for Thermostat {
/// #     type State = i16;
/// #     type Features = [i16; 1];
/// #     type Actions = [Action; 1];
/// #     const NAME: &'static str = "thermostat";
/// #     const FEATURES: [Feature; 1] = [Feature::new("degrees off", 20)];
/// #     fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> i16 { 0 }
/// #     fn outcomes(&self, _: &i16, _: impl FnMut(Outcome<Self::Features>)) {}
/// #     fn step<R: Rng + ?Sized>(&self, cold: &i16, _: Action, _: &mut R) -> (i16, i16) { (*cold, 0) }
/// # }
/// impl Resumable for Thermostat {
///     const STATE_BITS: usize = 16;
///
///     fn identify(&self, codec: &mut impl Codec) {
///         codec.text("thermostat");
///     }
///
///     fn code_state(&self, cold: &mut i16, codec: &mut impl Codec) -> Result<(), Invalid> {
///         codec.i16("degrees below", cold, -20..=20)
///     }
/// }
/// ```
pub trait Resumable: Environment {
    /// The maximum size of a serialised state, in bits.
    const STATE_BITS: usize;

    /// Writes everything that distinguishes this task from others with the same features: a name, and all
    /// parameters of the task. An agent is resumed only in the task in which it was saved.
    fn identify(&self, codec: &mut impl Codec);

    /// Serialises or deserialises a state, field by field; one function for both, so that they cannot disagree. A
    /// codec that reads replaces the fields of `state`, and refuses what is out of range.
    fn code_state(&self, state: &mut Self::State, codec: &mut impl Codec) -> Result<(), Invalid>;
}
