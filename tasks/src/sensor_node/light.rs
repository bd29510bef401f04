//! The light that a node sees: measured in the world, or drawn where there is no sensor.

use super::Weather;
use ipse::prelude::*;

/// A source of readings of the sun: a pyranometer, a photodiode, the short-circuit current of the cell, a trace in a
/// file. A closure is one.
pub trait Light {
    /// The mean irradiance of a horizontal surface in the hour that has passed, in W/m². `None` if nothing was measured.
    /// `hour` is that hour of the day, from 0 to 23: a sensor does not need it, a table does.
    fn irradiance(&mut self, hour: u8) -> Option<u16>;
}

impl<F: FnMut(u8) -> Option<u16>> Light for F {
    fn irradiance(&mut self, hour: u8) -> Option<u16> {
        self(hour)
    }
}

/// The light of some weather, drawn hour by hour, for a board that has no sensor.
///
/// ```
/// use ipse_tasks::sensor_node::{Light, Sky, Weather};
///
/// let mut sky = Sky::new(Weather::GREY, 1);
/// assert_eq!(sky.irradiance(0), Some(0));
/// assert!(sky.irradiance(12) < Some(171));
/// ```
#[derive(Clone, Debug)]
pub struct Sky {
    weather: Weather,
    clouds: u8,
    rng: XorShiftRng,
}

impl Sky {
    /// The sky over a place, under the darkest clouds at first.
    pub fn new(weather: Weather, seed: u64) -> Self {
        Sky {
            weather,
            clouds: super::CLOUDS as u8 - 1,
            rng: XorShiftRng::seed_from_u64(seed),
        }
    }
}

impl Light for Sky {
    fn irradiance(&mut self, hour: u8) -> Option<u16> {
        let number = (self.rng.next_u32() >> 24) as u16;
        self.clouds = self.weather.follow(self.clouds, number);
        let scaled = self
            .weather
            .scaled_irradiance(hour.into(), self.clouds.into());
        Some(u16::try_from(scaled >> 8).unwrap_or(u16::MAX))
    }
}
