//! A task of your own: when to water a garden. Run it with `cargo run --example own_task`.
//!
//! A valve opens once a day, for none to three litres. Plants grow if the soil is neither dry nor soaked; the sun
//! dries it, and it may rain. The forecast is right within a little. Water costs something as well. How much weighs
//! what is not told: the agent finds it out by simulation.

use ipse::prelude::*;

/// The days of a season.
const DAYS: u8 = 30;
/// The most that the soil holds; more runs off.
const SOAKED: i16 = 20;
/// The moisture at which plants grow.
const GOOD: std::ops::RangeInclusive<i16> = 6..=12;
/// The moisture that the sun takes in a day, and that a litre gives.
const SUN: i16 = 3;
const LITRE: i16 = 2;

#[derive(Clone, Copy)]
struct Garden;

/// Everything on which the next day depends.
#[derive(Clone, Copy, PartialEq)]
struct Day {
    number: u8,
    moisture: i16,
    /// The rain that is forecast.
    forecast: i16,
}

impl Day {
    /// The moisture of tomorrow, if it rains as forecast.
    fn expected(&self, litres: i16) -> i16 {
        (self.moisture + LITRE * litres + self.forecast - SUN).clamp(0, SOAKED)
    }
}

/// The growth of a day, less the price of the water.
fn reward(moisture: i16, litres: i16) -> i16 {
    let growth = if GOOD.contains(&moisture) { 10 } else { 0 };
    growth - litres
}

fn forecast(rng: &mut (impl Rng + ?Sized)) -> i16 {
    // It rains on one day in three.
    match rng.next_u32() % 3 {
        0 => (rng.next_u32() % 8) as i16,
        _ => 0,
    }
}

impl Environment for Garden {
    type State = Day;
    type Features = [i16; 3];
    type Actions = [Action; 4];

    const NAME: &'static str = "garden";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("too dry", 6),
        Feature::new("too wet", 8),
        Feature::new("litres", 3),
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Day {
        Day {
            number: 0,
            moisture: (rng.next_u32() % 20) as i16,
            forecast: forecast(rng),
        }
    }

    fn outcomes(&self, day: &Day, mut visit: impl FnMut(Outcome<Self::Features>)) {
        // The season is over when there is nothing left to do.
        if day.number >= DAYS {
            return;
        }
        for litres in 0..=3 {
            let moisture = day.expected(litres);
            let dry = (GOOD.start() - moisture).max(0);
            let wet = (moisture - GOOD.end()).max(0);
            visit(Outcome {
                action: litres as Action,
                promise: reward(moisture, litres),
                features: [dry, wet, litres],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, day: &Day, litres: Action, rng: &mut R) -> (Day, i16) {
        let litres = i16::from(litres);
        let error = (rng.next_u32() % 3) as i16 - 1;
        let moisture = (day.expected(litres) + error).clamp(0, SOAKED);
        let next = Day {
            number: day.number + 1,
            moisture,
            forecast: forecast(rng),
        };
        (next, reward(moisture, litres))
    }
}

/// The mean reward of a policy over many seasons.
fn score(policy: &Policy<[i16; 3]>, rng: &mut XorShiftRng) -> f64 {
    const SEASONS: u32 = 1000;
    let mut sum = 0;
    for _ in 0..SEASONS {
        let mut day = Garden.reset(rng);
        while let Some(action) = policy.choose(&Garden, &day, rng) {
            let (next, reward) = Garden.step(&day, action, rng);
            sum += i64::from(reward);
            day = next;
        }
    }
    sum as f64 / f64::from(SEASONS)
}

fn main() -> Result<(), Invalid> {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut agent = Agent::new(Garden, Ipse::new().check()?, &mut rng);
    println!(
        "any action:        {:6.1} a season",
        score(&Policy::random(), &mut rng)
    );
    for iterations in [10, 30, 60, 200] {
        while agent.progress().iterations < iterations {
            agent.step(&mut rng);
        }
        let score = score(&agent.policy(), &mut rng);
        println!("{iterations:4} iterations:   {score:6.1} a season");
    }

    println!("\nwhat it has learned:");
    for (feature, weight) in Garden::FEATURES.iter().zip(agent.weights()) {
        println!("{:>10} {weight:+.2}", feature.name);
    }
    Ok(())
}
