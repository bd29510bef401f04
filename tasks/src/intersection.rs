//! A traffic light that looks at the road: who goes next?
//!
//! This is a task without an end, in which every change has a price.
//!
//! # The task
//! Two roads cross. Vehicles come from the north and the south on two lanes, from the east and the west on one, and
//! people want to walk across. Every four seconds the light decides who has green: north and south, east and west, or
//! those on foot, in all directions at once. A change takes time in which nobody moves: vehicles have amber and then
//! red for one slot, and people who are on the road need two to reach the other side. The reward of a slot is minus
//! one for everybody who waits.
//!
//! # The features, as arguments
//! All are about one choice, "green for these next", and each speaks for it or against it in every state:
//!
//! | feature | for or against | the argument |
//! |---|---|---|
//! | released | + | vehicles that pass in this slot |
//! | queue | + | vehicles that would stop waiting for their turn |
//! | flow | + | vehicles that could pass within twenty seconds, the change included |
//! | wait | + | the longest wait that would be over |
//! | walkers | + | people who could walk |
//! | lost time | − | slots in which nobody moves |
//! | idle | − | room on a green lane that no vehicle uses |
//!
//! Released, flow and idle know how wide a road is; the queue does not.
//!
//! # Learning it
//! ```
//! use ipse::prelude::*;
//! use ipse_tasks::Intersection;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let mut agent = Agent::new(Intersection::default(), Ipse::new().check()?, &mut rng);
//! for _ in 0..100 {
//!     agent.step(&mut rng);
//! }
//! let [.., lost_time, _idle] = agent.weights();
//! assert!(lost_time < 0.0);
//! # Ok::<(), Invalid>(())
//! ```

pub mod baselines;

use ipse::prelude::*;

/// The approaches: north, east, south, west.
pub const APPROACHES: usize = 4;
/// The number of lanes of each approach.
pub const LANES: [u8; APPROACHES] = [2, 1, 2, 1];
/// The vehicles that a lane lets pass in a slot of four seconds: 1,800 an hour, a little less than the base saturation
/// flow of 1,900 in the Highway Capacity Manual.
pub const RELEASE: u8 = 2;
/// The most vehicles that wait in an approach. Others turn away before.
pub const QUEUE: u8 = 40;
/// The most people who wait.
pub const WALKERS: u8 = 40;
/// The longest time that is counted, in slots.
pub const LONGEST: u8 = 60;
/// The slots that people have green, at least: 8 s (the MUTCD asks for 7 s).
pub const WALK: u8 = 2;
/// The slots in which nobody moves when the light changes, by who had green. Vehicles: 3 s of amber (the least that the
/// MUTCD allows), and 1 s of red for all. People: 8 m at 1.07 m/s (3.5 feet a second in the MUTCD) take 7.5 s.
pub const CLEARING: [u8; PHASES] = [1, 1, 2];

/// The number of phases.
pub const PHASES: usize = 3;

/// Who has green. The number of a phase is that of the action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// North and south.
    NorthSouth,
    /// East and west.
    EastWest,
    /// Everybody on foot.
    Walk,
}

impl Phase {
    /// All phases, in the order of their numbers.
    pub const ALL: [Self; PHASES] = [Phase::NorthSouth, Phase::EastWest, Phase::Walk];

    /// The phase with this number, if there is one.
    pub fn of(action: Action) -> Option<Self> {
        Self::ALL.get(usize::from(action)).copied()
    }

    /// The number of the action.
    pub const fn action(self) -> Action {
        self as Action
    }

    /// Returns whether an approach has green.
    pub const fn serves(self, approach: usize) -> bool {
        match self {
            Phase::NorthSouth => approach.is_multiple_of(2),
            Phase::EastWest => !approach.is_multiple_of(2),
            Phase::Walk => false,
        }
    }
}

