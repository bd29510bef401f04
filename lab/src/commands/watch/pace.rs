//! The pace of a board, times a speed. An emulator and a file may be faster than the board that they stand for.

use std::time::{Duration, Instant};

/// Who is behind by more than this does not catch up.
const SLACK: Duration = Duration::from_millis(200);
/// Nobody is kept waiting for longer than this at a time.
const LONGEST: Duration = Duration::from_secs(1);

/// How fast a board is shown: a power of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Speed(i8);

impl Speed {
    const SLOWEST: i8 = -3;
    const FASTEST: i8 = 7;

    pub fn faster(self) -> Self {
        Speed((self.0 + 1).min(Self::FASTEST))
    }

    pub fn slower(self) -> Self {
        Speed((self.0 - 1).max(Self::SLOWEST))
    }

    pub fn factor(self) -> f64 {
        2f64.powi(self.0.into())
    }
}

/// Tells when the next event is due.
#[derive(Default)]
pub struct Pace {
    /// When the last event was due, and its time on the board, in microseconds.
    last: Option<(Instant, u64)>,
    pub speed: Speed,
}

impl Pace {
    /// How long to wait at `now` for an event at this time on the board.
    pub fn wait(&mut self, micros: u64, now: Instant) -> Duration {
        let due = match self.last {
            Some((due, before)) => {
                let seconds = micros.saturating_sub(before) as f64 / 1e6 / self.speed.factor();
                due + Duration::from_secs_f64(seconds.min(LONGEST.as_secs_f64()))
            }
            None => now,
        };
        let due = due.max(now.checked_sub(SLACK).unwrap_or(now));
        self.last = Some((due, micros));
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
    fn twice_the_speed_is_half_the_time() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        pace.wait(0, now);
        pace.speed = pace.speed.faster();
        assert_eq!(pace.wait(100_000, now), 50 * MS);
        pace.speed = pace.speed.slower().slower();
        assert_eq!(pace.wait(110_000, now), 70 * MS);
    }

    #[test]
    fn speed_has_limits() {
        let most = (0..100).fold(Speed::default(), |speed, _| speed.faster());
        let least = (0..100).fold(Speed::default(), |speed, _| speed.slower());
        assert_eq!((most.factor(), least.factor()), (128., 0.125));
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
