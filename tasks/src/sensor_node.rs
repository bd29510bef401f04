//! A sensor that lives on light: when to measure, and when to send.
//!
//! This is a task without an end, in which what an action is worth shows hours later. Its figures are those of parts
//! that one can buy; each constant says where it comes from, and which part of it is an assumption.
//!
//! # The task
//! A node measures carbon dioxide outdoors. It lives on a solar cell of the size of a coin and a supercapacitor. At
//! the beginning of every hour it decides how many readings to take, from 0 to 4, and how much of its queue to send
//! after that: nothing, half or all of it. That makes 15 actions.
//!
//! A reading counts when it is delivered. The first of an hour is worth 16 points, the next half of that, and so on;
//! a reading that waits loses an eighth of its worth every hour. Sending takes energy: a frame does, however short it
//! is, and how much depends on the link, which changes from hour to hour. Light comes by day, and clouds that have a
//! memory take some of it. If the store runs dry, the node browns out: the queue is lost, there is a gap in the
//! record, and it takes hours until the node is back.
//!
//! A charge that is spent in the afternoon is missing at four in the morning; one that is not spent may be lost
//! when the store is full at noon.
//!
//! # The features, as arguments
//! A feature should speak for or against an action whatever the state is. "The battery is low" does not: it speaks
//! neither for nor against a reading, it makes energy dear. So the arguments here are about what an action does, and
//! the state decides how much of it there is:
//!
//! | feature | for or against | the argument |
//! |---|---|---|
//! | record | + | readings are what the node is for |
//! | waiting | − | what waits in the queue loses worth, and is lost in a brown-out |
//! | energy | − | what is spent now cannot be spent later |
//! | radio premium | − | the same frame would be cheaper over a better link |
//! | scarcity | − | energy that is spent when little is left and little is expected |
//! | surplus | + | energy that the full store would have lost |
//! | reserve | − | energy that was meant for the night |
//! | overdraft | − | energy that may not be there at all |
//!
//! The last five are parts of the energy that an action takes, in steps of 16 mJ. All in all an action may be
//! scored like a bill: what it brings, what it costs, and surcharges where energy is dear.
//!
//! # Learning it
//! ```
//! use ipse::prelude::*;
//! use ipse_tasks::SensorNode;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let mut agent = Agent::new(SensorNode::default(), Ipse::new().check()?, &mut rng);
//! for _ in 0..60 {
//!     agent.step(&mut rng);
//! }
//! let [record, ..] = agent.weights();
//! assert!(record > 0.0);
//! # Ok::<(), Invalid>(())
//! ```
//!
//! # On a device
//! The agent plans with the model, and the device acts in the world. What a device measures takes the place of what the
//! model expects: [`SensorNode::step_in`] is an hour under the [`Light`] that a sensor has seen, which moves the charge
//! and tells how cloudy it was. A device that measures more sets more: the charge, the link and the queue are fields of
//! [`Node`].

pub mod baselines;
mod light;

pub use light::{Light, Sky};

use ipse::prelude::*;

/// The most readings in an hour.
pub const READINGS: u8 = 4;
/// The worth of no, one, two, three and four readings of the same hour, in points.
pub const WORTH: [u8; 5] = [0, 16, 24, 28, 30];
/// The worth of the first reading of an hour.
const FIRST: u16 = WORTH[1] as u16;
/// The most readings in the queue.
pub const QUEUE: u8 = 24;
/// A reading that waits loses one part in so many of its worth every hour.
pub const AGEING: u16 = 8;
/// The points that a brown-out costs: the first readings of the [hours](OUTAGE) that are missing in the record.
pub const GAP: i16 = 48;
/// The fewest hours without power after a brown-out, in which the node joins its network again and the sensor settles.
/// (An assumption.)
pub const OUTAGE: u8 = 3;

// Energies are in millijoules at the load, after a converter that delivers 90 % of what it takes from the store. That is
// an assumption: the Texas Instruments TPS63900 stays above 80 % from 1 µA on, and reaches 96 % (SLYY203B, figure 10).