/// A state: 13 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The vehicles that wait in each approach.
    pub queues: [u8; APPROACHES],
    /// The slots for which the first of them has waited.
    pub waits: [u8; APPROACHES],
    /// The people who wait.
    pub walkers: u8,
    /// The slots for which the first of them has waited.
    pub walkers_wait: u8,
    /// The phase that has green, or will have it after clearing.
    pub phase: Phase,
    /// The slots of clearing that are left.
    pub clearing: u8,
    /// The slots for which the phase has had green.
    pub green: u8,
}

impl Crossing {
    /// Everybody who waits.
    pub fn waiting(&self) -> u16 {
        let queues = self.queues.iter().map(|queue| u16::from(*queue));
        queues.sum::<u16>() + u16::from(self.walkers)
    }

    /// Returns whether a phase may be next: during a clearing, and while people have only begun to walk, there is no
    /// choice.
    pub fn allows(&self, phase: Phase) -> bool {
        let is_walk_short = self.phase == Phase::Walk && self.green < WALK;
        phase == self.phase || self.clearing == 0 && !is_walk_short
    }

    /// The slots without green before a phase has it, if it is next.
    pub fn lost_time(&self, phase: Phase) -> u8 {
        match phase == self.phase {
            true => self.clearing,
            false => CLEARING[self.phase as usize],
        }
    }

    /// The vehicles of an approach that pass within so many slots of green.
    fn passing(&self, approach: usize, slots: u8) -> u8 {
        let room = LANES[approach % APPROACHES] * RELEASE * slots;
        self.queues[approach % APPROACHES].min(room)
    }
}

/// The task, with its arrival rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intersection {
    /// The probability, of 256, that a vehicle arrives within a second, for each approach.
    pub vehicles: [u8; APPROACHES],
    /// The same for people.
    pub walkers: u8,
}

impl Default for Intersection {
    /// 900, 500, 700 and 400 vehicles and 240 people an hour. (An assumption: a busy crossing. In the two directions that
    /// set the pace, 28 % and 25 % of all slots have to be green for them.)
    fn default() -> Self {
        Intersection {
            vehicles: [64, 36, 50, 28],
            walkers: 17,
        }
    }
}

/// The slots that the feature *flow* looks ahead.
const AHEAD: u8 = 5;
/// Vehicles that wait at the end of a rollout will do so for about so many slots more, and people for so many. By
/// Little's law these are the numbers that wait, over those that arrive in a slot: ten of 2.8, and four of 0.27.
const PATIENCE: i16 = 4;
const CYCLE: i16 = 15;

impl Environment for Intersection {
    type State = Crossing;
    type Features = [i16; 7];
    type Actions = [Action; PHASES];

    const NAME: &'static str = "intersection";

