//! A healthy task, and the same with one fault.

use ipse::prelude::*;
use std::cell::Cell;

/// What is wrong with a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Nothing,
    /// The weight is the same for all offers of a day.
    Constant,
    /// The weight is twice the effort, and what the day adds to both.
    Collinear,
    /// The weight is the difference of the others.
    Redundant,
    /// The weight exceeds its bound on some days.
    Bound,
    /// Every other time, offers come in reverse.
    Order,
    /// The weight is another whenever it is asked for.
    Values,
    /// The first offer is visited twice.
    Twice,
    /// There are more offers than there is room for.
    Room,
    /// There is a day without offers that is said not to be the last.
    Terminal,
    /// The last day is worth something.
    Value,
    /// A reward depends on how often it was asked for.
    Chance,
    /// Equal states differ in what follows.
    Equal,
    /// An offer that is not there panics.
    Illegal,
    /// A day of which there are few, one in a thousand, panics.
    Rare,
    /// The day is not saved.
    Saved,
    /// The day is saved in a range that it exceeds.
    Range,
    /// A reward is cut off at the end of its range.
    Reward,
    /// A promise is never kept.
    Promise,
    /// A picture is larger than its frame.
    Picture,
    /// There is one offer a day.
    Single,
    /// Every day is the last but one.
    Short,
    /// Every day is the last.
    Over,
}

/// A market with three offers a day, each with a gain, an effort and a weight. What counts is the gain, less the others.
#[derive(Clone, Copy, Debug)]
pub struct Market(pub Fault);

/// A day.
#[derive(Clone, Copy, Debug)]
pub struct Day {
    pub offers: [[u8; 3]; 3],
    pub day: u8,
    /// Not a part of the day, but for a fault.
    pub hidden: u8,
}

impl PartialEq for Day {
    fn eq(&self, other: &Self) -> bool {
        (self.offers, self.day) == (other.offers, other.day)
    }
}

/// The last day, if there is one.
const LAST: u8 = 99;

thread_local! {
    /// The number of calls so far, which a task must not depend on.
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

fn calls() -> u32 {
    CALLS.set(CALLS.get().wrapping_add(1));
    CALLS.get()
}

impl Market {
    fn draw_day<R: Rng + ?Sized>(self, day: u8, rng: &mut R) -> Day {
        let mut digit = || (rng.next_u32() >> 8) as u8 % 10;
        let offers = match self.0 {
            // Few different days, so that some are equal.
            Fault::Equal => [[digit() % 2, 0, 0], [0, 1, 0], [0, 0, 1]],
            _ => [(); 3].map(|()| [(); 3].map(|()| digit())),
        };
        let hidden = digit();
        Day {
            offers,
            day,
            hidden,
        }
    }

    fn weight(self, state: &Day, [gain, effort, weight]: [i16; 3]) -> i16 {
        let day = i16::from(state.day % 5);
        match self.0 {
            Fault::Constant => day,
            Fault::Collinear => 2 * effort + 3 * day,
            Fault::Redundant => gain - effort,
            Fault::Bound if state.day % 7 == 3 => weight + 30,
            Fault::Values => weight + (calls() % 4) as i16,
            _ => weight,
        }
    }

    fn is_last(self, state: &Day) -> bool {
        match self.0 {
            Fault::Terminal | Fault::Value => state.day == LAST,
            Fault::Short => state.day > 0,
            Fault::Over => true,
            _ => false,
        }
    }
}

impl Environment for Market {
    type State = Day;
    type Features = [i16; 3];
    type Actions = [Action; 3];

    const NAME: &'static str = "market";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("gain", 9),
        Feature::new("effort", 9),
        Feature::new("weight", 30),
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Day {
        self.draw_day(0, rng)
    }

    fn outcomes(&self, state: &Day, mut visit: impl FnMut(Outcome<Self::Features>)) {
        if self.is_last(state) {
            return;
        }
        let outcome = |action: usize| {
            let [gain, effort, weight] = state.offers[action % 3].map(i16::from);
            let weight = self.weight(state, [gain, effort, weight]);
            let promise = match self.0 {
                Fault::Promise => 100,
                Fault::Values => 0,
                _ => gain - effort - weight,
            };
            Outcome {
                action: action as Action,
                promise,
                features: [gain, effort, weight],
            }
        };
        let count = match self.0 {
            Fault::Room => 4,
            Fault::Single => 1,
            _ => 3,
        };
        match self.0 {
            Fault::Order if calls().is_multiple_of(2) => {
                (0..count).rev().for_each(|it| visit(outcome(it)))
            }
            _ => (0..count).for_each(|it| visit(outcome(it))),
        }
        if self.0 == Fault::Twice {
            visit(outcome(0));
        }
    }

    fn step<R: Rng + ?Sized>(&self, state: &Day, action: Action, rng: &mut R) -> (Day, i16) {
        let offers = match self.0 {
            Fault::Illegal => state.offers[usize::from(action)],
            _ => state.offers[usize::from(action) % 3],
        };
        let is_rare = state.offers[0] == [0; 3];
        assert!(self.0 != Fault::Rare || !is_rare, "no market today");
        let offer = offers.map(i16::from);
        let [gain, effort, _] = offer;
        let reward = match self.0 {
            Fault::Chance => (calls() % 5) as i16,
            Fault::Equal => state.hidden.into(),
            Fault::Reward if gain == 9 => i16::MAX,
            _ => gain - effort - self.weight(state, offer),
        };
        let next = match state.day {
            LAST if self.is_last(state) => LAST,
            LAST => 0,
            day => day + 1,
        };
        (self.draw_day(next, rng), reward)
    }

    fn is_terminal(&self, state: &Day) -> bool {
        self.is_last(state) && self.0 != Fault::Terminal
    }

    fn value(&self, state: &Day) -> i16 {
        if self.0 == Fault::Value && self.is_last(state) {
            7
        } else {
            0
        }
    }

    const PICTURE: (u16, u16) = (16, 16);

    fn draw(&self, state: &Day, canvas: &mut impl Canvas) {
        let width = if self.0 == Fault::Picture { 17 } else { 16 };
        canvas.fill(0, 0, width, (state.day % 16).into());
    }
}

impl Resumable for Market {
    const STATE_BITS: usize = 9 * 4 + 7 + 4;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text("market");
    }

    fn code_state(&self, state: &mut Day, codec: &mut impl Codec) -> Result<(), Invalid> {
        for offer in state.offers.as_flattened_mut() {
            codec.u8("offer", offer, 0..=9)?;
        }
        codec.u8("hidden", &mut state.hidden, 0..=9)?;
        match self.0 {
            Fault::Saved => Ok(()),
            Fault::Range => codec.u8("day", &mut state.day, 0..=50),
            _ => codec.u8("day", &mut state.day, 0..=LAST),
        }
    }
}