/// The energy of the full store: a supercapacitor of 5 F from 5.0 V (Eaton PHB-5R0V505-R: 5 F, 5.0 V) down to 2.4 V
/// (the lowest supply of the sensor: data sheet SCD4x, 2.4 V to 5.5 V). ½ · 5 F · (5.0² − 2.4²) V² = 48.1 J, of which
/// 90 % reach the load.
pub const STORE: u16 = 43_290;
/// The charge at which the node starts again after a brown-out, at 2.8 V: ½ · 5 F · (2.8² − 2.4²) V² · 90 %.
pub const RESTART: u16 = 4_680;
/// The energy of a reading: two single shots of a Sensirion SCD41, since the first after power-up is to be discarded.
/// 243 mJ each, which is typical; 296 mJ is the most (data sheet SCD4x, version 1.3, section 3.10).
pub const READING: u16 = 486;
/// The energy that an hour takes anyway: clock, charger and converter, 14 µW. (An assumption. The charger takes 330 nA to
/// 570 nA while it does not charge: BQ25504, data sheet SLUSAH0, typical values. The converter takes 75 nA: data sheet of
/// the TPS63901, its twin. The leakage of the store is left out, and may be more than all of this: Eaton states 12 µA
/// after 72 hours for a pack of 1 F at 5.0 V, Technical Data 4393, which is 216 mJ an hour.)
pub const IDLE: u16 = 50;
/// The energy of an hour in light of 1 W/m². The cell is an ANYSOLAR KXOB25-05X3F, 23 mm × 8 mm, 30.7 mW at 1,000 W/m²
/// (1.67 V · 18.4 mA). That its power is in proportion to the light, that the charger, a Texas Instruments BQ25504,
/// delivers 80 % and the converter 90 % of that are assumptions: 30.7 µW · 0.8 · 0.9 · 3,600 s = 79.6 mJ.
const HARVEST: u32 = 80;

/// The number of prices of the radio.
pub const PRICES: usize = 4;
/// The spreading factor of each price: the worse the link, the slower the radio has to send.
const SPREADING: [u32; PRICES] = [9, 10, 11, 12];
/// The most readings in a frame: 4 bytes each, a number and a time, of the 51 bytes that LoRaWAN allows at the spreading
/// factors 10 to 12 in Europe (Regional Parameters RP002, EU863–870).
const FRAME: usize = 12;
/// The power of the radio while it sends, in microwatts: 118 mA at 3.3 V, for the +22 dBm that a Semtech SX1262 can send.
/// (The current is an assumption that was not checked against its data sheet. So is the power: Europe allows 16 dBm of
/// EIRP on most channels, so that the antenna would have to lose 6 dB.)
const TRANSMIT: u64 = 389_400;

/// The energy of a frame, by price and number of readings. Nothing is sent if there are none.
const FRAMES: [[u16; FRAME + 1]; PRICES] = {
    let mut frames = [[0; FRAME + 1]; PRICES];
    let mut price = 0;
    while price < PRICES {
        let mut readings = 1;
        while readings <= FRAME {
            // 13 bytes of every frame are LoRaWAN's own.
            let microseconds = air_time(SPREADING[price], 13 + 4 * readings as u32);
            frames[price][readings] = (microseconds as u64 * TRANSMIT / 1_000_000_000) as u16;
            readings += 1;
        }
        price += 1;
    }
    frames
};

/// The time in microseconds that a frame of so many bytes is in the air: at 125 kHz, with coding rate 4/5, a preamble
/// of 8 symbols, a header and a checksum (Semtech AN1200.13).
const fn air_time(spreading: u32, bytes: u32) -> u32 {
    // At the slowest two, symbols carry two bits less.
    let bits = if spreading >= 11 {
        spreading - 2
    } else {
        spreading
    };
    let payload = 8 + (8 * bytes + 44 - 4 * spreading).div_ceil(4 * bits) * 5;
    // 12.25 symbols of preamble, and 8 µs · 2^spreading each.
    (49 + 4 * payload) * (2 << spreading)
}

/// The number of levels of cloudiness.
pub const CLOUDS: usize = 4;

