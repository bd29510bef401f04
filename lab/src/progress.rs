//! Progress bars, on standard error and only if that is a terminal.

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

/// The style of all bars. In a template, `{left}` is the time left.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("the template is well-formed")
        .progress_chars("━━─")
        .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
            // Before the first step has been taken nothing is known.
            if state.pos() > 0 {
                let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
            }
        })
}

/// A bar of so many steps that moves on its own.
pub fn bar(steps: u64, style: ProgressStyle) -> ProgressBar {
    let bar = ProgressBar::new(steps).with_style(style);
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}