    /// The bounds: two approaches of two lanes release 2 · 2 · 2 vehicles in a slot, and five times as many in five;
    /// two queues are full; everything else is counted up to the bound.
    ///
    /// The units say that a slot of lost time is worth four vehicles, and that waiting is slow to hurt.
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("released", 8),
        Feature::new("queue", 2 * QUEUE as i16).unit(0.25),
        Feature::new("flow", 8 * AHEAD as i16).unit(0.5),
        Feature::new("wait", LONGEST as i16).unit(0.25),
        Feature::new("walkers", WALKERS as i16),
        Feature::new("lost time", 2).unit(4.0),
        Feature::new("idle", 8),
    ];

    /// Short queues, in any phase.
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Crossing {
        let draws = rng.next_u32().to_le_bytes();
        let [phase, walkers, ..] = rng.next_u32().to_le_bytes();
        Crossing {
            queues: draws.map(|draw| draw % 8),
            waits: [0; APPROACHES],
            walkers: walkers % 4,
            walkers_wait: 0,
            phase: Phase::ALL[usize::from(phase) % PHASES],
            clearing: 0,
            green: WALK,
        }
    }

    /// The promise is what is known of the reward: minus those who are left when the green lanes have moved. It is never
    /// above 0, and so it plays no part.
    fn outcomes(&self, crossing: &Crossing, mut visit: impl FnMut(Outcome<Self::Features>)) {
        for phase in Phase::ALL {
            if !crossing.allows(phase) {
                continue;
            }
            let lost_time = crossing.lost_time(phase);
            let is_green = u8::from(lost_time == 0);
            let [mut released, mut room, mut queue, mut flow, mut wait] = [0; 5];
            for approach in (0..APPROACHES).filter(|approach| phase.serves(*approach)) {
                released += crossing.passing(approach, is_green);
                room += LANES[approach] * RELEASE * is_green;
                queue += crossing.queues[approach];
                flow += crossing.passing(approach, AHEAD - lost_time.min(AHEAD));
                wait = crossing.waits[approach].max(wait);
            }
            let mut walkers = 0;
            if phase == Phase::Walk {
                (walkers, wait) = (crossing.walkers, crossing.walkers_wait);
            }
            let walked = walkers * is_green;
            let moved = u16::from(released) + u16::from(walked);
            visit(Outcome {
                action: phase.action(),
                promise: -(crossing.waiting().saturating_sub(moved) as i16),
                features: [
                    released,
                    queue,
                    flow,
                    wait,
                    walkers,
                    lost_time,
                    room - released,
                ]
                .map(i16::from),
            });
        }
    }

    /// A slot passes: green lanes move, and others arrive. Five random numbers are drawn whatever the action is.
    ///
    /// The reward is at least −(4 · 40 + 40).
    fn step<R: Rng + ?Sized>(
        &self,
        crossing: &Crossing,
        action: Action,
        rng: &mut R,
    ) -> (Crossing, i16) {
        let Some(phase) = Phase::of(action).filter(|phase| crossing.allows(*phase)) else {
            return (*crossing, 0);
        };
        let lost_time = crossing.lost_time(phase);
        let is_green = lost_time == 0;
        let mut next = Crossing {
            phase,
            clearing: lost_time.saturating_sub(1),
            green: match is_green {
                true => LONGEST.min(crossing.green.saturating_add(1)),
                false => 0,
            },
            ..*crossing
        };
        for (approach, chance) in self.vehicles.iter().enumerate() {
            let is_moving = is_green && phase.serves(approach);
            let passed = crossing.passing(approach, is_moving.into());
            let left = crossing.queues[approach].saturating_sub(passed);
            let queue = QUEUE.min(left.saturating_add(arrivals(*chance, rng)));
            next.queues[approach] = queue;
            next.waits[approach] = waited(crossing.waits[approach], queue, is_moving);
        }
        let is_walking = is_green && phase == Phase::Walk;
        let left = if is_walking { 0 } else { crossing.walkers };
        next.walkers = WALKERS.min(left.saturating_add(arrivals(self.walkers, rng)));
        next.walkers_wait = waited(crossing.walkers_wait, next.walkers, is_walking);
        (next, -(next.waiting() as i16))
    }

    /// Those who wait at the end of a rollout will go on waiting for some time. At least −(4 · 160 + 15 · 40).
    fn value(&self, crossing: &Crossing) -> i16 {
        let walkers = i16::from(crossing.walkers);
        let vehicles = crossing.waiting() as i16 - walkers;
        -(PATIENCE * vehicles + CYCLE * walkers)
    }

    fn describe(
        &self,
        _: &Crossing,
        action: Action,
        out: &mut impl core::fmt::Write,
    ) -> core::fmt::Result {
        out.write_str(match Phase::of(action) {
            Some(Phase::NorthSouth) => "green for north and south",
            Some(Phase::EastWest) => "green for east and west",
            Some(Phase::Walk) => "green for those on foot",
            None => "nothing",
        })
    }

    /// The crossing from above. Each approach has a bar that is as long as its queue, and a line across it if it has
    /// green; people wait in the upper left corner, and have a line below them if they may walk. During clearing there is
    /// a square in the middle.
    const PICTURE: (u16, u16) = (64, 64);

    fn draw(&self, crossing: &Crossing, canvas: &mut impl Canvas) {
        let is_green = crossing.clearing == 0;
        let [north, east, south, west] =
            crossing.queues.map(|queue| u16::from(queue.min(QUEUE)) / 2);
        canvas.fill(28, 22 - north, 3, north);
        canvas.fill(42, 28, east, 3);
        canvas.fill(33, 42, 3, south);
        canvas.fill(22 - west, 33, west, 3);
        for (approach, (x, y, width, height)) in [
            (24, 23, 16, 1),
            (40, 24, 1, 16),
            (24, 40, 16, 1),
            (23, 24, 1, 16),
        ]
        .into_iter()
        .enumerate()
        {
            if is_green && crossing.phase.serves(approach) {
                canvas.fill(x, y, width, height);
            }
        }
        for walker in 0..u16::from(crossing.walkers.min(WALKERS)) {
            canvas.fill(1 + 2 * (walker % 8), 1 + 3 * (walker / 8), 1, 2);
        }
        if is_green && crossing.phase == Phase::Walk {
            canvas.fill(1, 17, 17, 1);
        }
        if !is_green {
            canvas.fill(30, 30, 4, 4);
        }
        // The corners of the houses.
        for (x, y) in [(20, 20), (43, 20), (20, 43), (43, 43)] {
            canvas.fill(x, y, 1, 1);
        }
    }
}

