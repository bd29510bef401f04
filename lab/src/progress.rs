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

/// Begins at what was done earlier. The time left is told by what is done from here on.
pub fn begin_at(bar: &ProgressBar, position: u64) {
    bar.set_position(position);
    bar.reset_eta();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn the_time_left_after_a_resume_is_told_by_what_was_done_since() {
        let bar = ProgressBar::hidden();
        bar.set_length(1000);
        begin_at(&bar, 990);
        for _ in 0..5 {
            thread::sleep(Duration::from_millis(20));
            bar.inc(1);
        }
        // Five of twenty milliseconds each are left, and more on a machine that is busy.
        assert!(bar.eta() > Duration::from_millis(50), "{:?}", bar.eta());
    }
}