/// The light at a place and a time of the year: what the sky would give without clouds, and clouds with a memory.
///
/// These are the parameters to fit to a trace of irradiance, by `cargo ipse weather FILE.csv`. All fields are plain
/// numbers, so that what `{:?}` prints is Rust again:
///
/// ```
/// use ipse_tasks::sensor_node::Weather;
/// let always_noon = Weather {
///     clear_sky: [100; 24],
///     light: [256, 192, 128, 64],
///     next: [[64; 4]; 4],
/// };
/// assert_eq!(
///     format!("{always_noon:?}").replace("100, ", "").as_str(),
///     "Weather { clear_sky: [100], light: [256, 192, 128, 64], \
///      next: [[64, 64, 64, 64], [64, 64, 64, 64], [64, 64, 64, 64], [64, 64, 64, 64]] }"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weather {
    /// The irradiance of a horizontal surface under a clear sky, the mean of each hour of the day, in W/m².
    pub clear_sky: [u16; 24],
    /// The share of it that each level of cloudiness lets through, of 256. The last level is the darkest.
    pub light: [u16; CLOUDS],
    /// The probabilities, of 256, of the levels of the next hour, for each level. The sum of a row is 256.
    pub next: [[u16; CLOUDS]; CLOUDS],
}

impl Weather {
    /// Hamburg on the shortest day of the year: six hours of light.
    ///
    /// Clear sky and light are those of Kasten and Czeplak (Solar Energy 24, 1980, from ten years of hourly data of
    /// Hamburg): 910 W/m² · sin γ − 30 W/m² at a solar elevation γ, here in the middle of each hour at 53.55° N, and
    /// 1 − ¾ (N/8)^3.4 at a cloudiness of N oktas, here 0, 6, 7 and 8. How clouds follow each other is an assumption:
    /// a level lasts for three to eight hours.
    pub const HAMBURG: Self = Weather {
        clear_sky: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 72, 137, 171, 171, 137, 72, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ],
        light: [256, 184, 134, 64],
        next: [
            [224, 24, 6, 2],
            [36, 168, 40, 12],
            [6, 36, 168, 46],
            [4, 8, 20, 224],
        ],
    };

    /// A December in Hamburg in which the sun is hardly seen, and whose clouds are thicker than those that
    /// [`HAMBURG`](Self::HAMBURG) knows. (An assumption, for a node that has to live in other weather than that of its
    /// model.)
    pub const GREY: Self = Weather {
        light: [205, 120, 77, 31],
        next: [
            [128, 96, 24, 8],
            [32, 128, 72, 24],
            [8, 32, 136, 80],
            [2, 6, 24, 224],
        ],
        ..Self::HAMBURG
    };

    /// The highest irradiance that a field may have, in W/m²: more than the sun sends to the Earth.
    pub const BRIGHTEST: u16 = 1_500;

    const fn validate(&self) -> Result<(), Invalid> {
        let mut hour = 0;
        while hour < 24 {
            if self.clear_sky[hour] > Self::BRIGHTEST {
                let light = self.clear_sky[hour] as u32;
                return Err(Invalid::text("clear_sky", light, "from 0 to 1500").at(hour));
            }
            hour += 1;
        }
        let mut level = 0;
        while level < CLOUDS {
            if self.light[level] > 256 {
                let light = self.light[level] as u32;
                return Err(Invalid::text("light", light, "from 0 to 256").at(level));
            }
            let [a, b, c, d] = self.next[level];
            let sum = a as u32 + b as u32 + c as u32 + d as u32;
            if sum != 256 {
                return Err(Invalid::text("sum of next", sum, "256").at(level));
            }
            level += 1;
        }
        Ok(())
    }

    /// The energy that an hour brings under a level of cloudiness.
    const fn income(&self, hour: usize, clouds: usize) -> u32 {
        (self.scaled_irradiance(hour, clouds) * HARVEST) >> 8
    }

    /// The irradiance in an hour under a level of cloudiness, in 256ths of 1 W/m².
    const fn scaled_irradiance(&self, hour: usize, clouds: usize) -> u32 {
        self.clear_sky[hour % 24] as u32 * self.light[clouds % CLOUDS] as u32
    }

    /// The level of an hour that follows a level, by a number below 256.
    fn follow(&self, clouds: u8, number: u16) -> u8 {
        let mut left = number;
        for (level, probability) in (0..).zip(self.next[usize::from(clouds) % CLOUDS]) {
            match left.checked_sub(probability) {
                Some(rest) => left = rest,
                None => return level,
            }
        }
        clouds
    }
}

