//! A task under observation: a panic in one of its methods is caught, and reported with the name of the method.

use ipse::environment::{
    Action, Canvas, Environment, Feature, Outcome, Outcomes, PerFeature, Resumable,
};
use ipse::prelude::{Codec, Invalid};
use rand_core::Rng;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// The method of a watched task that is running on this thread.
    static RUNNING: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// Whether panics on this thread are caught.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    /// What the last panic said, and where it was.
    static LAST: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Panic {
    /// The method of the task that was running.
    pub method: Option<&'static str>,
    /// What the panic said.
    pub message: String,
    /// The file and the line.
    pub location: String,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Panic {
            method,
            message,
            location,
        } = self;
        match method {
            Some(method) => write!(f, "`{method}` panics at {location}: {message}"),
            None => write!(f, "panic at {location}: {message}"),
        }
    }
}

/// Does `work`, and returns the panic if there is one. Nothing is printed. May be nested.
pub fn caught<R>(work: impl FnOnce() -> R) -> Result<R, Panic> {
    keep_quiet();
    let before = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(before);
    let method = RUNNING.take();
    result.map_err(|_| {
        let last = LAST.take();
        let (message, location) = last.unwrap_or_default();
        Panic {
            method,
            message,
            location,
        }
    })
}

/// Keeps panics that are caught from being printed. All others are, as before.
fn keep_quiet() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| match CATCHING.get() {
            true => LAST.set(Some((message(info), location(info)))),
            false => before(info),
        }));
    });
}

fn message(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").into()
}

fn location(info: &PanicHookInfo) -> String {
    let location = info.location();
    location.map_or_else(String::new, |place| {
        format!("{}:{}", place.file(), place.line())
    })
}

/// A task whose running method is known. It can begin its episodes in a state of one's choice.
pub struct Watched<'a, E: Environment> {
    task: &'a E,
    start: Option<E::State>,
}

impl<'a, E: Environment> Watched<'a, E> {
    pub fn new(task: &'a E) -> Self {
        Watched { task, start: None }
    }

    /// The task in which every episode begins in `state`.
    pub fn starting_in(task: &'a E, state: E::State) -> Self {
        let start = Some(state);
        Watched { task, start }
    }

    /// The task itself.
    pub fn task(&self) -> &'a E {
        self.task
    }
}

#[inline(always)]
fn during<R>(method: &'static str, work: impl FnOnce() -> R) -> R {
    RUNNING.set(Some(method));
    let result = work();
    RUNNING.set(None);
    result
}

impl<E: Environment> Environment for Watched<'_, E> {
    type State = E::State;
    type Features = E::Features;
    type Actions = E::Actions;

    const NAME: &'static str = E::NAME;
    const FEATURES: PerFeature<Self, Feature> = E::FEATURES;
    const PICTURE: (u16, u16) = E::PICTURE;

    #[inline(always)]
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> E::State {
        let reset = || during("reset", || self.task.reset(rng));
        self.start.unwrap_or_else(reset)
    }

    #[inline(always)]
    fn outcomes(&self, state: &E::State, visit: impl FnMut(Outcome<E::Features>)) {
        during("outcomes", || self.task.outcomes(state, visit));
    }

    #[inline(always)]
    fn step<R: Rng + ?Sized>(
        &self,
        state: &E::State,
        action: Action,
        rng: &mut R,
    ) -> (E::State, i16) {
        during("step", || self.task.step(state, action, rng))
    }

    #[inline(always)]
    fn is_terminal(&self, state: &E::State) -> bool {
        during("is_terminal", || self.task.is_terminal(state))
    }

    #[inline(always)]
    fn is_safe(&self, state: &E::State) -> bool {
        during("is_safe", || self.task.is_safe(state))
    }

    #[inline(always)]
    fn value(&self, state: &E::State) -> i16 {
        during("value", || self.task.value(state))
    }

    fn draw(&self, state: &E::State, canvas: &mut impl Canvas) {
        during("draw", || self.task.draw(state, canvas));
    }

    #[inline(always)]
    fn fill(&self, state: &E::State, outcomes: &mut Outcomes<Self>) {
        during("outcomes", || self.task.fill(state, outcomes));
    }
}

impl<E: Resumable> Resumable for Watched<'_, E> {
    const STATE_BITS: usize = E::STATE_BITS;

    fn identify(&self, codec: &mut impl Codec) {
        during("identify", || self.task.identify(codec));
    }

    fn code_state(&self, state: &mut E::State, codec: &mut impl Codec) -> Result<(), Invalid> {
        during("code_state", || self.task.code_state(state, codec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_with_its_message() {
        let panic = caught(|| -> () { during("step", || panic!("no bush {}", 7)) }).unwrap_err();
        assert_eq!(panic.method, Some("step"));
        assert_eq!(panic.message, "no bush 7");
        assert!(panic.location.contains("watched.rs"), "{panic}");
        assert_eq!(caught(|| 3), Ok(3));
    }

    #[test]
    fn the_name_of_a_method_does_not_outlast_it() {
        during("step", || ());
        let panic = caught(|| -> () { panic!("elsewhere") }).unwrap_err();
        assert_eq!(panic.method, None);
    }
}
