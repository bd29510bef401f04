//! The traffic light with every vehicle and every person on their own.

use ipse_tasks::intersection::{Crossing, LONGEST, Phase};

/// Those who wait, each with the slots since the line was last moving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// One entry for each.
    pub who: Vec<()>,
    /// The slots for which the first of them has waited.
    pub wait: u32,
}

impl Line {
    fn new(count: u8, wait: u8) -> Self {
        Line {
            who: vec![(); count.into()],
            wait: wait.into(),
        }
    }

    /// The first of them go, as many as there is room for; others arrive, as long as there is space.
    fn pass(&mut self, room: Option<usize>, arrivals: u32, space: usize) {
        for _ in 0..room.unwrap_or(0) {
            self.who.pop();
        }
        for _ in 0..arrivals {
            if self.who.len() < space {
                self.who.push(());
            }
        }
        let is_still = room.is_none() && !self.who.is_empty();
        self.wait = if is_still { self.wait + 1 } else { 0 };
    }
}

/// Returns whether an approach has green in a phase.
fn has_green(phase: Phase, approach: usize) -> bool {
    match phase {
        Phase::NorthSouth => [true, false, true, false][approach],
        Phase::EastWest => [false, true, false, true][approach],
        Phase::Walk => false,
    }
}

/// The next state and the reward, with the arrivals of the four approaches and on foot. `None` if the phase cannot be
/// next.
pub fn step(now: &Crossing, next: Phase, arrivals: [u32; 5]) -> Option<(Crossing, i16)> {
    let is_change = next != now.phase;
    let is_fixed = now.clearing > 0 || now.phase == Phase::Walk && now.green < 2;
    if is_change && is_fixed {
        return None;
    }
    let red = match (is_change, now.phase) {
        (false, _) => now.clearing,
        (true, Phase::Walk) => 2,
        (true, _) => 1,
    };
    let is_green = red == 0;
    let mut after = *now;
    for (approach, arrivals) in arrivals.into_iter().take(4).enumerate() {
        let mut line = Line::new(now.queues[approach], now.waits[approach]);
        let is_wide = approach == 0 || approach == 2;
        let room = if is_wide { 4 } else { 2 };
        let room = (is_green && has_green(next, approach)).then_some(room);
        line.pass(room, arrivals, 40);
        after.queues[approach] = line.who.len() as u8;
        after.waits[approach] = line.wait.min(LONGEST.into()) as u8;
    }
    let mut people = Line::new(now.walkers, now.walkers_wait);
    let room = (is_green && next == Phase::Walk).then_some(usize::MAX);
    people.pass(room.map(|_| people.who.len()), arrivals[4], 40);
    after.walkers = people.who.len() as u8;
    after.walkers_wait = people.wait.min(LONGEST.into()) as u8;
    after.phase = next;
    after.clearing = red.max(1) - 1;
    after.green = match is_green {
        true => (now.green + 1).min(LONGEST),
        false => 0,
    };
    let waiting = after
        .queues
        .iter()
        .map(|queue| i16::from(*queue))
        .sum::<i16>();
    Some((after, -(waiting + i16::from(after.walkers))))
}

/// The features of a phase that is next, by letting time pass without arrivals.
pub fn features(now: &Crossing, next: Phase) -> Option<[i16; 7]> {
    let (after, _) = step(now, next, [0; 5])?;
    let served: Vec<usize> = (0..4)
        .filter(|approach| has_green(next, *approach))
        .collect();
    let total = |crossing: &Crossing| -> i16 {
        let queues = served
            .iter()
            .map(|approach| i16::from(crossing.queues[*approach]));
        queues.sum()
    };
    let mut later = after;
    for _ in 1..5 {
        (later, _) = step(&later, next, [0; 5])?;
    }
    let mut lost = 0;
    let mut crossing = *now;
    loop {
        (crossing, _) = step(&crossing, next, [0; 5])?;
        if crossing.green > 0 {
            break;
        }
        lost += 1;
    }
    let is_walk = next == Phase::Walk;
    let waits = served.iter().map(|approach| now.waits[*approach]);
    let wait = match is_walk {
        true => now.walkers_wait,
        false => waits.max().unwrap_or(0),
    };
    let released = total(now) - total(&after);
    let room = match (lost, next) {
        (0, Phase::NorthSouth) => 8,
        (0, Phase::EastWest) => 4,
        _ => 0,
    };
    Some([
        released,
        total(now),
        total(now) - total(&later),
        wait.into(),
        if is_walk { now.walkers.into() } else { 0 },
        lost,
        room - released,
    ])
}