/// A state of the node: 10 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The hour of the day that begins.
    pub hour: u8,
    /// The level of cloudiness in the hour that has passed.
    pub clouds: u8,
    /// The price of the radio: 0 is cheap, 3 is dear.
    pub price: u8,
    /// The number of readings that wait to be sent.
    pub queue: u8,
    /// What they are worth, in points.
    pub worth: u16,
    /// The energy in the store, in millijoules.
    pub charge: u16,
    /// The hours without power that are left, at least. 0 if the node has power.
    pub outage: u8,
}

/// The task: the weather, and what is to be expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorNode {
    weather: Weather,
    /// For each hour and level of cloudiness before it.
    forecasts: [[Forecast; CLOUDS]; 24],
}

/// What is to be expected, in millijoules. What is beyond 16 bits is more than any store has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Forecast {
    /// The income of the next six hours.
    soon: u16,
    /// The income of the next day.
    day: u16,
    /// What the store would have to lend at most in the next day, if the node took one reading an hour.
    reserve: u16,
}

/// The hours that are soon: a morning or an afternoon.
const SOON: usize = 6;
/// The energy of an hour with one reading, and with its share of a frame.
const MODEST: u32 = IDLE as u32 + READING as u32 + 64;

impl SensorNode {
    /// The node in [Hamburg](Weather::HAMBURG), as a constant for a place in flash.
    pub const HAMBURG: Self = Self::of(Weather::HAMBURG);

    /// The task under some weather. Refuses probabilities that do not add up, and light that cannot be.
    pub const fn new(weather: Weather) -> Result<Self, Invalid> {
        if let Err(invalid) = weather.validate() {
            return Err(invalid);
        }
        Ok(Self::of(weather))
    }

    /// Computes the forecasts: the expected income of n hours is that of the first, and of n − 1 after it.
    const fn of(weather: Weather) -> Self {
        let nothing = Forecast {
            soon: 0,
            day: 0,
            reserve: 0,
        };
        let mut forecasts = [[nothing; CLOUDS]; 24];
        let mut income = [[0u32; CLOUDS]; 24];
        let mut hours = 1;
        while hours <= 24 {
            let before = income;
            let mut hour = 0;
            while hour < 24 {
                let mut clouds = 0;
                while clouds < CLOUDS {
                    let mut sum = 128;
                    let mut next = 0;
                    while next < CLOUDS {
                        let probability = weather.next[clouds][next] as u32;
                        let ahead = weather.income(hour, next) + before[(hour + 1) % 24][next];
                        sum += probability * ahead;
                        next += 1;
                    }
                    let expected = sum >> 8;
                    income[hour][clouds] = expected;
                    let forecast = &mut forecasts[hour][clouds];
                    if hours == SOON {
                        forecast.soon = clamped(expected);
                    }
                    forecast.day = clamped(expected);
                    let lent = clamped((hours as u32 * MODEST).saturating_sub(expected));
                    if lent > forecast.reserve {
                        forecast.reserve = lent;
                    }
                    clouds += 1;
                }
                hour += 1;
            }
            hours += 1;
        }
        SensorNode { weather, forecasts }
    }

    /// The weather.
    pub const fn weather(&self) -> &Weather {
        &self.weather
    }

    /// The state, with clouds as they were according to the light that was measured in the hour that has passed, in
    /// W/m² of a horizontal surface. At night nothing can be seen of them, and they stay as the model has them.
    ///
    /// ```
    /// use ipse::prelude::*;
    /// use ipse_tasks::SensorNode;
    ///
    /// let node = SensorNode::default();
    /// let state = node.reset(&mut XorShiftRng::seed_from_u64(1));
    /// let noon = ipse_tasks::sensor_node::Node { hour: 12, ..state };
    /// assert_eq!(node.observe(&noon, 170).clouds, 0);
    /// assert_eq!(node.observe(&noon, 40).clouds, 3);
    /// ```
    #[must_use]
    pub fn observe(&self, node: &Node, light: u16) -> Node {
        let passed = (usize::from(node.hour) + 23) % 24;
        let clear = u32::from(self.weather.clear_sky[passed]);
        let mut nearest = (node.clouds, u32::MAX);
        if clear >= DUSK {
            for (clouds, share) in (0..).zip(self.weather.light) {
                let distance = ((clear * u32::from(share)) >> 8).abs_diff(light.into());
                if distance < nearest.1 {
                    nearest = (clouds, distance);
                }
            }
        }
        let clouds = nearest.0;
        Node { clouds, ..*node }
    }

