//! The weather of a place, from a trace of its light.
//!
//! The model of [`Weather`] is a clear sky for each hour of the day, four levels of cloudiness that let through a share
//! of it, and the probabilities with which they follow each other. Of a trace, each of them is what it is named:
//!
//! - **Clear sky**: the [percentile](PERCENTILE) of an hour of the day over all days. If there are enough clear days,
//!   that is one of them, and not the one hour in which clouds reflected more light than the sky gives.
//! - **Levels**: the share of the clear sky that came through, in 256ths and at most 256, of all hours of daylight; in
//!   four groups with the smallest sum of squared distances from their means, which are the levels.
//! - **Probabilities**: how often a level followed another from one hour of daylight to the next of the same day. At
//!   night nothing is seen of clouds. Pairs with a night in between are left out, and the model lets clouds go on in
//!   the dark as they do by day.

use ipse_tasks::sensor_node::{CLOUDS, DUSK, SensorNode, Weather};
use std::array;
use std::fmt;
use std::ops::Range;

/// The light of each hour of a day, in W/m², from 0 to [`Weather::BRIGHTEST`].
pub type Day = [f64; 24];

/// The percentile that is taken for a clear sky.
pub const PERCENTILE: f64 = 0.95;
/// The fewest days.
pub const DAYS: usize = 10;
/// The share that is all of the light.
const WHOLE: usize = 256;

/// Weather, and what it was found from.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub weather: Weather,
    pub days: usize,
    /// The number of hours of daylight, and of those at each level.
    pub hours: usize,
    pub at_level: [usize; CLOUDS],
    /// The number of pairs of hours that follow each other.
    pub pairs: usize,
}

/// A trace from which no weather can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    FewDays(usize),
    /// The brightest clear sky of any hour.
    Dark(u16),
    /// The number of different shares of the clear sky.
    FewShares(usize),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::FewDays(days) => write!(
                f,
                "whole days ({days}) must be {DAYS} or more: give a longer trace, or more months"
            ),
            Unfit::Dark(brightest) => write!(
                f,
                "the clear sky of the brightest hour ({brightest} W/m²) must be {DUSK} W/m² or more: is the column in \
                 W/m², and is it day in these months?"
            ),
            Unfit::FewShares(shares) => write!(
                f,
                "different shares of the clear sky ({shares}) must be {CLOUDS} or more: give a trace with clouds"
            ),
        }
    }
}

/// The weather of some days.
pub fn fit(days: &[Day]) -> Result<Fitted, Unfit> {
    if days.len() < DAYS {
        return Err(Unfit::FewDays(days.len()));
    }
    let clear_sky: [u16; 24] = array::from_fn(|hour| clear(days, hour));
    let brightest = clear_sky.into_iter().max().unwrap_or(0);
    if u32::from(brightest) < DUSK {
        return Err(Unfit::Dark(brightest));
    }
    let shares: Vec<_> = days.iter().map(|day| shares(day, &clear_sky)).collect();
    let mut histogram = [0; WHOLE + 1];
    for share in shares.iter().flatten().flatten() {
        histogram[*share] += 1;
    }
    let groups = groups(&histogram)?;
    let level_of = |share: usize| groups.iter().position(|group| group.contains(&share));
    let levels = shares.iter().map(|day| day.map(|share| level_of(share?)));
    let mut followed = [[0; CLOUDS]; CLOUDS];
    for day in levels {
        for pair in day.windows(2) {
            if let [Some(from), Some(to)] = *pair {
                followed[from][to] += 1;
            }
        }
    }
    let at_level = groups.clone().map(|group| histogram[group].iter().sum());
    // A level that nothing ever followed says nothing about what does.
    let row = |row: [usize; CLOUDS]| match row.iter().sum() {
        0 => apportioned(at_level),
        1.. => apportioned(row),
    };
    let weather = Weather {
        clear_sky,
        light: groups.map(|group| mean(&histogram, group)),
        next: followed.map(row),
    };
    debug_assert!(SensorNode::new(weather).is_ok());
    Ok(Fitted {
        weather,
        days: days.len(),
        hours: at_level.iter().sum(),
        at_level,
        pairs: followed.as_flattened().iter().sum(),
    })
}