/// The arrivals in four seconds.
fn arrivals<R: Rng + ?Sized>(chance: u8, rng: &mut R) -> u8 {
    let seconds = rng.next_u32().to_le_bytes();
    seconds.iter().map(|draw| u8::from(*draw < chance)).sum()
}

/// The slots for which the first of a queue has waited.
fn waited(before: u8, queue: u8, is_moving: bool) -> u8 {
    match is_moving || queue == 0 {
        true => 0,
        false => LONGEST.min(before.saturating_add(1)),
    }
}

impl Resumable for Intersection {
    /// The bits of the fields, one after the other.
    const STATE_BITS: usize = APPROACHES * (6 + 6) + 6 + 6 + 2 + 1 + 6;

    /// The arrival rates are a part of the identity of the task.
    fn identify(&self, codec: &mut impl Codec) {
        codec.text(Self::NAME);
        for chance in self.vehicles.iter().chain([&self.walkers]) {
            let _ = codec.bits((*chance).into(), 8);
        }
    }

    /// Fields that contradict each other are refused, too: a waiting time where nobody waits, green during clearing, and
    /// a second slot of clearing before people have green, since only their own phase takes two slots to clear.
    fn code_state(&self, crossing: &mut Crossing, codec: &mut impl Codec) -> Result<(), Invalid> {
        let groups = crossing.queues.iter_mut().zip(&mut crossing.waits);
        for (queue, wait) in groups {
            codec.u8("queue", queue, 0..=QUEUE)?;
            codec.u8("wait", wait, 0..=LONGEST)?;
            let longest = if *queue == 0 { 0 } else { LONGEST };
            Invalid::outside("wait", (*wait).into(), 0, longest.into())?;
        }
        codec.u8("walkers", &mut crossing.walkers, 0..=WALKERS)?;
        codec.u8("walkers' wait", &mut crossing.walkers_wait, 0..=LONGEST)?;
        let longest = if crossing.walkers == 0 { 0 } else { LONGEST };
        let wait = u32::from(crossing.walkers_wait);
        Invalid::outside("walkers' wait", wait, 0, longest.into())?;

        let mut phase = crossing.phase.action();
        codec.u8("phase", &mut phase, 0..=PHASES as u8 - 1)?;
        crossing.phase = Phase::of(phase).unwrap_or(crossing.phase);
        codec.u8("clearing", &mut crossing.clearing, 0..=1)?;
        let most = u32::from(crossing.phase != Phase::Walk);
        Invalid::outside("clearing", crossing.clearing.into(), 0, most)?;
        codec.u8("green", &mut crossing.green, 0..=LONGEST)?;
        let longest = if crossing.clearing > 0 { 0 } else { LONGEST };
        Invalid::outside("green", crossing.green.into(), 0, longest.into())
    }
}
