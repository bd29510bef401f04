//! Assertions that several targets share.

use ipse::environment::{Canvas, Environment};
use ipse::{Driver, Step};
use rand_xorshift::XorShiftRng;
use std::fmt::Display;

/// An iteration has fewer slices than this, whatever the parameters that a target chooses.
const SLICES_MAX: usize = 100_000;

/// The features of the task of the driver `D`.
type Features<D> = <<D as Driver>::Task as Environment>::Features;

/// Does one iteration: it ends, is counted, and leaves finite weights.
pub fn step<D: Driver>(driver: &mut D, rng: &mut XorShiftRng) -> Step<Features<D>> {
    let before = driver.progress();
    let mut slices = (0..SLICES_MAX).map(|_| driver.slice(rng));
    let step = slices.find_map(|step| step).expect("iterations end");

    assert!(driver.is_between_iterations());
    let after = driver.progress();
    assert_eq!(after.iterations, before.iterations.saturating_add(1));
    assert_eq!(after.iterations, step.iteration);
    assert_eq!(after.calls, before.calls.saturating_add(step.calls));
    if let Some(budget) = after.budget {
        assert!(after.calls <= budget, "{after:?}");
    }
    let weights = step.weights;
    assert_eq!(weights, driver.weights());
    let mut finite = weights.as_ref().iter().map(|weight| weight.is_finite());
    assert!(finite.all(|is_finite| is_finite), "{step:?}");
    step
}

/// An error is a line of text that moves no cursor.
pub fn one_line(error: impl Display) {
    let error = error.to_string();
    assert!(!error.is_empty());
    assert!(!error.contains(char::is_control), "{error:?}");
}

/// Draws a state: inside of the picture.
pub fn draw<E: Environment>(task: &E, state: &E::State) {
    task.draw(state, &mut Bounded(E::PICTURE));
}

/// A canvas on which nothing may be drawn beyond the edge.
struct Bounded((u16, u16));

impl Canvas for Bounded {
    fn fill(&mut self, x: u16, y: u16, width: u16, height: u16) {
        let Bounded((right, bottom)) = *self;
        let is_inside = |start: u16, length: u16, end: u16| {
            start.checked_add(length).is_some_and(|last| last <= end)
        };
        assert!(is_inside(x, width, right) && is_inside(y, height, bottom));
    }
}