/// The clear sky in an hour of the day.
fn clear(days: &[Day], hour: usize) -> u16 {
    let mut lights: Vec<f64> = days.iter().map(|day| day[hour]).collect();
    lights.sort_by(f64::total_cmp);
    let rank = (PERCENTILE * lights.len() as f64).ceil() as usize;
    let light = lights[rank.clamp(1, lights.len()) - 1];
    light.round().clamp(0., Weather::BRIGHTEST.into()) as u16
}

/// The share of the clear sky in each hour of daylight.
fn shares(day: &Day, clear_sky: &[u16; 24]) -> [Option<usize>; 24] {
    array::from_fn(|hour| {
        let clear = clear_sky[hour];
        let is_light = u32::from(clear) >= DUSK;
        let share = day[hour] / f64::from(clear) * WHOLE as f64;
        is_light.then(|| (share.round() as usize).min(WHOLE))
    })
}

/// The shares of each level, the brightest first: the four groups with the smallest sum of squared distances from their
/// means.
///
/// In one dimension groups are ranges, and the best ones end with the best of what is below the last of them (Fisher,
/// *On grouping for maximum homogeneity*, Journal of the American Statistical Association 53, 1958).
fn groups(histogram: &[usize; WHOLE + 1]) -> Result<[Range<usize>; CLOUDS], Unfit> {
    let different = histogram.iter().filter(|count| **count > 0).count();
    if different < CLOUDS {
        return Err(Unfit::FewShares(different));
    }
    let spread = Spread::of(histogram);
    // The cost of the shares below an end in so many groups, and where the last of them begins.
    let mut best = vec![[(f64::INFINITY, 0); WHOLE + 2]; CLOUDS + 1];
    best[0][0] = (0., 0);
    for group in 1..=CLOUDS {
        for end in 1..=WHOLE + 1 {
            for begin in 0..end {
                let before = best[group - 1][begin].0;
                let cost = before + spread.around_mean(begin..end);
                if cost < best[group][end].0 {
                    best[group][end] = (cost, begin);
                }
            }
        }
    }
    let mut end = WHOLE + 1;
    let mut group = CLOUDS;
    Ok(array::from_fn(|_| {
        let begin = best[group][end].1;
        let range = begin..end;
        (group, end) = (group - 1, begin);
        range
    }))
}

/// Sums over the shares below each.
struct Spread(Vec<[f64; 3]>);

impl Spread {
    fn of(histogram: &[usize; WHOLE + 1]) -> Self {
        let mut sums = vec![[0.; 3]];
        let mut sum = [0.; 3];
        for (share, count) in histogram.iter().enumerate() {
            let (share, count) = (share as f64, *count as f64);
            for (sum, term) in sum.iter_mut().zip([1., share, share * share]) {
                *sum += count * term;
            }
            sums.push(sum);
        }
        Spread(sums)
    }

    /// The sum of squared distances from the mean. A group has to have something in it.
    fn around_mean(&self, range: Range<usize>) -> f64 {
        let [below, up_to] = [self.0[range.start], self.0[range.end]];
        let [count, sum, squares] = array::from_fn(|i| up_to[i] - below[i]);
        match count > 0. {
            true => squares - sum * sum / count,
            false => f64::INFINITY,
        }
    }
}

/// The mean share of a group, rounded.
fn mean(histogram: &[usize; WHOLE + 1], group: Range<usize>) -> u16 {
    let (mut count, mut sum) = (0, 0);
    for share in group {
        count += histogram[share];
        sum += share * histogram[share];
    }
    ((sum + count / 2) / count.max(1)) as u16
}

