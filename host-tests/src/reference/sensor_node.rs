//! The sensor node from the formulas of its sources, in double precision.
//!
//! Nothing is tabulated: light follows from the position of the sun, frames from symbols in the air, and forecasts from
//! the distribution of clouds, hour by hour.

use ipse_tasks::sensor_node::{
    AGEING, CLOUDS, GAP, IDLE, Node, OUTAGE, Plan, QUEUE, READING, RESTART, STORE, Send, WORTH,
    Weather,
};

/// The irradiance under a clear sky in Hamburg on the shortest day, in the middle of an hour, in W/m².
pub fn clear_sky(hour: u8) -> f64 {
    let latitude = 53.55f64.to_radians();
    let declination = (-23.44f64).to_radians();
    let angle = (15. * (f64::from(hour) + 0.5 - 12.)).to_radians();
    let sine =
        latitude.sin() * declination.sin() + latitude.cos() * declination.cos() * angle.cos();
    (910. * sine - 30.).max(0.)
}

/// The share of the light of a clear sky at so many oktas of clouds.
pub fn transmission(oktas: f64) -> f64 {
    1. - 0.75 * (oktas / 8.).powf(3.4)
}

/// The energy of a frame with so many readings at a price of the radio, in millijoules.
pub fn frame(price: u8, readings: u8) -> f64 {
    let spreading = 9. + f64::from(price);
    let symbol = 2f64.powf(spreading) / 125_000.;
    let bytes = 13. + 4. * f64::from(readings);
    let is_slow = spreading >= 11.;
    let bits = 4. * (spreading - if is_slow { 2. } else { 0. });
    let blocks = ((8. * bytes - 4. * spreading + 28. + 16.) / bits).ceil();
    let symbols = 8. + 4.25 + 8. + blocks.max(0.) * 5.;
    symbols * symbol * 3.3 * 118.
}

/// The energy of all frames for so many readings, each rounded down.
pub fn frames(price: u8, readings: u8) -> f64 {
    let mut left = readings;
    let mut energy = 0.;
    while left > 0 {
        let next = left.min(12);
        energy += frame(price, next).floor();
        left -= next;
    }
    energy
}

/// The energy that an hour brings, in millijoules.
pub fn income(weather: &Weather, hour: u8, clouds: usize) -> f64 {
    let light = f64::from(weather.clear_sky[usize::from(hour)]);
    light * f64::from(weather.light[clouds]) / 256. * 80.
}

/// The expected income of each of the next 24 hours.
pub fn expected(weather: &Weather, node: &Node) -> [f64; 24] {
    let mut odds = [0.; CLOUDS];
    odds[usize::from(node.clouds)] = 1.;
    std::array::from_fn(|ahead| {
        let mut next = [0.; CLOUDS];
        for (from, odds) in odds.iter().enumerate() {
            for (to, next) in next.iter_mut().enumerate() {
                *next += odds * f64::from(weather.next[from][to]) / 256.;
            }
        }
        odds = next;
        let hour = (node.hour + ahead as u8) % 24;
        let levels = (0..CLOUDS).map(|clouds| odds[clouds] * income(weather, hour, clouds));
        levels.sum()
    })
}

/// The number of readings that a plan sends.
fn sent(node: &Node, plan: Plan) -> u8 {
    let queue = node.queue + plan.readings;
    match plan.send {
        Send::None => 0,
        Send::Half => queue - queue / 2,
        Send::All => queue,
    }
}

/// Returns whether a plan is legal.
pub fn is_legal(node: &Node, plan: Plan) -> bool {
    let queue = node.queue + plan.readings;
    let needed = match plan.send {
        Send::None => 0,
        Send::Half => 2,
        Send::All => 1,
    };
    let is_nothing = plan.readings == 0 && plan.send == Send::None;
    queue >= needed && queue <= QUEUE && (node.outage == 0 || is_nothing)
}

