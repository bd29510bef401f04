//! A board's own pace. An emulator and a file may be faster than the board that they stand for.

use std::time::{Duration, Instant};

/// Who is behind by more than this does not catch up.
const SLACK: Duration = Duration::from_millis(200);
/// Nobody is kept waiting for longer than this at a time.
const LONGEST: Duration = Duration::from_secs(1);

/// Tells how long to wait before the next event is shown.
#[derive(Default)]
pub struct Pace {
    /// When the last event was due, and its ticks.
    last: Option<(Instant, u64)>,
}

impl Pace {
    /// How long to wait at `now` for an event with these ticks, in microseconds.
    pub fn wait(&mut self, ticks: u64, now: Instant) -> Duration {
        let due = match self.last {
            Some((due, before)) => {
                due + Duration::from_micros(ticks.saturating_sub(before)).min(LONGEST)
            }
            None => now,
        };
        let due = due.max(now.checked_sub(SLACK).unwrap_or(now));
        self.last = Some((due, ticks));
        due.saturating_duration_since(now).min(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn events_that_come_at_once_are_shown_as_far_apart_as_they_happened() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        assert_eq!(pace.wait(5_000_000, now), Duration::ZERO);
        for iteration in 1..=10 {
            let wait = pace.wait(5_000_000 + 30_000 * iteration, now);
            assert_eq!(wait, 30 * MS);
            now += wait;
        }
    }

    #[test]
    fn events_that_come_late_are_shown_at_once() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        pace.wait(0, now);
        assert_eq!(pace.wait(100_000, now + 150 * MS), Duration::ZERO);
        assert_eq!(pace.wait(200_000, now + 180 * MS), 20 * MS);
    }

    #[test]
    fn time_that_was_lost_is_not_made_up_for() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        pace.wait(0, now);
        pace.wait(100_000, now + 60_000 * MS);
        let wait = pace.wait(500_000, now + 60_000 * MS);
        assert_eq!(wait, 400 * MS - SLACK);
    }

    #[test]
    fn a_clock_that_leaps_or_starts_again_keeps_nobody_waiting_for_long() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        pace.wait(0, now);
        assert_eq!(pace.wait(u64::MAX, now), LONGEST);
        assert_eq!(pace.wait(0, now + LONGEST), Duration::ZERO);
    }
}