/// Counts, of which one at least is above 0, as probabilities of 256 whose sum is 256: rounded down, and what is missing
/// goes to the largest remainders.
fn apportioned(counts: [usize; CLOUDS]) -> [u16; CLOUDS] {
    let all: usize = counts.iter().sum();
    let mut parts = counts.map(|count| (count * WHOLE / all) as u16);
    let mut order: [usize; CLOUDS] = array::from_fn(|level| level);
    order.sort_by_key(|level| std::cmp::Reverse(counts[*level] * WHOLE % all));
    let missing = WHOLE - parts.iter().map(|part| usize::from(*part)).sum::<usize>();
    for level in order.into_iter().take(missing) {
        parts[level] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_and_are_as_near_as_can_be() {
        assert_eq!(apportioned([1, 1, 1, 1]), [64; 4]);
        assert_eq!(apportioned([1, 1, 1, 0]), [86, 85, 85, 0]);
        assert_eq!(apportioned([0, 0, 7, 0]), [0, 0, 256, 0]);
        for seed in 1..2_000usize {
            let counts = array::from_fn(|level| seed * 7_919 * (level + 1) % 1_009 + level);
            let parts = apportioned(counts);
            assert_eq!(parts.iter().sum::<u16>(), 256);
            let all = counts.iter().sum::<usize>() as f64;
            for (count, part) in counts.iter().zip(parts) {
                let exact = *count as f64 * 256. / all;
                assert!(
                    (exact - f64::from(part)).abs() < 1.,
                    "{counts:?}: {parts:?}"
                );
            }
        }
    }

    /// All ways to cut 257 shares into four, one after the other, would take minutes; 12 shares do not.
    #[test]
    fn groups_are_the_best_of_all() {
        for seed in 1..50usize {
            let mut histogram = [0; WHOLE + 1];
            let shares: Vec<_> = (0..12).map(|i| (seed * 31 + i * i * 17) % 257).collect();
            for (i, share) in shares.iter().enumerate() {
                histogram[*share] += 1 + i * seed % 5;
            }
            let spread = Spread::of(&histogram);
            let cost = |cuts: [usize; 5]| -> f64 {
                let groups = cuts.windows(2);
                groups.map(|cut| spread.around_mean(cut[0]..cut[1])).sum()
            };
            let mut ends: Vec<usize> = shares.iter().map(|share| share + 1).collect();
            ends.sort_unstable();
            ends.dedup();
            let mut least = f64::INFINITY;
            for a in &ends {
                for b in &ends {
                    for c in &ends {
                        if a < b && b < c {
                            least = least.min(cost([0, *a, *b, *c, WHOLE + 1]));
                        }
                    }
                }
            }
            let [first, second, third, last] = groups(&histogram).unwrap();
            let found = cost([
                last.start,
                third.start,
                second.start,
                first.start,
                WHOLE + 1,
            ]);
            assert_eq!((last.start, first.end), (0, WHOLE + 1));
            assert!(
                (found - least).abs() < 1e-6 * least.max(1.),
                "{found}, not {least}"
            );
        }
    }

    /// Days whose noon is at so many W/m², and everything else in the dark.
    fn noons(noons: impl IntoIterator<Item = f64>) -> Vec<Day> {
        let day = |noon| array::from_fn(|hour| if hour == 12 { noon } else { 0. });
        noons.into_iter().map(day).collect()
    }

    #[test]
    fn a_trace_without_days_light_or_clouds_is_refused() {
        assert_eq!(fit(&[]), Err(Unfit::FewDays(0)));
        assert_eq!(fit(&noons([100.; DAYS - 1])), Err(Unfit::FewDays(DAYS - 1)));
        assert_eq!(fit(&noons([19.4; DAYS])), Err(Unfit::Dark(19)));
        assert_eq!(fit(&noons([500.; DAYS])), Err(Unfit::FewShares(1)));
        let three = (0..30).map(|day| [100., 50., 25.][day % 3]);
        assert_eq!(fit(&noons(three)), Err(Unfit::FewShares(3)));
    }

    #[test]
    fn hours_that_nothing_follows_have_the_probabilities_of_all() {
        let four = (0..40).map(|day| [100., 75., 50., 25.][day % 4]);
        let fitted = fit(&noons(four)).unwrap();
        assert_eq!((fitted.hours, fitted.pairs), (40, 0));
        assert_eq!(fitted.weather.light, [256, 192, 128, 64]);
        assert_eq!(fitted.weather.next, [[64; 4]; 4]);
    }

    #[test]
    fn a_few_hours_brighter_than_a_clear_sky_do_not_make_it_brighter() {
        let mut lights = vec![100.; 50];
        lights.extend([75., 50., 25.].repeat(15));
        let before = fit(&noons(lights.clone())).unwrap();
        lights.extend([140., 150.]);
        let after = fit(&noons(lights)).unwrap();
        assert_eq!(before.weather.clear_sky[12], 100);
        assert_eq!(after.weather.clear_sky[12], 100);
        assert_eq!(after.weather.light, before.weather.light);
    }
}