/// The energy that a plan takes, in millijoules.
pub fn energy(node: &Node, plan: Plan) -> f64 {
    let idle = if node.outage == 0 { IDLE } else { 0 };
    let readings = f64::from(READING) * f64::from(plan.readings);
    f64::from(idle) + readings + frames(node.price, sent(node, plan))
}

/// The levels of cloudiness that explain the light of an hour, in W/m², as well as any other, up to rounding.
pub fn likely_clouds(weather: &Weather, hour: u8, light: u16) -> Vec<u8> {
    let clear = f64::from(weather.clear_sky[usize::from(hour)]);
    let distance = |clouds: u8| {
        let share = f64::from(weather.light[usize::from(clouds)]) / 256.;
        (clear * share - f64::from(light)).abs()
    };
    let levels = 0..CLOUDS as u8;
    let nearest = levels.clone().map(distance).fold(f64::INFINITY, f64::min);
    levels
        .filter(|&clouds| distance(clouds) < nearest + 1.)
        .collect()
}

/// The next state and the reward, with the clouds and the price of the next hour.
pub fn step(weather: &Weather, node: &Node, plan: Plan, clouds: u8, price: u8) -> (Node, i16) {
    let income = income(weather, node.hour, clouds.into()).floor();
    step_with(income, node, plan, clouds, price)
}

/// The same in an hour in whose light, in W/m², the cell was.
pub fn step_in(light: u16, node: &Node, plan: Plan, clouds: u8, price: u8) -> (Node, i16) {
    step_with(80. * f64::from(light), node, plan, clouds, price)
}

fn step_with(income: f64, node: &Node, plan: Plan, clouds: u8, price: u8) -> (Node, i16) {
    let hour = (node.hour + 1) % 24;
    let charge = f64::from(node.charge) + income - energy(node, plan);
    if charge < 0. {
        let next = Node {
            hour,
            clouds,
            price,
            queue: 0,
            worth: 0,
            charge: 0,
            outage: OUTAGE,
        };
        return (next, -GAP);
    }
    let charge = charge.min(f64::from(STORE)) as u16;
    let queue = node.queue + plan.readings;
    let worth = f64::from(node.worth) + f64::from(WORTH[usize::from(plan.readings)]);
    let delivered = match queue {
        0 => 0.,
        _ => (worth * f64::from(sent(node, plan)) / f64::from(queue)).floor(),
    };
    let left = worth - delivered;
    let outage = match node.outage {
        0 => 0,
        1 if charge < RESTART => 1,
        hours => hours - 1,
    };
    let next = Node {
        hour,
        clouds,
        price,
        queue: queue - sent(node, plan),
        worth: (left * (1. - 1. / f64::from(AGEING))).floor() as u16,
        charge,
        outage,
    };
    (next, delivered as i16)
}

/// The features of an action, in the order of the task, the energies in millijoules and not in steps.
pub fn features(weather: &Weather, node: &Node, plan: Plan) -> [f64; 8] {
    let expected = expected(weather, node);
    let income = |hours: usize| expected[..hours].iter().sum::<f64>();
    let charge = f64::from(node.charge);
    let store = f64::from(STORE);
    let energy = energy(node, plan);
    let scarcity = (1. - (charge + income(24)) / (2. * store)).max(0.);
    let modest = f64::from(IDLE) + f64::from(READING) + 64.;
    let lent = (1..=24).map(|hours| hours as f64 * modest - income(hours));
    let reserve = lent.fold(0., f64::max);
    let darkest = self::income(weather, node.hour, CLOUDS - 1);
    let record = f64::from(WORTH[usize::from(plan.readings)]);
    let queue = f64::from(node.queue + plan.readings);
    let worth = f64::from(node.worth) + record;
    let sent = sent(node, plan);
    [
        record,
        worth - (worth * f64::from(sent) / queue.max(1.)).floor(),
        energy,
        frames(node.price, sent) - frames(0, sent),
        energy * scarcity,
        energy.min((charge + income(6) - store).max(0.)),
        (energy - (charge - reserve).max(0.)).max(0.),
        (energy - charge - darkest).max(0.),
    ]
}