    /// An hour that passes in the world: a [`step`](Environment::step) in which charge and clouds follow the light that
    /// was measured, and not the weather of the model. Where nothing was measured, they follow the model.
    ///
    /// ```
    /// use ipse::prelude::*;
    /// use ipse_tasks::SensorNode;
    /// use ipse_tasks::sensor_node::Node;
    ///
    /// let node = SensorNode::default();
    /// let mut rng = XorShiftRng::seed_from_u64(1);
    /// let noon = Node { hour: 12, charge: 10_000, ..node.reset(&mut rng) };
    /// // A sensor has seen 50 W/m², which brings 4 J.
    /// let mut sensor = |_hour: u8| Some(50);
    /// let (one_o_clock, _) = node.step_in(&mut sensor, &noon, 0, &mut rng);
    /// assert_eq!(one_o_clock.clouds, 3);
    /// assert_eq!(one_o_clock.charge, 10_000 + 4_000 - ipse_tasks::sensor_node::IDLE);
    /// ```
    pub fn step_in<L: Light, R: Rng + ?Sized>(
        &self,
        light: &mut L,
        node: &Node,
        action: Action,
        rng: &mut R,
    ) -> (Node, i16) {
        self.pass(node, action, light.irradiance(node.hour), rng)
    }

    /// An hour with the light that was measured in it, or with that of the model.
    ///
    /// Exactly one random number is drawn if the action is legal, whatever it is and whatever the light was.
    #[inline(always)]
    fn pass<R: Rng + ?Sized>(
        &self,
        node: &Node,
        action: Action,
        light: Option<u16>,
        rng: &mut R,
    ) -> (Node, i16) {
        let Some(effect) = Plan::of(action).and_then(|plan| node.effect(plan)) else {
            return (*node, 0);
        };
        let number = rng.next_u32();
        let clouds = self.weather.follow(node.clouds, (number >> 24) as u16);
        let later = Node {
            hour: (node.hour + 1) % 24,
            clouds,
            price: fade(node.price, (number >> 16) as u8),
            ..*node
        };
        let (later, income) = match light {
            Some(light) => (self.observe(&later, light), u32::from(light) * HARVEST),
            None => (later, self.weather.income(node.hour.into(), clouds.into())),
        };
        let available = u32::from(node.charge) + income;
        let Some(left) = available.checked_sub(effect.energy.into()) else {
            return (later.browned_out(), -GAP);
        };
        let charge = clamped(left).min(STORE);
        let next = Node {
            queue: effect.queue,
            worth: effect.worth - effect.worth.div_ceil(AGEING),
            charge,
            outage: match node.outage {
                0 => 0,
                // The counter waits for the sun.
                1 => u8::from(charge < RESTART),
                more => more - 1,
            },
            ..later
        };
        (next, effect.delivered as i16)
    }

    fn forecast(&self, node: &Node) -> &Forecast {
        &self.forecasts[usize::from(node.hour) % 24][usize::from(node.clouds) % CLOUDS]
    }

    /// The expected income of the next day, in millijoules.
    pub fn expected_income(&self, node: &Node) -> u16 {
        self.forecast(node).day
    }
}

/// The irradiance of a clear sky, in W/m², below which nothing can be said about clouds.
pub const DUSK: u32 = 20;

const fn clamped(energy: u32) -> u16 {
    if energy > u16::MAX as u32 {
        u16::MAX
    } else {
        energy as u16
    }
}

impl Default for SensorNode {
    /// The node in [Hamburg](Weather::HAMBURG).
    fn default() -> Self {
        Self::HAMBURG
    }
}

/// How much of the queue is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Send {
    /// Nothing.
    None,
    /// Half of it, rounded up.
    Half,
    /// All of it.
    All,
}

/// An action: readings, and then frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of readings to take.
    pub readings: u8,
    /// How much of the queue to send after that, the new readings included.
    pub send: Send,
}

