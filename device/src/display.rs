//! A display of 128×64 pixels: what a board learns, as it tells by [telemetry](crate::Telemetry).
//!
//! The display is one more reader of the frames that go over UART and USB, so that it shows what `cargo ipse watch` and the
//! page show. At the left is the picture of a state, as its task [draws](ipse::Environment::draw) it. At the right are, from the
//! top: what is being learned, the number of iterations above a line that grows as the work is done, a bar for each feature,
//! and the last value of the learning curve.
//!
//! A bar to the right is a reason for an action, one to the left a reason against it, as long as the weight is large. A
//! feature without a direction yet has two hollow ones: the votes for and against it.

mod frame;
mod panel;
mod screen;

pub use frame::{Frame, HEIGHT, PAGES, WIDTH};
pub use panel::Display;
pub use screen::Screen;