impl Plan {
    /// All plans, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=READINGS).flat_map(|readings| {
            let sends = [Send::None, Send::Half, Send::All];
            sends.map(|send| Plan { readings, send })
        })
    }

    /// The number of the action.
    pub const fn action(self) -> Action {
        3 * self.readings + self.send as u8
    }

    /// The plan with this number, if there is one.
    pub const fn of(action: Action) -> Option<Self> {
        let send = match action % 3 {
            0 => Send::None,
            1 => Send::Half,
            _ => Send::All,
        };
        let readings = action / 3;
        match readings <= READINGS {
            true => Some(Plan { readings, send }),
            false => None,
        }
    }
}

/// What a plan does, as far as it is not left to the weather.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effect {
    /// The points of the readings that are taken.
    record: u16,
    /// The points that are delivered.
    delivered: u16,
    /// The readings in the queue after that, and their worth.
    queue: u8,
    worth: u16,
    /// The energy that is spent in all, and that of the frames.
    energy: u16,
    frames: u16,
    /// The energy that the same frames would take over the best link.
    cheapest: u16,
}

impl Node {
    /// Returns whether the node has power.
    pub const fn is_on(&self) -> bool {
        self.outage == 0
    }

    /// The energy that a plan takes, in millijoules. `None` if it is not legal.
    pub fn energy(&self, plan: Plan) -> Option<u16> {
        self.effect(plan).map(|effect| effect.energy)
    }

    /// What a plan does. `None` if it is not legal: without power there is nothing to do but to wait, what does not
    /// fit into the queue cannot be read, what is not there cannot be sent, and half of one reading is all.
    fn effect(&self, plan: Plan) -> Option<Effect> {
        let queue = self.queue.saturating_add(plan.readings);
        let is_idle = queue == self.queue && plan.send == Send::None;
        let sent = match plan.send {
            Send::None => 0,
            Send::Half => queue.div_ceil(2),
            Send::All => queue,
        };
        let is_legal = match plan.send {
            Send::None => true,
            Send::Half => queue > 1,
            Send::All => queue > 0,
        };
        if !is_legal || queue > QUEUE || !(self.is_on() || is_idle) {
            return None;
        }
        let record = u16::from(WORTH[usize::from(plan.readings) % WORTH.len()]);
        let worth = self.worth.saturating_add(record);
        let share = u32::from(worth) * u32::from(sent);
        let delivered = share.checked_div(queue.into()).unwrap_or(0) as u16;
        let frames = frames(self.price, sent);
        let idle = if self.is_on() { IDLE } else { 0 };
        Some(Effect {
            record,
            delivered,
            queue: queue - sent,
            worth: worth - delivered,
            energy: idle + READING * u16::from(plan.readings) + frames,
            frames,
            cheapest: crate::sensor_node::frames(0, sent),
        })
    }
}

/// The energy of the frames for so many readings, in millijoules.
fn frames(price: u8, readings: u8) -> u16 {
    let frames = &FRAMES[usize::from(price) % PRICES];
    let readings = usize::from(readings.min(QUEUE));
    (readings / FRAME) as u16 * frames[FRAME] + frames[readings % FRAME]
}

/// The energy that one step of a feature stands for, in millijoules.
const STEP: u16 = 16;
/// The most energy that an action takes, in steps: four readings, and two full frames over the worst link.
const STEPS: i16 = {
    let frames = 2 * FRAMES[PRICES - 1][FRAME];
    ((IDLE + READINGS as u16 * READING + frames) / STEP) as i16
};
/// The worth of a step. A second reading brings 8 points for 600 mJ, its share of a frame included, so that a point
/// is worth 75 mJ, and a step about a quarter of a point.
const STEP_WORTH: f32 = 0.25;
/// The energy that is worth a point, in millijoules.
const POINT: u16 = 100;

impl Environment for SensorNode {
    type State = Node;
    type Features = [i16; 8];
    type Actions = [Action; 15];

    const NAME: &'static str = "sensor-node";

    /// The bounds, derived: four readings are worth 30 points; the queue has room for 24 readings, each worth 16 at
    /// most; every part of the energy is at most all of it.
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("record", WORTH[READINGS as usize] as i16),
        Feature::new("waiting", QUEUE as i16 * FIRST as i16).unit(0.25),
        Feature::new("energy", STEPS).unit(STEP_WORTH),
        Feature::new("radio premium", STEPS).unit(STEP_WORTH),
        Feature::new("scarcity", STEPS).unit(STEP_WORTH),
        Feature::new("surplus", STEPS).unit(STEP_WORTH),
        Feature::new("reserve", STEPS).unit(STEP_WORTH),
        Feature::new("overdraft", STEPS).unit(STEP_WORTH),
    ];

    /// Any hour, any weather, any link, and a store that is at least a quarter full.
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Node {
        let mut below = |n: u16| ((u32::from(n) * (rng.next_u32() >> 16)) >> 16) as u16;
        Node {
            hour: below(24) as u8,
            clouds: below(CLOUDS as u16) as u8,
            price: below(PRICES as u16) as u8,
            queue: 0,
            worth: 0,
            charge: STORE / 4 + below(STORE - STORE / 4 + 1),
            outage: 0,
        }
    }

    /// What is sent is delivered, unless the store runs dry before: that much can be promised.
    fn outcomes(&self, node: &Node, mut visit: impl FnMut(Outcome<Self::Features>)) {
        let arguments = Arguments::new(self, node);
        for plan in Plan::all() {
            if let Some(effect) = node.effect(plan) {
                visit(Outcome {
                    action: plan.action(),
                    promise: effect.delivered as i16,
                    features: arguments.about(&effect),
                });
            }
        }
    }

    /// An hour passes. Exactly one random number is drawn whatever the action is, so that the weather does not depend on
    /// what the node does.
    ///
    /// The reward is at most the worth of a full queue, 24 · 16 points, and at least −[`GAP`].
    fn step<R: Rng + ?Sized>(&self, node: &Node, action: Action, rng: &mut R) -> (Node, i16) {
        self.pass(node, action, None, rng)
    }

    /// A rollout of ten hours sees no dawn from midnight. What the node has at its end is what it can make readings of
    /// later: the queue, a little older, and the charge, at 100 mJ a point. An outage will cost the first readings of its
    /// hours.
    ///
    /// At most 336 + 432 points, and at least −48.
    fn value(&self, node: &Node) -> i16 {
        let queue = node.worth - node.worth / AGEING;
        (queue + node.charge / POINT) as i16 - i16::from(node.outage) * FIRST as i16
    }

    fn describe(
        &self,
        _: &Node,
        action: Action,
        out: &mut impl core::fmt::Write,
    ) -> core::fmt::Result {
        let Some(Plan { readings, send }) = Plan::of(action) else {
            return write!(out, "action {action}");
        };
        match readings {
            0 => write!(out, "no reading")?,
            1 => write!(out, "1 reading")?,
            _ => write!(out, "{readings} readings")?,
        }
        out.write_str(match send {
            Send::None => ", send nothing",
            Send::Half => ", send half",
            Send::All => ", send all",
        })
    }

    /// The sky above a store and a queue. The sun stands where it is at this hour, behind as many clouds as there are;
    /// the store is full to its upper edge; the queue has a dot for each reading, and the link a staircase that is the
    /// higher, the better it is. Without power there is a cross instead of the queue.
    const PICTURE: (u16, u16) = (64, 40);

    fn draw(&self, node: &Node, canvas: &mut impl Canvas) {
        let hour = u16::from(node.hour.min(23));
        let clear = self.weather.clear_sky[usize::from(hour)];
        if clear > 0 {
            canvas.fill(3 + 5 * (hour / 2), 1, 5, 5);
        } else {
            canvas.fill(3 + 5 * (hour / 2), 2, 2, 3);
        }
        for cloud in 0..u16::from(node.clouds.min(3)) {
            canvas.fill(4 + 8 * cloud, 8 + 2 * (cloud % 2), 36, 1);
        }
        // The horizon, and the store with its frame.
        canvas.fill(0, 13, 64, 1);
        canvas.fill(2, 16, 12, 1);
        canvas.fill(2, 38, 12, 1);
        canvas.fill(2, 16, 1, 23);
        canvas.fill(13, 16, 1, 23);
        let level = (u32::from(node.charge.min(STORE)) * 20 / u32::from(STORE)) as u16;
        canvas.fill(4, 37 - level, 8, level + 1);
        if node.is_on() {
            for reading in 0..u16::from(node.queue.min(QUEUE)) {
                canvas.fill(18 + 4 * (reading % 6), 35 - 5 * (reading / 6), 3, 3);
            }
            for step in 0..4 - u16::from(node.price.min(3)) {
                canvas.fill(46 + 4 * step, 35 - 4 * step, 3, 3 + 4 * step);
            }
        } else {
            for x in 0..18 {
                canvas.fill(22 + x, 18 + x, 2, 2);
                canvas.fill(22 + x, 35 - x, 2, 2);
            }
        }
    }
}

/// The link is as good as in the hour before, or one spreading factor better or worse, each with a probability of one
/// quarter. (An assumption.)
const fn fade(price: u8, number: u8) -> u8 {
    match number >> 6 {
        0 if price > 0 => price - 1,
        1 if price < PRICES as u8 - 1 => price + 1,
        _ => price,
    }
}

impl Node {
    const fn browned_out(self) -> Self {
        Node {
            queue: 0,
            worth: 0,
            charge: 0,
            outage: OUTAGE,
            ..self
        }
    }
}

/// What is the same for all actions of a state.
struct Arguments {
    /// How scarce energy is, from 0 to 16: what two stores would hold, less what there is and what is expected within a
    /// day.
    scarcity: u32,
    /// The energy that will not fit into the store.
    surplus: u16,
    /// The energy that is there beyond the reserve.
    free: u16,
    /// The energy that is there even under the darkest sky.
    certain: u16,
}

impl Arguments {
    fn new(task: &SensorNode, node: &Node) -> Self {
        let forecast = task.forecast(node);
        let charge = u32::from(node.charge);
        let wealth = charge + u32::from(forecast.day);
        let dark = task.weather.income(node.hour.into(), CLOUDS - 1);
        Arguments {
            scarcity: (2 * u32::from(STORE)).saturating_sub(wealth) * 16 / (2 * u32::from(STORE)),
            surplus: clamped((charge + u32::from(forecast.soon)).saturating_sub(STORE.into())),
            free: node.charge.saturating_sub(forecast.reserve),
            certain: clamped(charge + dark),
        }
    }

    fn about(&self, effect: &Effect) -> [i16; 8] {
        let energy = effect.energy;
        let scarce = (u32::from(energy) * self.scarcity / 16) as u16;
        let energies = [
            energy,
            effect.frames - effect.cheapest,
            scarce,
            energy.min(self.surplus),
            energy.saturating_sub(self.free),
            energy.saturating_sub(self.certain),
        ];
        let [energy, premium, scarce, surplus, reserve, overdraft] =
            energies.map(|energy| (energy / STEP) as i16);
        [
            effect.record as i16,
            effect.worth as i16,
            energy,
            premium,
            scarce,
            surplus,
            reserve,
            overdraft,
        ]
    }
}

impl Resumable for SensorNode {
    /// The bits of the fields, one after the other. Every state is written in as many.
    const STATE_BITS: usize = 5 + 2 + 2 + 5 + 9 + 16 + 2;

    /// The weather is a part of the task: what was learned in Hamburg is not resumed in Cairo.
    fn identify(&self, codec: &mut impl Codec) {
        codec.text(Self::NAME);
        let Weather {
            clear_sky,
            light,
            next,
        } = self.weather;
        let numbers = clear_sky.iter().chain(&light).chain(next.as_flattened());
        for number in numbers {
            let _ = codec.bits((*number).into(), 16);
        }
    }

    /// Fields that do not go together are refused, too: a reading is worth no more than when it was taken, and a node
    /// without power has no queue.
    fn code_state(&self, node: &mut Node, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u8("hour", &mut node.hour, 0..=23)?;
        codec.u8("clouds", &mut node.clouds, 0..=CLOUDS as u8 - 1)?;
        codec.u8("price", &mut node.price, 0..=PRICES as u8 - 1)?;
        codec.u8("queue", &mut node.queue, 0..=QUEUE)?;
        codec.u16("worth", &mut node.worth, 0..=FIRST * u16::from(QUEUE))?;
        codec.u16("charge", &mut node.charge, 0..=STORE)?;
        codec.u8("outage", &mut node.outage, 0..=OUTAGE)?;
        let queue = u32::from(node.queue);
        Invalid::outside("worth", node.worth.into(), 0, queue * u32::from(FIRST))?;
        let most = if node.is_on() { QUEUE } else { 0 };
        Invalid::outside("queue", queue, 0, most.into())
    }
}
